"""Whatever a client says, it gets an answer, and can go on talking."""

import json
import re

import gevent
import pytest
import requests
import websocket

from glassflow.realtime.handlers import OTHERS
from glassflow.realtime.rooms import DOORS
from glassflow.realtime.sessions import Sessions
from screens import PATH, Joined

EVENTS = [
    *(door.join for door in DOORS),
    *(door.leave for door in DOORS),
    *OTHERS,
    "message",
    "json",
    "error",
    "connect_error",
    "__disconnect_final",
    "",
    "ไม่มี",
    "x" * 10_000,
]
DEEP = "x"
for _ in range(100):
    DEEP = [DEEP]
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
    (DEEP,),
    ({"stationId": {"$ne": None}},),
    ({"stationId": ["s"], "worker": ["w"], "message": ["m"]},),
    ({"stationId": "s" * 100_000, "worker": "w" * 100_000, "message": 7},),
    ({"stationId": "s|panes:view", "worker": 0, "message": "  "},),
    ({"__proto__": 1, "stationId": True, "worker": None, "message": None},),
    (None, "extra", 3, [], {}),
    ({"stationId": "s"},) * 20,
]


@pytest.mark.parametrize("event", EVENTS)
def test_garbage_is_answered_and_breaks_nothing(admin, raw, event):
    client = raw(admin)
    for payload in GARBAGE:
        ack = client.call(event, *payload)
        assert ack["ok"] is True or ack["error"], payload
        assert ack.get("error") != "Internal server error", payload
    assert client.call("join_dashboard") == Joined("dashboard")


def test_a_handler_that_fails_is_answered_for(admin, raw, monkeypatch):
    def fails(*_):
        raise RuntimeError("on purpose")

    client = raw(admin)
    with monkeypatch.context() as broken:
        broken.setattr(Sessions, "leave", fails)
        refused = {"ok": False, "error": "Internal server error"}
        assert client.call("leave_dashboard") == refused
    assert client.call("leave_dashboard")["ok"]


def test_garbage_opens_no_room_without_its_key(holder, raw):
    client = raw(holder("customers:view"))
    for door in DOORS:
        for payload in GARBAGE:
            ack = client.call(door.join, *payload)
            assert ack["ok"] is (door.key is None), (door, payload)
    for payload in GARBAGE:
        assert client.call("join_station_room", *payload)["ok"] is False
        assert client.call("join-station", *payload)["ok"] is False
        assert client.call("system_alert", *payload)["ok"] is False


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}


@pytest.mark.usefixtures("untroubled")
@pytest.mark.parametrize("left_out", UPGRADE)
def test_an_upgrade_that_is_none_is_refused(server, left_out):
    headers = {**UPGRADE, left_out: "x"}
    if left_out == "Sec-WebSocket-Key":
        del headers[left_out]
    url = f"{server}{PATH}/?EIO=4&transport=websocket"
    assert requests.get(url, headers=headers, timeout=5).status_code == 400


@pytest.mark.usefixtures("untroubled")
@pytest.mark.parametrize("hello", ["", "x", "2probe", "2", "5", "4"])
def test_an_upgrade_that_breaks_off_leaves_the_polling_client_alone(
    app, server, admin, hello
):
    url = f"{server}{PATH}/?EIO=4&transport="
    sid = json.loads(requests.get(url + "polling", timeout=5).text[1:])["sid"]
    address = url.replace("http", "ws") + f"websocket&sid={sid}"
    ws = websocket.create_connection(address, timeout=5)
    ws.send(hello)
    gevent.sleep(0.1)
    ws.close()
    gevent.sleep(0.1)
    polling = f"{url}polling&sid={sid}"
    hello = "40" + json.dumps({"token": admin.token})
    assert requests.post(polling, data=hello, timeout=5).text == "OK"
    heard = requests.get(polling, timeout=5).text
    while "40{" not in heard:
        heard += requests.get(polling, timeout=5).text


@pytest.mark.usefixtures("untroubled")
@pytest.mark.parametrize(
    "event",
    [
        '427["join_dashboard"', "427{", "427[[", '427["x",' + "[" * 3000,
        '457["x",{"_placeholder":true,"num":0}]', '45999999-7["x"]', '450-7["x"]',
        '427["x",1e999]', '42/x,7["join_dashboard"]', "427",
    ],
)  # fmt: skip
def test_an_event_that_cannot_be_read_is_answered(raw, admin, event):
    client = raw(admin)
    client.send(event)
    answer = client.packet()
    assert re.match(r"43(/x,)?7\[", answer), answer
    ack = json.loads(answer[answer.index("[") :])
    assert ack[0]["ok"] is False
    assert client.call("join_dashboard") == Joined("dashboard")


@pytest.mark.usefixtures("untroubled")
def test_attachments_are_taken_and_a_missing_one_is_said(raw, admin):
    client = raw(admin)
    placed = '{"_placeholder":true,"num":%d}'
    client.send(f'451-7["join_dashboard",{placed % 0}]')
    client.ws.send_binary(b"\x00\xff")
    assert json.loads(client.packet()[3:]) == [Joined("dashboard")]
    client.send(f'452-7["join_dashboard",{placed % 9},1]')
    client.ws.send_binary(b"a")
    client.ws.send_binary(b"b")
    assert json.loads(client.packet()[3:])[0]["ok"] is False
    client.send(f'451-7["join_dashboard",{placed % 0}]')
    client.send('428["join_dashboard"]')
    missing = {"ok": False, "error": "Attachment missing"}
    assert client.packet() == "437" + json.dumps([missing], separators=(",", ":"))
    assert json.loads(client.packet()[3:]) == [Joined("dashboard")]
    client.ws.send_binary(b"of nothing")
    assert client.call("join_me")["ok"]
