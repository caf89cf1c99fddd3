"""Printing labels: to network printers, and panes that have been labelled."""

import socket

import pytest

from api.test_labels import TEMPLATE
from greenlets import spawn
from label_pictures import codes_in
from labels.test_codes import zpl_pictures
from lookups import pane_of
from scenarios import order_with_panes

PRINT = "/api/labels/print"


class Printer:
    """A printer on the network: it keeps what it gets."""

    def __init__(self):
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self._server.getsockname()[1]}"
        self.jobs = []
        self._serving = spawn(self._serve)

    def _serve(self):
        while True:
            connection, _ = self._server.accept()
            with connection, connection.makefile("rb") as received:
                self.jobs.append(received.read())

    def close(self):
        self._serving.kill()
        self._server.close()


@pytest.fixture
def printer(setting):
    running = Printer()
    setting(PRINTERS={"zebra": [running.address, "300"]})
    yield running
    running.close()


@pytest.fixture
def job(admin, workshop):
    admin.post("/api/sticker-templates", TEMPLATE)
    return order_with_panes(admin, workshop, panes=2)


def test_labels_go_to_the_printer_and_the_panes_are_labelled(
    worker, job, printer, clock_at
):
    now = clock_at(60)
    answer = worker.post(PRINT, {"printer": "zebra", "panes": job.numbers, "copies": 2})
    assert answer.status == 200, answer
    assert (answer.data["count"], answer.data["printer"]) == (2, "zebra")
    (content,) = printer.jobs
    pictures = list(zpl_pictures(content))
    assert [codes_in(one) for one, _ in pictures] == [
        [f"STDPLUS:{n}"] for n in job.numbers
    ]
    assert [(one.size, copies) for one, copies in pictures] == [((709, 472), 2)] * 2
    labelled = pane_of(worker, job.numbers[0])["labelledAt"]
    assert labelled == answer.data["labelledAt"]
    assert labelled.startswith(now.isoformat()[:19])


def test_browser_that_has_printed_records_it(worker, job):
    answer = worker.post(PRINT, {"order": job.order["_id"]})
    assert (answer.status, answer.data["printer"]) == (200, "")
    for number in job.numbers:
        assert pane_of(worker, number)["labelledAt"] == answer.data["labelledAt"]


def test_printer_that_is_away_labels_nothing(worker, job, printer):
    printer.close()
    answer = worker.post(PRINT, {"printer": "zebra", "panes": job.numbers})
    assert (answer.status, answer.errors) == (503, {"code": "PRINTER_AWAY"})
    assert "zebra" in answer.message
    assert pane_of(worker, job.numbers[0])["labelledAt"] is None


def test_only_the_printers_of_the_setting_can_be_chosen(worker, job, printer):
    for name in ("other", printer.address):
        answer = worker.post(PRINT, {"printer": name, "panes": job.numbers})
        assert list(answer.faults) == ["printer"]
    assert printer.jobs == []


def test_printing_needs_the_key_of_scans(client_with_keys, job):
    viewer = client_with_keys("panes:view", "sticker_templates:view")
    assert viewer.post(PRINT, {"panes": job.numbers}).status == 403
    assert pane_of(viewer, job.numbers[0])["labelledAt"] is None


def test_posters_can_be_printed_and_label_no_pane(worker, workshop, printer):
    workshop.stations(2)
    answer = worker.post(PRINT, {"printer": "zebra", "stations": ["all"]})
    assert (answer.data["count"], answer.data["labelledAt"]) == (2, None)
    assert len(list(zpl_pictures(printer.jobs[0]))) == 2


def test_labelled_at_is_set_by_the_service_only(admin, job):
    path = f"/api/panes/{job.panes[0]['_id']}"
    answer = admin.patch(path, {"labelledAt": "2020-01-01T00:00:00Z"})
    assert answer.status == 200
    assert [one["field"] for one in answer.body["warnings"]] == ["labelledAt"]
    assert pane_of(admin, job.numbers[0])["labelledAt"] is None


def test_remake_has_no_label_yet(admin, job):
    admin.post(PRINT, {"panes": job.numbers})
    number, station = job.numbers[0], job.stations[0]
    for action in ("scan_in", "complete"):
        admin.scan(number, action, station=station)
    failed = admin.scan(number, "qc_fail", station=station, reason="broken")
    assert failed.data["remadePane"]["labelledAt"] is None
    assert failed.data["pane"]["labelledAt"]
