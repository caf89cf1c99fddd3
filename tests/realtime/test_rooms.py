"""Which rooms a worker may join, and what open sockets lose when rights change."""

import json
import re
import time
from datetime import timedelta
from types import SimpleNamespace

import pytest

from clients import Api
from glassflow.core.process.clock import now
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.realtime import check_in, token_watch
from glassflow.services.auth import identity
from messages import send_message
from screens import Joined, refused_handshake

DENIED = {"ok": False, "error": "Not authorized for this action"}
# Join event, leave event, room, key: the table of the interface, written again.
ROOMS = [
    ("join_dashboard", "leave_dashboard", "dashboard", None),
    ("join_inventory", "leave_inventory", "inventory", "inventory:view"),
    ("join_station", "leave_station", "station", "stations:view"),
    ("join_log", "leave_log", "log", "material_logs:view"),
    ("join_request", "leave_request", "request", "requests:view"),
    ("join_withdrawal", "leave_withdrawal", "withdrawal", "withdrawals:view"),
    ("join_order", "leave_order", "order", "orders:view"),
    ("join_claim", "leave_claim", "claim", "claims:view"),
    ("join_pane", "leave_pane", "pane", "panes:view"),
    ("join_production", "leave_production", "production", None),
    ("join_pricing", "leave_pricing", "pricing", "pricing:view"),
]


@pytest.mark.parametrize(("join", "leave", "room", "key"), ROOMS)
def test_each_room_is_joined_with_its_key_only_and_can_be_left(
    client_with_keys, screen, join, leave, room, key
):
    allowed = screen(
        client_with_keys(key) if key else client_with_keys("customers:view")
    )
    for payload in ((), (None,), ({"anything": 1},), ("text", 2, [3])):
        assert allowed.call(join, *payload) == Joined(room)
        assert allowed.call(leave, *payload) == {"ok": True, "room": room}
    if key:
        assert screen(client_with_keys("customers:view")).call(join) == DENIED


def test_personal_room_is_joined_at_connect_and_named_by_join_me(worker, screen):
    ack = screen(worker).call("join_me")
    assert ack == Joined(f"user:{worker.id}")


def test_station_room_accepts_an_object_or_a_string(worker, client_with_keys, screen):
    mine = screen(worker)
    left = {"ok": True, "room": "station:abc"}
    missing = {"ok": False, "error": "stationId is required"}
    for event in ("join_station_room", "leave_station_room", "join-station"):
        joined = left if event.startswith("leave") else Joined("station:abc")
        assert mine.call(event, {"stationId": "abc"}) == joined
        assert mine.call(event, "abc") == joined
        for wrong in (None, {}, {"stationId": None}, {"stationId": 5}, "", " ", 7, []):
            assert mine.call(event, wrong) == missing
        assert mine.call(event) == missing
    for name in ("ห้องตัด", "-", "x" * 200):
        assert mine.call("join-station", name) == Joined(f"station:{name}")
    long = {"ok": False, "error": "stationId is longer than 200 characters"}
    assert mine.call("join-station", "x" * 201) == long
    assert (
        screen(client_with_keys("orders:view")).call("join_station_room", "abc")
        == DENIED
    )


def test_client_receives_no_events_of_a_room_it_has_left(admin, screen):
    one = screen(admin, "join_inventory")
    body = {"name": "a", "unit": "b", "reorderPoint": 1}
    assert one.events_during(admin, lambda: admin.post("/api/materials", body))
    one.join("leave_inventory")
    assert one.events_during(admin, lambda: admin.post("/api/materials", body)) == []


def test_dashboard_sends_each_client_only_events_of_its_keys(
    admin, workshop, client_with_keys, screen
):
    mine = screen(
        client_with_keys("materials:view"), "join_dashboard", "join_production"
    )

    def change():
        admin.post("/api/materials", {"name": "a", "unit": "b", "reorderPoint": 1})
        admin.post("/api/panes", {})
        admin.post("/api/job-types", {"name": "a", "code": "b"})

    assert [event for event, _ in mine.events_during(admin, change)] == [
        "material:updated"
    ]


def test_station_room_sends_each_client_only_events_of_its_keys(
    admin, workshop, client_with_keys, screen
):
    station = str(workshop.station().pk)
    mine = screen(client_with_keys("stations:view")).join_station(station)
    all_of_it = screen(client_with_keys("stations:view", "panes:view")).join_station(
        station
    )

    def make():
        assert admin.post("/api/panes", {"routing": [station]}).status == 201

    assert mine.events_during(admin, make) == []
    assert [event for event, _ in all_of_it.events_during(admin, make)] == [
        "pane:updated"
    ]


def test_open_socket_follows_changes_of_the_keys_of_its_role(
    admin, workshop, server, screen
):
    role = workshop.role(permissions=["materials:view", "inventory:view"])
    found = workshop.worker(role=role)
    mine = screen(
        Api(server, identity.issue(found.pk), found), "join_inventory", "join_dashboard"
    )

    def change():
        admin.post("/api/materials", {"name": "a", "unit": "b", "reorderPoint": 1})

    def allow(*keys):
        path = f"/api/roles/{role.pk}"
        assert admin.patch(path, {"permissions": list(keys)}).status == 200

    assert len(mine.events_during(admin, change)) == 1
    allow("inventory:view")
    assert mine.events_during(admin, change) == []
    allow("materials:view", "inventory:view")
    assert len(mine.events_during(admin, change)) == 1
    allow()
    assert mine.events_during(admin, change) == []
    assert mine.call("join_inventory") == DENIED


@pytest.mark.parametrize("how", ["logout", "deactivation", "password", "deletion"])
def test_socket_is_closed_when_its_token_becomes_invalid(admin, worker, screen, how):
    mine = screen(worker, "join_dashboard")
    path = f"/api/workers/{worker.id}"
    {
        "logout": lambda: worker.post("/api/auth/logout"),
        "deactivation": lambda: admin.patch(path, {"isActive": False}),
        "password": lambda: admin.patch(path, {"password": "another one"}),
        "deletion": lambda: admin.delete(path),
    }[how]()
    mine.wait_for(lambda: not mine.socket.connected)


@pytest.fixture
def two_logins(worker, server):
    """A worker's clients with two tokens."""
    return [worker, Api(server, identity.issue(worker.worker.pk), worker.worker)]


def test_logout_closes_the_sockets_of_its_token_only(admin, two_logins, screen):
    first, second = two_logins
    closing, also_closing, staying = screen(first), screen(first), screen(second)
    assert first.post("/api/auth/logout").status == 200
    for one in (closing, also_closing):
        one.wait_for(lambda one=one: not one.socket.connected)
    staying.catch_up(admin)
    assert staying.call("join_me")["ok"]


@pytest.mark.parametrize("change", [{"isActive": False}, {"password": "another one"}])
def test_change_by_an_admin_closes_the_sockets_of_all_tokens(
    admin, two_logins, screen, change
):
    screens = [screen(api) for api in two_logins]
    path = f"/api/workers/{two_logins[0].id}"
    assert admin.patch(path, change).status == 200
    for one in screens:
        one.wait_for(lambda one=one: not one.socket.connected)


def test_own_new_password_closes_the_sockets_of_all_other_tokens(
    admin, workshop, server, screen
):
    body = {"name": "a", "username": "a", "position": "b", "password": "secret 1"}
    role = str(workshop.roles["worker"].pk)
    assert admin.post("/api/workers", body | {"role": role}).status == 201
    login = {"username": "a", "password": "secret 1"}
    mine, other = (
        Api(server, admin.post("/api/auth/login", login).data["token"])
        for _ in range(2)
    )
    staying, closing = screen(mine), screen(other)
    change = {"password": "secret 2", "currentPassword": "secret 1"}
    assert mine.patch("/api/auth/me", change).status == 200
    closing.wait_for(lambda: not closing.socket.connected)
    assert staying.call("join_dashboard")["ok"]


def test_socket_is_closed_when_its_token_expires(worker, screen, monkeypatch):
    mine = screen(worker, "join_dashboard")
    months = 90 * 86_400
    later = SimpleNamespace(time=lambda: time.time() + months, monotonic=time.monotonic)
    monkeypatch.setattr(token_watch, "time", later)
    mine.wait_for(lambda: not mine.socket.connected)


@pytest.mark.parametrize(
    ("auth", "reason"),
    [
        (None, "Not authenticated"),
        ({}, "Not authenticated"),
        ({"token": ""}, "Not authenticated"),
        ({"token": None}, "Not authenticated"),
        ({"token": 7}, "Not authenticated"),
        ({"token": "senseless"}, "Invalid or expired token"),
    ],
)
def test_refused_handshake_gives_the_reason(server, auth, reason):
    assert refused_handshake(server, auth) == [{"message": reason}]


def test_token_may_have_the_bearer_prefix(worker, screen, server):
    screen(Api(server, f"Bearer {worker.token}", worker), "join_me")


def test_unknown_event_gets_an_error_acknowledgment(worker, screen):
    ack = screen(worker).call("join_everything", {"x": 1})
    assert ack == {"ok": False, "error": "Unknown event"}


@pytest.mark.parametrize(("event", "payload", "message"), [
    ("join_everything", {"x": 1}, "Unknown event"),
    ("connect", {}, "Unknown event"),
    ("join_order", None, "Not authorized for this action"),
    ("join_station_room", {}, "stationId is required"),
    ("mobile-scan", {"stationId": "s", "worker": 5}, None),
    ("system_alert", {"message": "x"}, "Not authorized to send system alerts"),
])  # fmt: skip
def test_refusal_that_nobody_acknowledges_is_an_error_event_once(
    raw, client_with_keys, event, payload, message
):
    client = raw(client_with_keys("materials:view"), language="th")
    client.send("42" + json.dumps([event, payload]))
    name, told = client.event()
    assert name == "error"
    assert re.search("[\u0e00-\u0e7f]", told["localMessage"])
    assert message in (None, told["message"])
    client.send('42["join_me"]')  # what succeeds is not answered
    client.send('427["join_me"]')
    assert client.packet().startswith("437")


def test_check_in_is_sent_to_its_station_and_replayed_to_late_screens(worker, screen):
    name = worker.worker.name
    early, phone = screen(worker).join_station("s1"), screen(worker)
    assert phone.call("mobile-scan", {"stationId": "s1"})["ok"]
    early.wait_for(lambda: early.received)
    event, payload = early.received[0]
    assert (event, payload["worker"], set(payload)) == (
        "scan-confirmed",
        name,
        {"worker", "time"},
    )
    late, other = screen(worker), screen(worker)
    assert late.call("join-station", "s1")["ok"]
    assert other.call("join-station", "s2")["ok"]
    late.wait_for(lambda: late.received)
    assert late.received == [("scan-confirmed", payload)]
    assert other.received == []


def test_new_process_replays_check_ins_of_the_last_seconds(worker, screen):
    early, sent = screen(worker).join_station("s1"), []
    assert early.call("mobile-scan", {"stationId": "s1"})["ok"]
    early.wait_for(lambda: early.received)
    server = SimpleNamespace(emit=lambda event, _, to: sent.append((event, to)))
    check_ins = check_in.CheckIns(server)
    check_ins.warm_up()
    check_ins.replay("late", "s1")
    check_ins.replay("other", "s2")
    assert sent == [("scan-confirmed", "late")]


def test_check_in_is_not_replayed_after_15_seconds(admin, worker, screen, monkeypatch):
    phone, late = screen(worker).join_station("s1"), screen(worker)
    phone.call("mobile-scan", {"stationId": "s1"})
    phone.wait_for(lambda: phone.received)
    later = now() + timedelta(seconds=15.1)
    monkeypatch.setattr(check_in, "now", lambda: later)
    late.call("join-station", "s1")
    assert "scan-confirmed" not in late.catch_up(admin).event_names()


def test_another_workers_name_needs_workers_view(
    worker, manager, screen, client_with_keys
):
    there = screen(manager).join_station("s1")
    claim = {"stationId": "s1", "worker": "Somebody Else"}
    assert screen(client_with_keys()).call("mobile-scan", claim) == DENIED
    assert screen(manager).call("mobile-scan", claim)["ok"]
    there.wait_for(lambda: there.received)
    assert [payload["worker"] for _, payload in there.received] == ["Somebody Else"]
    for wrong in (5, "", "\u200b", [], {}, "x" * 201):
        ack = screen(manager).call("mobile-scan", {"stationId": "s1", "worker": wrong})
        assert ack["ok"] is False
    assert screen(worker).call("mobile-scan")["error"] == "stationId is required"


def test_only_an_admin_can_send_a_system_alert_to_everybody(
    admin, manager, worker, screen
):
    screens = [screen(api) for api in (admin, manager, worker)]
    assert screens[0].call("system_alert", {"message": "ไฟดับ 10 นาที"})["ok"]
    for one in screens:
        one.wait_for(lambda one=one: one.received)
        assert one.received == [("system_alert", {"message": "ไฟดับ 10 นาที"})]
    refusal = "Not authorized to send system alerts"
    ack = screens[1].call("system_alert", {"message": "hello"})
    assert ack == {"ok": False, "error": refusal}
    screens[1].wait_for(lambda: len(screens[1].received) == 2)
    assert screens[1].received[1] == ("error", {"message": refusal})
    for wrong in (
        None,
        {},
        {"message": "\u200b"},
        {"message": 5},
        {"message": "x" * 501},
    ):
        assert screens[0].call("system_alert", wrong)["ok"] is False
    assert len(screens[2].received) == 1
    longest = "ก" * 500
    for message in ("x", longest):
        assert screens[0].call("system_alert", {"message": message})["ok"]
    screens[2].wait_for(lambda: len(screens[2].received) == 3)
    assert screens[2].received[2] == ("system_alert", {"message": longest})


def test_failed_unit_of_work_publishes_nothing(admin, worker, screen):
    mine = screen(worker).join_station("s1")

    @unit_of_work
    def fails():
        send_message("notification", {"type": "x"}, stations=["s1"])
        raise RuntimeError

    def act():
        with pytest.raises(RuntimeError):
            fails()

    assert mine.events_during(admin, act) == []


def test_client_in_many_rooms_receives_an_event_once(admin, workshop, screen):
    station = str(workshop.station().pk)
    mine = screen(admin, "join_dashboard", "join_pane", "join_production")
    mine.join_station(station).join_station(station).join("join_pane")
    events = mine.events_during(
        admin, lambda: admin.post("/api/panes", {"routing": [station]})
    )
    assert [event for event, _ in events] == ["pane:updated"]


@pytest.mark.parametrize("read_all", [False, True])
def test_events_contain_populated_records_by_the_setting_cut_unless_all_may_read_all(
    admin, workshop, setting, set_policy, screen, read_all
):
    mine = screen(admin, "join_inventory")
    setting(EXPAND_REFERENCES=True)
    set_policy(read_all=read_all)
    body = {"material": str(workshop.material(name="Clear").pk), "quantity": 1,
            "stockType": "Raw", "location": "A"}  # fmt: skip
    events = mine.events_during(admin, lambda: admin.post("/api/inventories", body))
    lots = [
        payload["data"] for event, payload in events if event == "inventory:updated"
    ]
    assert [lot["material"]["name"] for lot in lots] == ["Clear"]
    assert (set(lots[0]["material"]) == {"_id", "name"}) is not read_all


@pytest.mark.parametrize(
    "transports", [("websocket",), ("polling",), ("polling", "websocket")]
)
def test_every_transport_receives_the_same_events(admin, screen, transports):
    one = screen(admin, "join_inventory", transports=transports)
    body = {"name": "a", "unit": "b", "reorderPoint": 1}
    events = one.events_during(admin, lambda: admin.post("/api/materials", body))
    assert [event for event, _ in events] == ["material:updated"]
