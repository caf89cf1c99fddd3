"""A change of any record causes just its events: each is counted, with its shape."""

import pytest

from stories import good_bodies, line

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
    "jobType:updated",
)


@pytest.mark.parametrize("event", ANNOUNCED)
def test_create_update_and_delete_are_each_heard_once(admin, workshop, screen, event):
    path, body, change = good_bodies(workshop)[event]
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
        heard = watcher.during(admin, act)
        assert heard == [(event, {"action": action, "data": answers[-1].data})]


def test_a_lot_is_heard_with_the_log_of_its_import(admin, workshop, screen):
    body = {
        "material": str(workshop.material().pk),
        "stockType": "Raw",
        "quantity": 5,
        "location": "A1",
    }
    watcher = screen(admin, *EVERYWHERE)
    heard = watcher.during(admin, lambda: admin.post("/api/inventories", body))
    assert sorted((event, said["action"]) for event, said in heard) == [
        ("inventory:updated", "created"),
        ("log:updated", "created"),
    ]


def test_a_claim_is_heard_once(admin, workshop, screen):
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
    heard = watcher.during(
        admin,
        lambda: answers.append(admin.post(f"/api/orders/{order.pk}/claims", body)),
    )
    assert heard == [("claim:updated", {"action": "created", "data": answers[0].data})]


def test_prices_are_sent_bare_and_to_the_pricing_room_only(admin, screen):
    admin.get("/api/pricing-settings")
    near, far = screen(admin, "join_pricing"), screen(admin, "join_dashboard")
    answers = []

    def change():
        answers.append(admin.put("/api/pricing-settings", {"holePriceEach": 70}))

    assert near.during(admin, change) == [("pricing:updated", answers[0].data)]
    assert far.during(admin, change) == []


def test_customers_workers_and_roles_are_not_announced(admin, workshop, screen):
    watcher = screen(admin, *EVERYWHERE)
    role = str(workshop.roles["worker"].pk)

    def change():
        admin.post("/api/customers", {"name": "a"})
        admin.post("/api/roles", {"name": "a"})
        admin.post(
            "/api/workers",
            {
                "name": "a",
                "username": "a",
                "position": "b",
                "password": "123456",
                "role": role,
            },
        )

    assert watcher.during(admin, change) == []


def test_a_notification_reaches_its_recipient_whole_and_nobody_else(
    admin, worker, screen
):
    theirs, mine = screen(worker), screen(admin, *EVERYWHERE)
    body = {"recipient": worker.id, "type": "note", "title": "ประชุม"}
    answers = []

    def send():
        answers.append(admin.post("/api/notifications", body))

    event, payload = theirs.during(admin, send)[0]
    assert event == "notification"
    recipient = {
        "_id": worker.id,
        "name": worker.worker.name,
        "username": worker.worker.username,
        "position": "Floor",
    }
    assert payload == {**answers[0].data, "recipient": recipient}
    assert mine.during(admin, send) == []


def test_refused_and_failed_changes_are_not_heard(admin, workshop, screen):
    pane = workshop.make("Pane", pane_number="PNE-9001", qr_code="x")
    watcher = screen(admin, *EVERYWHERE)

    def fail():
        assert admin.post("/api/materials", {"name": ""}).status == 400
        assert admin.scan("PNE-9001", "scan_out").status == 400
        assert admin.scan("PNE-0000", "scan_in").status == 404
        assert admin.patch(f"/api/panes/{pane.pk}", {"order": "0" * 24}).status == 400
        bad = {"ids": [str(pane.pk), "0" * 24]}
        assert admin.delete("/api/panes", bad).status == 404

    assert watcher.during(admin, fail) == []


def test_a_request_is_heard_with_each_pane_and_an_order_with_each_adopted(
    admin, workshop, screen
):
    station = str(workshop.station().pk)
    customer, material = str(workshop.customer().pk), str(workshop.material().pk)
    watcher, made = screen(admin, *EVERYWHERE), []
    request = {
        "customer": customer,
        "details": {"type": "window", "quantity": 3},
        "panes": [{"routing": [station]}] * 3,
    }
    heard = watcher.during(
        admin, lambda: made.append(admin.post("/api/requests", request).data)
    )
    assert [(event, said["action"]) for event, said in heard] == [
        ("request:updated", "created"),
        *[("pane:updated", "created")] * 3,
    ]
    order = {
        "customer": customer,
        "material": material,
        "quantity": 3,
        "request": made[0]["_id"],
    }
    heard = watcher.during(
        admin, lambda: made.append(admin.post("/api/orders", order).data)
    )
    assert sorted((event, said["action"]) for event, said in heard) == [
        ("order:updated", "created"),
        *[("pane:updated", "updated")] * 3,
    ]
    adopted = [said["data"] for event, said in heard if event == "pane:updated"]
    assert {pane["order"] for pane in adopted} == {made[1]["_id"]}


def test_a_scan_in_is_heard_as_scanned_logged_and_begun(admin, workshop, screen):
    day = line(admin, workshop, assignedTo=admin.id)
    stations, order, (pane,) = day.stations, day.order, day.panes
    watcher = screen(admin, *EVERYWHERE).join_station(stations[0])
    answers = []
    heard = watcher.during(
        admin,
        lambda: answers.append(
            admin.scan(pane["paneNumber"], "scan_in", station=stations[0])
        ),
    )
    data = answers[0].data
    assert heard[0] == ("pane:updated", {"action": "scanned", "data": data["pane"]})
    assert heard[1] == (
        "log:updated",
        {
            "action": "pane_scanned",
            "data": {"paneLog": data["log"], "material": order["material"]},
        },
    )
    assert [(e, p["action"], p["data"]["status"]) for e, p in heard[2:]] == [
        ("order:updated", "updated", "in_progress")
    ]


def test_a_scan_out_is_heard_by_the_station_left_and_the_one_entered(
    admin, workshop, screen
):
    day = line(admin, workshop, assignedTo=admin.id)
    stations, order, (pane,) = day.stations, day.order, day.panes
    number = pane["paneNumber"]
    admin.scan(number, "complete", station=stations[0])
    left = screen(admin).join_station(stations[0])
    entered = screen(admin).join_station(stations[1])
    floor = screen(admin, "join_station")
    listening = {"left": left, "entered": entered, "floor": floor}
    before = {name: len(one.quiet(admin).heard) for name, one in listening.items()}
    admin.scan(number, "scan_out", station=stations[0])
    heard = {
        name: one.quiet(admin).heard[before[name] :] for name, one in listening.items()
    }
    moved = {
        "paneNumber": number,
        "paneId": pane["_id"],
        "fromStation": stations[0],
        "toStation": stations[1],
        "orderId": order["_id"],
    }
    names = {
        who: [e for e, p in said if p.get("title", "")[:5] != "mark-"]
        for who, said in heard.items()
    }
    assert names["left"] == ["pane:updated", "notification"]
    assert sorted(names["entered"]) == [
        "notification",
        "notification",
        "pane:updated",
        "station:pane_arrived",
    ]
    assert names["floor"] == ["station:pane_arrived", "notification"]
    assert ("station:pane_arrived", moved) in heard["entered"]
    assert ("station:pane_arrived", moved) in heard["floor"]
    told = [p for e, p in heard["entered"] if e == "notification" and "_id" not in p]
    assert len(told) == 1
    assert (told[0]["type"], told[0]["title"]) == ("pane_arrived", "มีกระจกเข้าสถานี")
    assert number in told[0]["message"]
    mine = [
        p
        for e, p in heard["left"]
        if e == "notification" and "_id" in p and p["type"] == "pane_arrived"
    ]
    assert [(p["priority"], p["recipient"]["_id"]) for p in mine] == [
        ("medium", admin.id)
    ]


def test_an_order_tells_its_stations_when_it_comes_and_when_it_moves(
    admin, workshop, screen
):
    first, second = (str(one.pk) for one in workshop.stations(2))
    watcher = screen(admin).join_station(first).join_station(second)
    body = {
        "customer": str(workshop.customer().pk),
        "quantity": 1,
        "material": str(workshop.material().pk),
        "stations": [first, second],
    }
    orders = []
    heard = watcher.during(
        admin, lambda: orders.append(admin.post("/api/orders", body).data)
    )
    said = {
        "type": "order_arrived",
        "title": "มีออเดอร์ใหม่เข้า",
        "referenceId": orders[0]["_id"],
        "referenceType": "Order",
        "priority": "high",
        "readStatus": False,
    }
    assert [event for event, _ in heard] == ["notification"]
    assert {**said, "message": heard[0][1]["message"]} == heard[0][1]
    assert orders[0]["orderNumber"] in heard[0][1]["message"]
    path = f"/api/orders/{orders[0]['_id']}"
    heard = watcher.during(admin, lambda: admin.patch(path, {"currentStationIndex": 1}))
    checks = [payload for event, payload in heard if event == "station:check_in"]
    assert checks == [
        {"orderId": orders[0]["_id"], "stationId": first, "action": "exited"},
        {"orderId": orders[0]["_id"], "stationId": second, "action": "entered"},
    ]
    told = [payload for event, payload in heard if event == "notification"]
    assert [one["title"] for one in told] == ["มีออเดอร์เข้า"]
    assert len(heard) == 3


# The interface's table of data events, typed again: event, and the rooms it goes to.
ROOMS_OF = {
    "material:updated": {"dashboard", "inventory"},
    "order:updated": {"dashboard", "order"},
    "log:updated": {"dashboard", "log"},
    "request:updated": {"dashboard", "request"},
    "withdrawal:updated": {"dashboard", "withdrawal"},
    "station:updated": {"dashboard", "station"},
    "pane:updated": {"dashboard", "pane", "production"},
    "production-log:updated": {"dashboard", "production"},
    "station-template:updated": {"dashboard", "station"},
    "sticker-template:updated": {"dashboard"},
    "jobType:updated": {"dashboard"},
}


@pytest.fixture
def a_screen_in_each_room(admin, screen):
    return {join.removeprefix("join_"): screen(admin, join) for join in EVERYWHERE}


# What a change causes besides its own event.
CAUSED = {"withdrawal:updated": {"inventory:updated", "log:updated"}}


@pytest.mark.slow
def test_each_event_goes_to_the_rooms_of_its_row_and_to_no_other(
    admin, workshop, a_screen_in_each_room
):
    bodies = {e: b for e, b in good_bodies(workshop).items() if e in ROOMS_OF}
    sink = a_screen_in_each_room["dashboard"]
    sink.during(admin, lambda: None)
    for event, (path, body, _) in bodies.items():
        for one in a_screen_in_each_room.values():
            one.heard.clear()
        assert admin.post(f"/api/{path}", body).status == 201
        for one in a_screen_in_each_room.values():
            one.during(admin, lambda: None)
        hearing = {
            room for room, one in a_screen_in_each_room.items() if event in one.names()
        }
        assert hearing == ROOMS_OF[event], event
        along = CAUSED.get(event, set())
        for one in a_screen_in_each_room.values():
            assert set(one.names()) <= {event, "notification", *along}
