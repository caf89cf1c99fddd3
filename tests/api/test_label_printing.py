"""Printing labels: to network printers, and panes that have been labelled."""

import socket

import pytest
from pymongo.errors import ConnectionFailure

from api.test_labels import TEMPLATE
from glassflow.core.process import deadlines
from glassflow.domain import texts
from glassflow.domain.errors import Contention
from glassflow.labels.printers import Printer as Zebra
from glassflow.labels.printers import parse_printers
from glassflow.services.labels import network_printers
from greenlets import spawn
from label_pictures import codes_in
from labels.test_codes import zpl_pictures
from lookups import pane_of
from scenarios import order_with_panes
from waiting import use_up_time_limit

PRINT = "/api/labels/print"


class Printer:
    """A printer on the network: it keeps what it gets, and ends each connection.

    `reads` is how many bytes it reads of a job before it cuts the connection; -1 for all.
    One that is `idle` leaves the connection open after a job.
    """

    def __init__(self, reads=-1, *, idle=False):
        self._reads, self._idle, self._left_open = reads, idle, []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self._server.getsockname()[1]}"
        self.jobs = []
        self._serving = spawn(self._serve)

    def _serve(self):
        while True:
            connection, _ = self._server.accept()
            with connection, connection.makefile("rb", 0) as received:
                self.jobs.append(received.read(self._reads))
                if self._idle:
                    self._left_open.append(connection.dup())

    def close(self):
        for connection in self._left_open:
            connection.close()
        self._serving.kill()
        self._server.close()


@pytest.fixture
def printer(setting):
    running = Printer()
    setting(PRINTERS={"zebra": [running.address, "300"]})
    yield running
    running.close()


@pytest.fixture
def other_printer(setting):
    """Sets up a printer with these properties, under the name `zebra`."""
    running = []

    def start(*arguments, **named):
        running.append(Printer(*arguments, **named))
        setting(PRINTERS={"zebra": [running[0].address, "300"]})
        return running[0]

    yield start
    for one in running:
        one.close()


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


def send(api, job, key="k1"):
    """Print the labels of a job under a key."""
    body = {"printer": "zebra", "panes": job.numbers}
    return api.post(PRINT, body, headers={"Idempotency-Key": key})


def test_printer_that_cuts_the_connection_is_told_and_labels_nothing(
    worker, job, other_printer
):
    cutting = other_printer(100)
    answer = send(worker, job)
    assert (answer.status, answer.errors) == (409, {"code": "PRINT_BROKEN"})
    assert "some of them may be printed" in answer.message
    assert pane_of(worker, job.numbers[0])["labelledAt"] is None
    again = send(worker, job)
    assert (again.status, again.errors) == (409, {"code": "PRINT_BROKEN"})
    assert again.headers["Idempotency-Replayed"] == "true"
    assert len(cutting.jobs) == 1


def test_printer_that_reads_no_more_has_not_taken_the_labels(
    app, other_printer, monkeypatch
):
    monkeypatch.setattr(deadlines, "PRINTER_SEND_TIMEOUT_S", 0.05)
    other_printer(100, idle=True)
    (zebra,) = parse_printers(app.config["PRINTERS"]).values()
    more_than_the_network_holds = b"x" * 50_000_000
    with pytest.raises(network_printers.PrintBroken):
        network_printers.send(zebra, more_than_the_network_holds)


def test_each_part_that_a_printer_reads_has_the_whole_time(monkeypatch):
    """It reads as fast as it prints, and a thousand labels take minutes."""
    ours, theirs = socket.socketpair()
    parts, received = [], spawn(lambda: theirs.makefile("rb").read())

    class Connection:
        def sendall(self, part):
            parts.append(part)
            ours.sendall(part)

        def __getattr__(self, name):
            return getattr(ours, name)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            ours.close()

    monkeypatch.setattr(network_printers, "_connect", lambda _: Connection())
    monkeypatch.setattr(network_printers, "_has_read_all", lambda _: True)
    content = bytes(range(256)) * 1000
    assert network_printers.send(Zebra("zebra", "10.0.0.9", 9100, 203), content)
    assert received.get() == content
    assert max(map(len, parts)) <= network_printers.PART_BYTES < len(content)
    theirs.close()


def test_printer_that_keeps_the_connection_has_the_labels_but_not_for_certain(
    worker, job, other_printer, monkeypatch
):
    monkeypatch.setattr(deadlines, "PRINTER_END_TIMEOUT_S", 0.05)
    other_printer(idle=True)
    answer = send(worker, job)
    assert answer.status == 200
    (warning,) = answer.data["warnings"]
    assert (warning["code"], warning["detail"], warning["labels"]) == (
        "PRINTER_SILENT",
        "zebra",
        2,
    )
    assert pane_of(worker, job.numbers[0])["labelledAt"]


@pytest.mark.parametrize("error", [Contention(), ConnectionFailure("away")])
def test_what_is_printed_is_answered_as_printed_even_if_it_cannot_be_recorded(
    worker, job, printer, monkeypatch, error
):
    def fail(*_):
        raise error

    monkeypatch.setattr(network_printers, "_mark", fail)
    answer = send(worker, job)
    assert (answer.status, answer.data["labelledAt"]) == (200, None)
    assert [one["code"] for one in answer.data["warnings"]] == ["NOT_RECORDED"]
    assert send(worker, job).headers["Idempotency-Replayed"] == "true"
    assert len(printer.jobs) == 1


def test_what_a_browser_has_printed_is_an_error_if_it_cannot_be_recorded(
    worker, job, monkeypatch
):
    def fail(*_):
        raise Contention

    monkeypatch.setattr(network_printers, "_mark", fail)
    assert worker.post(PRINT, {"panes": job.numbers}).status == 409


def test_time_of_the_request_does_not_limit_the_record_of_what_is_printed(
    worker, job, printer, monkeypatch
):
    """As if the request had used up its time while the labels were selected and made."""
    sending = network_printers.send

    def send_late(*arguments, **named):
        sent = sending(*arguments, **named)
        use_up_time_limit()
        return sent

    monkeypatch.setattr(network_printers, "send", send_late)
    assert send(worker, job).status == 200
    assert pane_of(worker, job.numbers[1])["labelledAt"]
    assert send(worker, job).headers["Idempotency-Replayed"] == "true"
    assert len(printer.jobs) == 1


@pytest.mark.undescribed
def test_print_that_ended_without_an_answer_is_never_repeated_for_its_key(
    worker, job, printer, monkeypatch
):
    def die(*_):
        raise RuntimeError("broken on purpose")

    with monkeypatch.context() as dying:
        dying.setattr(network_printers, "_mark", die)
        assert send(worker, job).status == 500
    again = send(worker, job)
    assert (again.status, again.errors) == (409, {"code": "OUTCOME_UNKNOWN"})
    assert len(printer.jobs) == 1
    assert send(worker, job, key="k2").status == 200
    assert len(printer.jobs) == 2


def test_print_that_reached_no_printer_is_tried_again_with_its_key(
    worker, job, printer, monkeypatch
):
    with monkeypatch.context() as away:
        away.setattr(network_printers, "_connect", raise_away)
        assert send(worker, job).errors == {"code": "PRINTER_AWAY"}
    assert send(worker, job).status == 200
    assert len(printer.jobs) == 1


def raise_away(printer):
    raise network_printers.PrinterAway(texts.PRINTER_AWAY.format(printer=printer.name))


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
