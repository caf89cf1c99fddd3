"""The metrics that Prometheus reads, and the line of each request in the log."""

import logging

import pytest
from bson import ObjectId
from pymongo.errors import AutoReconnect, NetworkTimeout

from glassflow.core.events import dead_letters
from glassflow.core.events.dead_letters import DeadLetter
from glassflow.core.process import store_calls
from glassflow.core.store import connection
from glassflow.core.store.outbox_entries import Message
from glassflow.models.webhook import Webhook
from glassflow.services.reports import dashboard
from metrics_samples import Watched
from scenarios import order_with_panes
from store_commands import record_commands
from tables_api import import_rows

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.fixture(scope="module", autouse=True)
def _measured(app, store_settings):
    """Commands are measured, also where another test has connected without."""
    uri, database = store_settings["MONGODB_URI"], store_settings["MONGODB_DB"]
    connection.connect(uri, database, [store_calls.StoreCalls()])


@pytest.fixture
def watched(scrape):
    return Watched(scrape)


@pytest.fixture
def access_log(caplog):
    """The fields of the lines that requests have written."""
    caplog.set_level(logging.INFO, logger="glassflow.access")
    return lambda: [
        one.fields for one in caplog.records if one.name == "glassflow.access"
    ]


def test_scans_are_counted_by_action_and_outcome(
    admin, worker, workshop, watched, scrape
):
    job = order_with_panes(admin, workshop, panes=3)
    first, *others = job.numbers
    worker.scan(first, "scan_in")
    worker.scan(first, "scan_in")  # a double tap
    assert worker.scan(first, "scan_out").status == 400
    batch = {"action": "scan_in", "paneNumbers": others}
    assert worker.post("/api/panes/batch-scan", batch).status == 200
    assert worker.post(f"/api/panes/{first}/undo", {}).status == 200

    def scans(**labels):
        return watched.growth("scans_total", **labels)

    assert scans(action="scan_in", outcome="done") == 3
    assert scans(action="scan_in", outcome="duplicate") == 1
    assert scans(action="scan_out", outcome="refused") == 1
    assert scans(action="undo", outcome="done") == 1
    assert watched.growth("scan_refusals_total", code="NOT_COMPLETED_YET") == 1
    assert watched.growth("unit_of_work_total", outcome="refused") == 1
    assert watched.growth("unit_of_work_total", outcome="done") >= 4
    now = scrape()
    assert now.sum("panes", status="in_progress") == 2
    assert now.sum("panes", status="pending") == 1
    assert (now.sum("store_up"), now.sum("dead_letters"), now.sum("processes")) == (
        1,
        0,
        1,
    )


def test_requests_and_store_commands_are_measured_by_route_and_command(
    admin, anonymous, workshop, watched, scrape
):
    (number,) = order_with_panes(admin, workshop).numbers
    before = watched.growth("store_seconds_count", command="find")
    assert admin.get(f"/api/panes/{number}").status == 200
    assert admin.get("/api/panes/PNE-nothing").status == 404
    assert anonymous.get("/api/nowhere/a-path").status == 404
    assert anonymous.call("BREW", "/api/nowhere/another").status in (404, 405)
    labels = {"method": "GET", "route": "/api/panes/<oid:record_id>"}

    def requests(**labels):
        return watched.growth("http_request_seconds_count", **labels)

    assert requests(**labels, status="200") == 1
    assert requests(**labels, status="404") == 1
    assert requests(method="GET", route="none", status="404") == 1
    assert requests(method="other", route="none") == 1
    assert watched.growth("store_seconds_count", command="find") > before
    now = scrape()
    assert not any(
        number in value or "nowhere" in value
        for one in now.samples
        for value in one.labels.values()
    ), "no label is a path"


def test_logins_and_what_is_throttled_are_counted(anonymous, manager, watched, setting):
    setting(LOGIN_ATTEMPTS_PER_MINUTE=2)
    wrong = {"username": "nobody", "password": "password-1"}
    statuses = [anonymous.post("/api/auth/login", wrong).status for _ in range(4)]
    assert statuses == [401, 401, 429, 429]
    assert watched.growth("logins_total", method="password", outcome="refused") == 2
    limit = "LOGIN_ATTEMPTS_PER_MINUTE"
    assert watched.growth("throttled_total", limit=limit) == 2


def test_dead_letters_are_counted(scrape):
    letter = DeadLetter(ObjectId(), Message("system_alert", {}), "ValueError")
    dead_letters.store([letter])
    assert scrape().sum("dead_letters") == 1


def test_free_space_and_webhooks_that_fail_are_in_the_metrics(
    admin, scrape, setting, tmp_path
):
    setting(DATA_DIR=str(tmp_path), BACKUP_DIR=str(tmp_path / "none yet"))
    hook = {"url": "https://example.com/hook", "events": ["pane:updated"]}
    made = admin.post("/api/webhooks", hook).data
    before = scrape()
    assert before.label_values("disk_free_bytes", "directory") == {"data"}
    assert before.sum("disk_free_bytes") > 0
    assert before.sum("webhooks_failing") == 0
    assert "certificate_seconds" not in str(before.samples)
    Webhook.objects(pk=made["_id"]).update(set__disabled_reason="it answers 410")
    assert scrape().sum("webhooks_failing") == 1


def test_a_dry_run_is_no_failed_transaction(admin, watched):
    assert import_rows(admin, "customers", [{"name": "Aek"}], dryRun=1).status == 200
    assert watched.growth("unit_of_work_total", outcome="failed") == 0
    assert watched.growth("unit_of_work_total", outcome="rolled_back") == 1


def test_metrics_answer_while_the_store_is_away(scrape, monkeypatch):
    def fail(*_):
        raise AutoReconnect("away")

    scrape()
    monkeypatch.setattr(dashboard, "by_status", fail)
    now = scrape()
    assert now.sum("store_up") == 0
    assert now.sum("http_request_seconds_count") > 0
    names = {one.name for one in now.samples}
    assert "glassflow_panes" not in names, "no figure is better than a wrong one"


def test_a_store_in_which_counting_takes_long_is_not_away(scrape, monkeypatch):
    def take_long(*_):
        raise NetworkTimeout("timed out")

    monkeypatch.setattr(dashboard, "by_status", take_long)
    now = scrape()
    names = {one.name for one in now.samples}
    assert (now.sum("store_up"), "glassflow_panes" in names) == (1, False)
    assert {"glassflow_outbox_oldest_seconds", "glassflow_dead_letters"} <= names


def test_metrics_need_their_token_and_in_production_there_are_none_without(
    anonymous, admin, setting
):
    setting(METRICS_TOKEN="f3a9c1e07b5d42868e1f9a6c3d7b0245")

    def status(token):
        headers = {"Authorization": f"Bearer {token}"}
        return anonymous.call("GET", "/metrics", headers=headers).status

    assert anonymous.get("/metrics").status == 401
    assert status("something-else") == 401
    assert admin.get("/metrics").status == 401, "a token of the API is another one"
    assert status("f3a9c1e07b5d42868e1f9a6c3d7b0245") == 200
    setting(METRICS_TOKEN="", STRICT_START=True)
    assert anonymous.get("/metrics").status == 404


def test_a_request_is_logged_with_its_route_worker_and_round_trips(
    admin, anonymous, workshop, access_log, monkeypatch
):
    (number,) = order_with_panes(admin, workshop).numbers
    sent = record_commands(
        monkeypatch, lambda one: "panes" in one.values(), of_all=True
    ).sent
    header = {"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}
    admin.call("GET", f"/api/panes/{number}", headers=header)
    line = access_log()[-1]
    assert line["ms"] > 0
    assert line | {"ms": 0} == {
        "method": "GET",
        "route": "/api/panes/<oid:record_id>",
        "status": 200,
        "ms": 0,
        "worker": admin.id,
        "roundTrips": line["roundTrips"],
        "trace": TRACE,
    }
    assert line["roundTrips"] >= len(sent) > 0
    anonymous.get("/api/health")
    line = access_log()[-1]
    assert (line["worker"], line["roundTrips"]) == ("-", 0)
    assert "trace" not in line


def test_round_trips_are_those_of_the_calls_of_one_greenlet(app, monkeypatch):
    sent = record_commands(monkeypatch).sent
    before = store_calls.made()
    dashboard.stats(chart_range="7d", may=lambda key: True)
    assert store_calls.made() - before == len(sent) > 5
