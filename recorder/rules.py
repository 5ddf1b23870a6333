"""Rule sets as data, and which rules a move breaks. Reports, never refuses."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from recorder.events import Move, MovePlayed
from recorder.game import Game
from recorder.goban import Board, Color, Point


class RulesError(ValueError):
    """There is no such rule set."""


class Fault(Enum):
    """A rule that a move breaks; the value is the type of the infraction."""

    OCCUPIED = "occupied-point"
    OUT_OF_TURN = "double-move"
    SUICIDE = "forbidden-point"
    KO = "ko-violation"
    REPETITION = "whole-board-repetition"


class Suicide(Enum):
    """Whether own stones may be left without liberties."""

    FORBIDDEN = "forbidden"
    GROUPS = "groups"
    """Two stones or more, never a single one."""

    ALLOWED = "allowed"


class Repetition(Enum):
    """Which earlier positions a stone may not bring back; the basic ko apart."""

    POSITIONAL = "positional"
    """Any."""

    SITUATIONAL = "situational"
    """Any with the same side to move."""

    OWN = "own"
    """Those that a move of the same player led to."""


class Lapse(Enum):
    """What an illegal move leads to."""

    VOID = "void"
    """A second move in a row is void; a forbidden play is void and counts as a pass."""

    LOSS = "loss"
    """It loses the game."""

    CLAIM = "claim"
    """It stands unless the opponent claims before his reply; then it counts as a pass."""


class Counting(Enum):
    """What is counted at the end."""

    AREA = "area"
    TERRITORY = "territory"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """What differs from one set of rules to another."""

    name: str
    title: str
    source: str
    """Where the rules are written down."""

    komi: float
    """Points for White in an even game."""

    counting: Counting = Counting.AREA
    suicide: Suicide = Suicide.FORBIDDEN
    repetition: Repetition = Repetition.POSITIONAL
    double_move: Lapse = Lapse.VOID
    illegal_play: Lapse = Lapse.VOID
    """A forbidden point and the basic ko."""

    repetition_by_claim: bool = False
    """A repetition counts as a pass when the opponent claims before his reply."""

    repetition_options: tuple[str, ...] = ("no-result", "draw", "replay", "void-move")
    """What the referee can decide when a position repeats."""

    scatter_options: tuple[str, ...] = ("rebuild", "draw", "replay", "both-lose")
    moved_options: tuple[str, ...] = ("original-point", "reasonable-point", "valid", "draw")
    has_corner_gestures: bool = False
    """Stones outside the lines at the lower right corners propose the end or resign."""

    has_warnings: bool = False
    """Two warnings lose the game."""

    takeback_needs_claim: bool = True
    """A stone lifted and played elsewhere goes back only if the opponent claims at once."""


_MOVED_2002 = ("original-point", "reasonable-point", "valid", "draw", "replay", "both-lose", "loss")
_MOVED_OLDER = ("original-point", "valid", "draw", "replay", "loss")

RULESETS = {
    rules.name: rules
    for rules in (
        Ruleset(
            "chinese-2002",
            "Chinese competition rules, 2002",
            "Competition rules of weiqi 2002, articles 1-33",
            7.5,
            has_warnings=True,
            moved_options=_MOVED_2002,
        ),
        Ruleset(
            "chinese-older",
            "Chinese competition rules, older edition",
            "Competition rules of weiqi before 2002, chapter 2, articles 1-12",
            7.5,
            double_move=Lapse.LOSS,
            repetition_options=("draw", "replay"),
            scatter_options=("rebuild", "draw", "replay", "loss-of-the-player-who-scattered"),
            moved_options=_MOVED_OLDER,
            has_corner_gestures=True,
            has_warnings=True,
            takeback_needs_claim=False,
        ),
        Ruleset(
            "japanese",
            "Japanese rules, 1989",
            "Nihon Kiin and Kansai Kiin, The Japanese Rules of Go, 1989",
            6.5,
            counting=Counting.TERRITORY,
            double_move=Lapse.LOSS,
            illegal_play=Lapse.LOSS,
            repetition_options=("no-result",),
            moved_options=("original-point", "both-lose"),
        ),
        Ruleset(
            "korean",
            "Korean rules",
            "Korea Baduk Association, rules of 2016",
            6.5,
            counting=Counting.TERRITORY,
            double_move=Lapse.LOSS,
            illegal_play=Lapse.LOSS,
            repetition_options=("draw",),
            moved_options=("original-point", "both-lose"),
            takeback_needs_claim=False,
        ),
        Ruleset(
            "aga",
            "AGA rules",
            "American Go Association, Concise Rules of Go, 1991",
            7.5,
            repetition=Repetition.SITUATIONAL,
            double_move=Lapse.CLAIM,
            illegal_play=Lapse.CLAIM,
            repetition_by_claim=True,
            repetition_options=("void-move",),
        ),
        Ruleset(
            "ing",
            "Ing rules",
            "Ing Chang-ki Goe Foundation, The Laws of Wei-ch'i, 1996",
            8.0,
            suicide=Suicide.GROUPS,
        ),
        Ruleset(
            "new-zealand",
            "New Zealand rules",
            "New Zealand Go Society, Rules of Go",
            7.0,
            suicide=Suicide.ALLOWED,
            repetition=Repetition.OWN,
            repetition_options=("void-move",),
        ),
        Ruleset(
            "tromp-taylor",
            "Tromp-Taylor rules",
            "John Tromp and Bill Taylor, The game of Go, 1995",
            7.5,
            suicide=Suicide.ALLOWED,
            repetition_options=("void-move",),
        ),
    )
}
"""The rule sets by name."""


def ruleset_of(name: str) -> Ruleset:
    """Return the rule set of a name; raise `RulesError` if there is none."""
    if name not in RULESETS:
        raise RulesError(f"ruleset must be one of {', '.join(RULESETS)}, got {name!r}")
    return RULESETS[name]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a move leads to, legal or not."""

    board: Board
    captured: frozenset[Point]
    """Everything that came off, own stones included."""

    faults: frozenset[Fault]
    """Suicide and the basic ko; turn and repetition need the game, see `faults`."""


def outcome(board: Board, last: MovePlayed | None, move: Move, rules: Ruleset) -> Outcome:
    """Return what a move leads to on a board after the move `last`.

    A suicide takes off the own stones where it is legal; where it is not, the board is the one
    with the stone standing without liberties, as it would on the goban. Raises `GobanError` if
    the point is occupied.
    """
    if move.point is None:
        return Outcome(board, frozenset(), frozenset())
    placed = board.place(move.color, move.point)
    if placed.own_lost:
        if is_suicide_legal(rules, len(placed.own_lost)):
            return Outcome(placed.board, placed.own_lost, frozenset())
        return Outcome(board, frozenset(), frozenset({Fault.SUICIDE}))
    is_ko = is_retaking(last, move, placed.captured)
    return Outcome(placed.board, placed.captured, frozenset({Fault.KO} if is_ko else ()))


def is_suicide_legal(rules: Ruleset, count: int) -> bool:
    """Return whether a move may take off so many own stones."""
    return rules.suicide is Suicide.ALLOWED or (rules.suicide is Suicide.GROUPS and count > 1)


def is_retaking(last: MovePlayed | None, move: Move, captured: frozenset[Point]) -> bool:
    """Return whether a move captures just the stone that has just captured just one here."""
    if last is None or last.move.point is None or last.move.color is move.color:
        return False
    return (
        captured == {last.move.point}
        and last.captured == {move.point}
        and last.move.point not in last.captured
    )


def repeated(game: Game, after: Board, mover: Color, rules: Ruleset) -> int | None:
    """Return after how many moves the position after a stone play stood before, if it may not.

    The most recent of several; constant cost, by hash. The basic ko must be excluded before.
    """
    numbers = game.history.numbers_of(hash(after))
    fitting = [n for n in numbers if _is_forbidden(game, n, mover, rules.repetition)]
    return fitting[-1] if fitting else None


def _is_forbidden(game: Game, number: int, mover: Color, kind: Repetition) -> bool:
    """Return whether the position after `number` moves may not come back by a play of `mover`."""
    if kind is Repetition.POSITIONAL:
        return True
    if kind is Repetition.SITUATIONAL or number == 0:
        return side_to_move_after(game, number) is mover.opponent
    return game.moves[number - 1].move.color is mover


def side_to_move_after(game: Game, number: int) -> Color | None:
    """Return who was to move after `number` moves."""
    if number == 0:
        return game.first_to_move
    return game.moves[number - 1].move.color.opponent


def faults(game: Game, move: Move, rules: Ruleset) -> frozenset[Fault]:
    """Return every rule that a move breaks as the next of the record."""
    found: set[Fault] = set()
    if game.to_move is not None and move.color is not game.to_move:
        found.add(Fault.OUT_OF_TURN)
    if move.point is None:
        return frozenset(found)
    if game.board[move.point] is not None:
        return frozenset(found | {Fault.OCCUPIED})
    result = outcome(game.board, game.last_move, move, rules)
    found |= result.faults
    if not result.faults and repeated(game, result.board, move.color, rules) is not None:
        found.add(Fault.REPETITION)
    return frozenset(found)
