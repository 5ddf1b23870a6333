"""The message server: its configuration with users and limits, and a process of our own."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import nkeys

from recorder.hall.link import BOARD, HUB, Credentials, format_credentials, inbox_of
from recorder.hall.subjects import ALL, Subjects

PROGRAM = "nats-server"
READY_S = 20.0
KEY_BITS = "ec_paramgen_curve:P-256"
CERTIFICATE_DAYS = 3650


class EngineError(OSError):
    """The message server is not installed, does not start, or its files cannot be made."""


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who may connect."""

    public_key: str
    publish: tuple[str, ...]
    subscribe: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cluster:
    """The other servers of a cluster."""

    name: str
    listen: str
    routes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """Everything a server's configuration says."""

    name: str
    listen: str
    store: Path
    users: tuple[User, ...] = ()
    """Empty: anybody who reaches it may do anything; for loopback only."""

    certificate: Path | None = None
    key: Path | None = None
    cluster: Cluster | None = None
    connections: int = 2000
    store_megabytes: int = 8192
    memory_megabytes: int = 256


def device_user(subjects: Subjects, board: str, public_key: str) -> User:
    """Return a device that can write nothing but its own board's rows, state and pictures."""
    bucket = subjects.picture_bucket(board)
    stream = f"OBJ_{bucket}"
    return User(
        public_key,
        publish=(
            subjects.rows(board),
            subjects.state(board),
            f"$O.{bucket}.>",
            f"$JS.API.STREAM.INFO.{stream}",
            f"$JS.API.STREAM.MSG.GET.{stream}",
            f"$JS.API.DIRECT.GET.{stream}.>",
            f"$JS.API.STREAM.PURGE.{stream}",
            # Answers to the hub go to its inbox and nowhere else.
            f"_INBOX.{HUB}.>",
        ),
        subscribe=(subjects.heads(board), subjects.requests(board), f"{inbox_of(BOARD, board)}.>"),
    )


def hub_user(subjects: Subjects, public_key: str) -> User:
    """Return a hub: it reads everything, and writes reports, requests and what keeps the streams.

    It cannot write a board's rows.
    """
    return User(
        public_key,
        publish=(
            subjects.heads(ALL),
            subjects.requests(ALL),
            "$JS.API.>",
            "$JS.ACK.>",
            "$O.>",
        ),
        subscribe=(">",),
    )


def format_config(config: EngineConfig) -> str:
    """Return the text of a nats-server configuration."""
    lines = [
        f"server_name: {json.dumps(config.name)}",
        f"listen: {json.dumps(config.listen)}",
        f"max_connections: {config.connections}",
        "max_payload: 1MB",
        "max_control_line: 4KB",
        'ping_interval: "10s"',
        "ping_max: 2",
        "jetstream {",
        f"  store_dir: {json.dumps(str(config.store))}",
        f"  max_memory_store: {config.memory_megabytes}MB",
        f"  max_file_store: {config.store_megabytes}MB",
        "}",
    ]
    if config.certificate is not None and config.key is not None:
        lines += [
            "tls {",
            f"  cert_file: {json.dumps(str(config.certificate))}",
            f"  key_file: {json.dumps(str(config.key))}",
            "  timeout: 5",
            "}",
        ]
    if config.cluster is not None:
        routes = ", ".join(json.dumps(route) for route in config.cluster.routes)
        lines += [
            "cluster {",
            f"  name: {json.dumps(config.cluster.name)}",
            f"  listen: {json.dumps(config.cluster.listen)}",
            f"  routes: [{routes}]",
            "}",
        ]
    if config.users:
        lines += ["authorization {", "  users = ["]
        lines += [_user_line(user) for user in config.users]
        lines += ["  ]", "}"]
    return "\n".join(lines) + "\n"


def _user_line(user: User) -> str:
    allowed = {"publish": list(user.publish), "subscribe": list(user.subscribe)}
    permissions = ", ".join(f"{key}: {{allow: {json.dumps(v)}}}" for key, v in allowed.items())
    return f"    {{ nkey: {user.public_key}, permissions: {{ {permissions} }} }}"


def new_seed() -> str:
    """Return the secret half of a new key."""
    return str(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER), "ascii")


def public_key(seed: str) -> str:
    """Return the public half of a key."""
    return str(nkeys.from_seed(seed.encode()).public_key, "ascii")


def make_certificate(certificate: Path, key: Path, names: Sequence[str]) -> None:
    """Write a new self-signed certificate for some names or addresses, and its key.

    Raises
    ------
    EngineError
        openssl is missing or fails.
    """
    kinds = ("IP" if name[:1].isdigit() or ":" in name else "DNS" for name in names)
    alternatives = ",".join(f"{kind}:{name}" for kind, name in zip(kinds, names, strict=True))
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", KEY_BITS, "-nodes"]
    command += ["-days", str(CERTIFICATE_DAYS), "-subj", "/CN=banmen-hall"]
    command += ["-addext", f"subjectAltName={alternatives}"]
    command += ["-keyout", str(key), "-out", str(certificate)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise EngineError(f"openssl cannot be run: {error}") from error
    if done.returncode:
        raise EngineError(f"openssl made no certificate: {done.stderr.strip()[-300:]}")
    key.chmod(0o600)


def write_credentials(path: Path, credentials: Credentials) -> None:
    """Write a file of credentials that only its owner can read; one that is there stays."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(format_credentials(credentials))


@dataclass
class Engine:
    """A message server as a child of this process."""

    config: Path
    log: Path
    address: tuple[str, int]
    """Where it will listen."""

    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start it and wait until it can be reached; raise `EngineError` if it cannot."""
        program = shutil.which(PROGRAM) or f"/usr/sbin/{PROGRAM}"
        try:
            with self.log.open("ab") as out:
                self._process = subprocess.Popen(
                    [program, "-c", str(self.config)], stdout=out, stderr=out
                )
        except OSError as error:
            raise EngineError(
                f"{PROGRAM} cannot be run (apt install {PROGRAM}): {error}"
            ) from error
        self._wait()

    def _wait(self) -> None:
        assert self._process is not None
        end_s = time.monotonic() + READY_S
        while time.monotonic() < end_s:
            if self._process.poll() is not None:
                tail = self.log.read_text(errors="replace")[-500:]
                raise EngineError(f"{PROGRAM} has ended: {tail}")
            try:
                socket.create_connection(self.address, timeout=1).close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        raise EngineError(f"{PROGRAM} does not listen on {self.address} within {READY_S:.0f} s")

    def kill(self) -> None:
        """End it as a power cut would; for tests."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        """End it cleanly."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    @property
    def pid(self) -> int:
        """Process id."""
        assert self._process is not None
        return self._process.pid
