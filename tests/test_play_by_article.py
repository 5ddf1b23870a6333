"""The articles on play and refereeing, one by one: what is recorded, said and proposed.

Each test is a short game as the camera, the buttons and the console tell it. Ko, captures and
positions are on the left half of the board, replies elsewhere on the right.
"""

from __future__ import annotations

import pytest

from recorder.events import Alert, GameInfo, Level, Phase
from recorder.game import Game, Tally
from recorder.goban import Color, Stone, format_vertex, parse_vertex
from recorder.observations import (
    AgreeEnd,
    Claim,
    ClockPress,
    ColorsSwapped,
    Consent,
    Content,
    Dispute,
    EndGame,
    LooseStones,
    Observation,
    Pass,
    Pause,
    ProposeEnd,
    Report,
    Resign,
    Resume,
    Ruling,
    Seal,
    SettledView,
    StartGame,
    Tick,
)
from recorder.rules import ruleset_of
from recorder.session import new_state, step
from recorder.sgf_comment import format_move

B, W = Color.BLACK, Color.WHITE
BOTH = ("chinese-2002", "chinese-older")


def stones(text: str) -> tuple[Stone, ...]:
    """Return the stones of "B Q16 K10 W D4": each color, then its points."""
    color, found = B, []
    for word in text.split():
        if word in ("B", "W"):
            color = Color(word)
        else:
            found.append(Stone(color, parse_vertex(word, 19)))
    return tuple(found)


def put(text: str = "", lift: str = "") -> SettledView:
    """Return a view in which stones have come, and others are gone."""
    return SettledView(stones(text), tuple(parse_vertex(word, 19) for word in lift.split()))


def play(
    *happened: tuple[float, Content],
    rules: str = "chinese-2002",
    setup: str = "",
    to_move: Color = B,
    handicap: int = 0,
) -> Game:
    """Return the game after all that happened, each with its time in seconds."""
    info = GameInfo(ruleset=rules, handicap=handicap)
    state, _ = step(new_state(), Observation(0.0, StartGame(info, stones(setup), to_move)))
    for t_s, content in happened:
        state, _ = step(state, Observation(t_s, content))
    return state.game


def record(game: Game) -> list[str]:
    """Return the official moves as "B Q16"."""
    return [format_move(played.move, game.info.size) for played in game.moves]


def void(game: Game) -> list[str]:
    """Return the points of the moves that do not count."""
    return [format_vertex(v.move.point, 19) for v in game.voids if v.move.point is not None]


def alerts(game: Game) -> list[Alert]:
    """Return the alerts that a referee looks at and that were not withdrawn."""
    return [s.alert for s in game.alerts if s.alert.level is not Level.INFO and s.withdrawn is None]


def said(game: Game) -> list[tuple[str, str, Color | None]]:
    """Return type, article and who is proposed a warning, of each such alert."""
    return [(alert.type, alert.article, alert.warning) for alert in alerts(game)]


def types(game: Game) -> list[str]:
    """Return the types of all alerts, also those only logged."""
    return [state.alert.type for state in game.alerts]


KO = "B C10 D11 D9 W E11 E9 F10 D10"
"""Black takes the ko with E10."""

TAKEN = ((10, put("B E10")), (11, put(lift="D10")))


def test_article_2_1_a_stone_of_the_other_color_is_to_be_exchanged() -> None:
    game = play((10, put("B Q16")), (20, put("B D4")), (21, ClockPress(W)))
    assert record(game) == ["B Q16", "W D4"]
    assert [alert.type for alert in alerts(game)] == ["wrong-color-stone"]
    assert game.warnings == Tally(0, 0)


def test_article_2_2_handicap_stones_are_setup_and_their_number_is_checked() -> None:
    right = play((10, put("B D4 Q16")), (30, put("W C14")), handicap=2, to_move=W)
    assert record(right) == ["W C14"]
    assert alerts(right) == []
    wrong = play((10, put("B D4 Q16")), (30, put("W C14")), handicap=3, to_move=W)
    assert [alert.type for alert in alerts(wrong)] == ["handicap-mismatch"]


@pytest.mark.parametrize("rules", BOTH)
def test_article_2_3_white_opening_an_even_game_is_recorded_and_said(rules: str) -> None:
    game = play((10, put("W Q16")), (20, put("B D4")), rules=rules)
    assert record(game) == ["W Q16", "B D4"]
    assert [alert.type for alert in alerts(game)] == ["wrong-first-color"]


def test_article_2_5_a_pass_is_spoken_or_a_press_that_is_answered() -> None:
    spoken = play((10, put("B Q16")), (20, Pass(W)), (30, put("B D4")))
    assert record(spoken) == ["B Q16", "W pass", "B D4"]
    pressed = play((10, put("B Q16")), (20, ClockPress(W)), (40, put("B D4")))
    assert record(pressed) == ["B Q16", "W pass", "B D4"]
    assert alerts(spoken) == alerts(pressed) == []


def test_article_4_captured_stones_come_off_the_opponents_first() -> None:
    # Both E10 and White's D10 are without liberties once E10 is played; D10 comes off.
    game = play(*TAKEN, (30, put("W Q16")), setup=KO)
    assert record(game) == ["B E10", "W Q16"]
    assert game.board[parse_vertex("D10", 19)] is None
    assert game.prisoners == Tally(1, 0)
    assert alerts(game) == []


@pytest.mark.parametrize(("rules", "article"), [("chinese-2002", "19"), ("chinese-older", "10")])
def test_article_19_a_forbidden_point_is_void_and_a_pass_without_a_warning(
    rules: str, article: str
) -> None:
    ponnuki = "B D11 D9 C10 E10"
    game = play(
        (10, put("W D10")),
        (25, put(lift="D10")),
        (40, put("B Q16")),
        rules=rules,
        setup=ponnuki,
        to_move=W,
    )
    assert record(game) == ["W pass", "B Q16"]
    assert void(game) == ["D10"]
    assert said(game) == [("forbidden-point", article, None)]


def test_article_5_several_stones_without_liberties_are_forbidden_too() -> None:
    eye = "B A8 B8 C9 C10 B11 A11 W A9 B9 A10"
    game = play((10, put("W B10")), setup=eye, to_move=W)
    assert record(game) == ["W pass"]
    assert [alert.type for alert in alerts(game)] == ["forbidden-point"]


@pytest.mark.parametrize(
    ("rules", "article", "warned"), [("chinese-2002", "18.3", W), ("chinese-older", "11.1", None)]
)
def test_article_18_3_retaking_a_ko_at_once_is_void_and_a_pass(
    rules: str, article: str, warned: Color | None
) -> None:
    game = play(
        *TAKEN,
        (20, put("W D10", lift="E10")),
        (40, put("B E10", lift="D10")),
        (50, put("B Q16")),
        rules=rules,
        setup=KO,
    )
    assert record(game) == ["B E10", "W pass", "B Q16"]
    assert void(game) == ["D10"]
    assert said(game) == [("ko-violation", article, warned)]


def test_article_20_a_ko_may_be_retaken_after_a_threat() -> None:
    game = play(
        *TAKEN, (20, put("W Q16")), (30, put("B R14")), (40, put("W D10", lift="E10")), setup=KO
    )
    assert record(game)[-1] == "W D10"
    assert alerts(game) == []


TRIPLE = KO + " B K4 L5 L3 W M5 M3 N4 L4 B K16 L17 L15 M16 W M17 M15 N16"
CYCLE: tuple[tuple[float, Content], ...] = (
    (10, put("B E10", lift="D10")),
    (20, put("W L16", lift="M16")),
    (30, put("B M4", lift="L4")),
    (40, put("W D10", lift="E10")),
    (50, put("B M16", lift="L16")),
    (60, put("W L4", lift="M4")),
)
"""A triple ko that comes round."""


@pytest.mark.parametrize(
    ("rules", "options"),
    [("chinese-2002", "no-result draw replay void-move"), ("chinese-older", "draw replay")],
)
def test_article_6_a_position_that_comes_back_is_for_the_referee(rules: str, options: str) -> None:
    game = play(*CYCLE, rules=rules, setup=TRIPLE)
    (alert,) = alerts(game)
    assert (alert.type, dict(alert.detail)["cycle_plies"]) == ("whole-board-repetition", "6")
    assert (game.phase, len(game.moves)) == (Phase.SUSPENDED, 6)
    assert ruleset_of(rules).repetition_options == tuple(options.split())
    decided = play(*CYCLE, (90, Ruling(1, "draw", "chief referee")), rules=rules, setup=TRIPLE)
    assert (decided.phase, decided.result) == (Phase.ENDED, "Draw")


def test_older_article_11_4_a_repetition_does_not_keep_the_game_from_ending() -> None:
    game = play(
        *CYCLE,
        (90, Resume()),
        (95, ProposeEnd(B)),
        (99, AgreeEnd(W)),
        rules="chinese-older",
        setup=TRIPLE,
    )
    assert game.phase is Phase.SCORING


def test_article_7_the_game_ends_by_agreement_two_passes_or_resignation() -> None:
    agreed = play((10, put("B Q16")), (20, ProposeEnd(W)), (25, AgreeEnd(B)))
    passed = play((10, put("B Q16")), (20, Pass(W)), (25, Pass(B)))
    resigned = play((10, put("B Q16")), (20, Resign(W)))
    assert agreed.phase is passed.phase is Phase.SCORING
    assert (resigned.phase, resigned.result) == (Phase.ENDED, "B+R")


def test_passes_imposed_for_a_void_move_do_not_end_the_game() -> None:
    game = play(
        *TAKEN,
        (20, put("W D10", lift="E10")),
        (40, put("B E10", lift="D10")),
        (50, Pass(B)),
        setup=KO,
    )
    assert record(game)[-2:] == ["W pass", "B pass"]
    assert game.phase is Phase.PLAYING


def test_article_13_1_the_referee_enters_a_result() -> None:
    game = play((10, put("B Q16")), (20, EndGame("W+F", "chief referee")))
    assert (game.phase, game.result, game.is_result_confirmed) == (Phase.ENDED, "W+F", True)


def test_article_13_2_only_both_together_end_the_game() -> None:
    game = play((10, put("B Q16")), (20, ProposeEnd(W)))
    assert game.phase is Phase.PLAYING
    assert "end-proposed" in types(game)


def test_article_21_1_who_proposes_the_end_gives_up_his_move_if_play_goes_on() -> None:
    game = play((10, put("B Q16")), (20, ProposeEnd(W)), (40, put("B D4")))
    assert record(game) == ["B Q16", "W pass", "B D4"]
    assert alerts(game) == []


def corner(*shown: tuple[Color, str, int]) -> SettledView:
    """Return a view with stones outside the lines, and nothing else new."""
    return SettledView(loose=LooseStones(off_board=tuple(shown)))


def test_older_article_4_2_stones_outside_the_corner_propose_the_end_or_resign() -> None:
    end = play(
        (10, put("B Q16")),
        (20, corner((B, "white-lower-right", 1))),
        (30, corner((B, "white-lower-right", 1), (W, "black-lower-right", 1))),
        rules="chinese-older",
    )
    assert end.phase is Phase.SCORING
    resigned = play(
        (10, put("B Q16")), (20, corner((W, "white-lower-right", 2))), rules="chinese-older"
    )
    assert resigned.result == "B+R"


def test_article_14_an_adjourned_game_goes_on_from_the_record() -> None:
    game = play(
        (10, put("B Q16")),
        (20, Pause("referee")),
        (50, put("W D4")),
        (60, put(lift="D4")),
        (90, Resume()),
        (100, put("W D16")),
    )
    assert record(game) == ["B Q16", "W D16"]
    assert game.phase is Phase.PLAYING


def test_article_14_a_board_that_differs_after_the_adjournment_is_said() -> None:
    game = play((10, put("B Q16")), (20, Pause("referee")), (50, put("W D4")), (90, Resume()))
    assert "board-mismatch" in types(game)


def test_article_16_3_a_claim_after_the_claimants_next_move_has_lapsed() -> None:
    game = play(
        (10, put("B K16")),
        (15, put(lift="K16")),
        (17, put("B D6")),
        (30, put("W Q4")),
        (31, Claim(W, "take-back")),
    )
    assert record(game) == ["B D6", "W Q4"]
    assert game.warnings == Tally(0, 0)


def test_article_16_4_a_result_that_was_sealed_stays() -> None:
    game = play(
        (10, put("B Q16")),
        (20, Resign(W)),
        (30, EndGame("B+R", "referee")),
        (40, Seal("x")),
        (50, EndGame("W+R", "somebody")),
        (60, Resume(W)),
    )
    assert (game.phase, game.result) == (Phase.SEALED, "B+R")


@pytest.mark.parametrize("kind", ["conduct-report", "absence", "late-arrival", "clock-fault"])
def test_articles_15_22_and_23_what_only_people_see_comes_from_the_console(kind: str) -> None:
    game = play((10, put("B Q16")), (20, Report(kind, W, "seen by the referee")))
    (state,) = game.alerts
    assert (state.alert.type, state.alert.color) == (kind, W)
    assert ("note", "seen by the referee") in state.alert.detail
    assert record(game) == ["B Q16"]


@pytest.mark.parametrize(("moves", "is_correctable"), [(10, "true"), (11, "false")])
def test_article_17_1_colors_are_corrected_up_to_move_ten(moves: int, is_correctable: str) -> None:
    columns = "CDEFGHJKLMN"
    views = [(10.0 * n + 10, put(f"{'BW'[n % 2]} {columns[n]}{5 + n}")) for n in range(moves)]
    game = play(*views, (200, ColorsSwapped()))
    (alert,) = alerts(game)
    assert (alert.type, alert.article) == ("colors-swapped", "17.1")
    assert ("correctable", is_correctable) in alert.detail


def test_article_17_2_the_second_of_two_moves_in_a_row_is_void_and_a_warning() -> None:
    game = play((10, put("B Q16")), (20, put("B D4")), (30, put(lift="D4")), (40, put("W D16")))
    assert record(game) == ["B Q16", "W D16"]
    assert void(game) == ["D4"]
    assert said(game) == [("double-move", "17.2", B)]


def test_article_17_2_what_the_second_move_captured_goes_back() -> None:
    game = play((10, put("B Q16")), (20, put("B E10", lift="D10")), setup=KO)
    assert game.board[parse_vertex("D10", 19)] is W
    assert void(game) == ["E10"]


def test_older_article_8_1_two_moves_in_a_row_lose() -> None:
    game = play((10, put("B Q16")), (20, put("B D4")), rules="chinese-older")
    assert [(alert.type, alert.article) for alert in alerts(game)] == [("double-move", "8.1")]
    assert (game.result, game.is_result_confirmed) == ("W+F", False)


MOVED_BACK = ((10, put("B K16")), (16, put(lift="K16")), (18, put("B D6")))


def test_article_17_3_a_move_taken_back_goes_back_only_on_a_claim() -> None:
    lapsed = play(*MOVED_BACK, (40, put("W Q4")))
    assert record(lapsed) == ["B D6", "W Q4"]
    assert said(lapsed) == [("take-back", "17.3", None)]
    claimed = play(
        *MOVED_BACK, (25, Claim(W, "take-back")), (35, put("B K16", lift="D6")), (50, put("W Q4"))
    )
    assert record(claimed) == ["B K16", "W Q4"]
    assert said(claimed) == [("take-back", "17.3", B)]


def test_older_article_8_2_a_move_taken_back_goes_back_without_a_claim() -> None:
    game = play(
        *MOVED_BACK, (35, put("B K16", lift="D6")), (50, put("W Q4")), rules="chinese-older"
    )
    assert record(game) == ["B K16", "W Q4"]
    assert said(game) == [("take-back", "8.2", B)]


def test_article_17_3_a_dropped_stone_is_played_freely_if_the_opponent_agrees() -> None:
    game = play(
        (10, put("B K16")),
        (11, put(lift="K16")),
        (12, Consent(W, "dropped-stone")),
        (18, put("B D6")),
        (40, put("W Q4")),
    )
    assert record(game) == ["B D6", "W Q4"]
    assert game.warnings == Tally(0, 0)


@pytest.mark.parametrize(
    ("rules", "article", "warned"), [("chinese-2002", "17.4", B), ("chinese-older", "12.1", None)]
)
def test_article_17_4_the_button_before_the_stone(
    rules: str, article: str, warned: Color | None
) -> None:
    game = play((10, ClockPress(B)), (14, put("B Q16")), (30, put("W D4")), rules=rules)
    assert record(game) == ["B Q16", "W D4"]
    assert said(game) == [("clock-before-stone", article, warned)]


@pytest.mark.parametrize(("rules", "article"), [("chinese-2002", "17.5"), ("chinese-older", "8.3")])
def test_article_17_5_a_moved_stone_is_recorded_on_its_own_point(rules: str, article: str) -> None:
    game = play(
        (10, put("B Q16")),
        (20, put("W D4")),
        (30, put("B Q15", lift="Q16")),
        (60, Tick()),
        rules=rules,
    )
    (alert,) = alerts(game)
    assert (alert.type, alert.article, alert.color) == ("moved-stone", article, B)
    assert game.board[parse_vertex("Q16", 19)] is B
    assert record(game) == ["B Q16", "W D4"]


def test_article_17_5_the_referee_can_let_the_stone_stand_where_it_is() -> None:
    game = play(
        (10, put("B Q16")),
        (20, put("W D4")),
        (30, put("B Q15", lift="Q16")),
        (60, Tick()),
        (70, Ruling(1, "valid", "chief referee")),
    )
    assert game.board[parse_vertex("Q15", 19)] is B
    assert game.board == game.physical


CROWD = "B C3 D5 F3 K4 M3 O4 K10 M12 H8 W C4 E3 G4 L5 N5 P3 L10 J12 G9"


@pytest.mark.parametrize(("rules", "article"), [("chinese-2002", "17.6"), ("chinese-older", "8.4")])
def test_article_17_6_a_scattered_board_is_rebuilt_and_play_goes_on(
    rules: str, article: str
) -> None:
    all_points = " ".join(word for word in CROWD.split() if word not in ("B", "W"))
    game = play(
        (10, put(lift=all_points)),
        (40, Tick()),
        (90, put(CROWD)),
        (120, put("B Q16")),
        rules=rules,
        setup=CROWD,
    )
    assert record(game) == ["B Q16"]
    assert ("board-scattered", article) in [(alert.type, alert.article) for alert in alerts(game)]


@pytest.mark.parametrize(("rules", "article"), [("chinese-2002", "18.1"), ("chinese-older", "9")])
def test_article_18_1_a_stone_with_liberties_wrongly_lifted_goes_back(
    rules: str, article: str
) -> None:
    game = play(
        (10, put("B D9")),
        (12, put(lift="D10")),
        (40, put("W Q16")),
        rules=rules,
        setup="B C10 D11 W D10 K4",
    )
    assert said(game) == [("wrong-removal", article, B)]
    assert game.board[parse_vertex("D10", 19)] is W


def test_article_18_2_captured_stones_left_standing_are_a_warning() -> None:
    game = play((10, put("B D9")), (30, put("W Q16")), setup="B C10 D11 E10 W D10 K4")
    assert said(game) == [("missed-capture", "18.2", B)]
    assert record(game) == ["B D9", "W Q16"]
    assert game.board[parse_vertex("D10", 19)] is None


def test_article_18_2_some_of_the_captured_stones_left_standing_are_one_too() -> None:
    game = play(
        (10, put("B D8")),
        (13, put(lift="D10")),
        (40, put("W Q16")),
        setup="B C10 D11 E10 C9 E9 W D10 D9 K4",
    )
    assert said(game) == [("partial-capture", "18.2", B)]


def test_article_22_6_the_button_before_captures_are_cleared_is_charged_once() -> None:
    game = play(
        (10, put("B D9")), (11, ClockPress(B)), (30, put("W Q16")), setup="B C10 D11 E10 W D10 K4"
    )
    assert "clock-before-removal" in types(game)
    assert "22.6" in [alert.article for alert in alerts(game)]
    assert game.warnings == Tally(1, 0)


def test_article_21_3_nothing_is_recorded_after_the_end() -> None:
    game = play((10, put("B Q16")), (20, ProposeEnd(W)), (25, AgreeEnd(B)), (40, put("W D4")))
    assert "W D4" not in record(game)
    assert [(alert.type, alert.article) for alert in alerts(game)] == [("play-after-end", "21.3")]


def test_article_21_4_who_claims_death_plays_first() -> None:
    dispute = Dispute(W, (parse_vertex("Q16", 19),), "dead")
    before: list[tuple[float, Content]] = [
        (10, put("B Q16")),
        (20, ProposeEnd(W)),
        (25, AgreeEnd(B)),
        (30, dispute),
        (40, Resume()),
    ]
    right = play(*before, (50, put("W R16")))
    assert alerts(right) == []
    assert record(right)[-1] == "W R16"
    wrong = play(*before, (50, put("B R16")))
    assert "wrong-resume-side" in types(wrong)


def test_article_24_2_a_second_warning_proposes_the_loss_and_the_referee_confirms_it() -> None:
    twice: list[tuple[float, Content]] = [
        (10, put("B Q16")),
        (20, put("B D4")),
        (30, put(lift="D4")),
        (40, put("W D16")),
        (50, put("B Q4")),
        (60, put("B D4")),
        (70, put(lift="D4")),
    ]
    game = play(*twice)
    assert game.warnings == Tally(2, 0)
    assert "two-warnings" in types(game)
    assert (game.result, game.is_result_confirmed) == ("W+F", False)
    (number,) = [s.alert.id for s in game.alerts if s.alert.type == "two-warnings"]
    confirmed = play(*twice, (90, Ruling(number, "confirm", "chief referee")))
    assert (confirmed.result, confirmed.is_result_confirmed) == ("W+F", True)


def test_a_dismissed_alert_gives_the_warning_back() -> None:
    game = play(
        (10, put("B Q16")),
        (20, put("B D4")),
        (30, put(lift="D4")),
        (35, Ruling(1, "no-warning", "referee")),
    )
    assert game.warnings == Tally(0, 0)
