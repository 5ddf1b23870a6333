"""Notes, lateness, counts, signatures and what nobody has seen: the referee's work on paper."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recorder.clock import SideTime, advance
from recorder.clock_state import parse_state
from recorder.codec import format_event, format_observation, parse_event, parse_observation
from recorder.events import (
    AlertEscalated,
    AlertSeen,
    CountEntered,
    GameInfo,
    Level,
    MovePlayed,
    Phase,
    Provenance,
    Severity,
)
from recorder.game import fold
from recorder.goban import Color, Stone, parse_vertex
from recorder.observations import (
    CheckClock,
    ClockPress,
    ColorsSwapped,
    ConfirmMoves,
    Content,
    EndGame,
    EnterCount,
    GiveUp,
    Late,
    Note,
    Observation,
    Pass,
    Reading,
    Report,
    RestartCount,
    Ruling,
    Seal,
    SeeAlert,
    SetClock,
    SettledView,
    Sign,
    StartGame,
    Tick,
)
from recorder.session import State, new_state, step

B, W = Color.BLACK, Color.WHITE
CHINESE = "60 s + 2x60 s reserved"


def stones(text: str, size: int) -> tuple[Stone, ...]:
    """Return stones such as "BC3 WD4"."""
    return tuple(Stone(Color(word[0]), parse_vertex(word[1:], size)) for word in text.split())


def begin(*, size: int = 19, setup: str = "", **info: object) -> State:
    """Return a game that has just begun, Black to move."""
    whole = GameInfo(size=size, **info)  # type: ignore[arg-type]
    start = StartGame(whole, stones(setup, size), B)
    return step(new_state(), Observation(0.0, start))[0]


def after(state: State, *happened: tuple[float, Content]) -> State:
    """Return the state after all that happened, which its events alone give again."""
    for t_s, content in happened:
        before = state
        state, events = step(state, Observation(t_s, content))
        assert fold(events, before.game) == state.game
        for event in events:
            assert parse_event(format_event(event)) == event
    return state


def put(text: str) -> SettledView:
    """Return a view in which stones have come."""
    return SettledView(stones(text, 19))


def double_move() -> State:
    """Return a game in which Black has played twice at 20 s."""
    return after(begin(), (10, put("BQ16")), (20, put("BD4")))


def test_an_urgent_alert_that_nobody_has_seen_goes_to_the_chief_referee_once() -> None:
    state = double_move()
    assert not after(state, (79, Tick())).game.alerts[0].is_escalated
    state, events = step(state, Observation(80, Tick()))
    assert events == (AlertEscalated(1),)
    assert step(state, Observation(200, Tick()))[1] == ()


def test_an_alert_that_was_seen_stays_with_the_referee() -> None:
    state, events = step(double_move(), Observation(30, SeeAlert(1, entered_by="Wang")))
    assert events == (AlertSeen(1, "Wang"),)
    again = after(state, (40, SeeAlert(1, entered_by="Li")), (200, Tick()))
    assert again.game.alerts[0].seen_by == "Wang"
    assert not again.game.alerts[0].is_escalated


def test_who_entered_something_and_what_he_had_seen_is_in_the_log() -> None:
    said = Observation(1.0, Pass(W, entered_by="Wang (referee)", based_on=17))
    assert parse_observation(format_observation(said)) == said


def test_a_log_from_before_pages_named_people_reads_back() -> None:
    old = '{"observation":"Pass","t_s":1.0,"utc":"","content":{"color":"W"}}'
    assert parse_observation(old).content == Pass(W)


def test_notes_are_kept_in_order_and_change_nothing_else() -> None:
    before = begin()
    state = after(
        before,
        (5, Note("nigiri", B, "", (("stones", "7"), ("guess", "odd")), entered_by="Wang")),
        (9, Note("note", text="  light flickers ")),
    )
    assert [note.kind for note in state.game.minutes.notes] == ["nigiri", "note"]
    assert state.game.minutes.notes[0].by == "Wang"
    assert state.game.minutes.notes[1].text == "light flickers"
    assert replace(state.game, minutes=before.game.minutes) == before.game


# Lateness and clocks


def test_confirmed_lateness_costs_twice_the_time_once() -> None:
    state = after(begin(time_control="30 min"), (1, Late(B, 120, 900)))
    alert = state.game.alerts[0].alert
    assert (alert.ruling, alert.article) == ("deduct-double", "22.1")
    assert state.game.clock == ""
    state = after(state, (2, Ruling(1, "confirm", "Wang")), (3, Ruling(1, "confirm", "Wang")))
    clock = parse_state(state.game.clock)
    assert (clock.black, clock.white) == (SideTime(1800 - 240), SideTime(1800))


def test_beyond_the_limit_a_late_player_loses_if_the_referee_confirms() -> None:
    state = after(begin(), (1, Late(W, 901, 900)))
    assert (state.game.result, state.game.is_result_confirmed) == ("B+F", False)
    assert after(state, (2, Ruling(1, "dismiss"))).game.result is None
    assert after(state, (2, Ruling(1, "confirm"))).game.is_result_confirmed


def test_a_clock_two_minutes_an_hour_slow_is_to_be_set_anew() -> None:
    detail = dict(after(begin(), (1, CheckClock(1500, 1980, 3600))).game.alerts[0].alert.detail)
    assert detail == {
        "error_s_per_hour": "120",
        "set_anew": "true",
        "black_used_s": "1552",
        "white_used_s": "2048",
    }
    assert not after(begin(), (1, CheckClock(0, 0, 3600))).game.alerts


def test_the_referee_sets_readings_and_restarts_the_count() -> None:
    running = after(begin(time_control=CHINESE), (0, ClockPress(W)), (100, Tick()))
    assert parse_state(running.game.clock).black.used_s == pytest.approx(40)
    state = after(running, (105, RestartCount(40)))
    assert parse_state(state.game.clock).black.used_s == 40
    state = after(state, (106, SetClock((Reading(B, 10.0, 2), Reading(W, 5.0, 1)))))
    clock = parse_state(state.game.clock)
    assert (clock.black, clock.white) == (SideTime(10, 2), SideTime(5, 1))
    assert clock.running is B


def test_a_count_that_does_not_run_is_not_restarted() -> None:
    state = after(begin(time_control=CHINESE), (0, ClockPress(W)), (5, RestartCount(40)))
    assert advance(parse_state(state.game.clock), 5).clock.black == SideTime(55, 2)


def test_a_press_counts_from_when_it_was_pressed() -> None:
    state = begin(time_control="10 min")
    state = after(state, (5, ClockPress(W)), (15, put("BQ16")), (16, ClockPress(B, age_s=0.5)))
    assert parse_state(state.game.clock).black.main_s == pytest.approx(600 - 10.5)


@pytest.mark.parametrize(("uncertainty_s", "level", "warnings"), [(0.2, 2, 1), (0.4, 4, 0)])
def test_a_press_of_uncertain_moment_warns_nobody(
    uncertainty_s: float, level: int, warnings: int
) -> None:
    press = ClockPress(B, uncertainty_s=uncertainty_s)
    state = after(begin(), (10, press), (13, put("BQ16")))
    alert = state.game.alerts[0].alert
    assert alert.type == "clock-before-stone"
    assert alert.severity == (Severity.LIST if level == 2 else Severity.LOG)
    assert (alert.level is Level.INFO) == (level == 4)
    assert state.game.warnings.black == warnings


def test_without_buttons_a_stone_that_stands_free_ends_the_move() -> None:
    state = begin(time_control="10 min", clock_source="camera")
    state = after(state, (10, put("BQ16")))
    assert parse_state(state.game.clock).running is W
    state = after(state, (25, put("WD4")), (40, Tick()))
    clock = parse_state(state.game.clock)
    assert clock.running is B
    assert clock.white.main_s == pytest.approx(585)


def test_without_buttons_the_move_ends_with_the_clearing() -> None:
    setup = "WD4 BC4 BE4 BD5 WQ16"
    state = begin(setup=setup, time_control=CHINESE, clock_source="camera")
    state = after(state, (5, put("BR3")), (10, put("WR5")), (80, Tick()), (81, put("BD3")))
    assert parse_state(state.game.clock).running is B
    state = after(state, (84, SettledView(remove=(parse_vertex("D4", 19),))))
    clock = parse_state(state.game.clock)
    assert (clock.running, clock.black.periods) == (W, 2)


# What people report


def test_a_flag_seen_by_the_referee_proposes_the_loss_or_becomes_a_pass() -> None:
    state = after(begin(), (10, Report("flag-fall", B, "")))
    assert (state.game.result, state.game.phase) == ("W+T", Phase.ENDED)
    passed = after(state, (20, Ruling(1, "pass-on-application")))
    assert (passed.game.result, passed.game.phase) == (None, Phase.PLAYING)
    last = passed.game.last_move
    assert last is not None
    assert last.move.is_pass
    assert last.provenance is Provenance.IMPOSED


def test_a_call_for_the_referee_interrupts_him() -> None:
    alert = after(begin(), (1, Report("call-referee", None, "table 3"))).game.alerts[0].alert
    assert alert.severity is Severity.INTERRUPT


def test_giving_up_the_contest_ends_play_and_stops_the_clock() -> None:
    state = after(begin(time_control="10 min"), (1, ClockPress(W)), (9, GiveUp(B)))
    assert (state.game.phase, state.game.alerts[-1].alert.type) == (Phase.SCORING, "gives-up")
    assert parse_state(state.game.clock).is_paused


def test_confirmed_swapped_colors_exchange_the_players() -> None:
    state = begin(black="Lin", white="Stone", black_rank="1d")
    state = after(state, (5, put("BQ16")), (9, ColorsSwapped()), (15, Ruling(1, "confirm")))
    info = state.game.info
    assert (info.black, info.white, info.white_rank) == ("Stone", "Lin", "1d")
    assert state.game.phase is Phase.PLAYING


@pytest.mark.parametrize(
    ("decision", "result"),
    [("loss-B", "W+F"), ("loss-W", "B+F"), ("both-lose", "Void"), ("restart", "Void")],
)
def test_a_decision_can_name_the_loser_where_the_alert_does_not(decision: str, result: str) -> None:
    state = after(begin(), (5, Report("board-scattered", None, "")), (9, Ruling(1, decision)))
    assert (state.game.result, state.game.is_result_confirmed) == (result, True)


# The end


def counted() -> State:
    """Return a 5x5 game at its end, a dead white stone in Black's corner, counted."""
    setup = "BC5 BC4 BC3 BC2 BC1 WD5 WD4 WD3 WD2 WD1 WA5"
    state = after(begin(size=5, setup=setup, komi=0.0), (5, EndGame(None)))
    return after(state, (9, EnterCount((parse_vertex("A5", 5),), entered_by="Wang")))


def test_a_count_proposes_the_result_and_says_by_whom() -> None:
    game = counted().game
    assert (game.result, game.is_result_confirmed) == ("B+5", False)
    assert game.minutes.count == CountEntered((parse_vertex("A5", 5),), (), "B+5", "Wang")


def test_a_recount_replaces_the_count_and_undoes_the_signatures() -> None:
    state = after(counted(), (12, Sign(B)), (13, Sign(W)))
    assert state.game.minutes.has_both_signatures
    shared = after(state, (20, EnterCount(shared=(parse_vertex("B2", 5),))))
    assert shared.game.result != "B+5"
    assert not shared.game.minutes.signatures
    same = after(state, (20, EnterCount((parse_vertex("A5", 5),))))
    assert same.game.minutes.has_both_signatures


def test_a_count_that_does_not_fit_or_comes_too_late_changes_nothing() -> None:
    state = counted()
    assert after(state, (12, EnterCount((parse_vertex("B2", 5),)))).game == state.game
    confirmed = after(state, (12, EndGame("B+5")), (13, Seal()))
    assert after(confirmed, (14, EnterCount())).game == confirmed.game
    assert after(confirmed, (15, Sign(B))).game == confirmed.game


def test_only_confirmed_warnings_cost_stones_in_the_count() -> None:
    state = double_move()
    shared = EnterCount()
    open_ = after(state, (30, EndGame(None)), (31, shared)).game.result
    closed = after(state, (25, Ruling(1, "confirm")), (30, EndGame(None)), (31, shared))
    assert open_ is not None
    assert closed.game.result not in (None, open_)


# Uncertain moves


def test_confirmed_moves_are_certain_and_name_who_said_so() -> None:
    state = after(begin(), (5, put("BQ16 WD4")), (30, Tick()))
    assert len(state.game.moves) == 2
    unsure = [m.number for m in state.game.moves if is_unsure(m)]
    assert unsure
    state = after(state, (40, ConfirmMoves(1, 2, entered_by="Li")))
    assert not [m for m in state.game.moves if is_unsure(m)]
    assert {m.note for m in state.game.moves} == {"Li"}
    assert after(state, (50, ConfirmMoves(2, 9))).game == state.game


def is_unsure(played: MovePlayed) -> bool:
    """Return whether a move is inferred or its order not known."""
    return not played.is_order_known or played.provenance is Provenance.INFERRED
