"""Every malformed event is acknowledged, and the client can continue."""

import json
import re

import gevent
import pytest
import requests
import websocket
from glassflow_client import PATH

from glassflow.realtime.client_events import OTHER_EVENTS
from glassflow.realtime.sessions import Sessions
from glassflow.services.events.room_map import ROOM_EVENTS
from screens import Joined
from waiting import REQUEST_TIMEOUT_S

EVENTS = [
    *(room.join for room in ROOM_EVENTS),
    *(room.leave for room in ROOM_EVENTS),
    *OTHER_EVENTS,
    "message",
    "json",
    "error",
    "connect_error",
    "__disconnect_final",
    "",
    "ไม่มี",
    "x" * 10_000,
]
DEEPLY_NESTED = "x"
for _ in range(100):
    DEEPLY_NESTED = [DEEPLY_NESTED]
GARBAGE = [
    (),
    (None,),
    (0,),
    (-1.5e300,),
    (True,),
    ("",),
    ("\x00\n\u2028",),
    ("ก" * 100_000,),
    ([],),
    ([[]] * 1000,),
    ({},),
    ({"": ""},),
    (DEEPLY_NESTED,),
    ({"stationId": {"$ne": None}},),
    ({"stationId": ["s"], "worker": ["w"], "message": ["m"]},),
    ({"stationId": "s" * 100_000, "worker": "w" * 100_000, "message": 7},),
    ({"stationId": "s|panes:view", "worker": 0, "message": "  "},),
    ({"__proto__": 1, "stationId": True, "worker": None, "message": None},),
    (None, "extra", 3, [], {}),
    ({"stationId": "s"},) * 20,
]


@pytest.mark.parametrize("event", EVENTS)
def test_garbage_is_acknowledged_and_the_socket_keeps_working(admin, raw, event):
    client = raw(admin)
    for payload in GARBAGE:
        ack = client.call(event, *payload)
        assert ack["ok"] is True or ack["error"], payload
        assert ack.get("error") != "Internal server error", payload
    assert client.call("join_dashboard") == Joined("dashboard")


def test_event_whose_handler_fails_is_acknowledged_with_an_error(
    admin, raw, monkeypatch
):
    def fail(*_):
        raise RuntimeError("simulated failure")

    client = raw(admin)
    with monkeypatch.context() as broken:
        broken.setattr(Sessions, "leave", fail)
        refused = {"ok": False, "error": "Internal server error"}
        assert client.call("leave_dashboard") == refused
    assert client.call("leave_dashboard")["ok"]


def test_garbage_joins_no_room_without_its_key(client_with_keys, raw):
    client = raw(client_with_keys("customers:view"))
    for room in ROOM_EVENTS:
        for payload in GARBAGE:
            ack = client.call(room.join, *payload)
            assert ack["ok"] is (room.key is None), (room, payload)
    for payload in GARBAGE:
        assert client.call("join_station_room", *payload)["ok"] is False
        assert client.call("join-station", *payload)["ok"] is False
        assert client.call("system_alert", *payload)["ok"] is False


UPGRADE_HEADERS = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}


@pytest.mark.usefixtures("others_unaffected")
@pytest.mark.parametrize("invalid", UPGRADE_HEADERS)
def test_invalid_upgrade_request_is_refused(server, invalid):
    headers = {**UPGRADE_HEADERS, invalid: "x"}
    if invalid == "Sec-WebSocket-Key":
        del headers[invalid]
    url = f"{server}{PATH}/?EIO=4&transport=websocket"
    assert (
        requests.get(url, headers=headers, timeout=REQUEST_TIMEOUT_S).status_code == 400
    )


@pytest.mark.usefixtures("others_unaffected")
@pytest.mark.parametrize("packet", ["", "x", "2probe", "2", "5", "4"])
def test_failed_upgrade_does_not_affect_the_polling_client(app, server, admin, packet):
    url = f"{server}{PATH}/?EIO=4&transport="
    sid = json.loads(requests.get(url + "polling", timeout=REQUEST_TIMEOUT_S).text[1:])[
        "sid"
    ]
    address = url.replace("http", "ws") + f"websocket&sid={sid}"
    ws = websocket.create_connection(address, timeout=REQUEST_TIMEOUT_S)
    ws.send(packet)
    gevent.sleep(0.1)
    ws.close()
    gevent.sleep(0.1)
    polling = f"{url}polling&sid={sid}"
    connect_packet = "40" + json.dumps({"token": admin.token})
    assert (
        requests.post(polling, data=connect_packet, timeout=REQUEST_TIMEOUT_S).text
        == "OK"
    )
    packets = requests.get(polling, timeout=REQUEST_TIMEOUT_S).text
    while "40{" not in packets:
        packets += requests.get(polling, timeout=REQUEST_TIMEOUT_S).text


@pytest.mark.usefixtures("others_unaffected")
@pytest.mark.parametrize(
    "event",
    [
        '427["join_dashboard"', "427{", "427[[", '427["x",' + "[" * 3000,
        '457["x",{"_placeholder":true,"num":0}]', '45999999-7["x"]', '450-7["x"]',
        '427["x",1e999]', '42/x,7["join_dashboard"]', "427",
    ],
)  # fmt: skip
def test_unparsable_event_is_acknowledged_with_an_error(raw, admin, event):
    client = raw(admin)
    client.send(event)
    answer = client.packet()
    assert re.match(r"43(/x,)?7\[", answer), answer
    ack = json.loads(answer[answer.index("[") :])
    assert ack[0]["ok"] is False
    assert client.call("join_dashboard") == Joined("dashboard")


@pytest.mark.usefixtures("others_unaffected")
def test_attachments_are_refused_with_one_acknowledgment(raw, admin):
    client = raw(admin)
    placeholder = '{"_placeholder":true,"num":%d}'
    refused = [{"ok": False, "error": "Attachments are not supported"}]
    client.send(f'451-7["join_dashboard",{placeholder % 0}]')
    client.ws.send_binary(b"\x00\xff")
    assert json.loads(client.packet().removeprefix("437")) == refused
    client.send(f'452-8["join_dashboard",{placeholder % 9},1]')
    client.ws.send_binary(b"a")
    client.ws.send_binary(b"b")
    assert json.loads(client.packet().removeprefix("438")) == refused
    client.send(f'451-9["join_dashboard",{placeholder % 0}]')
    client.send('425["join_dashboard"]')  # the attachment never arrives
    assert json.loads(client.packet().removeprefix("439")) == refused
    assert json.loads(client.packet().removeprefix("435")) == [Joined("dashboard")]
    client.send(f'451-["join_dashboard",{placeholder % 0}]')  # without an id
    client.ws.send_binary(b"a")
    assert client.call("join_me")["ok"]
