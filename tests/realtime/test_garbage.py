"""Whatever a client says, it gets an answer, and can go on talking."""

import pytest

from glassflow.realtime.handlers import OTHERS
from glassflow.realtime.rooms import DOORS
from screens import Joined

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
