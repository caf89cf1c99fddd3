"""The address that a person opens, the shell of all pages, and their files."""

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from glassflow.pages import files
from glassflow.web.auth import public
from glassflow.web.gate import unlimited

blueprint = Blueprint("pages", __name__)


@blueprint.get("/", provide_automatic_options=False)  # no path of the API
@public
@unlimited
def root() -> Response:
    """Send a browser to the pages; a program gets 404."""
    # for any type at all, as curl asks, the first one is chosen
    types = ["application/json", "text/html"]
    if request.accept_mimetypes.best_match(types) != "text/html":
        raise NotFound
    headers = {"Location": f"{files.PREFIX}/", "Vary": "Accept"}
    return Response(status=303, headers=headers)


@blueprint.get("/floor/", defaults={"path": ""})
@blueprint.get("/floor/<path:path>")
@public
@unlimited
def shell(path: str) -> Response:
    """Return the shell; its router shows the page of the path."""
    if path.partition("/")[0] == "static":
        raise NotFound  # a file that does not exist is no page
    return files.serve(files.pages().shell_of(path), files.REVALIDATE)


@blueprint.get("/floor/sw.js")
@public
@unlimited
def worker() -> Response:
    """Return the service worker of the pages; its scope is its directory."""
    return files.serve(files.pages().worker, files.REVALIDATE)


@blueprint.get("/floor/static/<version>/<path:name>")
@public
@unlimited
def static_file(version: str, name: str) -> Response:
    """Return a file of the pages, under the hash of all of them."""
    return files.serve_static(version, name)
