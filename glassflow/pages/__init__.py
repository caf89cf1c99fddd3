"""The pages: what a browser shows of the workshop, served by the service itself.

`static/` has the pages, as plain JavaScript modules. docs/floor.md describes them.
"""

from flask import Blueprint, Flask

from glassflow.pages import certificate, files, session, shell

BLUEPRINTS: tuple[Blueprint, ...] = (
    shell.blueprint,
    session.blueprint,
    certificate.blueprint,
)


def init_app(app: Flask) -> None:
    """Register the routes of the pages, and the headers of all their answers."""
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.after_request(files.set_security_headers)
