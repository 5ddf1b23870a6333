"""The message server: its configuration with users and limits, and a process of our own."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import nkeys

from recorder.hall.link import (
    BOARD,
    HUB,
    Credentials,
    format_credentials,
    inbox_of,
    read_credentials,
)
from recorder.hall.subjects import ALL, Subjects

log = logging.getLogger(__name__)

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


def keep_credentials(path: Path, certificate: str) -> Credentials:
    """Return the credentials in a file that only its owner can read; their key is made once.

    Raises
    ------
    CredentialsError
        The file is there and holds something else.
    """
    kept = read_credentials(path) if path.exists() else None
    credentials = Credentials(new_seed() if kept is None else kept.seed, certificate)
    if credentials != kept:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".part")
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(format_credentials(credentials))
        partial.replace(path)
    return credentials


class Engine:
    """A message server as a child of this process, started again when it ends by itself."""

    def __init__(self, config: Path, log_file: Path, address: tuple[str, int]) -> None:
        """Prepare; `address` is where the configuration lets it listen."""
        self.address = address
        self._config = config
        self._log_file = log_file
        self._process: subprocess.Popen[bytes] | None = None
        self._watch: threading.Thread | None = None
        self._is_over = threading.Event()

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it can be reached; raise `EngineError` if it cannot."""
        self._end_orphan()
        self._launch()
        self._is_over.clear()
        self._watch = threading.Thread(target=self._keep_alive, name="engine", daemon=True)
        self._watch.start()

    def stop(self) -> None:
        """End it cleanly."""
        self._is_over.set()
        if self._watch is not None:
            self._watch.join()
            self._watch = None
        if self._process is not None:
            _end(self._process)
            self._process = None

    def _launch(self) -> None:
        program = shutil.which(PROGRAM) or f"/usr/sbin/{PROGRAM}"
        command = [program, "-c", str(self._config), "-P", str(self._pid_file)]
        try:
            with self._log_file.open("ab") as out:
                self._process = subprocess.Popen(command, stdout=out, stderr=out)
        except OSError as error:
            raise EngineError(f"apt install {PROGRAM}: it cannot be run: {error}") from error
        self._wait(self._process)

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        end_s = time.monotonic() + READY_S
        while time.monotonic() < end_s:
            if process.poll() is not None:
                tail = self._log_file.read_text(errors="replace")[-500:]
                raise EngineError(f"{PROGRAM} has ended: {tail}")
            if self._listens():
                return
            time.sleep(0.02)
        raise EngineError(f"{PROGRAM} does not listen on {self.address} within {READY_S:.0f} s")

    def _keep_alive(self) -> None:
        while not self._is_over.wait(0.2):
            if self._process is not None and self._process.poll() is not None:
                log.error("%s has ended with %s, starting it", PROGRAM, self._process.returncode)
                try:
                    self._launch()
                except EngineError as error:
                    log.error("%s", error)
                    self._is_over.wait(1.0)

    @property
    def _pid_file(self) -> Path:
        return self._config.with_suffix(".pid")

    def _end_orphan(self) -> None:
        """End the server of a hub that was killed: it would keep the address."""
        try:
            pid = int(self._pid_file.read_text(encoding="ascii"))
            command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except (OSError, ValueError):
            return
        if str(self._config).encode() not in command:
            return
        log.warning("ending the message server %s that an earlier hub left", pid)
        os.kill(pid, signal.SIGTERM)
        end_s = time.monotonic() + READY_S
        while self._listens() and time.monotonic() < end_s:
            time.sleep(0.05)

    def _listens(self) -> bool:
        """Return whether somebody answers at the address."""
        try:
            socket.create_connection(self.address, timeout=1).close()
        except OSError:
            return False
        return True


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
