"""Refusals over a socket, in the language of the handshake beside the one of the contract."""

import json
import re

import pytest
import websocket
from glassflow_client import PATH

from waiting import REQUEST_TIMEOUT_S

THAI = re.compile(r"[\u0e00-\u0e7f]")
REFUSED = (
    ("join_station_room", {}),
    ("join-station", "s" * 201),
    ("mobile-scan", {"stationId": "s", "worker": 5}),
    ("resume", {"after": -1}),
    ("system_alert", {"message": "x"}),
    ("join_nothing", None),
)


@pytest.mark.parametrize(("options", "is_thai"), [
    ({"header": ["Accept-Language: th"]}, True),
    ({"header": ["Accept-Language: en"]}, False),
    ({"language": "th"}, True),
    ({"header": ["Accept-Language: th"], "language": "en"}, False),
    ({"language": 5}, None),
    ({"language": "x" * 101}, None),
    ({}, None),
])  # fmt: skip
def test_every_refusal_is_in_the_language_of_the_handshake(
    worker, raw, options, is_thai
):
    client, plain = raw(worker, **options), raw(worker)
    for event, payload in REFUSED:
        ack, before = client.call(event, payload), plain.call(event, payload)
        local = ack.pop("localMessage", None)
        assert ack == before, event
        assert (local and bool(THAI.search(local))) == is_thai, (event, local)


def test_packets_that_reach_no_handler_are_refused_in_the_language_too(worker, raw):
    client = raw(worker, language="th")
    client.send('42/nowhere,7["join_me"]')
    packet = client.packet()
    assert json.loads(packet[packet.index("[") :]) == [
        {
            "ok": False,
            "error": "Not authenticated",
            "localMessage": "ยังไม่ได้เข้าสู่ระบบ",
        }
    ]
    client.send("427{")  # malformed
    packet = client.packet()
    [ack] = json.loads(packet[packet.index("[") :])
    assert (ack["error"], ack["localMessage"]) == (
        "Malformed event",
        "คำสั่งไม่ถูกรูปแบบ",
    )


def test_refused_alert_is_an_error_event_in_both_languages(worker, raw):
    client = raw(worker, language="th")
    client.send('427["system_alert",{"message":"x"}]')
    assert client.event()[:2] == [
        "error",
        {
            "message": "Not authorized to send system alerts",
            "localMessage": "บัญชีนี้ไม่มีสิทธิ์ส่งประกาศของระบบ",
        },
    ]


def test_refused_handshake_says_why_in_the_language_that_is_asked_for(server):
    url = server.replace("http", "ws") + f"{PATH}/?EIO=4&transport=websocket"
    ws = websocket.create_connection(url, timeout=REQUEST_TIMEOUT_S)
    assert ws.recv().startswith("0")
    ws.send('40{"token":"x","language":"th"}')
    assert json.loads(ws.recv().removeprefix("44")) == {
        "message": "Invalid or expired token",
        "data": {"localMessage": "การเข้าสู่ระบบหมดอายุแล้ว กรุณาเข้าสู่ระบบใหม่"},
    }
    ws.shutdown()
