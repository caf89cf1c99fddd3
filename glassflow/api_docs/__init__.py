"""The API described: OpenAPI for requests, AsyncAPI for events, and a page for both.

Built from the code: from the descriptions of views (`glassflow.web.operation`), the models,
the schemas of bodies, and the tables of rooms and events.
"""

from functools import partial

from flask import Flask

from glassflow.api_docs import openapi, routes


def init_app(app: Flask) -> None:
    """Register the routes of the documents, and what builds the one of `flask docs`."""
    app.register_blueprint(routes.blueprint)
    app.extensions["openapi"] = partial(openapi.build, app)
