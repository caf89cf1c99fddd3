"""Who is not let in hears why, and does not stay."""

import json

import gevent
import pytest
import requests
import socketio
import websocket

from glassflow.core import outbox
from glassflow.realtime import limits
from raw_client import polling
from screens import PATH, Client

HELLOS = [
    (None, None),
    ("40", "Not authenticated"),
    ('40{"token":""}', "Not authenticated"),
    ('40["token"]', "Not authenticated"),
    ('40"token"', "Not authenticated"),
    ('40{"token":"wrong"}', "Invalid or expired token"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("hello", "reason"), HELLOS)
def test_who_is_not_let_in_hears_why_and_does_not_stay(
    server, nobody, monkeypatch, hello, reason
):
    monkeypatch.setattr(limits, "STRANGERS_STAY", 0.5)
    url = server.replace("http", "ws") + f"{PATH}/?EIO=4&transport=websocket"
    ws = websocket.create_connection(url, timeout=10)
    assert ws.recv().startswith("0")
    if hello:
        ws.send(hello)
        assert json.loads(ws.recv().removeprefix("44")) == {"message": reason}
    heard, opcode = [], None
    while opcode != websocket.ABNF.OPCODE_CLOSE:
        opcode, data = ws.recv_data(control_frame=True)
        heard.append(data)
    assert len(heard) == 2  # that it ends, twice: in both protocols
    assert heard[0] == b"1"
    ws.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize(("hello", "reason"), HELLOS)
def test_who_is_not_let_in_polling_hears_why_and_does_not_stay(
    app, server, nobody, monkeypatch, hello, reason
):
    monkeypatch.setattr(limits, "STRANGERS_STAY", 0.5)
    url = polling(server)
    if hello:
        assert requests.post(url, data=hello, timeout=5).status_code == 200
        heard = requests.get(url, timeout=5).text
        assert json.loads(heard.removeprefix("44")) == {"message": reason}
    gevent.sleep(2)
    assert requests.get(url, timeout=5).status_code == 400
    assert url.rpartition("sid=")[2] not in app.extensions["socketio"].server.environ


@pytest.mark.slow
@pytest.mark.parametrize("way", ["websocket", "polling"])
def test_a_refused_client_may_try_again_and_a_wrong_one_hears_nothing(
    server, admin, way
):
    told = []
    client = Client(reconnection=False)
    client.on("connect_error", told.append)
    client.on("*", lambda *event: told.append(event))
    for token, reason in (
        (None, "Not authenticated"),
        ("x", "Invalid or expired token"),
    ):
        with pytest.raises(socketio.exceptions.ConnectionError):
            client.connect(
                server, socketio_path=PATH, auth={"token": token}, transports=[way]
            )
        assert told.pop() == {"message": reason}
        outbox.tell("system_alert", {"message": "x"})
        gevent.sleep(0.3)  # who is in has heard it by now
    client.connect(
        server, socketio_path=PATH, auth={"token": admin.token}, transports=[way]
    )
    assert client.call("join_me")["ok"]
    assert told == []
    client.disconnect()
