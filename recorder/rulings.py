"""What an infraction means under each rule set: article, proposed ruling, level, warning."""

from __future__ import annotations

from typing import NamedTuple

from recorder.events import Level, Severity


class Kind(NamedTuple):
    """What holds for a type of alert under every rule set, unless `_EXCEPTIONS` says otherwise."""

    level: Level
    severity: Severity
    ruling: str


class Proposal(NamedTuple):
    """What an alert of a type says under one rule set."""

    article: str
    level: Level
    severity: Severity
    ruling: str
    """Code of the proposed ruling; sentences in `ruling_texts.RULINGS`."""

    has_warning: bool
    """Whether the offender is proposed a warning."""


_V, _N, _I = Level.VIOLATION, Level.NOTICE, Level.INFO
_1, _2, _3, _4 = Severity.INTERRUPT, Severity.CARD, Severity.LIST, Severity.LOG

KINDS = {
    "double-move": Kind(_V, _1, "void-second"),
    "forbidden-point": Kind(_V, _2, "void-pass"),
    "ko-violation": Kind(_V, _1, "void-pass"),
    "whole-board-repetition": Kind(_N, _2, "referee-repetition"),
    "missed-capture": Kind(_N, _2, "take-off"),
    "partial-capture": Kind(_N, _2, "take-off"),
    "wrong-removal": Kind(_N, _1, "put-back"),
    "take-back": Kind(_N, _2, "await-claim"),
    "dropped-stone": Kind(_I, _4, "ask-opponent"),
    "moved-stone": Kind(_N, _2, "referee-moved"),
    "stone-missing": Kind(_N, _2, "referee-moved"),
    "color-changed": Kind(_N, _2, "referee-moved"),
    "board-scattered": Kind(_N, _1, "rebuild"),
    "wrong-first-color": Kind(_N, _2, "record-as-played"),
    "colors-swapped": Kind(_N, _2, "swap-colors"),
    "wrong-color-stone": Kind(_N, _2, "exchange-stone"),
    "handicap-mismatch": Kind(_N, _2, "check-pairing"),
    "order-ambiguous": Kind(_N, _3, "fix-order"),
    "possible-pass": Kind(_I, _4, "pass-when-answered"),
    "possible-end": Kind(_I, _4, "ask-end"),
    "game-quiet": Kind(_N, _3, "ask-end"),
    "disk-full": Kind(_N, _1, "make-room"),
    "board-mismatch": Kind(_N, _3, "compare"),
    "record-conflict": Kind(_N, _2, "compare"),
    "clock-before-stone": Kind(_N, _3, "reading-stays"),
    "clock-before-removal": Kind(_N, _3, "reading-stays"),
    "clock-wrong-hand": Kind(_I, _4, "log"),
    "clock-out-of-turn": Kind(_I, _4, "log"),
    "flag-fall": Kind(_V, _1, "loss"),
    "clock-fault": Kind(_N, _2, "replace-clock"),
    "late-arrival": Kind(_N, _2, "deduct-double"),
    "call-referee": Kind(_N, _1, "referee"),
    "gives-up": Kind(_N, _2, "chief-border"),
    "absence": Kind(_I, _4, "log"),
    "play-after-end": Kind(_N, _2, "not-recorded"),
    "wrong-resume-side": Kind(_N, _2, "other-side-first"),
    "life-death-dispute": Kind(_I, _3, "resume-claimant"),
    "end-proposed": Kind(_I, _4, "log"),
    "resigned": Kind(_I, _4, "log"),
    "two-warnings": Kind(_V, _1, "loss"),
    "view-blocked": Kind(_I, _4, "log"),
    "recognition-uncertain": Kind(_I, _4, "log"),
    "camera-moved": Kind(_N, _4, "compare"),
    "conduct-report": Kind(_N, _2, "referee"),
}
"""Every type of alert; docs/alerts.md describes each."""


_ARTICLES = {
    "chinese-2002": {
        "double-move": "17.2",
        "forbidden-point": "19",
        "ko-violation": "18.3",
        "whole-board-repetition": "6;20.3",
        "missed-capture": "18.2",
        "partial-capture": "18.2",
        "wrong-removal": "18.1",
        "take-back": "17.3",
        "dropped-stone": "17.3",
        "moved-stone": "17.5",
        "stone-missing": "17.5",
        "color-changed": "17.5",
        "board-scattered": "17.6",
        "wrong-first-color": "2.3",
        "colors-swapped": "17.1",
        "wrong-color-stone": "2.1",
        "possible-pass": "2.5",
        "possible-end": "13.2",
        "clock-before-stone": "17.4",
        "clock-before-removal": "22.6",
        "clock-wrong-hand": "12.4",
        "flag-fall": "12.4;22.5",
        "clock-fault": "22.8",
        "late-arrival": "22.1",
        "gives-up": "12.4",
        "absence": "22.7",
        "play-after-end": "21.3",
        "wrong-resume-side": "21.4",
        "life-death-dispute": "21.4",
        "end-proposed": "13.2;21.1",
        "resigned": "7",
        "two-warnings": "24.2",
        "conduct-report": "23",
    },
    "chinese-older": {
        "double-move": "8.1",
        "forbidden-point": "10",
        "ko-violation": "11.1",
        "whole-board-repetition": "11.3",
        "missed-capture": "4;12.1",
        "partial-capture": "4;12.1",
        "wrong-removal": "9",
        "take-back": "8.2",
        "dropped-stone": "8.2",
        "moved-stone": "8.3",
        "stone-missing": "8.3",
        "color-changed": "8.3",
        "board-scattered": "8.4",
        "wrong-first-color": "2.1",
        "colors-swapped": "12.1",
        "wrong-color-stone": "2.1",
        "possible-end": "4.2",
        "clock-before-stone": "12.1",
        "clock-before-removal": "12.1",
        "flag-fall": "3.2",
        "play-after-end": "4",
        "wrong-resume-side": "12.1",
        "life-death-dispute": "8",
        "end-proposed": "4.2",
        "resigned": "7.2",
        "two-warnings": "12.2",
        "conduct-report": "6",
    },
    "japanese": {
        "double-move": "2;14",
        "forbidden-point": "4;14",
        "ko-violation": "6;14",
        "whole-board-repetition": "12",
        "missed-capture": "5",
        "partial-capture": "5",
        "moved-stone": "13",
        "stone-missing": "13",
        "color-changed": "13",
        "wrong-resume-side": "9.3",
        "life-death-dispute": "9",
        "end-proposed": "9",
    },
    "korean": {
        "forbidden-point": "5",
        "take-back": "3.3",
        "clock-before-removal": "18",
    },
    "aga": {
        "double-move": "8",
        "forbidden-point": "5;8",
        "ko-violation": "8",
        "whole-board-repetition": "6;8",
        "wrong-resume-side": "9",
        "end-proposed": "9",
    },
    "ing": {"forbidden-point": "suicide", "ko-violation": "ko", "whole-board-repetition": "ko"},
    "new-zealand": {"ko-violation": "6", "whole-board-repetition": "6"},
    "tromp-taylor": {
        "double-move": "4",
        "ko-violation": "6",
        "whole-board-repetition": "6",
        "missed-capture": "7",
        "partial-capture": "7",
    },
}
"""Source article by rule set; `_UNWRITTEN` where the rules themselves say nothing."""

_EVERYWHERE = {
    "order-ambiguous": "recording",
    "board-mismatch": "recording",
    "game-quiet": "recording",
    "disk-full": "recording",
    "record-conflict": "recording",
    "camera-moved": "recording",
    "handicap-mismatch": "setup",
    "call-referee": "recording",
}

_UNWRITTEN = "referee"

_LAST_STONE = {"chinese-2002": "17.3;17.5", "chinese-older": "8.2;8.3"}
"""Articles for the last stone played, lifted and not put down again."""

_WARNED = {
    "chinese-2002": {
        "double-move": "void-second",
        "ko-violation": "void-pass",
        "missed-capture": "take-off",
        "partial-capture": "take-off",
        "wrong-removal": "put-back",
        "clock-before-stone": "reading-stays",
        "clock-before-removal": "reading-stays",
    },
    "chinese-older": {"wrong-removal": "put-back", "take-back": "original-point"},
}
"""Infractions that are proposed a warning; they are violations by that."""

_RULINGS = {
    "chinese-older": {"double-move": "loss"},
    "japanese": {"double-move": "loss", "forbidden-point": "loss", "ko-violation": "loss"},
    "korean": {
        "double-move": "loss",
        "forbidden-point": "loss",
        "ko-violation": "loss",
        "take-back": "original-point",
    },
    "aga": {
        "double-move": "pass-on-claim",
        "forbidden-point": "pass-on-claim",
        "ko-violation": "pass-on-claim",
        "whole-board-repetition": "pass-on-claim",
    },
}


def proposal(kind: str, ruleset: str) -> Proposal:
    """Return what an alert of a type says under a rule set."""
    base = KINDS[kind]
    article = _ARTICLES[ruleset].get(kind) or _EVERYWHERE.get(kind, _UNWRITTEN)
    has_warning = kind in _WARNED.get(ruleset, {})
    ruling = _RULINGS.get(ruleset, {}).get(kind) or _WARNED.get(ruleset, {}).get(kind)
    is_violation = has_warning or ruling == "pass-on-claim"
    level = Level.VIOLATION if is_violation else base.level
    return Proposal(article, level, base.severity, ruling or base.ruling, has_warning)


def as_note(said: Proposal) -> Proposal:
    """Return what an alert says where too little is certain to hold anybody to it."""
    return said._replace(level=Level.INFO, severity=Severity.LOG, ruling="log", has_warning=False)


def last_stone_article(ruleset: str) -> str:
    """Return the articles for the last stone played that was lifted and is gone."""
    return _LAST_STONE.get(ruleset) or proposal("stone-missing", ruleset).article


def claimed_takeback(ruleset: str) -> Proposal:
    """Return what a take-back means once the opponent has claimed it (2002 edition, 17.3)."""
    base = proposal("take-back", ruleset)
    has_warning = ruleset in _WARNED
    level = Level.VIOLATION if has_warning else base.level
    return base._replace(level=level, ruling="original-point", has_warning=has_warning)


def void_repetition(ruleset: str) -> Proposal:
    """Return what a repetition means where the event's rules make it void and a pass."""
    base = proposal("whole-board-repetition", ruleset)
    return base._replace(level=Level.VIOLATION, ruling="void-pass")
