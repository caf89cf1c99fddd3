"""Who may join which room, and what an open socket loses when rights change."""

import time
from datetime import timedelta

import gevent
import jwt
import pytest

from clients import Api
from glassflow.core import outbox
from glassflow.core.clock import now
from glassflow.core.unit_of_work import unit_of_work
from glassflow.realtime import check_in
from glassflow.services import identity
from screens import Joined, turned_away

DENIED = {"ok": False, "error": "Not authorized for this action"}
# Join event, leave event, room, key: the interface's table, typed again.
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
def test_each_room_is_joined_and_left_with_its_key_and_not_without(
    holder, screen, join, leave, room, key
):
    allowed = screen(holder(key) if key else holder("customers:view"))
    for payload in ((), (None,), ({"anything": 1},), ("text", 2, [3])):
        assert allowed.call(join, *payload) == Joined(room)
        assert allowed.call(leave, *payload) == {"ok": True, "room": room}
    if key:
        assert screen(holder("customers:view")).call(join) == DENIED


def test_a_personal_room_is_joined_at_connect_and_told_by_join_me(worker, screen):
    ack = screen(worker).call("join_me")
    assert ack == Joined(f"user:{worker.id}")


def test_a_station_room_takes_an_object_or_a_string_and_says_what_is_missing(
    worker, holder, screen
):
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
    assert mine.call("join-station", "ห้องตัด") == Joined("station:ห้องตัด")
    assert screen(holder("orders:view")).call("join_station_room", "abc") == DENIED


def test_what_has_been_left_is_heard_no_longer(admin, screen):
    one = screen(admin, "join_inventory")
    body = {"name": "a", "unit": "b", "reorderPoint": 1}
    assert one.during(admin, lambda: admin.post("/api/materials", body))
    one.join("leave_inventory")
    assert one.during(admin, lambda: admin.post("/api/materials", body)) == []


def test_inside_the_dashboard_each_hears_only_what_they_may_read(
    admin, workshop, holder, screen
):
    mine = screen(holder("materials:view"), "join_dashboard", "join_production")

    def change():
        admin.post("/api/materials", {"name": "a", "unit": "b", "reorderPoint": 1})
        admin.post("/api/panes", {})
        admin.post("/api/job-types", {"name": "a", "code": "b"})

    assert [event for event, _ in mine.during(admin, change)] == ["material:updated"]


def test_a_station_room_too_is_kept_per_key(admin, workshop, holder, screen):
    station = str(workshop.station().pk)
    mine = screen(holder("stations:view")).join_station(station)
    all_of_it = screen(holder("stations:view", "panes:view")).join_station(station)

    def make():
        assert admin.post("/api/panes", {"routing": [station]}).status == 201

    assert mine.during(admin, make) == []
    assert [event for event, _ in all_of_it.during(admin, make)] == ["pane:updated"]


def test_a_role_that_loses_a_key_goes_deaf_on_open_sockets_and_hears_again(
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

    assert len(mine.during(admin, change)) == 1
    allow("inventory:view")
    assert mine.during(admin, change) == []
    allow("materials:view", "inventory:view")
    assert len(mine.during(admin, change)) == 1
    allow()
    assert mine.during(admin, change) == []
    assert mine.call("join_inventory") == DENIED


@pytest.mark.parametrize("how", ["logout", "deactivation", "password", "deletion"])
def test_a_socket_ends_with_its_token(admin, worker, screen, how):
    mine = screen(worker, "join_dashboard")
    path = f"/api/workers/{worker.id}"
    {
        "logout": lambda: worker.post("/api/auth/logout"),
        "deactivation": lambda: admin.patch(path, {"isActive": False}),
        "password": lambda: admin.patch(path, {"password": "another one"}),
        "deletion": lambda: admin.delete(path),
    }[how]()
    mine.wait_for(lambda: not mine.socket.connected)


@pytest.mark.slow
def test_a_socket_ends_when_its_token_expires(app, worker, server, screen):
    soon = {"id": worker.id, "exp": time.time() + 1.5}
    token = jwt.encode(soon, app.config["JWT_SECRET"], algorithm="HS256")
    mine = screen(Api(server, token, worker), "join_dashboard")
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
def test_a_refused_handshake_says_why(server, auth, reason):
    assert turned_away(server, auth) == [{"message": reason}]


def test_a_token_from_the_header_with_its_bearer_is_taken_too(worker, screen, server):
    screen(Api(server, f"Bearer {worker.token}", worker), "join_me")


def test_an_unknown_event_is_told_so(worker, screen):
    ack = screen(worker).call("join_everything", {"x": 1})
    assert ack == {"ok": False, "error": "Unknown event"}


def test_a_check_in_greets_on_the_screen_and_is_replayed_to_one_that_comes_late(
    worker, screen
):
    name = worker.worker.name
    early, phone = screen(worker).join_station("s1"), screen(worker)
    assert phone.call("mobile-scan", {"stationId": "s1"})["ok"]
    early.wait_for(lambda: early.heard)
    event, said = early.heard[0]
    assert (event, said["worker"], set(said)) == (
        "scan-confirmed",
        name,
        {"worker", "time"},
    )
    late, other = screen(worker), screen(worker)
    assert late.call("join-station", "s1")["ok"]
    assert other.call("join-station", "s2")["ok"]
    late.wait_for(lambda: late.heard)
    assert late.heard == [("scan-confirmed", said)]
    assert other.heard == []


def test_after_15_seconds_a_check_in_is_not_replayed(worker, screen, monkeypatch):
    phone, late = screen(worker).join_station("s1"), screen(worker)
    phone.call("mobile-scan", {"stationId": "s1"})
    phone.wait_for(lambda: phone.heard)
    later = now() + timedelta(seconds=15.1)
    monkeypatch.setattr(check_in, "now", lambda: later)
    late.call("join-station", "s1")
    gevent.sleep(0.1)
    assert late.heard == []


def test_another_workers_name_needs_workers_view(worker, manager, screen):
    there = screen(manager).join_station("s1")
    claim = {"stationId": "s1", "worker": "Somebody Else"}
    assert screen(worker).call("mobile-scan", claim) == DENIED
    assert screen(manager).call("mobile-scan", claim)["ok"]
    there.wait_for(lambda: there.heard)
    assert [said["worker"] for _, said in there.heard] == ["Somebody Else"]
    for wrong in (5, "", [], {}, "x" * 201):
        ack = screen(manager).call("mobile-scan", {"stationId": "s1", "worker": wrong})
        assert ack["ok"] is False
    assert screen(worker).call("mobile-scan")["error"] == "stationId is required"


def test_a_system_alert_reaches_everybody_from_an_admin_only(
    admin, manager, worker, screen
):
    screens = [screen(api) for api in (admin, manager, worker)]
    assert screens[0].call("system_alert", {"message": "ไฟดับ 10 นาที"})["ok"]
    for one in screens:
        one.wait_for(lambda one=one: one.heard)
        assert one.heard == [("system_alert", {"message": "ไฟดับ 10 นาที"})]
    refusal = "Not authorized to send system alerts"
    ack = screens[1].call("system_alert", {"message": "hello"})
    assert ack == {"ok": False, "error": refusal}
    screens[1].wait_for(lambda: len(screens[1].heard) == 2)
    assert screens[1].heard[1] == ("error", {"message": refusal})
    for wrong in (None, {}, {"message": ""}, {"message": 5}, {"message": "x" * 501}):
        assert screens[0].call("system_alert", wrong)["ok"] is False
    assert len(screens[2].heard) == 1


def test_what_is_not_stored_is_not_heard(admin, worker, screen):
    mine = screen(worker).join_station("s1")

    @unit_of_work
    def fails():
        outbox.tell("notification", {"type": "x"}, stations=["s1"])
        raise RuntimeError

    def act():
        with pytest.raises(RuntimeError):
            fails()

    assert mine.during(admin, act) == []


def test_one_client_in_many_rooms_hears_one_event_once(admin, workshop, screen):
    station = str(workshop.station().pk)
    mine = screen(admin, "join_dashboard", "join_pane", "join_production")
    mine.join_station(station).join_station(station).join("join_pane")
    heard = mine.during(admin, lambda: admin.post("/api/panes", {"routing": [station]}))
    assert [event for event, _ in heard] == ["pane:updated"]


def test_with_expanded_references_events_carry_records(
    admin, workshop, setting, screen
):
    mine = screen(admin, "join_inventory")
    setting(EXPAND_REFERENCES=True)
    body = {"material": str(workshop.material(name="Clear").pk), "quantity": 1,
            "stockType": "Raw", "location": "A"}  # fmt: skip
    heard = mine.during(admin, lambda: admin.post("/api/inventories", body))
    lots = [said["data"] for event, said in heard if event == "inventory:updated"]
    assert [lot["material"]["name"] for lot in lots] == ["Clear"]


@pytest.mark.parametrize(
    "transports", [("websocket",), ("polling",), ("polling", "websocket")]
)
def test_every_transport_hears_alike(admin, screen, transports):
    one = screen(admin, "join_inventory", transports=transports)
    body = {"name": "a", "unit": "b", "reorderPoint": 1}
    heard = one.during(admin, lambda: admin.post("/api/materials", body))
    assert [event for event, _ in heard] == ["material:updated"]
