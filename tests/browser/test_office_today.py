"""The morning page of the office: what an owner reads of days in which they were not there."""

from datetime import UTC, datetime, timedelta

import pypdfium2
import pytest
from mongoengine.connection import get_db

from api.test_today import OFFICE, due, finish
from browser.pages import (
    change_unheard,
    follow,
    see,
    set_look,
    settles,
    texts,
    unexpected,
)
from browser.test_board_page import service_is_ahead
from browser.test_office_on_paper import text_of
from glassflow.core.process import clock
from glassflow.core.process.json import iso
from glassflow.domain.daily_figures import FINISHED
from glassflow.models.pane import Pane
from glassflow.services import daily_figures, history
from scenarios import order_with_panes, pass_station
from stock_api import create_lot

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

NAMES = "ตัดกระจก (Cutting)", "ล้างกระจก (Washing)", "เจียรขอบ (Edging)", "อบ (Tempering)"
LONG = "บริษัท หาดใหญ่กลาสเซ็นเตอร์แอนด์อลูมิเนียมก่อสร้าง จำกัด (มหาชน) สาขาภาคใต้"
SIZE = {"dimensions": {"width": 1000, "height": 2000, "thickness": 5}}


@pytest.fixture
def wake(monkeypatch, app, at, workshop, open_office):
    """Opens the page in a morning: `wake(3, "07:30")` is on Thursday, and waits for a text."""

    def open_at(days, time, shown):
        now = at(days, time)
        history.update()
        service_is_ahead(monkeypatch, app, now.replace(tzinfo=UTC) - datetime.now(UTC))
        tab = open_office(workshop.worker_with("admin"), "today")
        see(tab, "main", shown)
        return tab

    return open_at


@pytest.fixture
def opened(admin, at):
    """The workshop works Monday to Saturday, 8 to 17; it is Monday, 9 o'clock."""
    at(0, "07:00")
    assert admin.put("/api/working-hours", {"week": OFFICE}).status == 200
    at(0, "09:00")


def order_through(admin, workshop, panes, **order):
    """Make an order whose panes go through stations that have names."""
    job = order_with_panes(admin, workshop, steps=4, panes=panes, pane=SIZE, **order)
    for station, name in zip(job.stations, NAMES, strict=True):
        assert admin.patch(f"/api/stations/{station}", {"name": name}).status == 200
    return job


def pass_on(worker, number, *stations):
    for station in stations:
        assert pass_station(worker, number, station).status == 200


def test_morning_is_read_in_words_that_open_lists_and_follow_the_scans(
    admin, worker, workshop, at, opened, wake, chromium
):
    job = order_through(admin, workshop, 12)
    cut, wash, edge, temper = job.stations
    good = order_with_panes(admin, workshop, steps=1, panes=1)
    finish(worker, good)
    at(0, "10:00")
    for number in job.numbers[:5]:
        pass_on(worker, number, cut)
    pass_on(worker, job.numbers[0], wash, edge, temper)
    Pane.objects.update(set__agreed_price=100)
    at(2, "10:00")  # Wednesday: three are not good, and more come to be washed
    for number, reason in zip(
        job.numbers[9:], ("scratch", "broken", "scratch"), strict=True
    ):
        fail = {"reason": reason, "beforeComplete": True}
        assert worker.scan(number, "qc_fail", **fail).status == 200
    for number in job.numbers[5:8]:
        pass_on(worker, number, cut)
    pass_on(worker, job.numbers[1], wash, edge, temper)
    wednesday = at(2, "12:00")
    due(job.order, wednesday)
    for week in range(1, 6):
        day = (wednesday - timedelta(weeks=week)).date().isoformat()
        get_db()[daily_figures.COLLECTION].insert_one({"_id": day, FINISHED: {"9": 4}})
    was_due = at(-33, "12:00")
    due(good.order, was_due)
    change_unheard("Order", good.order, completedAt=was_due)
    admin.put("/api/workshop", {"dailyTarget": 2})
    tab = wake(3, "07:30", "Late now 1")

    [order] = texts(tab, ".due-list li")
    assert order.startswith(job.order["orderNumber"])
    assert order.endswith(
        "19 hours late 2 of 12 done 4 at Cutting · 6 at Washing · 2 finished, not delivered"
    )
    finished = "Finished yesterday 1 pane usual on a Wednesday 4 {}2 m² · 100.00 baht"
    assert texts(tab, ".finished") == [finished.format("target 2: 1 fewer ")]
    assert texts(tab, ".outcome .card") == [
        "Made again yesterday 3 panes 300.00 baht Most of all: Scratched at Cutting, 2 panes",
        "Where it jams Washing: 6 panes, 2 more than yesterday morning. "
        "The oldest has waited for 2 working days.",
        "On time 0 % worse 100 % in the 30 days before 0 of 1 orders of the last 30 days",
    ]
    for link, rows in ((".finished a", 1), (".outcome .big", 3), (".jam a", 6)):
        href = tab.attribute(link, "href")
        follow(tab, href.removeprefix("/floor/"))
        settles(lambda: tab.count(".panes .table-row"), rows)
        follow(tab, "office/today")
    pass_on(worker, job.numbers[2], wash)
    see(tab, ".due-list li", "4 at Cutting · 5 at Washing · 1 at Edging")
    for target, said in ((1, "target 1: reached "), (None, "")):
        admin.put("/api/workshop", {"dailyTarget": target})
        pass_on(worker, job.numbers[3 if target else 4], wash)
        settles(lambda: texts(tab, ".finished"), [finished.format(said)])
    assert unexpected(chromium) == []


def test_workshop_without_orders_reads_what_will_stand_there(
    open_office, chromium, workshop
):
    tab = open_office(workshop.worker_with("admin"), "today")
    see(tab, ".empty", "Nothing to report yet")
    assert tab.count(".today") == 0
    assert unexpected(chromium) == []


def test_worker_who_sees_orders_only_reads_of_no_panes_and_no_money(
    open_office, admin, workshop, chromium
):
    job = order_with_panes(admin, workshop)
    due(job.order, clock.now() - timedelta(days=3))
    role = workshop.role(permissions=["orders:view", "requests:view"])
    tab = open_office(workshop.worker(role=role), "today")
    see(tab, ".due-list li", "3 days late")
    assert tab.count(".finished, .money, .jam, .low") == 0
    assert texts(tab, ".fine") == ["No order is due within two working days"]
    assert unexpected(chromium) == []


def test_ten_late_orders_and_ten_that_are_due_soon_are_printed_on_one_sheet(
    admin, workshop, at, opened, wake, tmp_path, chromium
):
    customer = str(workshop.customer(name=LONG).pk)
    job = order_through(admin, workshop, 5, customer=customer)
    jobs = [job] + [
        order_with_panes(
            admin, workshop, steps=1, panes=5, customer=customer,
            pane={"routing": job.stations},
        )
        for _ in range(20)
    ]  # fmt: skip
    places = dict.fromkeys(job.stations, 1)
    for one in jobs:
        change_unheard("Order", one.order, stationBreakdown=places, panesCompleted=1)
    for name in ("Float 4", "Float 6", "Float 8"):
        create_lot(admin, workshop.material(name=name, reorder_point=9), 2)
    now = at(3, "07:30")
    for position, one in enumerate(jobs):
        due(one.order, now + timedelta(hours=10 if position % 2 else -10))
    delivery = {"customer": customer, "plannedFor": iso(now)}
    for one in jobs[:4]:
        panes = [pane["_id"] for pane in one.panes]
        assert admin.post("/api/deliveries", {**delivery, "panes": panes}).status == 201
    admin.put("/api/workshop", {"dailyTarget": 40})
    tab = wake(3, "07:30", "All 11 late orders")
    tab.run("globalThis.print = () => (globalThis.printed = true);", None)
    tab.click('.head button:has-text("Print")')
    assert tab.run("return globalThis.printed", None)
    for lang, target in (("en", "target40:40fewer"), ("th", "40แผ่น")):
        set_look(tab, lang, "dark")
        path = str(tmp_path / f"{lang}.pdf")
        tab.pdf(path)
        [sheet] = pypdfium2.PdfDocument(path)
        printed = text_of(sheet)
        assert "glassflow" in printed
        assert all(one.order["orderNumber"] in printed for one in jobs[:20])
        assert "Float8" in printed
        assert target in printed
    assert unexpected(chromium) == []
