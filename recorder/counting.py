"""A counted game: the position divided, the terms, and the result that follows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from recorder.game import Game, Tally
from recorder.goban import Color
from recorder.results import Result, Unit, describe_result, format_result
from recorder.rules import Counting, Ruleset, ruleset_of
from recorder.scoring import Count, Marks, Terms, count, decide, margin_of

IN_STONES = ("chinese-2002", "chinese-older")
"""Rule sets that tell margins in stones, not in points."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A finished position and everything that decides who won."""

    count: Count
    terms: Terms
    rules: Ruleset
    counting: Counting

    @property
    def margin(self) -> Fraction:
        """By how many points Black is ahead (behind, if negative)."""
        return margin_of(self.count, self.terms, self.rules, self.counting)

    @property
    def result(self) -> Result:
        """Who won; two warnings lose whatever the margin is."""
        return decide(self.margin, self.terms, self.rules)

    @property
    def unit(self) -> Unit:
        """What the margin is told in."""
        return Unit.STONES if self.rules.name in IN_STONES else Unit.POINTS

    @property
    def re(self) -> str:
        """The result as SGF RE."""
        return format_result(self.result)

    def total(self, color: Color) -> float:
        """Return what a player has before komi: area, or territory with all that adds to it."""
        if self.counting is Counting.AREA:
            return self.count.area(color)
        return float(self.count.territory(color) + self.taken(color))

    def taken(self, color: Color) -> int:
        """Return a player's prisoners, the opponent's dead stones and (AGA) pass stones."""
        passes = self.terms.passes.of(color.opponent) * (self.rules.name == "aga")
        dead = len(self.count.side(color.opponent).dead)
        return self.terms.prisoners.of(color) + dead + passes

    def describe(self, language: str = "zh") -> str:
        """Return the result in words, "zh" or "en"."""
        return describe_result(self.result, language, self.unit)


def count_game(
    game: Game,
    marks: Marks,
    *,
    rules: Ruleset | None = None,
    counting: Counting | None = None,
    komi: Fraction | None = None,
    handicap_return: Fraction = Fraction(0),
) -> Counted:
    """Count a game's official position.

    Without `rules`, `counting` and `komi` those of the game hold. A person has marked what is dead,
    shared or in seki; raises `scoring.ScoringError` where that does not fit the position.
    """
    by = ruleset_of(game.info.ruleset) if rules is None else rules
    points = game.info.komi if game.info.komi is not None else usual_komi(by, game.info.handicap)
    terms = Terms(
        komi=exactly(points) if komi is None else komi,
        warnings=game.warnings,
        prisoners=game.prisoners,
        passes=_passes(game),
        handicap=game.info.handicap,
        handicap_return=handicap_return,
    )
    divided = count(game.board, marks)
    return Counted(divided, terms, by, by.counting if counting is None else counting)


def with_warnings(game: Game, warnings: Tally) -> Game:
    """Return a game whose warnings are those that the referee confirmed."""
    return replace(game, warnings=warnings)


def usual_komi(rules: Ruleset, handicap: int) -> float:
    """Return a rule set's komi in points; none in a game with handicap stones."""
    return 0.0 if handicap >= 2 else rules.komi


def exactly(value: float) -> Fraction:
    """Return a number exactly as it is written (3.8, not its neighbor in binary)."""
    return Fraction(str(value))


def _passes(game: Game) -> Tally:
    tally = Tally()
    for played in game.moves:
        if played.move.is_pass:
            tally = tally.plus(played.move.color, 1)
    return tally
