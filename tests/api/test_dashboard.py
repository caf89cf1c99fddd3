"""The dashboard shows what is and what was done; health reports what is reachable."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from glassflow.core.process import clock, disk
from glassflow.core.process.json import iso
from glassflow.domain import calendar
from glassflow.models.pane import Pane
from scenarios import order_with_panes, pass_station
from waiting import wait_until

DAY_S = 86_400


@pytest.fixture
def stats(app):
    """Reads the dashboard when all events are published: `stats(api, chartRange="1d")`."""

    def read(api, **query):
        assert app.extensions["realtime"].flush()
        return api.get("/api/dashboard/stats", **query).data

    return read


def test_empty_workshop_has_zero_counts(admin):
    data = admin.get("/api/dashboard/stats").data
    for kind in ("requests", "orders", "panes", "claims", "withdrawals"):
        assert data[kind] == {"total": 0, "byStatus": {}}
    assert data["stations"] == data["lowStock"] == []
    assert len(data["chart"]) == 7
    to_do = data["toDo"]
    assert (to_do["late"], to_do["dueToday"], to_do["openValue"]) == (0, 0, 0)
    assert (to_do["arrived"]["count"], to_do["arrived"]["newest"]) == (0, [])
    assert to_do["cameBack"] == {"deliveries": 0, "panes": 0, "newest": []}


def test_figures_are_those_of_the_records(admin, worker, workshop, stats):
    job = order_with_panes(admin, workshop, steps=2, panes=3)
    for station in job.stations:
        pass_station(worker, job.numbers[0], station)
    worker.scan(job.numbers[1], "scan_in")
    data = stats(admin)
    assert data["orders"] == {"total": 1, "byStatus": {"in_progress": 1}}
    # of panes only the open ones
    by_status = {"in_progress": 1, "pending": 1}
    assert data["panes"] == {"total": 2, "byStatus": by_status}
    first, second = data["stations"]
    assert (first["station"], second["station"]) == tuple(job.stations)
    assert (first["panes"], second["panes"]) == (2, 0)
    done = {"arrived": 3, "left": 1, "passed": 0, "failed": 0}
    assert first["figures"] == done
    assert second["figures"] == {**done, "arrived": 1}
    last = data["chart"][-1]
    assert (last["requestsCreated"], last["panesCreated"]) == (1, 3)
    assert last["panesCompleted"] == 1


def test_figures_of_what_the_caller_cannot_read_are_null(
    admin, workshop, client_with_keys, stats
):
    order_with_panes(admin, workshop)
    admin.post("/api/materials", {"name": "a", "unit": "kg", "reorderPoint": 1})
    everything = stats(admin)
    assert len(everything["lowStock"]) == 1
    everything["stations"] = [
        {**one, "figures": None} for one in everything["stations"]
    ]
    keys = {
        "requests": ["requests:view"],
        "claims": ["claims:view"],
        "withdrawals": ["withdrawals:view"],
        "lowStock": ["materials:view", "inventory:view"],
    }
    for own in ((), *keys, ("materials:view",), ("inventory:view",)):
        held = keys.get(own, own)
        found = client_with_keys("orders:view", *held).get("/api/dashboard/stats").data
        chart, requested = found.pop("chart"), own == "requests"
        to_do = found.pop("toDo")
        assert found == {
            name: None if name in keys and name != own else figure
            for name, figure in everything.items()
            if name not in ("chart", "toDo")
        }
        assert {name for name, figure in to_do.items() if figure is not None} == (
            {"cameBack", *(("late", "dueToday", "arrived") if requested else ())}
        )
        assert [one["requestsCreated"] for one in chart] == [
            one["requestsCreated"] if requested else None for one in everything["chart"]
        ]
        assert chart[-1]["panesCreated"] == 1


def test_value_of_orders_and_names_of_customers_need_their_keys(
    admin, workshop, client_with_keys
):
    customer = workshop.customer()
    order_with_panes(admin, workshop, customer=str(customer.pk))
    for further, value, name in (
        ((), None, None),
        (("pricing:view",), 0, None),
        (("customers:view",), None, customer.name),
    ):
        client = client_with_keys("orders:view", "requests:view", *further)
        to_do = client.get("/api/dashboard/stats").data["toDo"]
        (request,) = to_do["arrived"]["newest"]
        assert (to_do["openValue"], request["customerName"]) == (value, name)


def test_orders_to_do_are_those_of_the_list_and_the_price_of_a_request_counts_once(
    admin, workshop, clock_at
):
    now = clock_at(0)
    customer, material = workshop.customer().pk, workshop.material().pk

    def requested(price, hours, *statuses):
        request = workshop.make(
            "Request", customer=customer, deadline=now + timedelta(hours=hours),
            details={"type": "window", "quantity": 1, "estimatedPrice": price},
        )  # fmt: skip
        for status in statuses:
            workshop.make(
                "Order", customer=customer, material=material, quantity=1,
                request=request.pk, status=status,
            )  # fmt: skip

    requested(100.1, -1, "pending", "in_progress", "completed")
    requested(200.2, 0, "pending")
    requested(None, 100, "pending")
    requested(7000, -1, "completed", "cancelled")
    requested(8000, 0)
    workshop.make("Order", customer=customer, material=material, quantity=1)
    to_do = admin.get("/api/dashboard/stats").data["toDo"]
    counts = admin.get("/api/orders/due").body["pagination"]["counts"]
    assert (to_do["late"], to_do["dueToday"]) == (counts["late"], counts["today"])
    assert (to_do["late"], to_do["dueToday"], to_do["openValue"]) == (2, 1, 300.3)


def test_deliveries_that_came_back_are_those_whose_panes_wait(
    admin, workshop, client_with_keys
):
    """Those that are lost, or planned again, do not wait."""
    job = order_with_panes(admin, workshop, steps=1, panes=5)
    for number in job.numbers:
        assert pass_station(admin, number, job.stations[0]).status == 200

    def came_back(panes, **reasons):
        ids = [job.panes[one]["_id"] for one in panes]
        body = {"customer": job.customer, "panes": ids}
        path = f"/api/deliveries/{admin.post('/api/deliveries', body).data['_id']}"
        left = [
            {"paneNumber": job.numbers[int(one[1:])], "reason": reason}
            for one, reason in reasons.items()
        ]
        given = [job.numbers[one] for one in panes if f"_{one}" not in reasons]
        values = {"paneNumbers": given, "receivedBy": "สมชาย", "left": left}
        answer = admin.post(f"{path}/hand-over", values)
        assert answer.status == 200, answer.body
        return answer.data

    def shown(client=admin):
        return client.get("/api/dashboard/stats").data["toDo"]["cameBack"]

    partly = came_back([0, 1, 2], _1="broken", _2="absent")
    whole = came_back([3], _3="refused")
    came_back([4])
    found = shown()
    assert (found["deliveries"], found["panes"]) == (2, 3)
    newest, other = found["newest"]
    assert (newest["_id"], newest["status"]) == (whole["_id"], "returned")
    assert newest["reasons"] == [{"reason": "refused", "count": 1}]
    assert (other["_id"], other["panes"]) == (partly["_id"], 2)
    assert {one["reason"] for one in other["reasons"]} == {"broken", "absent"}
    assert other["customerName"] is not None
    unnamed = shown(client_with_keys("orders:view"))["newest"]
    assert [one["customerName"] for one in unnamed] == [None, None]
    listed = {one["_id"] for one in admin.get("/api/deliveries", waiting="true").data}
    assert listed == {partly["_id"], whole["_id"]}

    lost = {"paneNumber": job.numbers[3]}
    Pane.collection().update_one(lost, {"$set": {"writtenOff": True}})
    again = {"customer": job.customer, "panes": [job.panes[2]["_id"]]}
    assert admin.post("/api/deliveries", again).status == 201
    found = shown()
    assert (found["deliveries"], found["panes"]) == (1, 1)
    assert found["newest"][0]["reasons"] == [{"reason": "broken", "count": 1}]


def test_requests_that_arrived_are_those_since_yesterday_the_newest_first(
    admin, workshop, set_policy, clock_at
):
    zone = ZoneInfo("Pacific/Kiritimati")
    set_policy(timezone=zone)
    since = calendar.day_start(clock_at(0), zone, -1)
    customer = workshop.customer(name="บ้านสวน")
    numbers = []
    for seconds in range(-1, 6):
        request = workshop.make(
            "Request", customer=customer.pk, request_number=f"REQ-{90 + seconds}",
            details={"type": "window", "quantity": 1},
        )  # fmt: skip
        created = {"createdAt": since + timedelta(seconds=seconds)}
        request.collection().update_one({"_id": request.pk}, {"$set": created})
        numbers.append(request.request_number)
    arrived = admin.get("/api/dashboard/stats").data["toDo"]["arrived"]
    assert (arrived["since"], arrived["count"]) == (iso(since), 6)
    assert [row["requestNumber"] for row in arrived["newest"]] == numbers[:1:-1]
    assert arrived["newest"][0] == {
        "_id": str(request.pk),
        "requestNumber": numbers[-1],
        "customerName": "บ้านสวน",
        "createdAt": iso(since + timedelta(seconds=5)),
        "deadline": None,
        "status": "pending",
    }
    listed = admin.get("/api/requests", createdAt_gte=arrived["since"])
    assert listed.body["pagination"]["total"] == arrived["count"]


def test_charts_cover_their_range(admin, clock_at, stats):
    for days in (40, 10, 2, 0):
        clock_at(-days * DAY_S)
        assert admin.post("/api/panes", {}).status == 201

    def made(chart_range):
        chart = stats(admin, chartRange=chart_range)["chart"]
        return len(chart), sum(step["panesCreated"] for step in chart)

    assert (made("1d"), made("7d"), made("30d")) == ((24, 1), (7, 2), (30, 3))
    faults = admin.get("/api/dashboard/stats", chartRange="1y").faults
    assert set(faults) == {"chartRange"}


def test_the_last_hours_may_be_of_two_days_and_the_stations_show_today(
    admin, worker, workshop, clock_at, stats
):
    midnight = calendar.day_start(clock.now(), ZoneInfo("Asia/Bangkok"), days=1)
    midnight_s = (midnight - clock.now()).total_seconds()
    clock_at(midnight_s - 90 * 60)
    job = order_with_panes(admin, workshop, steps=2, panes=2)
    pass_station(worker, job.numbers[0], job.stations[0])
    clock_at(midnight_s + 30 * 60)
    pass_station(worker, job.numbers[1], job.stations[0])
    data = stats(admin, chartRange="1d")
    assert [one["panesCreated"] for one in data["chart"]] == [0] * 21 + [2, 0, 0]
    assert data["chart"][-1]["from"] == iso(midnight)
    done = {"arrived": 0, "left": 1, "passed": 0, "failed": 0}
    assert [one["figures"] for one in data["stations"]] == [
        done,
        {**done, "arrived": 1, "left": 0},
    ]


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/St_Johns"])
def test_days_of_charts_are_those_of_the_time_zone(
    admin, set_policy, clock_at, stats, zone
):
    set_policy(timezone=ZoneInfo(zone))
    now = clock_at(0)
    midnight = calendar.day_start(now, ZoneInfo(zone))
    for offset_s in (-1, 0):
        clock_at((midnight - now).total_seconds() + offset_s)
        assert admin.post("/api/panes", {}).status == 201
    clock_at(0)
    chart = stats(admin)["chart"]
    assert [step["panesCreated"] for step in chart] == [0, 0, 0, 0, 0, 1, 1]
    assert chart[-1]["from"] == iso(midnight)


def test_low_stock_counts_all_lots(admin, workshop):
    body = {"name": "a", "unit": "แผ่น", "reorderPoint": 10}
    material = admin.post("/api/materials", body).data
    for quantity in (4, 5):
        lot = {"material": material["_id"], "stockType": "Raw", "location": "A",
               "quantity": quantity}  # fmt: skip
        assert admin.post("/api/inventories", lot).status == 201
    (low,) = admin.get("/api/dashboard/stats").data["lowStock"]
    assert (low["material"], low["quantity"], low["reorderPoint"]) == (
        material["_id"],
        9,
        10,
    )
    lot["quantity"] = 1
    admin.post("/api/inventories", lot)
    assert admin.get("/api/dashboard/stats").data["lowStock"] == []


def test_tenths_that_add_up_to_the_reorder_point_are_not_low(admin, workshop):
    """As floats, 0.7 + 0.1 is less than 0.8."""
    body = {"name": "a", "unit": "kg", "reorderPoint": 0.8}
    lot = {"material": admin.post("/api/materials", body).data["_id"]}
    lot |= {"stockType": "Raw", "location": "A"}
    made = [
        admin.post("/api/inventories", {**lot, "quantity": quantity}).data
        for quantity in (0.7, 0.4)
    ]
    path = f"/api/inventories/{made[1]['_id']}"
    admin.patch(path, {"quantity": 0.1})
    assert admin.get("/api/dashboard/stats").data["lowStock"] == []
    assert admin.get("/api/notifications", type="low_stock").data == []
    admin.patch(path, {"quantity": 0.05})
    (low,) = admin.get("/api/dashboard/stats").data["lowStock"]
    assert low["quantity"] == 0.75
    assert len(admin.get("/api/notifications", type="low_stock").data) == 1


def test_lots_that_are_out_of_use_are_not_in_stock(admin, workshop):
    material = workshop.material(reorder_point=5)
    lot = {"material": material.pk, "stock_type": "Raw", "location": "A"}
    workshop.make("Inventory", **lot, quantity=4)
    workshop.make("Inventory", **lot, quantity=4, is_active=False)
    (low,) = admin.get("/api/dashboard/stats").data["lowStock"]
    assert low["quantity"] == 4


def test_health_is_public_and_reports_what_is_reachable(
    anonymous, setting, monkeypatch, tmp_path
):
    health = anonymous.get("/api/health").data
    assert set(health) == {"status", "uptime", "timestamp"}
    assert health["status"] == "healthy"
    assert health["uptime"] >= 0
    assert datetime.fromisoformat(health["timestamp"]).tzinfo is not None
    # two answers may be of one millisecond
    wait_until(lambda: anonymous.get("/api/health").data["uptime"] > health["uptime"])
    ready = anonymous.get("/api/health/ready").data
    assert (ready["database"], ready["disk"]) == ("reachable", "has space")
    setting(DATA_DIR=str(tmp_path))
    with monkeypatch.context() as failing:  # root may write everywhere but there
        failing.setattr(disk.os, "access", lambda *_: False)
        wait_until(
            lambda: anonymous.get("/api/health/ready").data["disk"] == "read-only: data"
        )
    setting(REDIS_URL="redis://127.0.0.1:1")
    answer = anonymous.get("/api/health/ready")
    assert (answer.status, answer.errors["queue"]) == (503, "unreachable")
