"""What lets a device join a hall: settings in, a publisher out."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from recorder.cli import UsageError
from recorder.config import HallConfig
from recorder.publish import Publisher
from recorder.web.inbox import Submit


@contextlib.contextmanager
def joined(
    hall: HallConfig, log: Path, *, pictures: Path, submit: Submit, table: str = ""
) -> Iterator[tuple[Publisher, ...]]:
    """Send a log to the hall while in the block, if the settings name one; gives who is told.

    Parameters
    ----------
    pictures
        Folder of the games, or of one game's evidence.
    submit
        Takes the rulings of the hall's referees.
    table
        The board's name where the settings give none.

    Raises
    ------
    UsageError
        The settings or the credentials cannot be used, or nats-py is not installed.
    """
    if not hall.url:
        yield ()
        return
    try:
        # Only a device of a hall needs nats-py.
        from recorder.hall.link import Credentials, CredentialsError, Link, read_credentials
        from recorder.hall.publisher import HallPublisher
        from recorder.hall.subjects import HallNameError
    except ImportError as error:
        raise UsageError(f"[hall] needs the extra `hall` of this package: {error}") from error
    try:
        given = hall.credentials
        credentials = Credentials() if given is None else read_credentials(given)
        link = Link(hall.url, hall.event, hall.board or table, credentials=credentials)
        publisher = HallPublisher(link, log, submit=submit, pictures=pictures)
    except (CredentialsError, HallNameError) as error:
        raise UsageError(f"[hall] {error}") from error
    publisher.start()
    try:
        yield (publisher,)
    finally:
        publisher.stop()
