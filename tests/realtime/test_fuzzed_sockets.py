"""Packets that no client would make: each is answered or ends its own connection only."""

import json

import gevent
import pytest
import requests
import websocket
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from raw_client import RawClient, polling

pytestmark = pytest.mark.slow

WORDS = ["connect", "disconnect", "error", "__proto__", "", "7", "*", "join_order"]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9)
VALUES = st.recursive(
    SCALARS,
    lambda some: (
        st.lists(some, max_size=4)
        | st.dictionaries(
            st.sampled_from(["stationId", "after", "_placeholder", "num", "", "x"]),
            some,
            max_size=4,
        )
    ),
    max_leaves=12,
)
EVENTS = st.builds(
    lambda name, payload: json.dumps([name, *payload]),
    st.sampled_from(["join_dashboard", "join-station", "resume", "mobile-scan", *WORDS])
    | SCALARS,
    st.lists(VALUES, max_size=3),
)
BODIES = EVENTS | VALUES.map(json.dumps) | st.text(max_size=20)
HEADS = st.sampled_from(
    ["40", "41", "42", "43", "44", "45", "46", "47", "4", "451-", "450-", "45999999-",
     "42/x,", "40/x,", "41/x,", "0", "2", "3", "5", "6", "9", "b", "", "42/"]
)  # fmt: skip
NUMBERS = st.sampled_from(["", "3", "²", "9" * 99, "9" * 101])
PACKETS = st.builds(lambda *parts: "".join(parts), HEADS, NUMBERS, BODIES)
BOUNDED = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def still_serves(client):
    """Whether a connection goes on; then it must still answer, and once."""
    try:
        client.send('428["join_me"]')
        while True:
            text = client.packet()
            if text.startswith("438"):
                return True
    except (OSError, websocket.WebSocketException):
        return False


@pytest.mark.usefixtures("untroubled")
@BOUNDED
@given(st.lists(PACKETS, max_size=4))
def test_any_packets_are_survived(server, admin, packets):
    client = RawClient(server, admin.token)
    try:
        for packet in packets:
            client.send(packet)
    except OSError:
        pass  # it was hung up on
    still_serves(client)
    client.ws.close()


@pytest.mark.usefixtures("untroubled")
@BOUNDED
@given(EVENTS, st.booleans())
def test_every_event_with_a_number_gets_one_answer(server, admin, event, joined):
    client = RawClient(server, admin.token)
    if not joined:
        client.send("41")
    for number in (21, 22):
        client.send(f"42{number}{event}")
    client.send('4223["nothing"]')
    answers = []
    while not any(text.startswith("4323") for text in answers):
        answers.append(client.packet())
    client.send("2")
    gevent.sleep(0.01)
    for number in (21, 22):
        found = [text for text in answers if text.startswith(f"43{number}")]
        assert len(found) == 1, answers
        ack = json.loads(found[0][4:])
        assert len(ack) == 1
        assert isinstance(ack[0]["ok"], bool)
        assert ack[0]["ok"] or ack[0]["error"]
        assert ack[0].get("error") != "Internal server error"
        assert joined or not ack[0]["ok"]
    client.ws.close()


@pytest.mark.usefixtures("untroubled")
@settings(BOUNDED, max_examples=60)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_after_the_handshake_are_survived(server, admin, data):
    client = RawClient(server, admin.token)
    client.ws.sock.sendall(data)
    client.ws.sock.close()


@pytest.mark.usefixtures("untroubled")
@settings(BOUNDED, max_examples=80)
@given(
    st.lists(PACKETS, max_size=4).map("\x1e".join).map(str.encode)
    | st.binary(max_size=50)
    | st.just(b"d=")
    | st.just(b"x")
)
def test_any_body_of_a_polling_client_is_survived(server, body):
    url = polling(server)
    for _ in range(2):
        assert requests.post(url, data=body, timeout=5).status_code in (200, 400)
    requests.post(url, data=b"1", timeout=5)
    assert requests.post(url, data=b"1", timeout=5).status_code == 400
