"""A private page: who may see it, its words, its state, its stream, what it sends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, make_response, render_template, request

from recorder.web.access import Role
from recorder.web.language import page_words, remember_language
from recorder.web.messages import Fields, dump
from recorder.web.places import Places
from recorder.web.private import PrivateState
from recorder.web.sessions import Session, Sessions, private_pages
from recorder.web.taking import Parse, Taker, Telling, private_events


@dataclass(frozen=True)
class Area:
    """What tells one private page from another."""

    name: str
    """First part of its addresses."""

    role: Role
    template: str
    words: Callable[[str], dict[str, Any]]
    """The words in a language."""

    form: Callable[[PrivateState], Fields]
    """What it shows, as JSON fields."""

    parse: Parse
    """What it sends, as observations."""

    streams: int
    """So many may follow at once."""

    sends_to: str = "/actions"


def make_area(area: Area, sessions: Sessions, taker: Taker, telling: Telling) -> Blueprint:
    """Return the page, its state and stream, and the address that takes its actions."""
    pages = private_pages(area.name, sessions, area.role)
    places = Places(area.streams)

    @pages.get("")
    def page() -> Response:
        state = area.form(telling.game.state())
        return private_page(area.template, area.words, state, sessions.current())

    @pages.get("/state.json")
    def state() -> Response:
        return Response(dump(area.form(telling.game.state())), mimetype="application/json")

    @pages.get("/events")
    def events() -> Response:
        return private_events(telling, area.form, places)

    @pages.post(area.sends_to)
    def act() -> Response:
        return taker.take(area.parse, sessions.current())

    return pages


def private_page(
    template: str, words: Callable[[str], dict[str, Any]], state: Fields, session: Session
) -> Response:
    """Return a page with its words, what it shows, and who is logged in."""
    shown = page_words(request)
    page = render_template(
        template,
        **{**shown, "words": words(shown["language"])},
        is_private=True,
        state=state,
        session={"token": session.token, "role": int(session.role), "by": session.by},
    )
    response = make_response(page)
    remember_language(request, response)
    return response
