"""SGF written and read: the same game again, whatever its names, rulings and corrections."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sgfmill import sgf as sgfmill_sgf

from recorder.clock import ByoYomi, new_clock
from recorder.clock_state import format_state
from recorder.commands.judge import read_case
from recorder.events import (
    Alert,
    AlertClosed,
    ClockChanged,
    Event,
    GameInfo,
    GameStarted,
    Level,
    Move,
    MovePlayed,
    MoveVoided,
    PositionCorrected,
    Provenance,
    ResultChanged,
    Severity,
)
from recorder.game import Game, fold
from recorder.goban import Color, Point, Stone, format_vertex, neighbors, parse_vertex
from recorder.sgf import SgfError, format_sgf, read_sgf
from recorder.verdict import judge_scenario

SHARED = Path(__file__).parents[2] / "shared"
B, W = Color.BLACK, Color.WHITE


def at(vertex: str, size: int = 19) -> Point:
    """Return the point of a GTP name."""
    return parse_vertex(vertex, size)


def started(info: GameInfo | None = None, setup: tuple[Stone, ...] = ()) -> GameStarted:
    """Return the start of a game with Black to move."""
    return GameStarted(info or GameInfo(), setup, B)


def played(number: int, words: str, **facts: object) -> MovePlayed:
    """Return a move such as "B Q16" or "W pass"."""
    color, vertex = words.split()
    point = None if vertex == "pass" else at(vertex)
    return MovePlayed(number, Move(Color(color), point), **facts)  # type: ignore[arg-type]


def record(game: Game) -> list[tuple[str, str]]:
    """Return the moves as (color, vertex)."""
    size = game.info.size
    return [
        (m.move.color.value, "pass" if m.move.point is None else format_vertex(m.move.point, size))
        for m in game.moves
    ]


def back(game: Game) -> Game:
    """Return a game written and read again."""
    return read_sgf(format_sgf(game).encode("utf-8"))


def assert_same_record(one: Game, other: Game) -> None:
    """Fail unless two games tell the same record."""
    told = one.info if one.info.komi is not None else replace(one.info, komi=other.info.komi)
    assert other.info == told
    assert other.setup == one.setup
    assert timeless(other) == timeless(one)
    assert other.board == one.board
    assert other.to_move == one.to_move
    assert other.prisoners == one.prisoners
    assert other.result == one.result


def timeless(game: Game) -> list[MovePlayed]:
    """Return the moves without their times of day, which are not in the file."""
    return [replace(move, t_s=0.0, view_s=0.0) for move in game.moves]


def ko_game() -> Game:
    """Return a game with a void ko capture, its ruling and a correction of the position."""
    events: list[Event] = [
        started(GameInfo(black="柯洁", white="李世石\\", event="第1届 [决赛]", komi=7.5)),
        played(1, "B Q16"),
        played(2, "W D4"),
        Alert(
            id=1,
            type="ko-violation",
            level=Level.VIOLATION,
            severity=Severity.INTERRUPT,
            color=B,
            points=(at("K10"),),
            t_s=30.0,
            article="18.3",
            ruling="void-pass",
            warning=B,
            move_number=3,
        ),
        MoveVoided(Move(B, at("K10")), frozenset({at("K11")}), 3, "ko-violation", "18.3", 1),
        played(3, "B pass", provenance=Provenance.IMPOSED),
        PositionCorrected((Stone(W, at("R17")),), (at("Q16"),), W, "moved stone, original point"),
        played(4, "W C3", clock_left_s=1234.5, clock_moves_left=3, note="a \\ note]\nin two lines"),
    ]
    return fold(events)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Draw a game of random legal-looking moves with everything the file can hold."""
    size = draw(st.sampled_from([2, 5, 9, 13, 19, 25]))
    random = Random(draw(st.integers(0, 2**32)))
    text = st.text(alphabet="ab黑胜é]\\[:;() ", max_size=8).map(lambda t: " ".join(t.split()))
    info = GameInfo(
        size,
        draw(st.sampled_from(["chinese-2002", "chinese-older", "japanese", "aga", "tromp-taylor"])),
        komi=draw(st.sampled_from([0.0, 0.5, 6.5, 7.5, -3.0, 7.0])),
        handicap=draw(st.sampled_from([0, 2, 4])),
        black=draw(text),
        event=draw(text),
        time_control=draw(text),
        superko=draw(st.sampled_from(["refer", "void-pass"])),
        moves_before=draw(st.sampled_from([0, 40])),
    )
    game = fold([started(info, random_setup(random, size))])
    color = B
    for number in range(1, draw(st.integers(0, 40)) + 1):
        game = fold([random_move(random, game, number, color)], game)
        color = color.opponent
    return game


def random_setup(random: Random, size: int) -> tuple[Stone, ...]:
    """Return a few stones that all keep a liberty."""
    points = random.sample(sorted(neighbors(size)), k=min(3, size - 1))
    return tuple(Stone(random.choice([B, W]), p) for p in points if random.random() < 0.3)


def random_move(random: Random, game: Game, number: int, color: Color) -> MovePlayed:
    """Return a move on a random empty point, or a pass, with random facts."""
    empty = sorted(game.board.empty_points())
    point = random.choice(empty) if empty and random.random() < 0.9 else None
    placed = None if point is None else game.board.place(color, point)
    return MovePlayed(
        number,
        Move(color, point),
        captured=frozenset() if placed is None else placed.captured | placed.own_lost,
        faults=frozenset({"ko"} if random.random() < 0.05 else ()),
        provenance=random.choice(list(Provenance)),
        is_order_known=random.random() < 0.8,
        clock_left_s=random.choice([None, 12.25, 3600.0]),
        clock_moves_left=random.choice([None, 5]),
        note=random.choice(["", "note: void: move 1, B A1, x", "第一手\n]\\", "order: unknown"]),
    )


@given(games())
@settings(max_examples=60, deadline=None)
def test_a_game_written_and_read_back_is_the_same_game(game: Game) -> None:
    assert_same_record(game, back(game))


@given(games())
@settings(max_examples=40, deadline=None)
def test_what_we_write_is_written_the_same_after_reading(game: Game) -> None:
    assert format_sgf(back(game)) == format_sgf(game)


def test_a_game_with_rulings_and_corrections_reads_back() -> None:
    game = ko_game()
    again = back(game)
    assert_same_record(game, again)
    assert again.corrections == game.corrections
    assert again.voids == tuple(replace(v, alert_id=None) for v in game.voids)


def test_a_void_move_is_a_pass_with_a_comment() -> None:
    text = format_sgf(ko_game())
    node = next(part for part in text.split(";") if part.startswith("B[]"))
    assert "void: move 3, B K10, ko-violation, article 18.3, took K11, provisional" in node
    assert "ruling: ko-violation, B K10, article 18.3, void-pass, warning B, provisional" in node


def test_a_decided_ruling_says_who_decided() -> None:
    game = fold([AlertClosed(1, "confirm", "裁判长", "seen by both")], ko_game())
    text = " ".join(format_sgf(game).split())
    assert "warning B, confirm by 裁判长 (seen by both)" in text
    assert "provisional" not in text


def test_a_dismissed_alert_leaves_no_ruling_and_no_void_move() -> None:
    text = format_sgf(fold([AlertClosed(1, "dismiss", "裁判长")], ko_game()))
    assert "ruling:" not in text
    assert "void:" not in text


def test_setup_and_moves_never_share_a_node() -> None:
    stones = tuple(Stone(B, at(v)) for v in ("D4", "Q16"))
    game = fold([started(GameInfo(handicap=2), stones), played(1, "W C3")], None)
    for node in format_sgf(game).replace("\n", "").split(";")[1:]:
        has_setup = any(name in node for name in ("AB[", "AW[", "AE["))
        assert not (has_setup and ("B[cq]" in node or "W[cq]" in node))


def test_a_correction_is_a_node_with_the_side_to_move() -> None:
    text = format_sgf(ko_game()).replace("\n", "")
    assert ";AE[pd]AW[qc]C[correction: moved stone, original point]PL[W];" in text


def test_a_handicap_game_names_its_stones_and_who_plays_first() -> None:
    stones = tuple(Stone(B, at(v)) for v in ("D4", "Q16"))
    info = GameInfo(handicap=2, komi=0.0)
    game = fold([GameStarted(info, stones, W), played(1, "W C3")])
    text = format_sgf(game).replace("\n", "")
    assert "AB[pd][dp]" in text
    assert "HA[2]" in text
    assert "PL[W]" in text
    assert back(game).first_to_move is W


def test_komi_is_written_in_points_and_the_edition_named() -> None:
    text = format_sgf(ko_game())
    assert "KM[7.5]" in text
    assert "RU[Chinese]" in text
    assert "(chinese-2002)" in text


@pytest.mark.parametrize(
    ("written", "points"),
    [
        ("3.75", 7.5),
        ("2.75", 5.5),
        ("375", 7.5),
        ("325", 6.5),
        ("650", 6.5),
        ("750", 7.5),
        ("0", 0.0),
        ("6.5", 6.5),
        ("7,5", 7.5),
        ("-3", -3.0),
        ("8", 8.0),
        ("", None),
    ],
)
def test_komi_of_chinese_servers_is_read_as_points(written: str, points: float | None) -> None:
    assert read_sgf(f"(;GM[1]KM[{written}])".encode()).info.komi == points


def test_a_result_keeps_its_text_and_whether_it_is_confirmed() -> None:
    for is_confirmed in (True, False):
        game = fold([ResultChanged("B+1.5", "黑胜3/4子", is_confirmed)], ko_game())
        again = back(game)
        assert (again.result, again.result_text) == ("B+1.5", "黑胜3/4子")
        assert again.is_result_confirmed is is_confirmed


def test_main_time_comes_from_the_clock() -> None:
    clock = format_state(new_clock(ByoYomi(3300, 5)))
    assert "TM[3300]" in format_sgf(fold([ClockChanged(clock)], ko_game()))


def test_main_time_comes_from_what_was_announced_where_there_is_no_clock() -> None:
    info = GameInfo(time_control="30 min + 5x60 s")
    text = format_sgf(fold([started(info)]))
    assert "TM[1800]" in text
    assert "OT[30 min + 5x60 s]" in text


def test_a_clock_of_another_kind_is_left_out() -> None:
    assert "TM[" not in format_sgf(fold([ClockChanged("{}")], ko_game()))


def test_komi_that_was_not_told_is_the_rule_sets_own() -> None:
    assert back(fold([started(GameInfo(ruleset="japanese"))])).info.komi == 6.5
    assert back(fold([started(GameInfo(handicap=4))])).info.komi == 0.0


def test_a_forbidden_stone_that_stands_is_still_there_after_reading() -> None:
    stones = tuple(Stone(W, at(v)) for v in ("A2", "B1"))
    forbidden = played(1, "B A1", faults=frozenset({"forbidden-point"}))
    game = fold([started(setup=stones), forbidden])
    assert "KO[]" in format_sgf(game)
    assert back(game).board == game.board


def test_sgfmill_opens_the_file() -> None:
    game = sgfmill_sgf.Sgf_game.from_string(format_sgf(ko_game()))
    assert game.get_player_name("b") == "柯洁"
    assert [node.get_move() for node in game.get_main_sequence()][1] == ("b", (15, 15))


def score_games() -> ModuleType:
    """Return the scoring script, or skip where it is absent."""
    path = SHARED / "eval" / "score_games.py"
    if not path.exists():
        pytest.skip("the scoring scripts are not beside this checkout")
    spec = importlib.util.spec_from_file_location("score_games", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@given(games())
@settings(max_examples=25, deadline=None)
def test_the_scoring_scripts_read_the_same_main_line(game: Game) -> None:
    # The scripts take "tt" for a pass on every size.
    assume(game.info.size <= 19)
    main_line = score_games().main_line
    assert main_line(format_sgf(game), game.info.size) == record(game)


def test_the_scoring_scripts_read_past_rulings_and_backslashes() -> None:
    game = ko_game()
    assert score_games().main_line(format_sgf(game), 19) == record(game)


CASES = SHARED / "rules" / "cases"


@pytest.mark.skipif(not CASES.exists(), reason="the rules' cases are not beside this checkout")
def test_the_record_of_every_scenario_survives() -> None:
    for path in sorted(CASES.glob("*.json")):
        game = judge_scenario(read_case(path)).game
        again = back(game)
        assert_same_record(game, again)
        assert again.first_to_move == game.first_to_move, path.name
        assert [v.move for v in again.voids] == [v.move for v in game.voids], path.name
        assert score_games().main_line(format_sgf(game), game.info.size) == record(game)


NAMES = [
    ("gbk", "柯洁", "聂卫平"),
    ("gbk", "时越", "范廷钰"),
    ("big5", "吳清源", "許功蓋"),
    ("big5", "周俊勳", "張栩"),
    ("shift_jis", "本因坊秀策", "ソ表"),
    ("shift_jis", "井山裕太", "一力遼"),
    ("latin-1", "Müller", "François Dupré"),
    ("utf-8", "柯洁", "Müller"),
]


@pytest.mark.parametrize(("encoding", "black", "white"), NAMES)
@pytest.mark.parametrize("declaration", ["", "CA[{}]"])
def test_names_survive_every_encoding(
    encoding: str, black: str, white: str, declaration: str
) -> None:
    charset = declaration.format(encoding)
    text = f"(;GM[1]{charset}PB[{black}]PW[{white}];B[pd];W[dp])"
    game = read_sgf(text.encode(encoding))
    assert (game.info.black, game.info.white) == (black, white)
    assert record(game) == [("B", "Q16"), ("W", "D4")]


def test_no_pair_of_bytes_in_a_name_stops_the_reading() -> None:
    for first in range(0x80, 0x100):
        for second in range(0x30, 0x100, 11):
            data = b"(;GM[1]PB[x" + bytes([first, second]) + b"x]GN[])"
            game = game_or_refusal(data)
            assert game is None or game.info.black


def test_utf8_is_recognized_under_a_wrong_declaration() -> None:
    game = read_sgf("(;GM[1]CA[GB2312]PB[柯洁];B[pd])".encode())
    assert game.info.black == "柯洁"


def test_the_first_variation_is_the_game() -> None:
    game = read_sgf(b"(;GM[1];B[pd](;W[dd](;B[pp])(;B[dp]))(;W[dp]))")
    assert record(game) == [("B", "Q16"), ("W", "D16"), ("B", "Q4")]


def test_captures_are_worked_out_on_reading() -> None:
    game = read_sgf(b"(;GM[1]SZ[9]AW[aa]AB[ab];B[ba])")
    assert game.moves[0].captured == {Point(0, 0)}
    assert game.prisoners.black == 1


def test_tt_is_a_pass_only_where_no_such_point_exists() -> None:
    assert record(read_sgf(b"(;GM[1]SZ[19];B[tt])")) == [("B", "pass")]
    assert record(read_sgf(b"(;GM[1]SZ[25];B[tt])")) == [("B", "U6")]


def test_rectangles_of_points_are_read() -> None:
    game = read_sgf(b"(;GM[1]SZ[9]AB[aa:bc];W[dd])")
    assert len(game.setup) == 6


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "line 1"),
        (b"not a game", "expected SGF"),
        (b"(;GM[1];B[pd]", "line 1"),
        (b"(;GM[2])", "node 0, property GM: expected 1 (Go), got '2'"),
        (b"(;GM[1]SZ[26])", "node 0, property SZ: expected a square size of 2-25, got '26'"),
        (b"(;GM[1]SZ[9:13])", "property SZ"),
        (b"(;GM[1]SZ[9];B[jj])", "node 1, property B: expected a point aa-ii, got 'jj'"),
        (b"(;GM[1];B[pd];W[pd])", "node 2, property W: expected an empty point, got 'pd'"),
        (b"(;GM[1]KM[many])", "node 0, property KM: expected a number, got 'many'"),
        (b"(;GM[1]AB[dd:aa])", "property AB: expected upper left:lower right"),
        (b"(;GM[1]HA[2.5])", "property HA"),
        (b"(;GM[1]PL[x])", "property PL: expected B or W"),
    ],
)
def test_a_broken_file_is_named_with_its_place(data: bytes, words: str) -> None:
    with pytest.raises(SgfError) as caught:
        read_sgf(data)
    assert words in str(caught.value)


PIECES = (
    *"()[];\\BW\n柯ü",
    *("AB", "AW", "AE", "PL", "C", "SZ", "KM", "CA", "RE", "AP[Banmen:1]", "[dd]", "[]", "[tt]"),
    *("[aa:cc]", "[19]", "[9]", "[utf-8]", "[hex]", "GM[1]", "HA[2]", "BL[1e999]", "(;GM[1]"),
    *("C[order: unknown]", "C[void: move 1, B A1, x]"),
)


def game_or_refusal(data: bytes) -> Game | None:
    """Return the game of a file, None if it is refused by name; anything else fails the test."""
    try:
        return read_sgf(data)
    except SgfError:
        return None


@given(st.lists(st.sampled_from(PIECES), max_size=30), st.sampled_from(["utf-8", "gb18030"]))
@settings(max_examples=200, deadline=None)
def test_reading_pieces_of_sgf_gives_a_game_or_a_named_error(
    pieces: list[str], encoding: str
) -> None:
    game = game_or_refusal(("(;GM[1]" + "".join(pieces) + ")").encode(encoding))
    assert game is None or format_sgf(game)


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_reading_any_bytes_gives_a_game_or_a_named_error(data: bytes) -> None:
    for prefix in (b"", b"(;GM[1]CA[", b"(;GM[1]PB["):
        game = game_or_refusal(prefix + data)
        assert game is None or format_sgf(game)


@given(games(), st.data())
@settings(max_examples=50, deadline=None)
def test_a_damaged_file_gives_a_game_or_a_named_error(game: Game, data: st.DataObject) -> None:
    raw = bytearray(format_sgf(game).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    again = game_or_refusal(bytes(raw))
    assert again is None or format_sgf(again)


def test_a_deeply_nested_file_is_read() -> None:
    depth = 20000
    game = read_sgf(b"(;GM[1]" + b"(;C[x]" * depth + b")" * depth + b")")
    assert not game.moves
