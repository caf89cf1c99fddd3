"""The language that a client asks for with `Accept-Language`.

`message` is what programs compare, so it never changes. Who asks for a language gets
`localMessage` beside it, in Thai or English, in refusals, faults and warnings.
"""

from collections.abc import Mapping
from typing import Any

from flask import Response, g, has_request_context, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from glassflow.domain.bilingual import ENGLISH, THAI, Bilingual

HEADER = "Accept-Language"


def preferred(accepted: str | None) -> str | None:
    """Return which `Language` a header prefers; None without the header.

    English, where it names none of them.
    """
    if not accepted or not accepted.strip():
        return None
    found = parse_accept_header(accepted, LanguageAccept)
    return found.best_match((ENGLISH, THAI), default=ENGLISH)


def requested() -> str | None:
    """Return the language that the current request, if any, asks for."""
    return preferred(request.headers.get(HEADER)) if has_request_context() else None


def localized(described: Mapping[str, Any], language: str | None) -> dict[str, Any]:
    """Return an object that has a `message`, with `localMessage` in a language."""
    message = described.get("message")
    if language is None or not isinstance(message, Bilingual):
        return dict(described)
    return {**described, "localMessage": message.in_language(language)}


def localized_part(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part of the answer to the current request with its `localMessage`."""
    g.has_local_parts = True
    return localized(described, requested())


def mark(response: Response, language: str | None) -> None:
    """Tell caches that an answer depends on the language, and which one it has."""
    response.vary.add(HEADER)
    if language is not None:
        response.content_language.add(language)
