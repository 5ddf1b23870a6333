"""Serves the pages by https, with a hall's certificate or one of the device's own."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

from cheroot.ssl.builtin import BuiltinSSLAdapter
from cheroot.wsgi import Server
from flask import Flask

BACKLOG = 128
TIMEOUT_S = 60
"""A connection over which nothing comes for so long is closed."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """Files in PEM format."""

    chain: Path
    """The device's certificate, then those that lead to its issuer."""

    key: Path
    """The private key of the first one, without a password."""


class SecureServer:
    """A server with a thread for each connection; event streams hold theirs.

    waitress, which serves plain http, knows no TLS; a proxy before it would hide whose request
    it is.
    """

    def __init__(
        self, app: Flask, host: str, port: int, threads: int, certificate: Certificate
    ) -> None:
        """Listen; nothing is answered before `run`.

        Raises
        ------
        OSError
            Nobody can listen there, or the certificate cannot be used.
        """
        try:
            adapter = BuiltinSSLAdapter(str(certificate.chain), str(certificate.key))
        except OSError as error:
            files = f"certificate {certificate.chain} with key {certificate.key}"
            raise OSError(f"{files} cannot be used: {error}") from error
        adapter.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._server = Server(
            (host, port),
            app,
            numthreads=threads,
            server_name=host,
            request_queue_size=BACKLOG,
            timeout=TIMEOUT_S,
        )
        self._server.ssl_adapter = adapter
        self._server.prepare()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.bind_addr[1])

    def run(self) -> None:
        """Answer until stopped."""
        self._server.serve()

    def stop(self) -> None:
        """Close every connection and free the port."""
        self._server.stop()
