"""Screens for the tests of the live side."""

import pytest

from raw_client import RawClient
from screens import Screen


@pytest.fixture
def screen():
    """Opens screens: `screen(api, "join_dashboard")`; they are closed afterwards."""
    opened = []

    def open_screen(api, *joins, transports=("websocket",)):
        made = Screen(api, transports)
        opened.append(made)
        return made.join(*joins)

    yield open_screen
    for one in opened:
        one.close()


@pytest.fixture
def raw(server):
    opened = []

    def connect(api, **options):
        opened.append(RawClient(server, api.token, **options))
        return opened[-1]

    yield connect
    for client in opened:
        client.ws.close()
        client.ws.shutdown()  # it is left open where the server has hung up
