"""Malformed packets are answered, or they end their own connection only."""

import json

import gevent
import pytest
import requests
import websocket
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from raw_client import RawClient, open_polling_session
from sizes import size
from waiting import REQUEST_TIMEOUT_S

pytestmark = [pytest.mark.sized, pytest.mark.slow]

NAMES = ["connect", "disconnect", "error", "__proto__", "", "7", "*", "join_order"]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9)
VALUES = st.recursive(
    SCALARS,
    lambda children: (
        st.lists(children, max_size=4)
        | st.dictionaries(
            st.sampled_from(["stationId", "after", "_placeholder", "num", "", "x"]),
            children,
            max_size=4,
        )
    ),
    max_leaves=12,
)
EVENTS = st.builds(
    lambda name, payload: json.dumps([name, *payload]),
    st.sampled_from(["join_dashboard", "join-station", "resume", "mobile-scan", *NAMES])
    | SCALARS,
    st.lists(VALUES, max_size=3),
)
BODIES = EVENTS | VALUES.map(json.dumps) | st.text(max_size=20)
PACKET_TYPES = st.sampled_from(
    ["40", "41", "42", "43", "44", "45", "46", "47", "4", "451-", "450-", "45999999-",
     "42/x,", "40/x,", "41/x,", "0", "2", "3", "5", "6", "9", "b", "", "42/"]
)  # fmt: skip
EVENT_IDS = st.sampled_from(["", "3", "²", "9" * 99, "9" * 101])
PACKETS = st.builds(lambda *parts: "".join(parts), PACKET_TYPES, EVENT_IDS, BODIES)
BOUNDED = settings(
    max_examples=size(50, long=150),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def still_serves(client):
    """Whether the connection is still open; if it is, it acknowledges an event."""
    try:
        client.send('428["join_me"]')
        while True:
            text = client.packet()
            if text.startswith("438"):
                return True
    except (OSError, websocket.WebSocketException):
        return False


@pytest.mark.usefixtures("others_unaffected")
@BOUNDED
@given(st.lists(PACKETS, max_size=4))
def test_arbitrary_packets_affect_no_other_client(server, admin, packets):
    client = RawClient(server, admin.token)
    try:
        for packet in packets:
            client.send(packet)
    except OSError:
        pass  # the service has closed the connection
    still_serves(client)
    client.ws.close()


@pytest.mark.usefixtures("others_unaffected")
@BOUNDED
@given(EVENTS, st.booleans())
def test_every_event_with_an_id_gets_one_acknowledgment(
    server, admin, event, connected
):
    client = RawClient(server, admin.token)
    if not connected:
        client.send("41")
    for event_id in (21, 22):
        client.send(f"42{event_id}{event}")
    client.send('4223["nothing"]')
    packets_received = []
    while not any(text.startswith("4323") for text in packets_received):
        packets_received.append(client.packet())
    client.send("2")
    gevent.sleep(0.01)
    for event_id in (21, 22):
        found = [text for text in packets_received if text.startswith(f"43{event_id}")]
        assert len(found) == 1, packets_received
        ack = json.loads(found[0][4:])
        assert len(ack) == 1
        assert isinstance(ack[0]["ok"], bool)
        assert ack[0]["ok"] or ack[0]["error"]
        assert ack[0].get("error") != "Internal server error"
        assert connected or not ack[0]["ok"]
    client.ws.close()


@pytest.mark.usefixtures("others_unaffected")
@settings(BOUNDED, max_examples=size(20, long=60))
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_arbitrary_bytes_after_the_handshake_affect_no_other_client(
    server, admin, data
):
    client = RawClient(server, admin.token)
    client.ws.sock.sendall(data)
    client.ws.sock.close()


@pytest.mark.usefixtures("others_unaffected")
@settings(BOUNDED, max_examples=size(30, long=80))
@given(
    st.lists(PACKETS, max_size=4).map("\x1e".join).map(str.encode)
    | st.binary(max_size=50)
    | st.just(b"d=")
    | st.just(b"x")
)
def test_arbitrary_body_of_a_polling_client_affects_no_other_client(server, body):
    url = open_polling_session(server)
    for _ in range(2):
        assert requests.post(url, data=body, timeout=REQUEST_TIMEOUT_S).status_code in (
            200,
            400,
        )
    requests.post(url, data=b"1", timeout=REQUEST_TIMEOUT_S)
    assert requests.post(url, data=b"1", timeout=REQUEST_TIMEOUT_S).status_code == 400
