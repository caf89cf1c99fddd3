"""The response that carries a file which a client has uploaded."""

from typing import Any
from urllib.parse import quote

from flask import Response

from glassflow.domain.photos import UNKNOWN_TYPE, Picture
from glassflow.web.operation import Parameter

# The description of a route that answers with a picture.
PICTURE: dict[str, Any] = {
    "answer": None,
    "media": ("image/*", UNKNOWN_TYPE),
    "query": (
        Parameter(
            name="signature",
            description="From the link in the record; without a valid one, 403.",
        ),
    ),
    "errors": (400, 403),
}


def picture_response(picture: Picture, remaining_s: int, *, name: str = "") -> Response:
    """Send the file of a signed link, which lasts for so many seconds.

    What is no picture is saved by browsers, under `name`, instead of shown.
    """
    response = Response(picture.content, mimetype=picture.media_type)
    response.headers["Cache-Control"] = f"private, max-age={remaining_s}"
    # nothing that a client has uploaded may run in the origin of the service
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["X-Content-Type-Options"] = "nosniff"
    is_shown = picture.media_type.startswith("image/")
    if name or not is_shown:
        kind = "inline" if is_shown else "attachment"
        named = f"; filename*=UTF-8''{quote(name, safe='')}" if name else ""
        response.headers["Content-Disposition"] = kind + named
    return response
