"""An unauthenticated client receives the reason, and its connection is closed."""

import json

import gevent
import pytest
import requests
import socketio
import websocket
from glassflow_client import PATH, Socket

from glassflow.realtime import limits
from messages import send_message
from raw_client import open_polling_session
from waiting import REQUEST_TIMEOUT_S, wait_until

CONNECT_PACKETS = [
    (None, None),
    ("40", "Not authenticated"),
    ('40{"token":""}', "Not authenticated"),
    ('40["token"]', "Not authenticated"),
    ('40"token"', "Not authenticated"),
    ('40{"token":"wrong"}', "Invalid or expired token"),
]


@pytest.fixture(autouse=True, scope="module")
def _look_often():
    """Look for unauthenticated connections more often than each second."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(limits, "REAP_INTERVAL_S", 0.05)
        yield


@pytest.fixture
def end_patience(monkeypatch):
    """From its call on, unauthenticated connections are closed; not while one still talks."""
    return lambda: monkeypatch.setattr(limits, "UNAUTHENTICATED_TIMEOUT_S", 0.0)


@pytest.mark.slow
@pytest.mark.parametrize(("connect_packet", "reason"), CONNECT_PACKETS)
def test_unauthenticated_websocket_receives_the_reason_and_is_closed(
    server, anonymous, end_patience, connect_packet, reason
):
    url = server.replace("http", "ws") + f"{PATH}/?EIO=4&transport=websocket"
    ws = websocket.create_connection(url, timeout=REQUEST_TIMEOUT_S)
    assert ws.recv().startswith("0")
    if connect_packet:
        ws.send(connect_packet)
        assert json.loads(ws.recv().removeprefix("44")) == {"message": reason}
    end_patience()
    received, opcode = [], None
    while opcode != websocket.ABNF.OPCODE_CLOSE:
        opcode, data = ws.recv_data(control_frame=True)
        received.append(data)
    assert len(received) == 2  # a close packet of Engine.IO, and a close frame
    assert received[0] == b"1"
    ws.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize(("connect_packet", "reason"), CONNECT_PACKETS)
def test_unauthenticated_polling_client_receives_the_reason_and_is_closed(
    app, server, anonymous, end_patience, connect_packet, reason
):
    url = open_polling_session(server)
    if connect_packet:
        assert (
            requests.post(
                url, data=connect_packet, timeout=REQUEST_TIMEOUT_S
            ).status_code
            == 200
        )
        packet = requests.get(url, timeout=REQUEST_TIMEOUT_S).text
        assert json.loads(packet.removeprefix("44")) == {"message": reason}
    end_patience()
    sessions = app.extensions["socketio"].server.environ
    wait_until(lambda: url.rpartition("sid=")[2] not in sessions)
    wait_until(lambda: requests.get(url, timeout=REQUEST_TIMEOUT_S).status_code == 400)


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["websocket", "polling"])
def test_refused_client_receives_no_event_and_may_connect_again(
    server, admin, transport
):
    received = []
    client = Socket(timeout_s=REQUEST_TIMEOUT_S, reconnection=False)
    client.on("connect_error", received.append)
    client.on("*", lambda *event: received.append(event))
    for token, reason in (
        (None, "Not authenticated"),
        ("x", "Invalid or expired token"),
    ):
        with pytest.raises(socketio.exceptions.ConnectionError):
            client.connect(server, auth={"token": token}, transports=[transport])
        assert received.pop() == {"message": reason}
        send_message("system_alert", {"message": "x"})
        gevent.sleep(0.3)  # a connected client would have received it by now
    client.connect(server, auth={"token": admin.token}, transports=[transport])
    assert client.call("join_me")["ok"]
    assert received == []
    client.disconnect()
