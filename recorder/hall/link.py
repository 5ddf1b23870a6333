"""How a device or a hub reaches the message server: address, credentials, connection."""

from __future__ import annotations

import json
import logging
import ssl
from dataclasses import dataclass
from pathlib import Path

import nats
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import Error as JetStreamError

from recorder.hall.subjects import checked

log = logging.getLogger(__name__)

BOARD, HUB = "board", "hub"
"""Who connects."""

FAULTS = (NatsError, JetStreamError, OSError, TimeoutError)
"""What goes wrong while a server is away; it is tried again."""

RECONNECT_S = 1
PING_S = 10
"""A connection that is dead without an error is noticed after two of these."""


class CredentialsError(ValueError):
    """A file of credentials that cannot be read."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """Who one is, and whom one trusts."""

    seed: str = ""
    """NKey seed; empty: the server asks for none."""

    certificate: str = ""
    """PEM of the server's certificate or its authority; empty: those of the system."""


@dataclass(frozen=True, slots=True)
class Link:
    """Where one belongs in the hall."""

    url: str
    """One or more addresses with commas between them; tls:// asks for encryption."""

    event: str
    name: str
    """The board's name, or the hub's."""

    kind: str = BOARD

    credentials: Credentials = Credentials()


def read_credentials(path: Path) -> Credentials:
    """Return the credentials of a file that `banmen hub` wrote.

    Raises
    ------
    CredentialsError
        The file cannot be read or holds something else.
    """
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        return Credentials(str(fields["seed"]), str(fields.get("certificate", "")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CredentialsError(f"{path} is no file of credentials: {error!r}") from error


def format_credentials(credentials: Credentials) -> str:
    """Return credentials as JSON text, the inverse of `read_credentials`."""
    fields = {"seed": credentials.seed, "certificate": credentials.certificate}
    return json.dumps(fields, indent=1) + "\n"


def inbox_of(kind: str, name: str) -> str:
    """Return under which subjects answers come to one who may not read those of others."""
    return f"_INBOX.{kind}.{checked(name, 'name')}"


async def connect(link: Link) -> Client:
    """Return a connection that comes back by itself for as long as it is not closed.

    Waits for the server for as long as it is not there, or lets nobody in.
    """
    told = _Told(link)
    client = await nats.connect(
        [part.strip() for part in link.url.split(",")],
        name=f"banmen {link.name}",
        inbox_prefix=inbox_of(link.kind, link.name),
        nkeys_seed_str=link.credentials.seed or None,
        tls=_trust(link.credentials) if "tls://" in link.url else None,
        max_reconnect_attempts=-1,
        reconnect_time_wait=RECONNECT_S,
        ping_interval=PING_S,
        error_cb=told.error,
        disconnected_cb=told.lost,
        reconnected_cb=told.back,
    )
    told.client = client
    return client


def _trust(credentials: Credentials) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if credentials.certificate:
        context.load_verify_locations(cadata=credentials.certificate)
        # The hall's own certificate is pinned; boards reach the hub by whatever address it has.
        context.check_hostname = False
    return context


class _Told:
    """Says once that the server cannot be reached, and once that it can again."""

    def __init__(self, link: Link) -> None:
        self.client: Client | None = None
        self._link = link
        self._is_lost = False

    async def error(self, error: Exception) -> None:
        if not self._is_lost:
            log.warning("hall at %s: %s", self._link.url, error or type(error).__name__)
        self._is_lost = True

    async def lost(self) -> None:
        if self.client is not None and self.client.is_closed:
            # We closed it ourselves.
            return
        if not self._is_lost:
            log.warning("hall at %s cannot be reached", self._link.url)
        self._is_lost = True

    async def back(self) -> None:
        if self._is_lost:
            log.info("hall at %s is reached again", self._link.url)
        self._is_lost = False
