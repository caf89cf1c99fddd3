"""Screens for the tests of the live side."""

import pytest

from glassflow.core import outbox
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
        client.ws.shutdown()  # it is left open where the server has hung up


@pytest.fixture
def untroubled(raw, manager, capfd, caplog):
    """A bystander, who must not notice; and a log, where nothing must have failed."""
    bystander = raw(manager)
    assert bystander.call("join-station", "by")["ok"]
    yield
    outbox.tell("notification", {"title": "still there"}, stations=["by"])
    assert bystander.event()[1] == {"title": "still there"}
    assert bystander.call("join_dashboard")["ok"]
    assert "Traceback" not in capfd.readouterr().err
    assert not [record for record in caplog.records if record.exc_info]
