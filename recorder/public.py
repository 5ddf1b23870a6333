"""What the public sees of a game: the corrected main line, late by a delay, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from recorder.events import (
    ClockChanged,
    Event,
    GameStarted,
    InfoChanged,
    MovePlayed,
    MovesConfirmed,
    MovesRetracted,
    Phase,
    PhaseChanged,
    PositionCorrected,
    Record,
    ResultChanged,
    ViewChanged,
    ViewState,
)
from recorder.game import Game, apply
from recorder.trail import Trail

OVER = frozenset({Phase.SCORING, Phase.ENDED, Phase.SEALED})
"""Phases in which no move follows, so that a delay counted in moves ends."""


class DelayError(ValueError):
    """A delay below zero."""


@dataclass(frozen=True, slots=True)
class Delay:
    """How far the public is behind; both hold where both are given."""

    seconds: float = 0.0
    moves: int = 0

    def __post_init__(self) -> None:
        if not (self.seconds >= 0 and self.moves >= 0):
            raise DelayError(f"a delay must not be negative, got {self}")


NO_DELAY = Delay()


@dataclass(frozen=True, slots=True)
class Stamp:
    """When a move became known, and whether enough moves have followed it."""

    known_s: float
    """Seconds on the caller's clock."""

    utc: str
    """ISO time of the log's record, empty where unknown."""

    is_followed: bool = False
    """It has had as many successors as the delay asks for; stays true when those are deleted."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands, apart from its moves."""

    phase: Phase = Phase.IDLE
    result: str | None = None
    """SGF RE; None until a referee has confirmed it or a player has resigned."""

    is_proposed: bool = False
    """There is a result, but it is no more than a proposal to the referee."""

    @property
    def public_phase(self) -> Phase:
        """The phase as the public is told: an end that is only proposed is a pause."""
        is_open = self.is_proposed and self.phase is Phase.ENDED
        return Phase.PAUSED if is_open else self.phase


@dataclass(frozen=True)
class PublicGame:
    """One game as it is known, with what is still held back. Never leaves the projection."""

    game_id: str
    known_s: float
    """When its first record came."""

    start_s: float = 0.0
    """Monotonic seconds of the log at which the game began."""

    whole: Game = field(default_factory=Game)
    """The main line up to now, without faults, notes and reasons."""

    stamps: tuple[Stamp, ...] = ()
    """One for each move of `whole`."""

    standing: Standing = Standing()
    standing_next: tuple[float, Standing] | None = None
    """What follows, and when it became known; what was taken back within the delay is gone."""

    clock: str = ""
    clock_known_s: float = 0.0
    clocks_next: tuple[tuple[float, str], ...] = ()
    view: ViewState = ViewState.CLEAR
    is_followed: bool = False
    """The next game has begun: a delay counted in moves holds nothing back any more."""


@dataclass(frozen=True)
class PublicView:
    """Everything the public may see at one moment; pages and files are made from this alone."""

    game_id: str = ""
    game: Game = field(default_factory=Game)
    """The main line as far as it is public; no alerts, faults, notes or reasons."""

    played_utc: tuple[str, ...] = ()
    """When each move became known, ISO."""

    played_s: tuple[float, ...] = ()
    """Seconds from the start of the game to each move."""

    clock: str = ""
    """The clocks' state, JSON text; empty with a delay in moves, whose moment it would betray."""

    clock_shown_s: float = 0.0
    """When that state became public, seconds on the caller's clock; the clocks ran on since."""

    is_interrupted: bool = False
    """The camera sees the goban badly or not at all."""

    delay: Delay = NO_DELAY


@dataclass(frozen=True)
class Retracted:
    """Moves that one batch of records took off the line, to be recognized when they come again."""

    first: int = 1
    """Number of the first one."""

    moves: tuple[MovePlayed, ...] = ()
    stamps: tuple[Stamp, ...] = ()
    place: int = 0
    """The moves before this place have been recognized."""


def take_batch(
    before: PublicGame, records: Sequence[Record], *, known_s: float, delay: Delay
) -> PublicGame:
    """Return the game after the records of one observation, which became known at `known_s`.

    A move that comes again after a correction keeps the time at which it was known, and one that
    takes the place of another is known as long as that one: a correction shows at once.
    """
    game, retracted = released(before, now_s=known_s, delay=delay), Retracted()
    for record in records:
        event = record.event
        if isinstance(event, MovesRetracted):
            retracted = _with_retracted(game, retracted, event.number)
            game = _kept(game, event.number, replace(event, reason=""))
        elif isinstance(event, MovePlayed):
            stamp, retracted = _recognized(retracted, event, Stamp(known_s, record.utc))
            whole = apply(game.whole, _without_reasons(event))
            game = replace(game, whole=whole, stamps=(*game.stamps, stamp))
        else:
            game = _take_other(game, record, event, known_s)
    return _settled(game, known_s=known_s, delay=delay)


def _without_reasons(event: MovePlayed) -> MovePlayed:
    return MovePlayed(
        number=event.number,
        move=event.move,
        captured=event.captured,
        t_s=event.t_s,
        is_order_known=event.is_order_known,
        clock_left_s=event.clock_left_s,
    )


def _kept(game: PublicGame, number: int, event: MovesRetracted) -> PublicGame:
    return replace(game, whole=apply(game.whole, event), stamps=game.stamps[: number - 1])


def _with_retracted(game: PublicGame, before: Retracted, number: int) -> Retracted:
    """Add what leaves the line to what left it before in the same batch."""
    moves, stamps = tuple(game.whole.moves[number - 1 :]), game.stamps[number - 1 :]
    if not before.moves or number > before.first:
        return replace(before, place=0) if before.moves else Retracted(number, moves, stamps)
    # Moves of this batch that leave again were recognized from `before`, so those come instead.
    old = before.first - number
    return Retracted(number, (*moves[:old], *before.moves), (*stamps[:old], *before.stamps))


def _recognized(retracted: Retracted, event: MovePlayed, stamp: Stamp) -> tuple[Stamp, Retracted]:
    """Return the stamp of a move that comes again or replaces another, else its own."""
    for place in range(retracted.place, len(retracted.moves)):
        # By the point alone: a correction may give the stone the other color.
        if retracted.moves[place].move.point == event.move.point:
            return retracted.stamps[place], replace(retracted, place=place + 1)
    place = event.number - retracted.first
    if 0 <= place < len(retracted.stamps):
        return retracted.stamps[place], retracted
    return stamp, retracted


def _take_other(game: PublicGame, record: Record, event: Event, known_s: float) -> PublicGame:
    """Take an event that is no move; most of them are none of the public's business."""
    if isinstance(event, GameStarted):
        fresh = PublicGame(game.game_id, game.known_s, record.t_s, view=game.view)
        started = replace(fresh, whole=apply(fresh.whole, event))
        return replace(started, standing=Standing(Phase.PLAYING))
    if isinstance(event, InfoChanged):
        return replace(game, whole=apply(game.whole, event))
    if isinstance(event, PositionCorrected):
        return replace(game, whole=apply(game.whole, replace(event, reason="")))
    if isinstance(event, MovesConfirmed):
        return replace(game, whole=_confirmed(game.whole, event))
    if isinstance(event, PhaseChanged):
        return _stands(game, replace(_newest(game), phase=event.phase), known_s)
    if isinstance(event, ResultChanged):
        result = _public_result(event)
        is_proposed = result is None and event.result is not None
        standing = replace(_newest(game), result=result, is_proposed=is_proposed)
        return _stands(game, standing, known_s)
    if isinstance(event, ViewChanged):
        return replace(game, view=event.state)
    if isinstance(event, ClockChanged):
        return replace(game, clocks_next=(*game.clocks_next, (known_s, event.state)))
    return game


def _confirmed(whole: Game, event: MovesConfirmed) -> Game:
    """Return the line with the order of some moves certain; who said so is not told."""
    numbers = range(event.first, event.last + 1)
    moves = Trail(
        replace(move, is_order_known=True) if move.number in numbers else move
        for move in whole.moves
    )
    return replace(whole, moves=moves)


def _public_result(event: ResultChanged) -> str | None:
    """Return the result if the players know it: a proposal after an infraction is the referee's."""
    is_public = event.is_confirmed or (event.result or "").endswith("+R")
    return event.result if is_public else None


def _newest(game: PublicGame) -> Standing:
    return game.standing if game.standing_next is None else game.standing_next[1]


def _stands(game: PublicGame, standing: Standing, known_s: float) -> PublicGame:
    if standing == game.standing:
        return replace(game, standing_next=None)
    return replace(game, standing_next=(known_s, standing))


def _settled(game: PublicGame, *, known_s: float, delay: Delay) -> PublicGame:
    """Note which moves have had enough successors, and let out what is due."""
    is_over = game.is_followed or _newest(game).public_phase in OVER
    followed = len(game.stamps) - (0 if is_over else delay.moves)
    if any(not stamp.is_followed for stamp in game.stamps[: max(followed, 0)]):
        stamps = tuple(
            stamp if stamp.is_followed or place >= followed else replace(stamp, is_followed=True)
            for place, stamp in enumerate(game.stamps)
        )
        game = replace(game, stamps=stamps)
    return released(game, now_s=known_s, delay=delay)


def with_delay(game: PublicGame, *, now_s: float, delay: Delay) -> PublicGame:
    """Return a game to which another delay applies from now on."""
    return _settled(game, known_s=now_s, delay=delay)


def followed_by_next(game: PublicGame, *, now_s: float, delay: Delay) -> PublicGame:
    """Return a game after which another has begun."""
    return _settled(replace(game, is_followed=True), known_s=now_s, delay=delay)


def released(game: PublicGame, *, now_s: float, delay: Delay) -> PublicGame:
    """Return the game with the phase, result and clocks shown that are due by now."""
    due_s = now_s - delay.seconds
    if game.standing_next is not None and game.standing_next[0] <= due_s:
        game = replace(game, standing=game.standing_next[1], standing_next=None)
    due = sum(1 for known_s, _ in game.clocks_next if known_s <= due_s)
    if due:
        known_s, shown = game.clocks_next[due - 1]
        rest = game.clocks_next[due:]
        game = replace(game, clock=shown, clock_known_s=known_s, clocks_next=rest)
    return game


def next_due_s(game: PublicGame, *, after_s: float, delay: Delay) -> float | None:
    """Return when something that is held back is due next, later than `after_s`; None: nothing."""
    waiting = [stamp.known_s for stamp in game.stamps if stamp.is_followed]
    waiting += [known_s for known_s, _ in game.clocks_next]
    if game.standing_next is not None:
        waiting.append(game.standing_next[0])
    due = (known_s + delay.seconds for known_s in waiting)
    return min((moment for moment in due if moment > after_s), default=None)


def shown_moves(game: PublicGame, *, now_s: float, delay: Delay) -> int:
    """Return how many moves of the line are public.

    The line is shown up to its last move that is due: what was inserted before it shows, too.
    """
    due_s = now_s - delay.seconds
    for place in range(len(game.stamps), 0, -1):
        stamp = game.stamps[place - 1]
        if stamp.is_followed and stamp.known_s <= due_s:
            return place
    return 0


def project(
    game: PublicGame, *, now_s: float, delay: Delay, before: PublicView | None = None
) -> PublicView:
    """Return what the public sees of a game now.

    Parameters
    ----------
    now_s
        Same clock as the `known_s` of the batches.
    before
        The view shown last; only makes this one cheaper.
    """
    game = released(game, now_s=now_s, delay=delay)
    count = shown_moves(game, now_s=now_s, delay=delay)
    line = _cut(game.whole, count, None if before is None else before.game)
    standing = game.standing
    moves = line.moves
    return PublicView(
        game_id=game.game_id,
        game=replace(line, phase=standing.public_phase, result=standing.result),
        played_utc=tuple(stamp.utc for stamp in game.stamps[:count]),
        played_s=tuple(max(0.0, move.t_s - game.start_s) for move in moves),
        clock="" if delay.moves else game.clock,
        clock_shown_s=game.clock_known_s + delay.seconds,
        is_interrupted=game.view is not ViewState.CLEAR,
        delay=delay,
    )


def _cut(whole: Game, count: int, before: Game | None) -> Game:
    """Return the game after its first `count` moves; goes on from `before` where that fits."""
    if count == len(whole.moves):
        return whole
    if before is not None and _goes_on(whole, count, before):
        line = before
        for move in whole.moves[len(before.moves) : count]:
            line = apply(line, move)
            for corrected in whole.corrections:
                if corrected.after == move.number:
                    line = apply(line, corrected.event)
        return replace(line, info=whole.info)
    return apply(whole, MovesRetracted(count + 1, ""))


def _goes_on(whole: Game, count: int, before: Game) -> bool:
    """Whether the first `count` moves of a game are those of `before` and some more."""
    shown = len(before.moves)
    corrections = tuple(c for c in whole.corrections if c.after <= shown)
    return (
        shown <= count
        and whole.setup == before.setup
        and whole.first_to_move is before.first_to_move
        and corrections == before.corrections
        and all(one is other for one, other in zip(whole.moves, before.moves, strict=False))
    )
