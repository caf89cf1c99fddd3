"""The files of the documentation page; the viewer is stored compressed."""

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from flask import Response
from werkzeug.exceptions import NotFound

from glassflow.pages import files

STATIC = Path(__file__).with_name("static")
PAGE = "docs.html"
VIEWER = "scalar.js.gz"
# What is served besides the page, and as what.
FILES: Mapping[str, str] = {
    "scalar.js": "text/javascript; charset=utf-8",
    "docs.js": "text/javascript; charset=utf-8",
    "docs.css": "text/css; charset=utf-8",
}
# Of this page only: the viewer sets styles, which is forbidden on the other pages.
SECURITY_HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def page() -> Response:
    """Return the page."""
    return _secured(_read(PAGE, "text/html; charset=utf-8"))


def file(name: str) -> Response:
    """Return a file of the page; raises `NotFound` for another name."""
    if name not in FILES:
        raise NotFound
    return _secured(_read(name, FILES[name]))


def _secured(served: files.ServedFile) -> Response:
    response = files.serve(served, files.REVALIDATE)
    response.headers.update(SECURITY_HEADERS)
    return response


@cache
def _read(name: str, mime_type: str) -> files.ServedFile:
    """Read a file once in each process; the viewer is not compressed again."""
    path = STATIC / name
    if path.exists():
        return files.ServedFile.of(path.read_bytes(), mime_type)
    packed = (STATIC / VIEWER).read_bytes()
    digest = hashlib.sha256(packed).hexdigest()[:20]
    return files.ServedFile(gzip.decompress(packed), mime_type, digest, packed)
