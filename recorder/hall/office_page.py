"""The office's page: pairings in, results and records out."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, jsonify, make_response, render_template, request

from recorder.hall.office import Office
from recorder.hall.results import (
    Order,
    games_csv,
    standings_csv,
    table,
    team_table,
    teams_csv,
)
from recorder.hall.texts import OFFICE, QUEUE, WALL
from recorder.pairing import Pairing, PairingError, parse_pairings
from recorder.standings import Highest
from recorder.web.access import Role
from recorder.web.language import page_words, remember_language
from recorder.web.messages import Fields
from recorder.web.private_texts import PRIVATE
from recorder.web.sessions import Sessions, private_pages
from recorder.web.taking import refused
from recorder.web.texts import PAGE, pick


def make_office(office: Office, sessions: Sessions) -> Blueprint:
    """Return the office's pages; they need the role of an operator."""
    pages = private_pages("office", sessions, Role.OPERATOR)

    @pages.get("")
    def page() -> Response:
        return _page(office, sessions)

    @pages.post("/preview")
    def preview() -> Response:
        return _pairings(lambda found: jsonify(pairings=[_fields(one) for one in found]))

    @pages.post("/pairings")
    def take() -> Response:
        def keep(found: tuple[Pairing, ...]) -> Response:
            office.pair(found)
            return jsonify(taken=len(found))

        return _pairings(keep)

    @pages.post("/round")
    def set_round() -> Response:
        fields = request.get_json(silent=True)
        rounds = {one.round for one in office.pairings()}
        wanted = fields.get("round") if isinstance(fields, dict) else None
        if wanted not in rounds:
            return refused(400, f"round must be one of {sorted(rounds)}, got {wanted!r}")
        office.set_round(str(wanted))
        return jsonify(round=wanted)

    _add_files(pages, office)
    return pages


def _add_files(pages: Blueprint, office: Office) -> None:
    """Add the tables to be taken away."""

    @pages.get("/games.csv")
    def games() -> Response:
        return _csv("games.csv", games_csv(office.results()))

    @pages.get("/standings.csv")
    def standings() -> Response:
        try:
            order = Order(request.args.get("by", Order.POINTS.value))
            highest = Highest(request.args.get("highest", Highest.ATTAINABLE.value))
        except ValueError:
            known = [[one.value for one in kind] for kind in (Order, Highest)]
            return refused(400, f"by must be one of {known[0]}, highest one of {known[1]}")
        players = table(office.results(), order, highest=highest)
        return _csv("standings.csv", standings_csv(players, highest=highest))

    @pages.get("/teams.csv")
    def teams() -> Response:
        return _csv("teams.csv", teams_csv(team_table(office.results())))


def _page(office: Office, sessions: Sessions) -> Response:
    words = page_words(request)
    language = words["language"]
    tables = (PAGE, PRIVATE, WALL, QUEUE, OFFICE)
    words["words"] = {key: text for one in tables for key, text in pick(one, language).items()}
    session = sessions.current()
    results = office.results()
    answer = render_template(
        "office.html",
        **words,
        state=format_office(office),
        session={"token": session.token, "role": int(session.role), "by": session.by},
        games=results,
        players=table(results),
        teams=team_table(results),
    )
    response = make_response(answer)
    remember_language(request, response)
    return response


def format_office(office: Office) -> Fields:
    """Return what the page's script needs."""
    pairings = office.pairings()
    rounds = list(dict.fromkeys(one.round for one in pairings))
    now = office.round
    return {
        "event": office.event,
        "round": now,
        "rounds": rounds,
        "pairings": [_fields(one) for one in pairings if one.round == now],
    }


def _pairings(use: Callable[[tuple[Pairing, ...]], Response]) -> Response:
    """Use the pairings of the file in the request, or say what is wrong with it."""
    try:
        found = parse_pairings(request.get_data())
    except PairingError as error:
        return refused(400, str(error))
    return use(found)


def _fields(pairing: Pairing) -> Fields:
    return {
        "table": pairing.table,
        "round": pairing.round,
        "black": pairing.black.name,
        "white": pairing.white.name,
        "handicap": pairing.handicap,
    }


def _csv(name: str, text: str) -> Response:
    response = Response(text.encode(), mimetype="text/csv")
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response
