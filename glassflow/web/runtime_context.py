"""Make an application's runtime the current one whenever its code runs.

Flask pushes an application context for every request, for every socket event handler
and for every `flask` command. A streamed response is read after its context has been
popped, so its iterator is bound too.
"""

from collections.abc import Iterable
from typing import Any

from flask import Flask, Response, appcontext_popped, appcontext_pushed

from glassflow import runtime
from glassflow.runtime import Runtime


def init_app(app: Flask, own: Runtime) -> None:
    """Set an application's runtime; it is the default one until another is created."""
    app.extensions["runtime"] = own
    runtime.set_default(own)

    def push(_: Flask, **__: Any) -> None:
        runtime.push(own)

    def pop(_: Flask, **__: Any) -> None:
        runtime.pop()

    appcontext_pushed.connect(push, app, weak=False)
    appcontext_popped.connect(pop, app, weak=False)

    @app.after_request
    def bind_stream(response: Response) -> Response:
        if response.is_streamed:
            parts: Iterable[Any] = response.response  # all texts, or all bytes
            response.response = runtime.bind_iterator(parts)
        return response
