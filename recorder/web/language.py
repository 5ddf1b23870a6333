"""Which language a visitor reads: asked for, remembered, or as the browser says."""

from __future__ import annotations

from typing import Any

from flask import Request, Response

from recorder.web.texts import HTML_LANGUAGE, LANGUAGE_NAME, LANGUAGES, PAGE, RULESET_NAMES, pick

COOKIE = "lang"
A_YEAR_S = 365 * 24 * 3600


def language_of(request: Request) -> str:
    """Return the language of a request: `?lang=`, the cookie, Accept-Language, else English."""
    for wanted in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if wanted in LANGUAGES:
            return wanted
    for tag, _ in request.accept_languages:
        if (primary := tag.lower().split("-")[0]) in LANGUAGES:
            return primary
    return LANGUAGES[0]


def page_words(request: Request) -> dict[str, Any]:
    """Return what every template needs: the words of the visitor's language and its name."""
    language = language_of(request)
    return {
        "language": language,
        "html_language": HTML_LANGUAGE[language],
        "languages": LANGUAGE_NAME,
        "words": {**pick(PAGE, language), "rulesets": pick(RULESET_NAMES, language)},
    }


def remember_language(request: Request, response: Response) -> None:
    """Keep a language that was asked for."""
    wanted = request.args.get("lang")
    if wanted in LANGUAGES:
        response.set_cookie(COOKIE, wanted, max_age=A_YEAR_S, samesite="Lax", httponly=True)
    response.headers["Vary"] = "Accept-Language, Cookie"
