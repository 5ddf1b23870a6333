"""One step of a game: an observation in, the next state and the events it led to out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from recorder import console, decisions, proceedings
from recorder.accidents import (
    report_early_clearing,
    report_lifted,
    report_uncleared,
    standing_stones,
)
from recorder.events import (
    Event,
    GameStarted,
    MismatchChanged,
    Phase,
    PhysicalChanged,
    ViewChanged,
    ViewState,
)
from recorder.game import Game
from recorder.goban import Board, Color, Point, Stone
from recorder.inference import difference
from recorder.judging import is_judged, judge
from recorder.memory import (
    CLOCK_TOLERANCE_S,
    GRACE_S,
    MISMATCH_S,
    Draft,
    Memory,
    Seen,
    Standing,
    Uncleared,
)
from recorder.observations import (
    AgreeEnd,
    ChangeInfo,
    CheckClock,
    Claim,
    ClockPress,
    ColorsSwapped,
    ConfirmMoves,
    Consent,
    Correction,
    Dispute,
    EndGame,
    EnterCount,
    GiveUp,
    Late,
    Note,
    Observation,
    Pass,
    Pause,
    ProposeEnd,
    Report,
    Resign,
    RestartCount,
    Resume,
    Ruling,
    Seal,
    SeeAlert,
    SetClock,
    SettledView,
    Setup,
    Sign,
    StartGame,
    Tick,
    TurnBoard,
    ViewStateSeen,
)
from recorder.referee import raise_alert
from recorder.timekeeping import keep_time


@dataclass(frozen=True)
class State:
    """Everything that decides what the next observation leads to. Immutable."""

    game: Game = field(default_factory=Game)
    """The fold of all events returned so far."""

    memory: Memory = field(default_factory=Memory)
    """What is pending or implied; small, whatever the length of the game."""

    now_s: float = 0.0
    """Time of the last observation, monotonic seconds."""

    @property
    def physical(self) -> Board:
        """What stands on the goban itself."""
        return self.game.physical


def new_state(game: Game | None = None, *, now_s: float = 0.0) -> State:
    """Return the state before the first observation, or to go on from a game read back.

    Where goban and record differed already, nothing is reported again until something changes
    there.
    """
    if game is None:
        return State(now_s=now_s)
    points = game.board.differences(game.physical) if game.phase is not Phase.IDLE else ()
    shows = {p: frozenset({game.physical[p]}) for p in points}
    standing = (Standing("restart", 0, None, len(game.moves) + 1, shows, now_s),) if shows else ()
    return State(game, Memory(standing=standing), now_s)


def step(state: State, observation: Observation) -> tuple[State, tuple[Event, ...]]:
    """Return the next state and the events that an observation leads to, in order.

    `fold` of all events ever returned equals `state.game`. Nothing is refused: what cannot be a
    move becomes an alert. An observation older than the one before counts as of the same time.
    """
    now = max(observation.t_s, state.now_s)
    draft = Draft(state.game, state.memory, now)
    draft = _advance(draft)
    content = observation.content
    draft = _HANDLERS[type(content)](draft, content)
    draft = proceedings.escalate(_account(draft, before=state))
    draft = keep_time(draft, content)
    return State(draft.game, draft.memory, now), draft.events


def _advance(draft: Draft) -> Draft:
    """Let time pass: what the grace time has not cleared up is reported."""
    memory = draft.memory
    if draft.game.view is not ViewState.CLEAR or not is_judged(draft):
        return draft
    for capture in memory.uncleared:
        pressed = capture.pressed_s
        is_early = pressed is not None and not capture.is_press_judged
        if is_early and draft.now_s - (pressed or 0.0) >= CLOCK_TOLERANCE_S:
            draft = report_early_clearing(draft, capture)
    for number in [c.number for c in draft.memory.uncleared if _is_overdue(draft, c)]:
        # Where the wrong stones were lifted instead, that is what is reported first.
        draft = report_lifted(draft)
        for capture in draft.memory.uncleared:
            if capture.number == number:
                draft = report_uncleared(draft, capture)
    if memory.changed_s is not None:
        is_due = draft.now_s - memory.changed_s >= GRACE_S
        draft = judge(draft, is_due=is_due)
        draft = draft.remember(changed_s=draft.now_s) if is_due else draft
    return _remind(draft)


def _is_overdue(draft: Draft, capture: Uncleared) -> bool:
    return not capture.is_reported and draft.now_s - capture.progress_s >= GRACE_S


def _remind(draft: Draft) -> Draft:
    """Call to mind a difference that no alert covers and that has stayed open."""
    memory = draft.memory
    if not memory.seen or memory.mismatch_s is None:
        return draft
    if draft.now_s - memory.mismatch_s < MISMATCH_S:
        return draft
    draft = draft.remember(mismatch_s=None)
    covered = {p for s in memory.standing if s.alert_id or s.kind == "accepted" for p in s.shows}
    covered |= {p for capture in memory.uncleared for p in capture.stones}
    points = sorted(p for p in draft.game.mismatch if p not in covered)
    return raise_alert(draft, "board-mismatch", None, points) if points else draft


def _account(draft: Draft, *, before: State) -> Draft:
    """Drop what is put right, and say where goban and record differ now."""
    game, memory = draft.game, draft.memory
    if game.physical is before.game.physical and game.board is before.game.board:
        return _await(draft, is_changed=False) if memory is not before.memory else draft
    points = game.board.differences(game.physical)
    draft = draft.remember(
        seen={p: seen for p, seen in memory.seen.items() if p in points},
        standing=tuple(s for s in memory.standing if not points.isdisjoint(s.shows)),
        uncleared=tuple(c for c in memory.uncleared if standing_stones(draft, c)),
    )
    shown = tuple(sorted(points)) if _is_compared(draft) else ()
    if shown != game.mismatch:
        draft = draft.emit(MismatchChanged(shown))
        draft = draft.remember(mismatch_s=draft.now_s if shown else None)
    return _await(draft, is_changed=game.physical is not before.game.physical)


def _is_compared(draft: Draft) -> bool:
    """Return whether goban and record should be alike in this phase."""
    return is_judged(draft) or draft.game.phase is Phase.PAUSED


def _await(draft: Draft, *, is_changed: bool) -> Draft:
    """Start, keep or stop the grace time of what is unexplained."""
    if not is_judged(draft):
        return draft if draft.memory.changed_s is None else draft.remember(changed_s=None)
    if not difference(draft.game.board, draft.game.physical, draft.memory):
        return draft if draft.memory.changed_s is None else draft.remember(changed_s=None)
    if is_changed or draft.memory.changed_s is None:
        return draft.remember(changed_s=draft.now_s)
    return draft


def _see(draft: Draft, view: SettledView) -> Draft:
    """Take in what changed on the goban, and judge it."""
    view = _real_changes(draft.game.physical, view)
    if view.add or view.remove:
        is_over = not _is_compared(draft)
        draft = draft.emit(PhysicalChanged(view.add, view.remove))
        draft = _date_changes(draft, view)
        draft = _note_progress(draft, view)
        draft = _after_end(draft, view) if is_over else judge(draft)
    return draft if view.loose is None else console.see_loose(draft, view.loose)


def _real_changes(physical: Board, view: SettledView) -> SettledView:
    """Leave out what the goban showed already.

    A stone exchanged for one of the other color is removed and added: the addition says it all.
    """
    add = tuple(s for s in view.add if physical[s.point] is not s.color)
    again = {s.point for s in view.add}
    remove = tuple(p for p in view.remove if physical[p] is not None and p not in again)
    return replace(view, add=add, remove=remove)


def _date_changes(draft: Draft, view: SettledView) -> Draft:
    """Remember when each point came to show what it shows."""
    now = draft.now_s
    seen = dict(draft.memory.seen)
    for point in view.remove:
        seen[point] = Seen(now, now)
    for stone in view.add:
        point = stone.point
        first = min(view.first_seen.get(point, now), now)
        seen[point] = Seen(first, now, view.last_empty.get(point))
    return draft.remember(seen=seen)


def _note_progress(draft: Draft, view: SettledView) -> Draft:
    """Restart the grace time of captures while stones are lifted, if only the wrong ones."""
    gone = set(view.remove)

    def progressed(capture: Uncleared) -> Uncleared:
        if gone & set(capture.stones):
            return replace(capture, progress_s=draft.now_s, is_begun=True)
        lifted = {draft.game.board[p] for p in gone}
        is_busy = capture.mover.opponent in lifted and not capture.is_reported
        return replace(capture, progress_s=draft.now_s) if is_busy else capture

    return draft.remember(uncleared=tuple(map(progressed, draft.memory.uncleared)))


def _after_end(draft: Draft, view: SettledView) -> Draft:
    """Report a stone played after the end (21.3); rearranging for the count is none."""
    end = draft.memory.end_board
    if end is None or draft.game.phase not in (Phase.SCORING, Phase.ENDED):
        return draft
    draft = draft.remember(end_board=None)
    if view.remove or len(view.add) != 1 or end[view.add[0].point] is not None:
        return draft
    stone = view.add[0]
    return raise_alert(draft, "play-after-end", stone.color, [stone.point])


def _see_view_state(draft: Draft, seen: ViewStateSeen) -> Draft:
    """Suspend or resume the automatic alerts; the time without a view does not count."""
    before = draft.game.view
    if seen.state is before:
        return draft
    draft = draft.emit(ViewChanged(seen.state, seen.reason))
    if seen.state is not ViewState.CLEAR:
        kind = _VIEW_ALERTS.get(seen.state)
        is_told = before is not ViewState.CLEAR or not is_judged(draft)
        return draft if kind is None or is_told else raise_alert(draft, kind, None)
    now = draft.now_s
    captures = tuple(replace(c, progress_s=now) for c in draft.memory.uncleared)
    changed = now if draft.memory.changed_s is not None else None
    mismatch = now if draft.memory.mismatch_s is not None else None
    return draft.remember(uncleared=captures, changed_s=changed, mismatch_s=mismatch)


_VIEW_ALERTS = {
    ViewState.BLOCKED: "view-blocked",
    ViewState.UNCERTAIN: "recognition-uncertain",
    ViewState.MOVED: "camera-moved",
}


def _start(draft: Draft, start: StartGame) -> Draft:
    """Begin a game from the goban as it stands, or from a given position."""
    physical, size = draft.game.physical, start.info.size
    stones = tuple(s for s in physical.stones() if max(s.point) < size)
    setup = tuple(sorted(stones, key=lambda s: s.point)) if start.setup is None else start.setup
    to_move = start.to_move
    if to_move is None and (not setup or start.info.handicap >= 2):
        to_move = Color.WHITE if start.info.handicap >= 2 else Color.BLACK
    draft = replace(draft, memory=Memory())
    draft = draft.emit(GameStarted(start.info, setup, to_move))
    changes = _toward(draft.game.physical, Board(size, stones))
    if start.setup is None or not stones or not (changes.add or changes.remove):
        return draft
    draft = draft.emit(PhysicalChanged(changes.add, changes.remove))
    return judge(_date_changes(draft, changes))


def _toward(before: Board, after: Board) -> SettledView:
    """Return the view that changes one position into another."""
    points = sorted(before.differences(after))
    add = tuple(Stone(c, p) for p in points if (c := after[p]) is not None)
    remove: tuple[Point, ...] = tuple(p for p in points if after[p] is None)
    return SettledView(add, remove)


def _unchanged(draft: Draft, content: object) -> Draft:
    """Return the draft as it is: time has passed, or what follows is the clock's."""
    return draft


Handler = Callable[[Draft, Any], Draft]

_HANDLERS: Mapping[type, Handler] = {
    SettledView: _see,
    ViewStateSeen: _see_view_state,
    ClockPress: console.press,
    Pass: console.say_pass,
    Resign: console.resign,
    Claim: console.claim,
    Consent: console.consent,
    ProposeEnd: console.propose_end,
    AgreeEnd: console.agree_end,
    Dispute: console.dispute,
    Resume: console.resume,
    ColorsSwapped: console.swap_colors,
    Ruling: decisions.rule,
    Correction: decisions.correct,
    Setup: decisions.set_up,
    StartGame: _start,
    ChangeInfo: console.change_info,
    TurnBoard: console.turn_board,
    Pause: console.pause,
    EndGame: console.end_game,
    Seal: console.seal,
    Report: console.report,
    SeeAlert: proceedings.see_alert,
    Note: proceedings.note,
    GiveUp: proceedings.give_up,
    Late: proceedings.come_late,
    CheckClock: proceedings.check_clock,
    SetClock: _unchanged,
    RestartCount: _unchanged,
    EnterCount: proceedings.enter_count,
    Sign: proceedings.sign,
    ConfirmMoves: proceedings.confirm_moves,
    Tick: _unchanged,
}
