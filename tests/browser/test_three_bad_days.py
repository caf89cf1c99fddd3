"""Three bad days, which an owner who was away reads on the fourth morning.

docs/three-bad-days.md tells them. `make pictures` keeps the pictures in docs/images/bad-days;
else they are thrown away.
"""

import os
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from api.test_batch_scans import batch
from api.test_today import OFFICE, due
from browser.pages import ENGLISH, follow, see, set_look, settles, texts, unexpected
from browser.test_board_page import service_is_ahead
from browser.test_pictures import RECORDS, SCROLL, take
from glassflow.models.pane import Pane
from glassflow.services import history
from scenarios import order_with_panes
from service import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

FOLDER = ROOT / "docs/images/bad-days"
DESK = 1280, 1000
NAMES = "ตัดกระจก (Cutting)", "เจียรขอบ (Edging)", "ล้างกระจก (Washing)"
SIZE = {"width": 1000, "height": 2000, "thickness": 5}
PRICE = 800  # baht for each pane
#: When panes are scanned in at each station, and complete.
TIMES = ("08:10", "08:40"), ("09:00", "10:20"), ("10:30", "10:50")
#: Three Wednesdays, then two weeks of each working day; Monday is day 0.
USUAL_DAYS = (-33, -26, -19, *(day for day in range(-14, -1) if day != -8))
PANES = 4  # of a usual day
MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY = range(5)
SAID = '[data-card="{}"] .sentence'
ROWS = "{} tbody tr"
#: What each picture begins with.
PICTURES = {
    "1-today": "main .head",
    "2-weekly": ".weekly",
    "3-causes": '[data-card="losses"]',
}


class Days:
    """The workshop, day by day."""

    def __init__(self, admin, worker, workshop, at):
        self.admin, self.worker, self._workshop, self._at = admin, worker, workshop, at
        self.stations = [str(one.pk) for one in workshop.stations(len(NAMES))]
        for station, name in zip(self.stations, NAMES, strict=True):
            named = admin.patch(f"/api/stations/{station}", {"name": name})
            assert named.status == 200
        self._of_orders = {
            "customer": str(workshop.customer(name="บริษัท บ้านกระจก จำกัด").pk),
            "material": str(workshop.material(name="Clear 5 mm").pk),
        }

    def order(self, day, panes, due_on):
        """Take in an order in the morning, which is due at a noon."""
        self._at(day, "08:00")
        pane = {"routing": self.stations, "dimensions": SIZE}
        job = order_with_panes(
            self.admin, self._workshop, steps=0, panes=panes, pane=pane,
            **self._of_orders,
        )  # fmt: skip
        Pane.objects(order=job.order["_id"]).update(set__agreed_price=PRICE)
        due(job.order, self._at(due_on, "12:00"))
        return job

    def pass_on(self, day, numbers, *stations):
        """Let panes pass stations, all together."""
        for station in stations:
            times = TIMES[self.stations.index(station)]
            for action, time in zip(("scan_in", "complete"), times, strict=True):
                self._at(day, time)
                found = batch(self.worker, numbers, action, station=station)
                assert found.status == 200, found
            for number in numbers:
                left = self.worker.scan(number, "scan_out", station=station)
                assert left.status == 200, left

    def fail(self, day, numbers, reason, station):
        self._at(day, "14:00")
        for number in numbers:
            fail = {"reason": reason, "beforeComplete": True, "station": station}
            assert self.worker.scan(number, "qc_fail", **fail).status == 200


@pytest.fixture
def folder(tmp_path):
    return FOLDER if RECORDS in os.environ else tmp_path


@pytest.fixture
def days(admin, worker, workshop, at):
    at(USUAL_DAYS[0], "07:00")
    assert admin.put("/api/working-hours", {"week": OFFICE}).status == 200
    return Days(admin, worker, workshop, at)


@pytest.fixture
def bad_days(days, at):
    """Two usual weeks and three bad days, in the order in which they happen."""
    cutting, edging, _ = days.stations
    for day in USUAL_DAYS:
        job = days.order(day, PANES, due_on=day)
        days.pass_on(day, job.numbers, *days.stations)
    late = days.order(MONDAY, 8, due_on=WEDNESDAY)
    days.pass_on(MONDAY, late.numbers, cutting)
    at(MONDAY, "09:00")
    stop = {"kind": "machine", "machineStands": True, "reason": "มอเตอร์ไหม้"}
    called = days.worker.post("/api/calls", {"station": edging, **stop})
    assert called.status == 201, called
    at(MONDAY, "09:20")
    path = f"/api/calls/{called.data['_id']}"
    assert days.admin.post(f"{path}/take", {}).status == 200
    second = days.order(TUESDAY, 10, due_on=FRIDAY)
    days.pass_on(TUESDAY, second.numbers[2:], cutting)
    days.fail(TUESDAY, second.numbers[:2], "scratch", cutting)
    third = days.order(WEDNESDAY, 12, due_on=FRIDAY)
    days.pass_on(WEDNESDAY, third.numbers[4:], cutting)
    days.fail(WEDNESDAY, third.numbers[:3], "scratch", cutting)
    days.fail(WEDNESDAY, third.numbers[3:4], "broken", cutting)
    return SimpleNamespace(late=late, edging=edging, call=path)


@pytest.fixture
def fourth_morning(monkeypatch, app, at, open_office, workshop):
    """Opens the page on Thursday, before the work begins, as the owner."""

    def open_page():
        now = at(THURSDAY, "07:30")
        history.update()
        service_is_ahead(monkeypatch, app, now.replace(tzinfo=UTC) - datetime.now(UTC))
        return open_office(workshop.worker_with("admin"), "today", **ENGLISH)

    return open_page


def open_link(tab, selector, place):
    """Press a link of the page, which leads to a place."""
    tab.click(selector)
    settles(lambda: place in tab.address(), True)


def test_owner_who_was_away_reads_what_jams_what_is_late_and_why(
    bad_days, days, at, fourth_morning, folder, chromium
):
    order = bad_days.late.order
    tab = fourth_morning()
    tab.size(*DESK)
    see(tab, "main", "Late now 1")

    assert texts(tab, ".finished") == [
        f"Finished yesterday 0 panes usual on a Wednesday {PANES}"
    ]
    late, *soon = texts(tab, ".due-list li")
    assert late.startswith(order["orderNumber"])
    assert late.endswith("19 hours late 0 of 8 done 8 at Edging")
    assert [one.split(" done ")[1] for one in soon] == [
        "2 at Cutting · 8 at Edging", "4 at Cutting · 8 at Edging",
    ]  # fmt: skip
    assert texts(tab, ".outcome > *") == [
        "Made again yesterday 4 panes 3,200.00 baht "
        "Most of all: Scratched at Cutting, 3 panes",
        "Where it jams Edging: 24 panes, 8 more than yesterday morning. "
        "The oldest has waited for 2 working days.",
        "On time 93 % worse 100 % in the 30 days before "
        "14 of 15 orders of the last 30 days",
    ]
    assert tab.attribute(".trend", "data-trend") == "down"

    see(tab, SAID.format("losses"), "The first cause is “Scratched at Cutting”")
    see(tab, SAID.format("load"), "Edging is loaded the most")
    see(tab, SAID.format("ageing"), "Edging has the most panes that wait for very long")
    see(tab, SAID.format("ageing"), "24 of 24 have been there for more than 1 hour")
    see(tab, SAID.format("onTime"), "14 of 15 orders")
    assert texts(tab, SAID.format("load"))[0].endswith("24 more panes came than left.")
    stood = "Edging stood for 26 h 0 min in the last 30 days; no other station stood."
    see(tab, ".pareto .sentence", stood)
    assert "Scans are missing" not in tab.text(".weekly")
    assert texts(tab, ROWS.format('[data-card="losses"]')) == [
        "Scratched at Cutting A check 5 5 4,000.00 83 %",
        "Broken at Cutting A check 1 1 800.00 17 %",
    ]
    assert texts(tab, ROWS.format(".pareto")) == [
        "Edging Machine 26 h 0 min 1 1 20 min"
    ]
    waits = texts(tab, ROWS.format('[data-card="ageing"]'))
    assert [row.split()[:4] for row in waits] == [
        ["Edging", "24", "24", "24"], ["Cutting", "6", "6", "6"], ["Washing", "0", "0", "0"],
    ]  # fmt: skip

    for lang in ("en", "th"):
        set_look(tab, lang, "light")
        for name, top in PICTURES.items():
            tab.wait(top)
            tab.run(SCROLL, top)
            take(tab, folder / f"{name}.{lang}.png")
    jam = "24 แผ่น มากกว่าเช้าเมื่อวาน 8 แผ่น แผ่นที่รอนานที่สุดรอมาแล้ว 2 วันทำงาน"
    assert texts(tab, ".jam p") == [f"เจียรขอบ: {jam}"]
    set_look(tab, "en", "dark")

    open_link(tab, ".jam a", f"station={bad_days.edging}")
    settles(lambda: tab.count(".panes .table-row"), 24)
    follow(tab, "office/today")
    open_link(tab, ".pareto tbody th a", f"station={bad_days.edging}")
    see(tab, ".table-row", "มอเตอร์ไหม้")
    follow(tab, "office/today")
    open_link(tab, ".due-list li a", f"orders/{order['_id']}")
    follow(tab, "office/today")
    see(tab, ".jam", "Edging")
    at(THURSDAY, "08:30")
    assert days.admin.post(f"{bad_days.call}/end", {}).status == 200
    days.pass_on(THURSDAY, bad_days.late.numbers[:3], bad_days.edging)
    see(tab, ".due-list li", "5 at Edging · 3 at Washing")
    assert unexpected(chromium) == []
