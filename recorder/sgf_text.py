"""Bytes of an SGF file to text: an SGF file must be decoded before it is parsed.

The second byte of a GBK, Big5 or Shift-JIS character can be a backslash or a bracket, so a parser
of bytes swallows the move after such a name.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass

_CHARSET = re.compile(rb"\bCA\s*\[([A-Za-z0-9_.: -]{1,40})\]")

_FOR_FILES = re.compile(r"utf-8$|gb18030$|big5|cp\d+$|shift_jis|euc_|iso8859-|koi8")
"""Names of Python's codecs that hold ASCII brackets; it has many more that are no text."""

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_SUPERSETS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-1": "cp1252",
    "ascii": "utf-8",
}
"""Files name the small character set and use the large one."""

_FREQUENT = frozenset(
    # What the headers of game records are made of: players, ranks, results, places, dates.
    "黑白胜负勝負贴目贴子貼半中盘中盤认输認輸段级級职业業余餘杯赛賽决决決冠军軍轮輪局第届屆"
    "年月日时時分秒中国國日本韩韓台湾灣北京上海东東西南海州杭广廣成都围圍棋院协協会會名人本因坊"
    "王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩唐冯馮于董萧蕭"
    "程曹袁邓鄧许許傅沈曾彭吕呂苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉阎閻余潘杜戴夏钟鍾汪田任姜范方石姚"
    "一二三四五六七八九十初的着天地元新老古小大明华華伟偉平文志昊洁潔睿俊杰傑光辉輝建春秋"
    "山田中村川木井藤佐高橋渡辺小林加吉松本口野島清水治勲正郎太一男夫子美和裕光也"
)

_DETECTED = ("gb18030", "big5hkscs", "cp932", "cp1252")
"""Tried in this order where a file says nothing; of two equally likely ones the first is taken."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file, and in which character set it was."""

    text: str
    encoding: str


def decode_sgf(data: bytes) -> Decoded:
    """Return the text of an SGF file in UTF-8, GBK, Big5, Shift-JIS, Latin-1 or what its CA names.

    Bytes that are UTF-8 beyond doubt are taken as such whatever CA says; else CA is believed when
    the bytes fit it; else the likeliest of the character sets in use for Go is taken. Never fails:
    every byte means something in Latin-1.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return Decoded(data.decode(encoding, errors="replace"), encoding)
    declared = _declared(data)
    as_utf8 = _decode(data, "utf-8")
    if as_utf8 is not None and _is_surely_utf8(as_utf8, declared):
        return Decoded(as_utf8, "utf-8")
    if declared is not None and declared != "cp1252":
        text = _decode(data, declared)
        if text is not None:
            return Decoded(text, declared)
    return _likeliest(data, is_latin_declared=declared == "cp1252")


def _declared(data: bytes) -> str | None:
    """Return Python's name of the (widened) character set that CA names, if it knows one."""
    found = _CHARSET.search(data[:4096])
    if found is None:
        return None
    try:
        name = codecs.lookup(found.group(1).decode("ascii").strip()).name
    except LookupError:
        return None
    name = _SUPERSETS.get(name, name)
    return name if _FOR_FILES.match(name) else None


def _decode(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except ValueError:
        return None


def _is_surely_utf8(text: str, declared: str | None) -> bool:
    """Return whether text that decoded as UTF-8 is no accident.

    A pair of GBK or Big5 bytes can look like one two-byte UTF-8 character; three-byte characters
    do not come about that way, nor do lone accented letters or words of one alphabet.
    """
    if text.isascii() or declared == "utf-8" or any(ord(c) > 0x7FF for c in text):
        return True
    if declared not in (None, "cp1252"):
        return False
    beyond = [i for i, c in enumerate(text) if ord(c) > 0x7F]
    is_one_alphabet = len({ord(text[i]) >> 8 for i in beyond}) == 1 and len(beyond) > 2
    return is_one_alphabet or sum(_western(text, i) for i in beyond) > 0.4 * len(beyond)


def _likeliest(data: bytes, *, is_latin_declared: bool) -> Decoded:
    best, best_score = Decoded(data.decode("latin-1"), "iso8859-1"), 0.0
    for encoding in _DETECTED:
        text = _decode(data, encoding)
        if text is None:
            continue
        score = _score(text, encoding)
        if is_latin_declared and encoding == "cp1252":
            # Named, but also what programs write that never thought of character sets.
            score += 0.2
        if score > best_score:
            best, best_score = Decoded(text, encoding), score
    return best


def _score(text: str, encoding: str) -> float:
    """Return how much the characters beyond ASCII look like a language, about 0 to 1."""
    likelihood = _LIKELIHOODS[encoding]
    values = [likelihood(text, i) for i, c in enumerate(text) if ord(c) > 0x7F]
    return sum(values) / len(values) if values else 0.0


def _chinese(encoding: str, first_rare: int) -> Callable[[str, int], float]:
    """Return the likelihood in a set whose frequent characters come before a lead byte."""

    def likelihood(text: str, i: int) -> float:
        character = text[i]
        if character in _FREQUENT:
            return 1.0
        # Some pairs of Big5 stand for two characters, neither of which has a pair.
        pair = character.encode(encoding, errors="ignore")
        if len(pair) != 2 or "\ue000" <= character <= "\uf8ff":
            return -1.0
        if "\u3000" <= character <= "\u303f" or "\uff00" <= character <= "\uff5e":
            return 0.5
        if not "\u4e00" <= character <= "\u9fff":
            return 0.0
        if encoding == "gb18030" and (pair[1] < 0xA1 or pair[0] < 0xB0):
            # Outside GB2312: a few traditional characters in real files.
            return 0.15
        return 0.6 if pair[0] < first_rare else 0.2

    return likelihood


def _japanese(text: str, i: int) -> float:
    character = text[i]
    if "\uff61" <= character <= "\uff9f":
        # Half-width katakana are what other sets look like when read as Shift-JIS.
        return -0.5
    if "\u3040" <= character <= "\u30ff" or character in _FREQUENT:
        return 1.0
    if not "\u3000" <= character <= "\u9fff":
        return 0.0
    return 0.6 if character.encode("cp932", errors="ignore") < b"\x98" else 0.2


def _western(text: str, i: int) -> float:
    """Return high for a lone accented letter inside a word, low for runs of high bytes."""
    around = text[max(i - 1, 0) : i] + text[i + 1 : i + 2]
    is_lone = all(c.isascii() for c in around)
    is_in_word = any(c.isascii() and c.isalpha() for c in around)
    if not text[i].isalpha():
        return 0.2 if is_lone else -0.2
    return 0.9 if is_lone and is_in_word else 0.4 if is_lone else 0.0


_LIKELIHOODS: dict[str, Callable[[str, int], float]] = {
    "gb18030": _chinese("gb18030", 0xD8),
    "big5hkscs": _chinese("big5hkscs", 0xC9),
    "cp932": _japanese,
    "cp1252": _western,
}
