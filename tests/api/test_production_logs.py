"""Production logs: reports of workers on the work at a station."""

from datetime import datetime

import pytest

from scenarios import order_with_panes

PATH = "/api/production-logs"


@pytest.fixture
def report(workshop):
    """The body of a new report."""
    customer, material = workshop.customer(), workshop.material()
    order = workshop.make(
        "Order", customer=customer.pk, material=material.pk, quantity=1
    )
    pane = workshop.make("Pane", pane_number="PNE-REPORTED", order=order.pk)
    station = workshop.station(name="QC")
    return {
        "pane": str(pane.pk),
        "order": str(order.pk),
        "station": str(station.pk),
        "action": "qc_fail",
    }


def test_worker_creates_a_report_and_cannot_change_it(worker, admin, report):
    full = {
        **report,
        "status": "fail",
        "operator": worker.id,
        "defectCode": "scratch",
        "reworkReason": "รอยขีดข่วน",
        "qcResults": [{"label": "ผิว", "passed": False, "note": "2 ซม."}],
        "startedAt": "2026-03-01T08:00:00.000Z",
        "completedAt": "2026-03-01T15:30:00+07:00",
        "durationMs": 1800000,
    }
    made = worker.post(PATH, full).data
    assert made["completedAt"] == "2026-03-01T08:30:00.000Z"
    assert made["qcResults"] == full["qcResults"]
    assert worker.get(f"{PATH}/{made['_id']}").data == made
    assert worker.patch(f"{PATH}/{made['_id']}", {"status": "pass"}).status == 403
    assert worker.delete(f"{PATH}/{made['_id']}").status == 403
    assert admin.patch(f"{PATH}/{made['_id']}", {"status": "pass"}).status == 200
    assert admin.delete(f"{PATH}/{made['_id']}").status == 200


def test_reports_are_filtered_and_populated(admin, report):
    made = admin.post(PATH, report).data
    admin.post(PATH, {**report, "action": "start"})
    found = admin.get(PATH, action="qc_fail", populate="true").data
    assert [row["_id"] for row in found] == [made["_id"]]
    assert found[0]["station"] == {"_id": report["station"], "name": "QC"}
    assert found[0]["pane"]["paneNumber"] == "PNE-REPORTED"


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("pane", "Pane not found"),
        ("order", "Order not found"),
        ("station", "Station not found"),
        ("operator", "Worker (operator) not found"),
    ],
)
def test_unknown_reference_is_named(admin, report, field, message):
    answer = admin.post(PATH, {**report, field: "0123456789abcdef01234567"})
    assert (answer.status, answer.message) == (400, message)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"pane": None}, "pane"),
        ({"station": "cutting"}, "station"),
        ({"action": "laminate"}, "action"),
        ({"action": None}, "action"),
        ({"status": "good"}, "status"),
        ({"durationMs": -1}, "durationMs"),
        ({"durationMs": 365 * 86_400_000 + 1}, "durationMs"),
        ({"startedAt": "yesterday"}, "startedAt"),
        ({"startedAt": 1700000000}, "startedAt"),
        ({"qcResults": {}}, "qcResults"),
        ({"qcResults": [{"passed": "yes"}]}, "qcResults.0.passed"),
    ],
)
def test_bad_input_is_refused(admin, report, change, field):
    assert list(admin.post(PATH, {**report, **change}).faults) == [field]


def test_change_validates_every_element_of_a_list(admin, report):
    made = admin.post(PATH, report).data
    change = {"qcResults": [{"label": 5}]}
    answer = admin.patch(f"{PATH}/{made['_id']}", change)
    assert list(answer.faults) == ["qcResults.0.label"]


def test_report_ends_after_it_begins(admin, workshop, report):
    times = {"startedAt": "2026-01-02T08:00:00Z", "completedAt": "2026-01-02T08:00:00Z"}
    made = admin.post(PATH, {**report, **times})
    assert made.status == 201
    path = f"{PATH}/{made.data['_id']}"
    earlier, later = {"completedAt": "2026-01-01"}, {"startedAt": "2026-01-03"}
    for refused in (
        admin.post(PATH, {**report, **times, **earlier}),
        admin.patch(path, earlier),
        admin.patch(path, later),
    ):
        assert (refused.status, list(refused.faults)) == (400, ["completedAt"])
    assert admin.get(path).data == made.data
    assert admin.patch(path, {**earlier, "startedAt": None}).status == 200
    # what earlier releases stored is judged once its times change
    ids = {name: report[name] for name in ("pane", "order", "station")}
    old = workshop.make(
        "ProductionLog", **ids, action="start",
        started_at=datetime(2026, 1, 2), completed_at=datetime(2026, 1, 1),
    )  # fmt: skip
    path = f"{PATH}/{old.pk}"
    assert admin.patch(path, {"status": "pass"}).status == 200
    assert list(admin.patch(path, later).faults) == ["completedAt"]


def test_report_is_on_a_pane_of_its_order(admin, workshop, report):
    elsewhere = order_with_panes(admin, workshop)
    other = elsewhere.panes[0]["_id"]
    alone = admin.post("/api/panes", {}).data["_id"]
    made = admin.post(PATH, report).data
    path = f"{PATH}/{made['_id']}"
    for refused in (
        *(admin.post(PATH, {**report, "pane": one}) for one in (other, alone)),
        *(admin.patch(path, {"pane": one}) for one in (other, alone)),
        admin.patch(path, {"order": elsewhere.order["_id"]}),
    ):
        assert (refused.status, refused.errors["code"]) == (400, "OTHER_ORDER")
    assert admin.get(path).data == made
    # the pane moves away: the report stays what it was, and can still be changed
    moved = {"order": elsewhere.order["_id"]}
    assert admin.patch(f"/api/panes/{report['pane']}", moved).status == 200
    assert admin.patch(path, {**made, "status": "pass"}).status == 200
