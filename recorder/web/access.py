"""Who may do what on the private pages: roles, their passwords as hashes, and slow guessing."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from threading import Lock

COST = 1 << 14
"""scrypt's N: 16 MB and about 50 ms a guess on a desktop, a quarter of a second on a Pi."""

BLOCK = 8
"""scrypt's r."""

PIN_DIGITS = 8

_HASH = re.compile(r"scrypt:\d{1,7}:\d{1,2}:[0-9a-f]{32}:[0-9a-f]{64}")


class Role(IntEnum):
    """Each may do what the ones before it may."""

    OPERATOR = 1
    REFEREE = 2
    CHIEF = 3

    @property
    def title(self) -> str:
        """How people call it."""
        return "chief referee" if self is Role.CHIEF else self.name.lower()


class AccessError(ValueError):
    """A file of passwords that cannot be read."""


@dataclass(frozen=True)
class Access:
    """The hash of each role's password, and the key that signs sessions."""

    hashes: Mapping[Role, str]
    secret: str

    def role_of(self, password: str) -> Role | None:
        """Return the role whose password this is; takes as long whether it is one or not."""
        found = [role for role, text in self.hashes.items() if _matches(password, text)]
        return max(found, default=None)


def hash_password(password: str, *, cost: int = COST) -> str:
    """Return a salted scrypt hash as text."""
    salt = secrets.token_hex(16)
    return f"scrypt:{cost}:{BLOCK}:{salt}:{_scrypt(password, salt, cost, BLOCK)}"


def _scrypt(password: str, salt: str, cost: int, block: int) -> str:
    salted = bytes.fromhex(salt)
    return hashlib.scrypt(password.encode(), salt=salted, n=cost, r=block, p=1, dklen=32).hex()


def _matches(password: str, text: str) -> bool:
    _, cost, block, salt, digest = text.split(":")
    return hmac.compare_digest(_scrypt(password, salt, int(cost), int(block)), digest)


def new_access(passwords: Mapping[Role, str], *, cost: int = COST) -> Access:
    """Return the access by given passwords, with a new key for sessions."""
    hashes = {role: hash_password(word, cost=cost) for role, word in passwords.items()}
    return Access(hashes, secrets.token_hex(32))


def new_pins() -> dict[Role, str]:
    """Return a random PIN for each role."""
    return {role: "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS)) for role in Role}


def format_access(access: Access) -> str:
    """Return an access as JSON text; it holds no password."""
    hashes = {role.name.lower(): text for role, text in access.hashes.items()}
    return json.dumps({"version": 1, "passwords": hashes, "secret": access.secret}, indent=1)


def parse_access(text: str) -> Access:
    """Return the access of a text that `format_access` wrote.

    Raises
    ------
    AccessError
        It is no such text.
    """
    try:
        data = json.loads(text)
        hashes = {Role[name.upper()]: str(value) for name, value in data["passwords"].items()}
        secret = str(data["secret"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise AccessError(f"no file of passwords: {error!r}") from error
    if not all(_HASH.fullmatch(value) for value in hashes.values()) or len(secret) < 32:
        raise AccessError("every password must be a scrypt hash, and the secret 32 characters long")
    return Access(hashes, secret)


def open_access(path: Path) -> tuple[Access, dict[Role, str]]:
    """Return the access kept in a file, made with new PINs if there is none.

    Returns
    -------
    access
        As kept.
    pins
        The new PINs, to be told to the organiser once; empty if the file was there.

    Raises
    ------
    AccessError
        The file is there and holds something else.
    """
    if path.exists():
        return parse_access(path.read_text(encoding="utf-8")), {}
    pins = new_pins()
    access = new_access(pins)
    write_access(path, access)
    return access, pins


def write_access(path: Path, access: Access) -> None:
    """Keep an access in a new file that only its owner can read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(format_access(access))


@dataclass
class Guard:
    """Slows guessing down: few failures an address, and not many altogether. Thread-safe."""

    clock: Callable[[], float]
    failures_each: int = 5
    failures_all: int = 50
    window_s: float = 300.0
    _failures: deque[tuple[float, str]] = field(default_factory=deque)
    _lock: Lock = field(default_factory=Lock)

    def wait_s(self, address: str) -> float:
        """Return for how long an address may not try again, 0 if it may now."""
        with self._lock:
            now_s = self.clock()
            while self._failures and self._failures[0][0] <= now_s - self.window_s:
                self._failures.popleft()
            own = [moment for moment, other in self._failures if other == address]
            blocking = [
                moments[-limit]
                for moments, limit in (
                    (own, self.failures_each),
                    ([moment for moment, _ in self._failures], self.failures_all),
                )
                if len(moments) >= limit
            ]
            return max((moment + self.window_s - now_s for moment in blocking), default=0.0)

    def fail(self, address: str) -> None:
        """Note a wrong password."""
        with self._lock:
            self._failures.append((self.clock(), address))
