"""The sheet for a table: its codes lead where the text beside them says."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
import segno

from recorder.cli import main
from recorder.commands.qr import address_of
from recorder.config import parse_config
from recorder.table_sheet import TableSheet, format_sheet


def test_the_sheet_names_the_table_and_every_page_in_both_languages() -> None:
    sheet = format_sheet(TableSheet("7 <A>", "http://banmen-7.local:8080/"))
    assert "Table 7 &lt;A&gt; · 第 7 &lt;A&gt; 台" in sheet
    assert re.findall(r"<code>(.*?)</code>", sheet) == [
        "http://banmen-7.local:8080/",
        "http://banmen-7.local:8080/desk",
        "http://banmen-7.local:8080/referee",
        "http://banmen-7.local:8080/clock",
    ]
    assert sheet.count("<svg") == 4
    assert "观看对局" in sheet
    # Nothing is loaded from elsewhere: the printer may have no network.
    assert not re.findall(r'(?:src|href)="http', sheet)


def test_a_code_is_read_back_as_its_address() -> None:
    url = "http://banmen-7.local:8080/referee"
    rows = np.array([list(row) for row in segno.make(url, error="m", micro=False).matrix])
    picture = np.kron(np.pad(1 - rows, 4, constant_values=1), np.ones((8, 8)))
    found, *_ = cv2.QRCodeDetector().detectAndDecode((255 * picture).astype(np.uint8))
    assert found == url


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ('[device]\ntable = "A7"', "http://banmen-a7.local:8080/"),
        ("[page]\nport = 80", "http://banmen-1.local/"),
        (
            '[page]\nport = 443\ncertificate = "a.pem"\nkey = "b.pem"',
            "https://banmen-1.local/",
        ),
    ],
)
def test_the_address_follows_from_the_settings(settings: str, expected: str) -> None:
    assert address_of(parse_config(settings)) == expected


def test_the_command_writes_the_sheet_or_says_why_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "table.html"
    (tmp_path / "c.toml").write_text('[device]\ntable = "7"\n')
    words = ["qr", "--config", str(tmp_path / "c.toml"), "--out"]
    assert main([*words, str(out)]) == 0
    assert "http://banmen-7.local:8080/" in out.read_text(encoding="utf-8")
    assert main([*words, str(out), "--address", "https://go.example"]) == 0
    assert "<code>https://go.example/desk</code>" in out.read_text(encoding="utf-8")
    assert main([*words, str(tmp_path / "none" / "x.html")]) == 2
    assert "--out" in capsys.readouterr().err
