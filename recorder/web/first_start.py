"""The first start: whoever reads the code on the device itself chooses the passwords."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from math import ceil
from pathlib import Path
from threading import Lock

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for

from recorder.web.access import Access, Guard, Role, hash_password, write_access
from recorder.web.first_start_texts import FIRST_START
from recorder.web.language import page_words, remember_language
from recorder.web.sessions import Sessions, is_from_here
from recorder.web.texts import pick

LEAST = 6
"""Characters of a password; five wrong ones close the login for five minutes."""

CODE_DIGITS = 8


def new_code() -> str:
    """Return a code that is shown only on the device, in its terminal or journal."""
    digits = "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))
    return f"{digits[:4]}-{digits[4:]}"


class FirstStart:
    """Holds the code until the passwords have been chosen; thread-safe."""

    def __init__(
        self, path: Path, code: str, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Keep the passwords in a file, which is not there yet."""
        self._path = path
        self.code = code
        self._lock = Lock()
        self.guard = Guard(clock)
        self.is_open = True
        self.access = Access({}, secrets.token_hex(32))
        """Nobody's, until the passwords have been chosen."""

    def finish(self, code: str, passwords: Mapping[Role, str]) -> bool:
        """Take the passwords if the code is right and was not used before; return whether."""
        given = "".join(c for c in code if c.isdecimal())
        is_right = hmac.compare_digest(given.encode(), self.code.replace("-", "").encode())
        with self._lock:
            if not is_right or not self.is_open:
                return False
            hashes = {role: hash_password(word) for role, word in passwords.items()}
            self.access = Access(hashes, self.access.secret)
            write_access(self._path, self.access)
            self.is_open = False
        return True


def make_first_start(first: FirstStart, sessions: Sessions) -> Blueprint:
    """Return the page on which the passwords are chosen; it closes when that is done."""
    pages = Blueprint("first_start", __name__, url_prefix="/first-start")

    @pages.before_app_request
    def lead_here() -> Response | None:
        is_needed = first.is_open and request.path == url_for("login.form")
        return make_response(redirect(url_for("first_start.form"))) if is_needed else None

    @pages.get("")
    def form() -> Response:
        return _form(200, "") if first.is_open else _to_login()

    @pages.post("")
    def choose() -> Response:
        if not is_from_here(request):
            return _form(403, "origin")
        if not first.is_open:
            return _to_login()
        address = request.remote_addr or ""
        wait_s = first.guard.wait_s(address)
        if wait_s:
            return _form(429, "wait", str(ceil(wait_s)))
        passwords = {role: request.form.get(role.name.lower(), "") for role in Role}
        fault = fault_of(passwords)
        if fault:
            return _form(400, fault, str(LEAST))
        if not first.finish(request.form.get("code", ""), passwords):
            first.guard.fail(address)
            return _form(403, "wrong_code")
        sessions.admit(first.access)
        return _to_login()

    return pages


def fault_of(passwords: Mapping[Role, str]) -> str:
    """Return what is wrong with passwords, as a key of the page's words; empty: nothing."""
    if min(map(len, passwords.values())) < LEAST:
        return "too_short"
    return "" if len(set(passwords.values())) == len(passwords) else "alike"


def _to_login() -> Response:
    return make_response(redirect(url_for("login.form"), 303))


def _form(status: int, fault: str, value: str = "") -> Response:
    words = page_words(request)
    words["words"] = pick(FIRST_START, words["language"])
    message = words["words"][fault].replace("{0}", value) if fault else ""
    page = render_template("first_start.html", message=message, least=LEAST, **words)
    response = make_response(page, status)
    response.headers["Cache-Control"] = "no-store"
    remember_language(request, response)
    return response
