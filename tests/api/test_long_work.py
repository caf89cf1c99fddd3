"""Actions over many panes: their time grows with the number, or they are refused first."""

import pytest
from pymongo.errors import ExecutionTimeout, NetworkTimeout

from glassflow import runtime
from glassflow.blueprints import customers
from glassflow.core.process import deadlines, store_calls, time_limit
from glassflow.core.process.time_limit import TimeLimit
from glassflow.core.store import lease, retry_queue
from glassflow.models.order import Order
from glassflow.models.pane_log import PaneLog
from greenlets import spawn
from lookups import order_of
from scenarios import order_with_panes
from waiting import WAIT_TIMEOUT_S, use_up_time_limit, wait_until

PANES = 5
PRINT = "/api/labels/print"


def unordered_request(admin, workshop, panes=PANES):
    """A request with panes that no order has adopted."""
    routing = [str(one.pk) for one in workshop.stations(1)]
    body = {
        "customer": str(workshop.customer().pk),
        "details": {"type": "window", "quantity": panes},
        "panes": [{"routing": routing}] * panes,
    }
    return admin.post("/api/requests", body).data


def creation(admin, workshop):
    body = {
        "customer": str(workshop.customer().pk),
        "details": {"type": "window", "quantity": PANES},
        "panes": [{}] * PANES,
    }
    return lambda: admin.post("/api/requests", body)


def addition(admin, workshop):
    made = unordered_request(admin, workshop)
    path = f"/api/requests/{made['_id']}/panes"
    return lambda: admin.post(path, {"panes": [{}] * PANES})


def adoption(admin, workshop):
    made = unordered_request(admin, workshop)
    body = {"request": made["_id"], "customer": made["customer"]}
    body |= {"material": str(workshop.material().pk), "quantity": PANES}
    return lambda: admin.post("/api/orders", body)


def cancelling(kind):
    def prepare(admin, workshop):
        job = order_with_panes(admin, workshop, panes=PANES)
        path = f"/api/{kind}s/{getattr(job, kind)['_id']}"
        return lambda: admin.patch(path, {"status": "cancelled"})

    return prepare


def restoring(kind):
    def prepare(admin, workshop):
        job = order_with_panes(admin, workshop, panes=PANES)
        path = f"/api/{kind}s/{getattr(job, kind)['_id']}"
        assert admin.patch(path, {"status": "cancelled"}).status == 200
        return lambda: admin.patch(path, {"status": "pending"})

    return prepare


def deletion(admin, workshop):
    made = unordered_request(admin, workshop)
    return lambda: admin.delete(f"/api/requests/{made['_id']}")


def batch_scan(admin, workshop):
    job = order_with_panes(admin, workshop, panes=PANES)
    body = {"paneNumbers": job.numbers, "action": "scan_in"}
    return lambda: admin.post("/api/panes/batch-scan", body)


def batch_fail(admin, workshop):
    job = order_with_panes(admin, workshop, panes=PANES)
    body = {"paneNumbers": job.numbers, "reason": "broken"}
    return lambda: admin.post("/api/panes/batch-fail", body)


def batch_undo(admin, workshop):
    job = order_with_panes(admin, workshop, panes=PANES)
    body = {"paneNumbers": job.numbers, "reason": "broken"}
    assert admin.post("/api/panes/batch-fail", body).status == 200
    return lambda: admin.post("/api/panes/batch-undo", body)


ACTIONS = {
    "create": creation,
    "add panes": addition,
    "order": adoption,
    "cancel an order": cancelling("order"),
    "cancel a request": cancelling("request"),
    "restore an order": restoring("order"),
    "restore a request": restoring("request"),
    "delete": deletion,
    "batch scan": batch_scan,
    "batch fail": batch_fail,
    "batch undo": batch_undo,
}
actions = pytest.mark.parametrize("prepare", ACTIONS.values(), ids=ACTIONS)


@pytest.fixture
def added(monkeypatch):
    """The seconds by which the time limits of requests are lengthened."""
    seconds, add = [], TimeLimit.add

    def record(self, more):
        seconds.append(more)
        add(self, more)

    monkeypatch.setattr(TimeLimit, "add", record)
    return seconds


@actions
def test_time_of_an_action_grows_with_its_panes(
    admin, workshop, monkeypatch, added, prepare
):
    act = prepare(admin, workshop)
    monkeypatch.setattr(time_limit, "RECORDS_IN_TIME", 2)
    added.clear()
    assert act().status in (200, 201)
    assert max(added) >= (PANES - 2) * deadlines.RECORD_TIMEOUT_S


@actions
def test_action_over_too_many_panes_is_refused_and_changes_nothing(
    admin, workshop, monkeypatch, prepare
):
    act = prepare(admin, workshop)
    before = stored(admin)
    monkeypatch.setattr(time_limit, "MAX_RECORDS", PANES - 1)
    answer = act()
    expected = {"code": "TOO_MANY", "maximum": PANES - 1}
    assert (answer.status, answer.errors) == (400, expected)
    assert "Retry-After" not in answer.headers
    assert stored(admin) == before


def stored(admin):
    """The requests, orders and panes, and how many logs there are."""
    found = [admin.get(f"/api/{kind}").data for kind in ("requests", "orders", "panes")]
    return [*found, PaneLog.collection().count_documents({})]


def test_limit_of_a_request_with_few_records_stays_as_it_is(admin, workshop, added):
    job = order_with_panes(admin, workshop, panes=2)
    admin.patch(f"/api/orders/{job.order['_id']}", {"status": "cancelled"})
    assert added == []


def test_batch_that_loses_its_first_attempts_has_the_time_for_another(
    admin, workshop, monkeypatch
):
    """Its attempts take longer than the retries of a small unit of work may."""
    job = order_with_panes(admin, workshop, panes=PANES)
    monkeypatch.setattr(time_limit, "RECORDS_IN_TIME", 0)
    monkeypatch.setattr(deadlines, "UNIT_OF_WORK_TIMEOUT_S", 0.0)
    others, allow_for = [3], time_limit.allow_for
    orders = Order.collection()

    def write_first(records):
        """Let another transaction write the order, in the middle of the batch."""
        allow_for(records)
        if records == PANES and others[0]:
            others[0] -= 1
            touch = {"$inc": {"version": 1}}
            runtime.run_detached(lambda: orders.update_many({}, touch))

    monkeypatch.setattr(time_limit, "allow_for", write_first)
    body = {"paneNumbers": job.numbers, "action": "complete"}
    answer = admin.post("/api/panes/batch-scan", body)
    assert (answer.status, others) == (200, [0])
    assert order_of(admin, job.order)["status"] == "in_progress"


def test_cancellation_of_many_panes_ends_although_their_scans_go_on(
    admin, worker, workshop, monkeypatch
):
    """The first scan makes it lose; the next one waits for it, and is refused."""
    job = order_with_panes(admin, workshop, panes=PANES)
    monkeypatch.setattr(time_limit, "RECORDS_IN_TIME", 2)
    monkeypatch.setattr(retry_queue, "MANY", 2)
    attempts, scans, allow_for = [], [], time_limit.allow_for

    def scan_first(records):
        allow_for(records)
        if records < PANES:
            return
        number = job.numbers[len(attempts) % PANES]
        attempts.append(number)
        scan = spawn(worker.scan, number, "scan_in")
        scans.append(scan)
        if len(attempts) == 1:
            scan.join()
        else:
            wait_until(lambda: scan.ready() or waiting(number))

    def waiting(number):
        pane = next(one["_id"] for one in job.panes if one["paneNumber"] == number)
        queue = retry_queue._queues.get(("panes", pane))
        return queue is not None and len(queue) > 1

    monkeypatch.setattr(time_limit, "allow_for", scan_first)
    path = f"/api/requests/{job.request['_id']}"
    assert admin.patch(path, {"status": "cancelled"}).status == 200
    first, *others = [scan.get() for scan in scans]
    assert first.status == 200
    assert {one.errors["code"] for one in others} == {"ALREADY_CANCELLED"}
    found = admin.get("/api/panes", request=job.request["_id"]).data
    assert {one["currentStatus"] for one in found} == {"cancelled"}


@pytest.mark.parametrize("is_long", [False, True])
@pytest.mark.parametrize(
    ("error", "seconds_since_answer", "took_too_long"),
    [
        (ExecutionTimeout, 9.0, True),
        (NetworkTimeout, 0.1, True),
        (NetworkTimeout, 9.0, False),
    ],
)
def test_request_that_takes_too_long_is_told_from_a_store_that_is_away(
    admin, monkeypatch, error, seconds_since_answer, took_too_long, is_long
):
    def fails(*_, **__):
        if is_long:
            time_limit.allow_for(time_limit.RECORDS_IN_TIME + 1)
        raise error("timed out")

    monkeypatch.setattr(
        store_calls, "seconds_since_answer", lambda: seconds_since_answer
    )
    monkeypatch.setattr(customers.resource.schema.__class__, "read", fails)
    answer = admin.post("/api/customers", {"name": "a"})
    assert answer.status == 503
    if took_too_long:
        assert answer.errors == {"code": "TOOK_TOO_LONG"}
        assert answer.message == "This took too long and was given up"
    else:
        assert answer.message == "The store is not available"
    # another try of long work would not end sooner
    assert ("Retry-After" in answer.headers) == (not (took_too_long and is_long))


def test_action_whose_time_ends_in_a_command_leaves_nothing_behind(
    admin, workshop, monkeypatch
):
    job = order_with_panes(admin, workshop, panes=40)
    path = f"/api/requests/{job.request['_id']}"

    def almost_no_time(records):
        if records == 40:
            use_up_time_limit()

    with monkeypatch.context() as patched:
        patched.setattr(time_limit, "allow_for", almost_no_time)
        answer = admin.patch(path, {"status": "cancelled"})
    assert (answer.status, answer.errors) == (503, {"code": "TOOK_TOO_LONG"})
    assert admin.get(path).data["status"] == "pending"
    assert admin.patch(path, {"status": "cancelled"}).status == 200


def test_lease_is_given_back_when_the_time_of_its_holder_has_ended(app):
    with app.app_context():
        limit = TimeLimit(WAIT_TIMEOUT_S)
        limit.start()
        with lease.held("print", on_wait=pytest.fail):
            use_up_time_limit()
        limit.stop()
        with lease.held("print", on_wait=pytest.fail):
            pass
