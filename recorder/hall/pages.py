"""A process with a hub's pages alone, for thousands of viewers: light threads instead of real ones.

Run by `banmen hub` as `python -m gevent.monkey recorder/hall/pages.py FILE`, so that every lock and
thread below is gevent's before anything is imported.
"""

from __future__ import annotations

import logging
import signal
import sys
from importlib.util import find_spec
from pathlib import Path

BACKLOG = 1024


def command_line(config: Path) -> list[str] | None:
    """Return the command that serves the pages of a hub so; None if gevent is not installed."""
    if find_spec("gevent") is None:
        return None
    return [sys.executable, "-m", "gevent.monkey", __file__, str(config)]


def main(path: Path) -> None:
    """Serve until SIGTERM."""
    import gevent
    from gevent.pywsgi import WSGIServer

    from recorder.hall.app import create_hall_app
    from recorder.hall.config import read_hub_config
    from recorder.hall.hub import show
    from recorder.hall.storage import SqliteStorage
    from recorder.web.access import open_access
    from recorder.web.places import Places

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    config = read_hub_config(path)
    storage = SqliteStorage(config.hub.folder / "hub.db")
    access, _ = open_access(config.hub.folder / "access.json")
    boards, office = show(config, storage)
    boards.start()
    places = Places(config.page.viewers)
    app = create_hall_app(boards, office, access=access, places=places)
    address = (config.page.host, config.page.port)
    server = WSGIServer(address, app, backlog=BACKLOG, log=None)
    for number in (signal.SIGTERM, signal.SIGINT):
        gevent.signal_handler(number, server.stop, 1)
    server.serve_forever()
    places.close()
    boards.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
