"""Logging in and out, and the proof that a request comes from our own page."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    Flask,
    Request,
    Response,
    g,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from recorder.web.access import Access, Guard, Role
from recorder.web.language import page_words, remember_language
from recorder.web.referee_texts import CONSOLE
from recorder.web.texts import LANGUAGES, pick

LASTS_S = 16 * 3600.0
"""A day of play."""

MAX_NAME = 40
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True, slots=True)
class Session:
    """Who is logged in."""

    role: Role
    name: str
    token: str
    """Sent back with every change: another site's page cannot know it."""

    @property
    def by(self) -> str:
        """Return how the log names the person."""
        return f"{self.name} ({self.role.name.lower()})" if self.name else self.role.name.lower()


class Sessions:
    """Checks passwords and keeps who is logged in, in a signed cookie."""

    def __init__(
        self,
        access: Access,
        *,
        clock: Callable[[], float] = time.monotonic,
        utc_s: Callable[[], float] = time.time,
    ) -> None:
        self._access = access
        self._guard = Guard(clock)
        self._utc_s = utc_s

    def prepare(self, app: Flask) -> None:
        """Set the application's cookies up."""
        app.secret_key = self._access.secret
        app.config["SESSION_COOKIE_NAME"] = "banmen"
        app.config["SESSION_COOKIE_HTTPONLY"] = True
        app.config["SESSION_COOKIE_SAMESITE"] = "Strict"

    def admit(self, access: Access) -> None:
        """Check other passwords from now on; the key of the cookies must be the same."""
        self._access = access

    def current(self) -> Session:
        """Return the session of the request, which `refuse` has let pass."""
        found: Session = g.session
        return found

    def refuse(self, asked: Request, role: Role) -> Response | None:
        """Return the answer to a request that may not pass, None for one that may.

        Pages lead to the login, everything else is answered with 401 or 403.
        """
        found = self._read()
        if found is None or found.role < role:
            if asked.method == "GET" and "text/html" in asked.headers.get("Accept", ""):
                return _as_response(redirect(url_for("login.form")))
            return _denied(401 if found is None else 403, "login")
        if asked.method not in SAFE_METHODS:
            given = asked.headers.get("X-Banmen-Token", "")
            if not hmac.compare_digest(given.encode(), found.token.encode()):
                return _denied(403, "token")
            if not is_from_here(asked):
                return _denied(403, "origin")
        g.session = found
        return None

    def _read(self) -> Session | None:
        try:
            role = Role(int(session["role"]))
            until_s = float(session["until"])
            found = Session(role, str(session["name"]), str(session["token"]))
        except (KeyError, ValueError, TypeError):
            return None
        return found if self._utc_s() < until_s else None

    def log_in(self, password: str, name: str, address: str) -> float | None:
        """Start a session; return None if that worked, else for how long to wait, perhaps 0."""
        wait_s = self._guard.wait_s(address)
        if wait_s > 0:
            return wait_s
        role = self._access.role_of(password)
        if role is None:
            self._guard.fail(address)
            return 0.0
        session.clear()
        session["role"] = int(role)
        session["name"] = "".join(c for c in name if c.isprintable()).strip()[:MAX_NAME]
        session["token"] = secrets.token_urlsafe(24)
        session["until"] = self._utc_s() + LASTS_S
        return None


def is_from_here(asked: Request) -> bool:
    """Return whether a changing request comes from a page of this server, as far as it says."""
    origin = asked.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == asked.host


def private_pages(name: str, sessions: Sessions, role: Role) -> Blueprint:
    """Return pages under `/name` that need a role and that nobody keeps a copy of."""
    pages = Blueprint(name, __name__, url_prefix=f"/{name}")

    @pages.before_request
    def guard() -> Response | None:
        return sessions.refuse(request, role)

    @pages.after_request
    def keep_private(response: Response) -> Response:
        response.headers["Cache-Control"] = "no-store"
        return response

    return pages


_HOME = {Role.OPERATOR: "desk.page", Role.REFEREE: "referee.page", Role.CHIEF: "referee.page"}


def make_login(
    sessions: Sessions, homes: Mapping[Role, str] = _HOME, public_page: str = "pages.board"
) -> Blueprint:
    """Return the pages to log in and out; `homes` are the endpoints where each role arrives."""
    pages = Blueprint("login", __name__)

    @pages.context_processor
    def give_way_out() -> dict[str, str]:
        return {"public_page": url_for(public_page)}

    @pages.get("/login")
    def form() -> Response:
        return _form(200, "")

    @pages.post("/login")
    def enter() -> Response:
        if not is_from_here(request):
            return _denied(403, "origin")
        given = request.form
        address = request.remote_addr or ""
        wait_s = sessions.log_in(given.get("password", ""), given.get("name", ""), address)
        if wait_s is None:
            return _as_response(redirect(url_for(homes[Role(session["role"])]), 303))
        words = _words()["words"]
        if wait_s:
            return _form(429, words["wait"].replace("{0}", str(ceil(wait_s))))
        return _form(403, words["wrong_password"])

    @pages.post("/logout")
    def leave() -> Response:
        if not is_from_here(request):
            return _denied(403, "origin")
        session.clear()
        return _as_response(redirect(url_for("login.form"), 303))

    return pages


def _words() -> dict[str, dict[str, str]]:
    words = page_words(request)
    language = words["language"]
    assert language in LANGUAGES
    return {**words, "words": pick(CONSOLE, language)}


def _form(status: int, message: str) -> Response:
    response = make_response(render_template("login.html", message=message, **_words()), status)
    response.headers["Cache-Control"] = "no-store"
    remember_language(request, response)
    return response


def _denied(status: int, error: str) -> Response:
    answer = jsonify(error=error)
    answer.status_code = status
    return answer


def _as_response(answer: AnyResponse) -> Response:
    return make_response(answer)
