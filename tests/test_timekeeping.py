"""The device's clock in a game: buttons, pauses, flags, and what the referee makes of them."""

from __future__ import annotations

from recorder.clock import Bank, Clock, SideTime, advance
from recorder.clock_state import parse_state
from recorder.events import ClockChanged, Event, GameInfo, Phase
from recorder.game import Game, fold
from recorder.goban import Color, Stone, parse_vertex
from recorder.observations import (
    ClockPress,
    Content,
    Observation,
    Pause,
    Resume,
    Ruling,
    SettledView,
    StartGame,
    Tick,
)
from recorder.session import State, new_state, step
from recorder.sgf import format_sgf

B, W = Color.BLACK, Color.WHITE
CANADIAN = "0 s + 5 moves / 2 min"
CHINESE = "60 s + 2x60 s reserved"


def put(text: str = "", lift: str = "") -> SettledView:
    """Return a view in which stones such as "B Q16 W D4" have come, and others are gone."""
    color, stones = B, []
    for word in text.split():
        if word in ("B", "W"):
            color = Color(word)
        else:
            stones.append(Stone(color, parse_vertex(word, 19)))
    return SettledView(tuple(stones), tuple(parse_vertex(v, 19) for v in lift.split()))


def begin(control: str, setup: str = "") -> State:
    """Return a game with a time control, Black to move."""
    stones = put(setup).add if setup else ()
    info = GameInfo(time_control=control)
    return step(new_state(), Observation(0.0, StartGame(info, stones, B)))[0]


def go_on(state: State, *happened: tuple[float, Content]) -> tuple[State, tuple[Event, ...]]:
    """Return the state after all that happened, and the events of it."""
    events: list[Event] = []
    for t_s, content in happened:
        state, new = step(state, Observation(t_s, content))
        events += new
    return state, tuple(events)


def clock_at(game: Game, t_s: float) -> Clock:
    """Return the clock as a page would show it at a time."""
    return advance(parse_state(game.clock), t_s).clock


def test_without_a_time_control_a_press_starts_no_clock() -> None:
    state, _ = go_on(begin("whatever was agreed"), (5, ClockPress(W)), (10, put("B Q16")))
    assert state.game.clock == ""


def test_without_buttons_there_is_no_clock_and_no_flag() -> None:
    state, _ = go_on(begin("1 min"), (10, put("B Q16")), (500, Tick()))
    assert state.game.clock == ""
    assert not state.game.alerts


def test_the_first_press_starts_the_opponents_time_and_each_press_hands_it_over() -> None:
    state, _ = go_on(
        begin("10 min"),
        (5, ClockPress(W)),
        (15, put("B Q16")),
        (16, ClockPress(B)),
        (30, put("W D4")),
        (32, ClockPress(W)),
    )
    clock = clock_at(state.game, 40)
    assert (clock.black, clock.white) == (SideTime(600 - 11 - 8), SideTime(600 - 16))
    assert clock.running is B


def test_time_that_passes_is_told_now_and_then() -> None:
    state, _ = go_on(begin("10 min"), (5, ClockPress(W)))
    _, events = go_on(state, *[(6.0 + n, Tick()) for n in range(30)])
    assert len([event for event in events if isinstance(event, ClockChanged)]) == 3


def test_an_adjournment_stops_the_clock() -> None:
    state, _ = go_on(begin("10 min"), (5, ClockPress(W)), (15, Pause()), (500, Resume()))
    assert clock_at(state.game, 520).black == SideTime(600 - 10 - 20)


def flagged() -> State:
    """Return a game in which Black's time is over."""
    return go_on(begin("1 min"), (5, ClockPress(W)), (60, Tick()), (66, Tick()))[0]


def flag_of(game: Game) -> int:
    """Return the id of the one alert about a flag."""
    (found,) = [s.alert.id for s in game.alerts if s.alert.type == "flag-fall"]
    return found


def test_a_flag_is_an_alert_with_the_second_it_fell_and_a_loss_proposed() -> None:
    game = flagged().game
    state = game.alerts[flag_of(game) - 1]
    assert (state.alert.type, state.alert.color, state.alert.t_s) == ("flag-fall", B, 65)
    assert (game.result, game.is_result_confirmed) == ("W+T", False)
    assert game.phase is Phase.ENDED


def test_a_flag_is_reported_once() -> None:
    state, _ = go_on(flagged(), (70, Tick()), (80, ClockPress(B)), (90, Tick()))
    assert flag_of(state.game)


def test_the_referee_confirms_a_loss_on_time() -> None:
    state, _ = go_on(flagged(), (90, Ruling(flag_of(flagged().game), "confirm", "referee")))
    assert (state.game.result, state.game.is_result_confirmed) == ("W+T", True)


def test_a_flag_dismissed_gives_the_last_period_back() -> None:
    over, _ = go_on(begin(CHINESE), (0, ClockPress(W)), (181, Tick()))
    assert over.game.result == "W+T"
    state, _ = go_on(over, (200, Ruling(flag_of(over.game), "dismiss", "referee")))
    assert (state.game.phase, state.game.result) == (Phase.PLAYING, None)
    clock = clock_at(state.game, 230)
    assert (clock.flag, clock.black) == (None, SideTime(0, periods=1, used_s=30))


def test_time_over_in_the_last_minute_can_be_made_a_pass() -> None:
    over, _ = go_on(begin(CHINESE), (0, ClockPress(W)), (181, Tick()))
    decided = Ruling(flag_of(over.game), "pass-on-application", "referee")
    state, _ = go_on(over, (200, decided), (215, put("W D4")))
    assert [m.move.point is None for m in state.game.moves] == [True, False]
    assert (state.game.phase, state.game.result) == (Phase.PLAYING, None)
    clock = clock_at(state.game, 230)
    assert (clock.running, clock.black) == (W, SideTime(0, periods=1))
    assert clock.white == SideTime(60 - 30, periods=2)


def test_sudden_death_cannot_be_made_a_pass() -> None:
    decided = Ruling(flag_of(flagged().game), "pass-on-application", "referee")
    state, _ = go_on(flagged(), (90, decided))
    assert state.game.result == "W+T"
    assert not state.game.moves


def test_a_flag_dismissed_gives_the_block_back() -> None:
    over, _ = go_on(begin(CANADIAN), (0, ClockPress(W)), (121, Tick()))
    state, _ = go_on(over, (200, Ruling(flag_of(over.game), "dismiss", "referee")))
    assert clock_at(state.game, 230).black == SideTime(0, block_s=90, moves_left=5)


def test_a_sudden_death_clock_waits_for_the_referee_after_a_dismissed_flag() -> None:
    state, _ = go_on(
        flagged(), (90, Ruling(flag_of(flagged().game), "dismiss", "referee")), (200, Tick())
    )
    assert state.game.phase is Phase.PLAYING
    assert parse_state(state.game.clock).running is None


CAPTURE = "B C10 D11 E10 W D10"


def test_in_byo_yomi_a_press_before_clearing_ends_the_move_only_with_the_clearing() -> None:
    state, _ = go_on(
        begin(CHINESE, CAPTURE),
        (0, ClockPress(W)),
        (70, put("B D9")),
        (71, ClockPress(B)),
        (90, Tick()),
    )
    assert parse_state(state.game.clock).is_press_pending
    state, _ = go_on(state, (95, put(lift="D10")))
    clock = clock_at(state.game, 100)
    assert clock.running is W
    assert clock.white == SideTime(60 - 5, periods=2)
    assert clock.black == SideTime(0, periods=2)


def test_the_clock_is_part_of_the_fold_and_goes_on_after_a_restart() -> None:
    state, events = go_on(begin("10 min"), (5, ClockPress(W)), (25, put("B Q16")))
    assert fold(events, begin("10 min").game) == state.game
    # The machine was switched off; its seconds count from zero.
    again, _ = go_on(new_state(state.game, now_s=1.0), (3, ClockPress(B)))
    clock = parse_state(again.game.clock)
    assert clock.running is W
    # The last it was told was at the move at 25 s.
    assert clock.black == SideTime(600 - 20)
    assert isinstance(clock.control, Bank)


def test_a_move_is_written_down_with_what_its_player_has_left() -> None:
    state, _ = go_on(begin("10 min"), (5, ClockPress(W)), (15, put("B Q16")), (16, ClockPress(B)))
    assert "BL[590]" in format_sgf(state.game)
    state, _ = go_on(begin(CANADIAN), (0, ClockPress(W)), (20, put("B Q16")))
    assert "BL[100]" in format_sgf(state.game)
    assert "OB[4]" in format_sgf(state.game)
    state, _ = go_on(begin(CHINESE), (0, ClockPress(W)), (130, put("B Q16")))
    assert "BL[60]" in format_sgf(state.game)
    assert "OB[1]" in format_sgf(state.game)


def test_without_a_clock_a_move_is_written_down_without_time() -> None:
    state, _ = go_on(begin("10 min"), (15, put("B Q16")))
    assert "BL[" not in format_sgf(state.game)


def test_a_clock_that_another_version_wrote_stops_no_game() -> None:
    state = begin("10 min")
    unknown = fold([ClockChanged('{"control": {"kind": "sand"}}')], state.game)
    again, _ = go_on(new_state(unknown), (15, put("B Q16")), (16, ClockPress(B)))
    assert len(again.game.moves) == 1
