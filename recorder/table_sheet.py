"""A sheet to print for a table: where spectators, operator and referee find its pages."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import segno

SCALE = 6
"""Units of a module of the code in the drawing; the style sheet decides the size on paper."""


@dataclass(frozen=True, slots=True)
class TableSheet:
    """What is on the sheet."""

    table: str
    address: str
    """Of the public page, with a slash in the end."""


PARTS = (
    ("", "Follow the game", "观看对局", ""),
    ("desk", "Operator", "操作员", "small"),
    ("referee", "Referee", "裁判", "small"),
    ("clock", "Clock", "棋钟", "small"),
)
"""Page, English, Chinese, class."""

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
  @page {{ size: A4; margin: 18mm; }}
  body {{ font-family: sans-serif; text-align: center; margin: 0; }}
  h1 {{ font-size: 44pt; margin: 0 0 6mm; }}
  figure {{ margin: 0 auto 10mm; }}
  figure svg {{ width: 90mm; height: 90mm; }}
  figcaption {{ font-size: 22pt; }}
  code {{ font-size: 14pt; overflow-wrap: anywhere; }}
  .row {{ display: flex; justify-content: space-around; }}
  .small svg {{ width: 38mm; height: 38mm; }}
  .small figcaption {{ font-size: 13pt; }}
  .small code {{ font-size: 9pt; }}
</style>
</head>
<body>
<h1>{title}</h1>
{public}
<div class="row">
{private}
</div>
</body>
</html>
"""


def format_sheet(sheet: TableSheet) -> str:
    """Return the sheet as one HTML file that needs nothing else."""
    figures = [_figure(sheet.address, *part) for part in PARTS]
    title = escape(f"Table {sheet.table} · 第 {sheet.table} 台")
    return PAGE.format(title=title, public=figures[0], private="\n".join(figures[1:]))


def _figure(address: str, page: str, english: str, chinese: str, kind: str) -> str:
    url = address + page
    code = segno.make(url, error="m", micro=False)
    drawing = code.svg_inline(scale=SCALE, omitsize=True)
    words = f"{english} · <span lang='zh'>{chinese}</span>"
    caption = f"<figcaption>{words}<br><code>{escape(url)}</code></figcaption>"
    return f"<figure class='{kind}'>{drawing}{caption}</figure>"
