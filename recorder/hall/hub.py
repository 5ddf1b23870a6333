"""A whole hub: its message server if it has its own, the storage, the boards, the pages."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from recorder.hall.app import create_hall_app
from recorder.hall.boards import Boards
from recorder.hall.config import HubConfig, parse_boards, parse_listen, parse_sections
from recorder.hall.engine import (
    Engine,
    EngineConfig,
    device_user,
    format_config,
    hub_user,
    keep_credentials,
    make_certificate,
    public_key,
)
from recorder.hall.ingest import Ingest, Keep
from recorder.hall.link import HUB, Credentials, CredentialsError, Link, read_credentials
from recorder.hall.office import Office
from recorder.hall.pages import LightServer
from recorder.hall.serve import HallServer
from recorder.hall.storage import SqliteStorage, StorageError
from recorder.hall.subjects import Subjects
from recorder.public import Delay
from recorder.web.access import Access, AccessError, Role, open_access
from recorder.web.places import Places

log = logging.getLogger(__name__)

LOOPBACK = ("127.0.0.1", "::1", "localhost")
SEATS_S = 2.0

IN_THE_WAY = (OSError, StorageError, CredentialsError, AccessError)
"""What a hub's start raises: something that is needed is not there or cannot be used."""


def credentials_of(folder: Path, board: str) -> Path:
    """Return where a board's credentials are kept."""
    return folder / "credentials" / f"board-{board}.json"


def _own_credentials(folder: Path) -> Path:
    return folder / "credentials" / "hub.json"


def prepare_engine(config: HubConfig) -> Engine:
    """Return the hub's own message server, with credentials for every board; not started yet.

    Keys and certificate are made once and stay as they are. Beyond loopback, TLS is on, and the
    credentials hold the certificate.

    Raises
    ------
    EngineError
        The certificate cannot be made.
    CredentialsError
        A file of credentials holds something else.
    """
    folder, subjects = config.hub.folder, Subjects(config.hub.event)
    host, port = parse_listen(config.server.listen)
    nats = folder / "nats"
    nats.mkdir(parents=True, exist_ok=True)
    certificate, key = nats / "certificate.pem", nats / "key.pem"
    is_open = host not in LOOPBACK
    if is_open and not certificate.exists():
        make_certificate(certificate, key, sorted({host, "localhost"} - {"0.0.0.0", "::", ""}))
    trusted = certificate.read_text(encoding="ascii") if is_open else ""
    users = []
    for board in parse_boards(config.hub.boards):
        given = keep_credentials(credentials_of(folder, board), trusted)
        users.append(device_user(subjects, board, public_key(given.seed)))
    own = keep_credentials(_own_credentials(folder), trusted)
    users.append(hub_user(subjects, public_key(own.seed)))
    text = format_config(
        EngineConfig(
            config.hub.name,
            config.server.listen,
            nats / "store",
            tuple(users),
            certificate if is_open else None,
            key if is_open else None,
        )
    )
    path = nats / "server.conf"
    path.write_text(text, encoding="utf-8")
    reached = "127.0.0.1" if host in ("0.0.0.0", "") else host
    return Engine(path, nats / "server.log", (reached, port))


def show(config: HubConfig, storage: SqliteStorage) -> tuple[Boards, Office]:
    """Return the boards of a hub, not followed yet, and its office."""
    hub, page = config.hub, config.page
    delay = Delay(page.delay_s, page.delay_moves)
    boards = Boards(storage, names=parse_boards(hub.boards), delay=delay)
    sections = parse_sections(hub.sections)
    title = hub.title or hub.event
    return boards, Office(storage, boards, event=title, delay=delay, sections=sections)


class Hub:
    """Runs until it is left; used as a context."""

    def __init__(self, config: HubConfig) -> None:
        self.config = config
        self.pins: Mapping[Role, str] = {}
        """New PINs, to be told once."""

        self.port = 0
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Hub:
        """Start everything; raises what is `IN_THE_WAY`."""
        try:
            self._start()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop everything, pages first."""
        self._stack.close()

    def _start(self) -> None:
        config, hub = self.config, self.config.hub
        hub.folder.mkdir(parents=True, exist_ok=True)
        access, self.pins = open_access(hub.folder / "access.json")
        storage = SqliteStorage(hub.folder / "hub.db")
        if hub.role == "whole":
            self._take_in(storage)
        boards, office = show(config, storage)
        boards.start()
        self._stack.callback(boards.stop)
        if hub.role == "whole":
            self._seat(office)
        self.port = self._serve(boards, office, access)

    def _take_in(self, storage: SqliteStorage) -> None:
        """Take in what devices send; who serves pages alone leaves that to another process."""
        hub, server = self.config.hub, self.config.server
        url, credentials = self._reach()
        link = Link(url, hub.event, hub.name, HUB, credentials)
        ingest = Ingest(link, storage, Keep(server.replicas, server.keep_days, server.keep_mb))
        ingest.start()
        self._stack.callback(ingest.stop)

    def _reach(self) -> tuple[str, Credentials]:
        """Return the message server's address and this hub's credentials; start our own."""
        server, folder = self.config.server, self.config.hub.folder
        if server.url:
            given = server.credentials
            return server.url, Credentials() if given is None else read_credentials(given)
        engine = prepare_engine(self.config)
        # Before the start: one that fails may leave a process behind.
        self._stack.callback(engine.stop)
        engine.start()
        credentials = read_credentials(_own_credentials(folder))
        scheme = "tls" if credentials.certificate else "nats"
        host, port = engine.address
        return f"{scheme}://{host}:{port}", credentials

    def _serve(self, boards: Boards, office: Office, access: Access) -> int:
        page = self.config.page
        places = Places(page.viewers)
        app = create_hall_app(boards, office, access=access, places=places)
        server = _server_for(self.config)(app, boards, places)
        port = server.start(page.host, page.port)
        self._stack.callback(server.stop)
        return port

    def _seat(self, office: Office) -> None:
        """Send pairings to the boards as they come."""
        over = threading.Event()

        def run() -> None:
            while not over.wait(SEATS_S):
                try:
                    office.seat_players()
                except Exception:
                    log.exception("the players cannot be seated, going on")

        thread = threading.Thread(target=run, name="seats", daemon=True)
        thread.start()
        self._stack.callback(thread.join)
        self._stack.callback(over.set)


def _server_for(config: HubConfig) -> type[HallServer | LightServer]:
    return HallServer if config.hub.role == "whole" else LightServer
