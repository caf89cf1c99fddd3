"""The dashboard counts what is in the store, and what the service is able to do."""

from datetime import timedelta

from glassflow.core import clock
from glassflow.models.pane import Pane
from stories import line, through


def test_an_empty_workshop_counts_nothing(admin):
    data = admin.get("/api/dashboard/stats").data
    for kind in ("requests", "orders", "panes", "claims", "withdrawals"):
        assert data[kind] == {"total": 0, "byStatus": {}}
    assert data["stations"] == data["lowStock"] == []
    assert len(data["chart"]) == 7


def test_figures_are_counted_from_the_records(admin, worker, workshop):
    day = line(admin, workshop, steps=2, panes=3)
    for station in day.stations:
        through(worker, day.numbers[0], station)
    worker.scan(day.numbers[1], "scan_in")
    data = admin.get("/api/dashboard/stats").data
    assert data["orders"] == {"total": 1, "byStatus": {"in_progress": 1}}
    assert data["panes"]["byStatus"] == {"completed": 1, "in_progress": 1, "pending": 1}
    counts = {row["station"]: row["panes"] for row in data["stations"]}
    assert counts == {day.stations[0]: 2, day.stations[1]: 0}
    last = data["chart"][-1]
    assert (last["requestsCreated"], last["panesCreated"]) == (1, 3)
    assert last["panesCompleted"] == 1


def test_charts_reach_as_far_as_they_say(worker, workshop):
    moment = clock.now()
    for n, age in enumerate((0, 2, 10, 40)):
        pane = workshop.make("Pane", pane_number=f"PNE-900{n}", qr_code="x")
        when = {"$set": {"createdAt": moment - timedelta(days=age)}}
        Pane._get_collection().update_one({"_id": pane.pk}, when)

    def made(chart_range):
        data = worker.get("/api/dashboard/stats", chartRange=chart_range).data
        return len(data["chart"]), sum(step["panesCreated"] for step in data["chart"])

    assert (made("1d"), made("7d"), made("30d")) == ((24, 1), (7, 2), (30, 3))
    faults = worker.get("/api/dashboard/stats", chartRange="1y").faults
    assert set(faults) == {"chartRange"}


def test_low_stock_is_judged_over_all_lots(admin, workshop):
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


def test_health_is_public_and_says_what_can_be_reached(nobody, setting):
    assert nobody.get("/api/health").data == {"status": "live"}
    ready = nobody.get("/api/health/ready").data
    assert ready["database"] == "reachable"
    setting(REDIS_URL="redis://127.0.0.1:1")
    answer = nobody.get("/api/health/ready")
    assert (answer.status, answer.errors["queue"]) == (503, "unreachable")
