"""Who opened which evidence, and when: a note in the game's minutes, once for each person."""

from __future__ import annotations

from recorder.minutes import EVIDENCE_OPENED
from recorder.observations import Note
from recorder.web.sessions import Session
from recorder.web.taking import Taker


class Openings:
    """Notes the first time that a person opens the pictures of an alert.

    Of two first openings at the same moment both may be noted; none is ever left out.
    """

    def __init__(self, taker: Taker) -> None:
        self._taker = taker
        self._noted: set[tuple[str, int, str]] = set()

    def note(self, game_id: str, alert_id: int, session: Session) -> None:
        """Put it into the log, with who it was."""
        opening = (game_id, alert_id, session.by)
        if opening in self._noted:
            return
        answer = self._taker.note(Note(kind=EVIDENCE_OPENED, text=f"alert {alert_id}"), session)
        if answer.status_code == 200:
            self._noted.add(opening)
