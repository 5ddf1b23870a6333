"""Whether the service is well: an answer for everybody, the reasons for those who look after it."""

from __future__ import annotations

import ipaddress

from flask import Blueprint, Request, Response, jsonify, request

from recorder.health import Health
from recorder.web.access import Role
from recorder.web.live import LiveGame
from recorder.web.sessions import Sessions

TEXT = "text/plain; version=0.0.4; charset=utf-8"
"""Of the metrics, as Prometheus asks for them."""


def make_health(live: LiveGame, health: Health | None, sessions: Sessions | None) -> Blueprint:
    """Return `/healthz` and, where there is a service to measure, `/metrics`.

    Everybody learns whether it is well; why not, and the figures, only this machine and those
    who are logged in.
    """
    pages = Blueprint("health", __name__)

    def is_trusted() -> bool:
        is_known = sessions is not None and sessions.refuse(request, Role.OPERATOR) is None
        return is_local(request) or is_known

    @pages.get("/healthz")
    def healthz() -> Response:
        is_fresh = live.is_fresh()
        report = None if health is None else health.report()
        is_well = is_fresh if report is None else report.is_well
        answer = jsonify(is_fresh=is_fresh, is_well=is_well)
        if report is not None and is_trusted():
            answer = jsonify(is_fresh=is_fresh, is_well=is_well, reasons=report.reasons)
        answer.status_code = 200 if is_well else 503
        answer.headers["Cache-Control"] = "no-store"
        return answer

    if health is not None:

        @pages.get("/metrics")
        def metrics() -> Response:
            if not is_trusted():
                return Response("only for this machine, or after logging in\n", 403)
            return Response(health.metrics(), content_type=TEXT)

    return pages


def is_local(asked: Request) -> bool:
    """Return whether a request comes from this machine itself, and from nobody behind it."""
    if "X-Forwarded-For" in asked.headers or "Forwarded" in asked.headers:
        return False
    try:
        return ipaddress.ip_address(asked.remote_addr or "").is_loopback
    except ValueError:
        return False
