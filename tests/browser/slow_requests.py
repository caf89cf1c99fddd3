"""Requests that are under way for long, as in a slow network or with much to do."""

from functools import wraps

from gevent.event import Event


def hold_answers(monkeypatch, app, endpoint):
    """Let a view carry out its requests, and answer them once what this returns is set."""
    view, released = app.view_functions[endpoint], Event()

    @wraps(view)
    def hold(**values):
        answer = view(**values)
        released.wait()
        return answer

    monkeypatch.setitem(app.view_functions, endpoint, hold)
    return released


def hold_requests(monkeypatch, app, endpoint):
    """Let a view carry out its requests once what this returns is set."""
    view, released = app.view_functions[endpoint], Event()

    @wraps(view)
    def hold(**values):
        released.wait()
        return view(**values)

    monkeypatch.setitem(app.view_functions, endpoint, hold)
    return released
