"""The routes of the documents, which every client may read: they hold no data."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Flask, Response, current_app

from glassflow.api_docs import asyncapi, openapi, viewer
from glassflow.core.process.json import encode
from glassflow.pages import files
from glassflow.schemas.answers.reports import DOCUMENT
from glassflow.web.auth import public
from glassflow.web.operation import JSON, describe

blueprint = Blueprint("api_docs", __name__, url_prefix="/api")


@blueprint.get("/openapi.json")
@public
@describe("get_openapi", answer=DOCUMENT, is_document=True, tagged=True)
def openapi_document() -> Response:
    """Return the description of all requests (OpenAPI)."""
    return _document("openapi", openapi.build)


@blueprint.get("/asyncapi.json")
@public
@describe("get_asyncapi", answer=DOCUMENT, is_document=True, tagged=True)
def asyncapi_document() -> Response:
    """Return the description of rooms and events (AsyncAPI)."""
    return _document("asyncapi", asyncapi.build)


@blueprint.get("/docs")
@public
@describe("get_docs", answer=None, media=("text/html",), tagged=True)
def docs_page() -> Response:
    """Return the page that shows both documents."""
    return viewer.page()


@blueprint.get("/docs/<name>")
@public
@describe(
    "get_docs_file",
    answer=None,
    media=("text/javascript", "text/css"),
    tagged=True,
)
def docs_file(name: str) -> Response:
    """Return a file of the documentation page."""
    return viewer.file(name)


def _document(name: str, build: Callable[[Flask], Any]) -> Response:
    """Return a document, which is built once in each process, when it is asked for."""
    built: dict[str, files.ServedFile]
    built = current_app.extensions.setdefault("api_documents", {})
    if name not in built:
        app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
        built[name] = files.ServedFile.of(encode(build(app)), JSON)
    return files.serve(built[name], files.REVALIDATE)
