"""A change of any record publishes exactly its events, each with its shape."""

import pytest

from pictures import photo
from scenarios import order_with_panes, valid_bodies

EVERYWHERE = (
    "join_dashboard",
    "join_inventory",
    "join_station",
    "join_log",
    "join_request",
    "join_withdrawal",
    "join_order",
    "join_claim",
    "join_pane",
    "join_production",
    "join_pricing",
)

# Lots and withdrawals move stock, which has events of its own: see test_stock_events.
ANNOUNCED = (
    "material:updated",
    "order:updated",
    "log:updated",
    "request:updated",
    "station:updated",
    "pane:updated",
    "production-log:updated",
    "station-template:updated",
    "sticker-template:updated",
    "webhook:updated",
    "jobType:updated",
    "priceList:updated",
    "quote:updated",
    "delivery:updated",
)


def create_settings(admin):
    """Read what a quote would read, and so create with events of its own."""
    for settings in ("pricing-settings", "workshop"):
        admin.get(f"/api/{settings}")


@pytest.mark.parametrize("event", ANNOUNCED)
def test_create_update_and_delete_publish_one_event_each(
    admin, workshop, screen, event
):
    path, body, change = valid_bodies(workshop)[event]
    create_settings(admin)
    watcher = screen(admin, *EVERYWHERE)
    answers = []

    def create():
        answers.append(admin.post(f"/api/{path}", body))

    def update():
        one = answers[0].data["_id"]
        answers.append(admin.patch(f"/api/{path}/{one}", change))

    def delete():
        answers.append(admin.delete(f"/api/{path}/{answers[0].data['_id']}"))

    for act, action in ((create, "created"), (update, "updated"), (delete, "deleted")):
        events = watcher.events_during(admin, act)
        assert events == [(event, {"action": action, "data": answers[-1].data})]


def test_new_lot_publishes_itself_and_its_ledger_entry(admin, workshop, screen):
    body = {
        "material": str(workshop.material().pk),
        "stockType": "Raw",
        "quantity": 5,
        "location": "A1",
    }
    watcher = screen(admin, *EVERYWHERE)
    events = watcher.events_during(admin, lambda: admin.post("/api/inventories", body))
    assert sorted((event, payload["action"]) for event, payload in events) == [
        ("inventory:updated", "created"),
        ("log:updated", "created"),
    ]


def test_new_claim_publishes_one_event(admin, workshop, screen):
    material, customer = workshop.material(), workshop.customer()
    order = workshop.make(
        "Order",
        order_number="ORD-9001",
        customer=customer.pk,
        material=material.pk,
        quantity=1,
    )
    body = {
        "source": "worker",
        "material": str(material.pk),
        "description": "x",
        "reportedBy": admin.id,
    }
    watcher, answers = screen(admin, *EVERYWHERE), []
    events = watcher.events_during(
        admin,
        lambda: answers.append(admin.post(f"/api/orders/{order.pk}/claims", body)),
    )
    assert events == [("claim:updated", {"action": "created", "data": answers[0].data})]


def test_price_change_is_sent_unwrapped_to_the_pricing_room_only(admin, screen):
    admin.get("/api/pricing-settings")
    near, far = screen(admin, "join_pricing"), screen(admin, "join_dashboard")
    answers = []

    def change():
        answers.append(admin.put("/api/pricing-settings", {"holePriceEach": 70}))

    assert near.events_during(admin, change) == [("pricing:updated", answers[0].data)]
    assert far.events_during(admin, change) == []


def test_changed_limits_of_making_are_sent_unwrapped_to_the_dashboard(admin, screen):
    admin.get("/api/makeability")
    near, answers = screen(admin, "join_dashboard"), []

    def change():
        answers.append(admin.put("/api/makeability", {"isStrict": True}))

    events = near.events_during(admin, change)
    assert events == [("makeability:updated", answers[0].data)]


@pytest.mark.parametrize("room", ["join_dashboard", "join_inventory"])
def test_changed_rules_of_cutting_are_sent_unwrapped(admin, screen, room):
    admin.get("/api/cutting-rules")
    near, answers = screen(admin, room), []
    rules = {"common": {"kerf": 1}}

    def change():
        answers.append(admin.put("/api/cutting-rules", rules))

    events = near.events_during(admin, change)
    assert events == [("cuttingRules:updated", answers[0].data)]


def test_changed_working_hours_are_sent_unwrapped_to_the_dashboard(admin, screen):
    admin.get("/api/working-hours")
    near, answers = screen(admin, "join_dashboard"), []
    week = {"monday": [{"start": "08:00", "end": "17:00"}]}

    def change():
        answers.append(admin.put("/api/working-hours", {"week": week}))

    events = near.events_during(admin, change)
    assert events == [("workingHours:updated", answers[0].data)]


def test_changed_workshop_is_sent_unwrapped_to_the_dashboard_without_its_logo(
    admin, screen
):
    admin.get("/api/workshop")
    near, answers = screen(admin, "join_dashboard"), []

    def change():
        answers.append(admin.put("/api/workshop", {"logo": photo("image/png")}))

    events = near.events_during(admin, change)
    shown = answers[0].data
    assert shown.pop("logo").startswith("data:image/png")
    assert events == [("workshop:updated", shown)]


def test_customers_are_not_announced(admin, screen):
    watcher = screen(admin, *EVERYWHERE)

    def change():
        assert admin.post("/api/customers", {"name": "a"}).status == 201

    assert watcher.events_during(admin, change) == []


def test_notification_reaches_only_its_recipient(admin, worker, screen):
    theirs, mine = screen(worker), screen(admin, *EVERYWHERE)
    body = {"recipient": worker.id, "type": "note", "title": "ประชุม"}
    answers = []

    def send():
        answers.append(admin.post("/api/notifications", body))

    event, payload = theirs.events_during(admin, send)[0]
    assert event == "notification"
    recipient = {
        "_id": worker.id,
        "name": worker.worker.name,
        "username": worker.worker.username,
        "position": "Floor",
    }
    assert payload == {**answers[0].data, "recipient": recipient}
    assert mine.events_during(admin, send) == []


def test_refused_and_failed_changes_publish_nothing(admin, workshop, screen):
    pane = workshop.make("Pane", pane_number="PNE-9001", qr_code="x")
    watcher = screen(admin, *EVERYWHERE)

    def fail():
        assert admin.post("/api/materials", {"name": ""}).status == 400
        assert admin.scan("PNE-9001", "scan_out").status == 400
        assert admin.scan("PNE-0000", "scan_in").status == 404
        assert admin.patch(f"/api/panes/{pane.pk}", {"order": "0" * 24}).status == 400
        bad = {"ids": [str(pane.pk), "0" * 24]}
        assert admin.delete("/api/panes", bad).status == 404

    assert watcher.events_during(admin, fail) == []


def test_new_request_and_order_publish_each_of_their_panes(admin, workshop, screen):
    station = str(workshop.station().pk)
    customer, material = str(workshop.customer().pk), str(workshop.material().pk)
    watcher, made = screen(admin, *EVERYWHERE), []
    request = {
        "customer": customer,
        "details": {"type": "window", "quantity": 3},
        "panes": [{"routing": [station]}] * 3,
    }
    events = watcher.events_during(
        admin, lambda: made.append(admin.post("/api/requests", request).data)
    )
    assert [(event, payload["action"]) for event, payload in events] == [
        ("request:updated", "created"),
        *[("pane:updated", "created")] * 3,
    ]
    order = {
        "customer": customer,
        "material": material,
        "quantity": 3,
        "request": made[0]["_id"],
    }
    events = watcher.events_during(
        admin, lambda: made.append(admin.post("/api/orders", order).data)
    )
    assert sorted((event, payload["action"]) for event, payload in events) == [
        ("order:updated", "created"),
        *[("pane:updated", "updated")] * 3,
    ]
    adopted = [payload["data"] for event, payload in events if event == "pane:updated"]
    assert {pane["order"] for pane in adopted} == {made[1]["_id"]}


def test_scan_in_publishes_pane_log_and_order(admin, workshop, screen):
    job = order_with_panes(admin, workshop, assignedTo=admin.id)
    stations, order, (pane,) = job.stations, job.order, job.panes
    watcher = screen(admin, *EVERYWHERE).join_station(stations[0])
    answers = []
    events = watcher.events_during(
        admin,
        lambda: answers.append(
            admin.scan(pane["paneNumber"], "scan_in", station=stations[0])
        ),
    )
    data = answers[0].data
    assert events[0] == ("pane:updated", {"action": "scanned", "data": data["pane"]})
    assert events[1] == (
        "log:updated",
        {
            "action": "pane_scanned",
            "data": {"paneLog": data["log"], "material": order["material"]},
        },
    )
    assert [(e, p["action"], p["data"]["status"]) for e, p in events[2:]] == [
        ("order:updated", "updated", "in_progress")
    ]


def test_scan_out_reaches_the_station_left_and_the_next_one(admin, workshop, screen):
    job = order_with_panes(admin, workshop, assignedTo=admin.id)
    stations, order, (pane,) = job.stations, job.order, job.panes
    number = pane["paneNumber"]
    admin.scan(number, "complete", station=stations[0])
    left = screen(admin).join_station(stations[0])
    entered = screen(admin).join_station(stations[1])
    floor = screen(admin, "join_station")
    screens = {"left": left, "entered": entered, "floor": floor}
    before = {name: len(one.catch_up(admin).received) for name, one in screens.items()}
    admin.scan(number, "scan_out", station=stations[0])
    events = {
        name: one.catch_up(admin).received[before[name] :]
        for name, one in screens.items()
    }
    moved = {
        "paneNumber": number,
        "paneId": pane["_id"],
        "fromStation": stations[0],
        "toStation": stations[1],
        "orderId": order["_id"],
    }
    names = {
        who: [e for e, p in payload if p.get("title", "")[:5] != "mark-"]
        for who, payload in events.items()
    }
    assert names["left"] == ["pane:updated", "notification"]
    assert sorted(names["entered"]) == [
        "notification",
        "notification",
        "pane:updated",
        "station:pane_arrived",
    ]
    assert names["floor"] == ["station:pane_arrived", "notification"]
    assert ("station:pane_arrived", moved) in events["entered"]
    assert ("station:pane_arrived", moved) in events["floor"]
    notifications = [
        p for e, p in events["entered"] if e == "notification" and "_id" not in p
    ]
    assert len(notifications) == 1
    assert (notifications[0]["type"], notifications[0]["title"]) == (
        "pane_arrived",
        "มีกระจกเข้าสถานี",
    )
    assert number in notifications[0]["message"]
    mine = [
        p
        for e, p in events["left"]
        if e == "notification" and "_id" in p and p["type"] == "pane_arrived"
    ]
    assert [(p["priority"], p["recipient"]["_id"]) for p in mine] == [
        ("medium", admin.id)
    ]


def test_order_notifies_its_stations_when_it_arrives_and_moves(admin, workshop, screen):
    first, second = (str(one.pk) for one in workshop.stations(2))
    watcher = screen(admin).join_station(first).join_station(second)
    body = {
        "customer": str(workshop.customer().pk),
        "quantity": 1,
        "material": str(workshop.material().pk),
        "stations": [first, second],
    }
    orders = []
    events = watcher.events_during(
        admin, lambda: orders.append(admin.post("/api/orders", body).data)
    )
    expected = {
        "type": "order_arrived",
        "title": "มีออเดอร์ใหม่เข้า",
        "referenceId": orders[0]["_id"],
        "referenceType": "Order",
        "priority": "high",
        "readStatus": False,
    }
    assert [event for event, _ in events] == ["notification"]
    assert {**expected, "message": events[0][1]["message"]} == events[0][1]
    assert orders[0]["orderNumber"] in events[0][1]["message"]
    path = f"/api/orders/{orders[0]['_id']}"
    events = watcher.events_during(
        admin, lambda: admin.patch(path, {"currentStationIndex": 1})
    )
    checks = [payload for event, payload in events if event == "station:check_in"]
    assert checks == [
        {"orderId": orders[0]["_id"], "stationId": first, "action": "exited"},
        {"orderId": orders[0]["_id"], "stationId": second, "action": "entered"},
    ]
    notifications = [payload for event, payload in events if event == "notification"]
    assert [one["title"] for one in notifications] == ["มีออเดอร์เข้า"]
    assert len(events) == 3


# The table of data events of the interface, written again: event and its rooms.
ROOMS_OF = {
    "material:updated": {"dashboard", "inventory"},
    "order:updated": {"dashboard", "order"},
    "log:updated": {"dashboard", "log"},
    "request:updated": {"dashboard", "request"},
    "withdrawal:updated": {"dashboard", "withdrawal"},
    "station:updated": {"dashboard", "station"},
    "pane:updated": {"dashboard", "pane", "production"},
    "rack:updated": {"dashboard", "production"},
    "planning:updated": {"dashboard", "inventory", "production"},
    "production-log:updated": {"dashboard", "production"},
    "station-template:updated": {"dashboard", "station"},
    "sticker-template:updated": {"dashboard"},
    "jobType:updated": {"dashboard"},
    "priceList:updated": {"pricing"},
    "quote:updated": {"dashboard", "pricing", "request"},
    "delivery:updated": {"dashboard", "order"},
    "webhook:updated": {"dashboard"},
}


@pytest.fixture
def screens_by_room(admin, screen):
    return {join.removeprefix("join_"): screen(admin, join) for join in EVERYWHERE}


def catch_up(screens, admin):
    """Wait until all screens of the admin have the events of all earlier changes."""
    screens[0].catch_up(admin)
    marker = screens[0].received[-1]
    for screen in screens:
        screen.wait_for(lambda screen=screen: marker in screen.received)


# Events that a change causes besides its own.
CAUSED = {"withdrawal:updated": {"inventory:updated", "log:updated"}}


@pytest.mark.slow
def test_each_event_reaches_only_the_rooms_of_its_table(
    admin, workshop, screens_by_room
):
    bodies = {e: b for e, b in valid_bodies(workshop).items() if e in ROOMS_OF}
    create_settings(admin)
    screens = list(screens_by_room.values())
    catch_up(screens, admin)
    for event, (path, body, _) in bodies.items():
        for one in screens:
            one.received.clear()
        assert admin.post(f"/api/{path}", body).status == 201
        catch_up(screens, admin)
        receiving = {
            room for room, one in screens_by_room.items() if event in one.event_names()
        }
        assert receiving == ROOMS_OF[event], event
        along = CAUSED.get(event, set())
        for one in screens:
            assert set(one.event_names()) <= {event, "notification", *along}
