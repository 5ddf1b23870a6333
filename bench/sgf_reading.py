"""How often names in every character set survive, and whether damaged files are ever a crash.

usage: python bench/sgf_reading.py [--names 2000] [--seconds 60]

Names are made of frequent family names and random characters, in files that do not say in which
character set they are: the hardest case. Damaged files are records with bytes changed, cut out,
doubled or put in; each must be read or refused with `SgfError`, and what is read must be written
the same after reading it again.
"""

from __future__ import annotations

import argparse
import time
from random import Random

from recorder.events import GameInfo, GameStarted, Move, MovePlayed
from recorder.game import Game, fold
from recorder.goban import Color
from recorder.sgf import SgfError, format_sgf, read_sgf
from recorder.sgf_text import decode_sgf

FAMILIES = {
    "gb18030": "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕",
    "big5": "王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓唐馮于董蕭程曹袁鄧許傅沈曾彭呂",
    "cp932": ("山田", "中村", "小林", "高橋", "渡辺", "伊藤", "佐藤", "加藤", "木村", "趙", "武宮"),
    "latin-1": ("Müller", "Schäfer", "Jørgensen", "Åström", "François", "Peña", "Weiß", "Löwe"),
    "utf-8": "王李张刘陈杨趙黃周吳",
}
LEADS = {
    "gb18030": (range(0xB0, 0xD7), range(0xA1, 0xFF)),
    "big5": (range(0xA4, 0xB8), (*range(0x40, 0x7F), *range(0xA1, 0xFF))),
    "cp932": (range(0x89, 0x98), (*range(0x40, 0x7F), *range(0x80, 0xFD))),
}
"""Where each set keeps its frequent characters: lead bytes, second bytes."""

PIECES = (
    "(",
    ";",
    ")",
    "[",
    "]",
    "\\",
    "B[dd]",
    "AB[aa:cc]",
    "SZ[9]",
    "CA[big5]",
    "柯",
    "ü",
    "PL[W]",
)


def name(random: Random, encoding: str) -> str:
    """Return a name that can be written in a character set."""
    family = random.choice(FAMILIES[encoding])
    if encoding == "latin-1":
        return f"{family} {random.choice(FAMILIES[encoding])}"
    leads, seconds = LEADS.get(encoding, LEADS["gb18030"])
    source = encoding if encoding in LEADS else "gb18030"
    given = ""
    while len(given) < random.choice((1, 2)):
        pair = bytes([random.choice(leads), random.choice(seconds)])
        given += pair.decode(source, errors="ignore")
    return family + given


def count_names(random: Random, encoding: str, total: int) -> int:
    """Return how many files with two names were read right."""
    right = 0
    for _ in range(total):
        black, white = name(random, encoding), name(random, encoding)
        text = f"(;GM[1]FF[4]SZ[19]PB[{black}]PW[{white}];B[pd];W[dd])"
        right += decode_sgf(text.encode(encoding)).text == text
    return right


def record(random: Random) -> Game:
    """Return a game of random moves with a name and a few notes."""
    game = fold([GameStarted(GameInfo(black="柯洁", event="決勝 [1]"), (), Color.BLACK)])
    color = Color.BLACK
    for number in range(1, 40):
        point = random.choice(sorted(game.board.empty_points()))
        placed = game.board.place(color, point)
        captured = placed.captured | placed.own_lost
        note = random.choice(("", "注 ]\\"))
        game = fold([MovePlayed(number, Move(color, point), captured, note=note)], game)
        color = color.opponent
    return game


def damage(random: Random, data: bytes) -> bytes:
    """Return a file with a few faults."""
    broken = bytearray(data)
    for _ in range(random.randint(1, 8)):
        place = random.randrange(len(broken))
        kind = random.random()
        if kind < 0.4:
            broken[place] = random.randrange(256)
        elif kind < 0.6:
            del broken[place : place + random.randint(1, 10)]
        elif kind < 0.9:
            encoding = random.choice(("utf-8", "gb18030", "big5"))
            broken[place:place] = random.choice(PIECES).encode(encoding, errors="replace")
        else:
            broken[place:place] = broken[:20]
    return bytes(broken)


def read_damaged(random: Random, seconds: float) -> tuple[int, int]:
    """Return how many damaged files were tried, and how many of them were read."""
    files = [format_sgf(record(random)).encode() for _ in range(5)]
    tried = was_read = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        tried += 1
        try:
            game = read_sgf(damage(random, random.choice(files)))
        except SgfError:
            continue
        was_read += 1
        text = format_sgf(game)
        if format_sgf(read_sgf(text.encode())) != text:
            raise AssertionError(f"not the same after reading: {text!r}")
    return tried, was_read


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--names", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=60.0)
    arguments = parser.parse_args()
    random = Random(5)
    for encoding in FAMILIES:
        right = count_names(random, encoding, arguments.names)
        print(f"{encoding:8} names right {right}/{arguments.names}")
    tried, was_read = read_damaged(random, arguments.seconds)
    print(f"damaged files {tried}: read {was_read}, refused {tried - was_read}, crashes 0")


if __name__ == "__main__":
    main()
