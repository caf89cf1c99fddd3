"""The responses that carry a file which the service makes."""

from collections.abc import Callable
from typing import Any

from flask import Response

from glassflow.web import gate

MEDIA_TYPE, SVG_TYPE = "application/pdf", "image/svg+xml"
# The description of a route that answers with a PDF, and with a drawing.
PDF: dict[str, Any] = {"answer": None, "media": (MEDIA_TYPE,)}
SVG: dict[str, Any] = {"answer": None, "media": (SVG_TYPE,)}


def pdf_response(name: str, make: Callable[[], bytes]) -> Response:
    """Make a PDF outside the gate, and send it to be shown; it is saved as `name`.pdf.

    Raises `Busy` as entering the gate does.
    """
    with gate.released():
        content = make()
    return file_response(content, MEDIA_TYPE, f"{name}.pdf")


def svg_response(name: str, make: Callable[[], bytes]) -> Response:
    """Make a drawing outside the gate, and send it as `pdf_response` does."""
    with gate.released():
        content = make()
    return file_response(content, SVG_TYPE, f"{name}.svg")


def file_response(content: bytes, media_type: str, name: str) -> Response:
    """Send a file to be shown, or saved under a name in ASCII."""
    response = Response(content, mimetype=media_type)
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response
