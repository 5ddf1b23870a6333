"""Who plays whom at which table, from a file of the tournament program: OpenGotha XML, or CSV."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from xml.etree import ElementTree

MAX_PAIRINGS = 5000

_CODINGS = ("utf-8-sig", "gb18030")
_DELIMITERS = ",;\t|"
_NUMBER = re.compile(r"(?:(?<!\w)-)?\d{1,5}")
MAX_NUMBER = 9999
_KOMI = re.compile(r"-?\d{1,3}(?:[.,]\d{1,3})?")


class PairingError(ValueError):
    """A file without pairings; the message says what was expected, and in which line."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player as the tournament program knows him."""

    name: str
    rank: str = ""
    club: str = ""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played."""

    table: int
    black: Person
    white: Person
    round: str = ""
    handicap: int = 0
    komi: float | None = None
    """Points for White; None: the file does not say."""

    event: str = ""
    is_color_known: bool = True
    """False where the players still draw for colors (10)."""


def parse_pairings(data: bytes) -> tuple[Pairing, ...]:
    """Return the pairings of a file, by round and table.

    OpenGotha's XML, or CSV with a line of headers in English or Chinese, in UTF-8, GB18030 or
    UTF-16, separated by comma, semicolon, tab or bar. Players without an opponent are left out.

    Raises
    ------
    PairingError
        The file is neither, lacks a column, or seats two games at one table.
    """
    if not data.strip():
        raise PairingError("the file is empty")
    is_xml = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    found = tuple(_from_xml(data) if is_xml else _from_csv(_decoded(data)))
    if not found:
        raise PairingError("the file has no game with two players")
    if len(found) > MAX_PAIRINGS:
        raise PairingError(f"at most {MAX_PAIRINGS} games are taken, got {len(found)}")
    seats = Counter((one.round, one.table) for one in found)
    for (round_, table), games in seats.items():
        if games > 1:
            raise PairingError(f"table {table} has {games} games in round {round_ or '?'}")
    return tuple(sorted(found, key=lambda one: (_first_number(one.round), one.round, one.table)))


# OpenGotha


class _NoDoctype(ElementTree.TreeBuilder):
    """Refuses declarations by which a small file can grow without bounds."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise PairingError("a pairing file must not declare a document type")


def _from_xml(data: bytes) -> tuple[Pairing, ...]:
    try:
        root = ElementTree.fromstring(data, ElementTree.XMLParser(target=_NoDoctype()))
    except PairingError:
        raise
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        # ValueError: a coding that expat does not know, for example GB18030.
        raise PairingError(f"the file is no XML: {error}") from error
    if root.tag != "Tournament":
        raise PairingError(f"expected a Tournament of OpenGotha, got {root.tag}")
    people = {_key(player): _person(player) for player in root.iter("Player")}
    general = root.find(".//GeneralParameterSet")
    settings = {} if general is None else general.attrib
    games = [_game(game.attrib, people, settings) for game in root.iter("Game")]
    # Lists number tables from 1; a file that has a table 0 counts from there.
    first = 0 if all(game.table for game in games) else 1
    return tuple(replace(game, table=game.table + first) for game in games)


def _key(player: ElementTree.Element) -> str:
    """Return how games name a player: OpenGotha writes both names in one, in capitals."""
    both = player.get("name", "") + player.get("firstName", "")
    return both.replace(" ", "").upper()


def _person(player: ElementTree.Element) -> Person:
    names = (player.get("firstName", ""), player.get("name", ""))
    rank = player.get("grade") or player.get("rank") or ""
    return Person(" ".join(filter(None, names)), rank.lower(), player.get("club", ""))


def _game(
    game: Mapping[str, str], people: Mapping[str, Person], settings: Mapping[str, str]
) -> Pairing:
    black, white = (
        people.get(game.get(f"{color}Player", "").replace(" ", "").upper())
        for color in ("black", "white")
    )
    where = f"round {game.get('roundNumber', '?')}, table {game.get('tableNumber', '?')}"
    if black is None or white is None:
        raise PairingError(f"{where} names a player who is not in the list")
    handicap = _whole(game.get("handicap", "0"), where)
    return Pairing(
        _whole(game.get("tableNumber", ""), where),
        black,
        white,
        game.get("roundNumber", ""),
        handicap,
        None if handicap else _komi(settings.get("komi", ""), where),
        settings.get("name", ""),
        game.get("knownColor", "true") != "false",
    )


# CSV

_NAMES: Mapping[str, tuple[str, ...]] = {
    "table": ("table", "tableno", "tbl", "board", "台号", "台次", "台", "桌号", "桌次", "桌"),
    "round": ("round", "rd", "轮次", "轮", "轮数"),
    "black": ("black", "blackplayer", "blackname", "黑方", "黑", "执黑", "黑方姓名", "黑棋"),
    "white": ("white", "whiteplayer", "whitename", "白方", "白", "执白", "白方姓名", "白棋"),
    "black_rank": ("blackrank", "blackgrade", "黑方段位", "黑段位", "黑方等级", "黑级"),
    "white_rank": ("whiterank", "whitegrade", "白方段位", "白段位", "白方等级", "白级"),
    "black_club": ("blackclub", "blackteam", "黑方单位", "黑单位", "黑方队伍", "黑方队", "黑队"),
    "white_club": ("whiteclub", "whiteteam", "白方单位", "白单位", "白方队伍", "白方队", "白队"),
    "handicap": ("handicap", "hd", "stones", "让子", "让子数"),
    "komi": ("komi", "贴目"),
    "event": ("event", "tournament", "赛事", "比赛", "组别"),
}
"""Headers by what they mean, without spaces, marks and capitals."""

_MEANING = {name: key for key, names in _NAMES.items() for name in names}
_NEEDED = ("table", "black", "white")


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        codings: Iterable[str] = ("utf-16",)
    else:
        codings = _CODINGS
    for coding in codings:
        try:
            return data.decode(coding)
        except UnicodeDecodeError:
            continue
    raise PairingError("the file must be CSV in UTF-8 or GB18030, or OpenGotha's XML")


def _from_csv(text: str) -> Iterator[Pairing]:
    lines = [line for line in text.splitlines() if line.strip()]
    if "\0" in text or not lines:
        raise PairingError("the file must be CSV in UTF-8 or GB18030, or OpenGotha's XML")
    delimiter = max(_DELIMITERS, key=lines[0].count)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise PairingError(f"the file is no CSV: {error}") from error
    numbered = ((number, row) for number, row in enumerate(rows, start=1) if any(row))
    columns = _columns(next((row for _, row in numbered), ()))
    for number, row in numbered:
        found = _row(columns, row, f"line {number}")
        if found is not None:
            yield found


def _columns(headers: Sequence[str]) -> dict[str, int]:
    """Return the place of each meaning; the first column of a meaning counts."""
    columns: dict[str, int] = {}
    for place, header in enumerate(headers):
        meaning = _MEANING.get(re.sub(r"[\s_.\-/()（）#]", "", header).lower())
        if meaning is not None:
            columns.setdefault(meaning, place)
    missing = [key for key in _NEEDED if key not in columns]
    if missing:
        wanted = ", ".join(f"{key} ({_NAMES[key][-1]}...)" for key in missing)
        raise PairingError(f"the first line must name the columns; missing: {wanted}")
    return columns


def _row(columns: Mapping[str, int], row: Sequence[str], where: str) -> Pairing | None:
    def value(key: str) -> str:
        place = columns.get(key, len(row))
        return " ".join(row[place].split()) if place < len(row) else ""

    if not (value("black") and value("white")):
        return None
    handicap = _whole(value("handicap") or "0", where)
    return Pairing(
        _whole(value("table"), where),
        Person(value("black"), value("black_rank"), value("black_club")),
        Person(value("white"), value("white_rank"), value("white_club")),
        value("round"),
        handicap,
        _komi(value("komi"), where),
        value("event"),
    )


def _whole(text: str, where: str) -> int:
    found = _NUMBER.search(text)
    if found is None or not 0 <= int(found[0]) <= MAX_NUMBER:
        raise PairingError(f"{where}: expected a whole number in 0-{MAX_NUMBER}, got {text!r}")
    return int(found[0])


def _komi(text: str, where: str) -> float | None:
    if not text:
        return None
    if not _KOMI.fullmatch(text):
        raise PairingError(f"{where}: komi must be a number of points, got {text!r}")
    return float(text.replace(",", "."))


def _first_number(text: str) -> int:
    found = _NUMBER.search(text)
    return int(found[0]) if found else 0
