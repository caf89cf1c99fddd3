"""The wall board in a real browser, compared with the store."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from bson import ObjectId
from mongoengine.connection import get_db
from werkzeug.exceptions import ServiceUnavailable

from browser.pages import (
    ENGLISH,
    LIVE,
    STALE,
    change_unheard,
    follow,
    log_in,
    open_page,
    see,
    texts,
    unexpected,
)
from glassflow.core.events import event_log
from glassflow.core.process import clock
from glassflow.core.process.json import iso
from glassflow.domain import calendar
from glassflow.domain.working_time import WEEKDAYS
from glassflow.models.pane import Pane
from scenarios import order_with_panes, pass_station
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

OPEN = ["pending", "in_progress", "awaiting_scan_out"]
RACK = ".rack"
PATH = "/floor/board?lang=en&theme=dark"


@pytest.fixture
def account(workshop):
    return workshop.worker_with("admin")


@pytest.fixture
def job(admin, workshop):
    """An order whose panes are at the first of three stations."""
    made = order_with_panes(admin, workshop, steps=3, panes=20)
    for position, station in enumerate(made.stations):
        admin.patch(f"/api/stations/{station}", {"position": position})
    return made


def figures(tab):
    """The figures of each lane as the board has them: panes, waiting, working, ready."""
    labels = tab.attributes(RACK, "aria-label")
    return [
        [int(n) for n in re.findall(r"\d+", one.partition(": ")[2])] for one in labels
    ]


def stored(job, late=False):
    """The same, counted in the store."""
    lanes = []
    for station in job.stations:
        at = Pane.objects(current_station=station)
        counts = [at.filter(current_status=status).count() for status in OPEN]
        lanes.append([sum(counts), *counts, sum(counts) if late else 0])
    return lanes


def wait_for_store(tab, job, late=False):
    wait_until(
        lambda: figures(tab) == stored(job, late),
        describe=lambda: (figures(tab), stored(job, late)),
    )


def out_today(tab):
    return [int(one) for one in tab.texts(".lane dl div:first-child dd")]


def header(tab):
    """The figures of the header: late, open and finished panes."""
    return tab.texts("header dd")


def test_board_follows_the_store_through_everything(
    chromium, network, app, account, admin, job
):
    tab = chromium.profile(**ENGLISH).tab(f"{network.url}{PATH}")
    log_in(tab, account)
    tab.wait(LIVE)
    wait_for_store(tab, job)
    assert figures(tab)[0][0] == 20

    first, second, third = job.stations
    pass_station(admin, job.numbers[0], first)
    wait_for_store(tab, job)
    wait_until(lambda: out_today(tab) == [1, 0, 0])
    wait_until(lambda: job.numbers[0] in tab.text(".latest"))
    for station in (second, third):
        pass_station(admin, job.numbers[0], station)
    wait_until(lambda: header(tab) == ["0", "19", "1"])
    assert admin.post(f"/api/panes/{job.numbers[0]}/undo").status == 200
    wait_until(lambda: header(tab) == ["0", "20", "0"])
    assert admin.scan(job.numbers[0], "scan_out", station=third).status == 200
    wait_until(lambda: header(tab) == ["0", "19", "1"])

    # scans while the network is away
    network.cut()
    tab.wait(STALE)
    before = figures(tab)
    for number in job.numbers[1:8]:
        pass_station(admin, number, first)
    assert figures(tab) == before
    network.restore()
    tab.wait(LIVE)
    wait_for_store(tab, job)
    wait_until(lambda: out_today(tab) == [8, 1, 1])

    # longer than the log keeps events
    network.cut()
    tab.wait(STALE)
    for number in job.numbers[1:6]:
        pass_station(admin, number, second)
    app.extensions["realtime"].flush()
    get_db()[event_log.COLLECTION].delete_many({"seq": {"$lt": event_log.last()}})
    app.extensions["realtime"]._event_cache.clear()
    network.restore()
    tab.wait(LIVE)
    wait_for_store(tab, job)

    # a reload shows the kept board, and catches up
    pass_station(admin, job.numbers[9], first)
    tab.reload()
    tab.wait(LIVE)
    wait_for_store(tab, job)
    assert unexpected(chromium) == []


def service_is_ahead(monkeypatch, app, by):
    """Let the clock of the browser's computer be slow by so much, as a page sees it."""

    def date(response):
        response.date = datetime.now(UTC) + by
        return response

    hooks = [*app.after_request_funcs.get(None, ()), date]
    monkeypatch.setitem(app.after_request_funcs, None, hooks)


def test_board_shows_late_orders_maintenance_and_the_views_of_its_address(
    chromium, server, app, account, admin, job, monkeypatch
):
    service_is_ahead(monkeypatch, app, timedelta(days=2))
    past = {
        "deadline": iso(clock.now() + timedelta(days=1)),
        "deadlineChangeReason": "x",
    }
    assert admin.patch(f"/api/requests/{job.request['_id']}", past).status == 200
    station = f"/api/stations/{job.stations[1]}"
    views = "&rotate=overview:600,late:600,spotlight:600"
    tab = chromium.profile(**ENGLISH).tab(f"{server}{PATH}{views}")
    log_in(tab, account)
    tab.wait(LIVE)
    wait_for_store(tab, job, late=True)
    see(tab, ".late", job.order["orderNumber"])
    assert admin.patch(station, {"status": "maintenance"}).status == 200
    tab.wait(".band")
    tab.press("ArrowRight")
    tab.wait(".late.whole")
    assert job.order["orderNumber"] in tab.text(".whole")
    tab.press("ArrowRight")
    tab.wait(".spotlight")
    assert tab.text(".spotlight ol").count("PNE-") == 5
    tab.press(" ")
    tab.wait(".controls[data-held]")
    tab.press("d")
    wait_until(lambda: tab.attribute("html", "data-theme") == "light")
    tab.press("?")
    tab.wait(".board dialog[open]")
    assert "Another view" in tab.text(".board dialog")
    tab.press("ArrowLeft")  # nothing behind the list hears it
    tab.press("Escape")
    wait_until(lambda: tab.count(".board dialog") == 0)
    tab.press("ArrowLeft")
    tab.press("ArrowLeft")
    tab.wait(".lanes")
    tab.goto(f"{server}{PATH}&stations={job.stations[2]}")
    tab.wait(RACK)
    assert len(figures(tab)) == 1
    assert unexpected(chromium) == []


def test_pane_of_saturday_is_one_working_hour_old_on_monday_on_every_page(
    chromium, server, app, account, admin, job, monkeypatch
):
    shifts = [{"start": "08:00", "end": "12:00"}, {"start": "13:00", "end": "17:00"}]
    always = [{"start": "00:00", "end": "00:00"}]
    saw, oven, _ = job.stations
    hours = {
        "week": dict.fromkeys(WEEKDAYS[:6], shifts),
        "stations": [{"station": oven, "week": dict.fromkeys(WEEKDAYS, always)}],
    }
    assert admin.put("/api/working-hours", hours).status == 200
    zone = ZoneInfo("Asia/Bangkok")
    today = calendar.in_zone(clock.now(), zone).date()
    begin = datetime.combine(today, datetime.min.time(), zone)
    monday = begin + timedelta(days=14 - today.weekday())  # the hours are in force then
    arrived = calendar.to_utc(monday - timedelta(hours=32))
    for pane, station in zip(job.panes, [saw] + [oven] * 19, strict=True):
        place = ObjectId(station)
        change_unheard("Pane", pane, currentStation=place, arrivedAt=arrived)
    ahead = calendar.to_utc(monday + timedelta(hours=8, minutes=10)) - clock.now()
    service_is_ahead(monkeypatch, app, ahead)

    tab = open_page(chromium.profile(**ENGLISH), f"{server}{PATH}", account)
    tab.size(1920, 1080)  # the list has room for the column
    oldest = "[data-oldest] dd"
    wait_until(lambda: tab.texts(oldest) == ["1 hr", "1 day", "–"])
    assert tab.count("[data-over]") == 1  # the oven, which works day and night
    age = ".queue .row-end"
    follow(tab, f"s/{saw}")
    wait_until(lambda: texts(tab, age) == ["1 hour"])
    follow(tab, f"s/{oven}")
    wait_until(lambda: texts(tab, age) == ["1 working day"] * 19)
    follow(tab, "office/panes?sort=paneNumber")
    row = ".panes .table-row time"
    wait_until(
        lambda: tab.texts(row)[:2] == ["1 hr", "1 day"],
        describe=lambda: (tab.texts(row), tab.text("body")),
    )
    assert "16:00" in tab.attribute(row, "title")
    assert unexpected(chromium) == []


def test_board_shows_no_figure_before_it_is_known(
    chromium, server, app, account, job, monkeypatch
):
    def busy(**_):
        raise ServiceUnavailable

    with monkeypatch.context() as starting:
        starting.setitem(app.view_functions, "board.show", busy)
        tab = open_page(chromium.profile(**ENGLISH), f"{server}{PATH}", account)
        see(tab, ".message", "Trying again in")
        assert header(tab) == ["–", "–", "–"]
    wait_for_store(tab, job)
    assert header(tab) == ["0", "20", "0"]
