"""The client address and user agent that are stored with a login."""

from flask import request

from glassflow.core.access.logins import Client


def current_client() -> Client:
    """Return the client of the current request: its address and its User-Agent."""
    agent = "".join(filter(str.isprintable, request.user_agent.string))
    return Client(request.remote_addr or "", agent)
