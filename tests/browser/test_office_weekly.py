"""The weekly figures below the morning page: what an owner reads of the last weeks."""

from datetime import UTC, datetime

import pytest
from mongoengine.connection import get_db

from api.test_today import OFFICE, due
from browser.pages import (
    KEEP_FILES,
    KEPT_FILES,
    follow,
    see,
    texts,
    unexpected,
)
from browser.test_board_page import service_is_ahead
from browser.test_office_today import order_through, pass_on
from glassflow.domain.stays import bucket_of
from glassflow.models.pane import Pane
from glassflow.services import daily_figures, history
from scenarios import order_with_panes
from stock_api import create_lot, withdraw
from tables_api import rows_of
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

DAY_S, HOUR_S = 9 * 3600, 3600
CARDS = ["ageing", "load", "lead", "onTime", "losses", "stock"]
SAID = '[data-card="{}"] .sentence'
ROWS = '[data-card="{}"] tbody tr'


@pytest.fixture
def opened(admin, at):
    """The workshop has worked Monday to Saturday, 8 to 17; it is Monday, 9 o'clock."""
    at(-21, "07:00")
    assert admin.put("/api/working-hours", {"week": OFFICE}).status == 200
    at(0, "09:00")


@pytest.fixture
def read_on_thursday(monkeypatch, app, at, open_office):
    """Opens the page on Thursday morning, as a worker."""

    def open_at(worker, path="today"):
        now = at(3, "07:30")
        history.update()
        service_is_ahead(monkeypatch, app, now.replace(tzinfo=UTC) - datetime.now(UTC))
        return open_office(worker, path)

    return open_at


def count_before(at, cut, drill):
    """Let two weeks have figures in which more came to be cut than could be.

    At the drill panes stay for minutes.
    """
    for days in range(-14, -1):
        date = at(days, "12:00").date()
        if date.weekday() == 6:
            continue
        counts = {
            f"arrived:{cut}": 15, f"left:{cut}": 8, f"added:{cut}": 7,
            f"touch:{cut}:{bucket_of(HOUR_S)}": 8,
            f"stays:{cut}:{bucket_of(4 * DAY_S)}": 8,
            f"arrived:{drill}": 5, f"left:{drill}": 5, f"added:{drill}": 0,
            f"stays:{drill}:{bucket_of(600)}": 5,
        }  # fmt: skip
        figures = get_db()[daily_figures.COLLECTION]
        stored = daily_figures.nested(counts)
        figures.insert_one({"_id": date.isoformat(), **stored})


def said(tab):
    """What each card says, by its name; the calls are the pareto of their own page."""
    names = tab.attributes(".weekly [data-card]", "data-card")
    return dict(zip(names, texts(tab, ".weekly [data-card] .sentence"), strict=True))


def saved(tab, card):
    """Export a card; return its rows."""
    tab.run(KEEP_FILES, None)
    tab.click(f'[data-card="{card}"] .export')
    wait_until(lambda: len(tab.run(KEPT_FILES, None)) == 1)
    return rows_of(bytes(tab.run(KEPT_FILES, None)[0]))


def test_failures_slow_panes_and_missing_scans_are_read_in_words(
    admin, worker, workshop, at, opened, read_on_thursday, chromium
):
    job = order_through(admin, workshop, 12)
    cut, drill, *_ = job.stations
    assert (
        admin.patch(f"/api/stations/{drill}", {"name": "เจาะรู (Drilling)"}).status
        == 200
    )
    count_before(at, cut, drill)
    at(0, "10:00")
    for number in job.numbers[:9]:
        pass_on(worker, number, cut)
    Pane.objects.update(set__agreed_price=100)
    at(1, "10:00")
    for number, reason in zip(job.numbers[9:11], ("scratch", "broken"), strict=True):
        fail = {"reason": reason, "beforeComplete": True}
        assert worker.scan(number, "qc_fail", **fail).status == 200
    Pane.objects(pane_number=job.numbers[9]).update(set__agreed_price=300)
    good = order_with_panes(admin, workshop, steps=1, panes=1)
    at(1, "12:00")
    pass_on(worker, job.numbers[11], cut, drill)  # it overtakes the nine
    at(2, "12:00")
    pass_on(worker, good.numbers[0], good.stations[0])
    due(good.order, at(2, "13:00"))
    due(job.order, at(2, "12:00"))
    glass = workshop.material(name="Clear 6 mm", unit="sheet")
    assert withdraw(admin, create_lot(admin, glass, 40), 5).status == 201
    tab = read_on_thursday(workshop.worker_with("admin"))
    see(tab, SAID.format("stock"), "Clear 6 mm was taken the most in the last 30 days")

    found = said(tab)
    assert list(found) == CARDS
    assert found["ageing"].startswith(
        "Drilling has the most panes that wait for very long: 9 of 9 have been there"
    )
    assert found["ageing"].endswith("95 of 100 panes leave sooner.")
    assert found["load"].startswith("Cutting has more work than it can do: 1")
    assert found["load"].endswith("more panes came than left.")
    assert found["lead"] == (
        "Of the panes of the last 30 days half were finished within 1 working day, "
        "and 85 of 100 within 1 working day."
    )
    assert found["onTime"] == (
        "1 of 2 orders that were due in the last 30 days was on time: 50 %."
    )
    assert found["losses"] == (
        "The first cause is “Scratched at Cutting”: 300.00 baht, "
        "75 % of all that was lost in the last 30 days."
    )
    labels = tab.attributes(".weekly [data-card] [role=img]", "aria-label")
    assert labels == list(found.values())
    see(tab, '[data-card="load"] .lane', "Scans are missing at Drilling")
    rows = texts(tab, ROWS.format("losses"))
    assert rows[0] == "Scratched at Cutting A check 1 1 300.00 75 %"

    loads = {row["Station"]: row for row in saved(tab, "load")}
    assert int(loads["Cutting"]["Load"]) > 100
    assert loads["Drilling"]["Load"] == ""
    tab.run("globalThis.kept = [];", None)
    causes = [(row["Cause"], row["Baht"]) for row in saved(tab, "losses")]
    assert causes == [("Scratched at Cutting", "300"), ("Broken at Cutting", "100")]

    tab.click('.weekly .tabs a:has-text("7 days")')
    see(tab, SAID.format("stock"), "in the last 7 days")
    see(tab, SAID.format("onTime"), "in the last 7 days")
    assert tab.address().endswith("office/today?days=7")
    assert tab.count(".weekly .tabs") == 1
    tab.media("print")
    assert not tab.run(
        "return document.querySelector('.weekly').checkVisibility();", None
    )
    tab.media("screen")
    for row, place in (("th a", "office/panes"), ("td a", "office/panes/PNE-")):
        see(tab, ROWS.format("ageing"), "Drilling")
        href = tab.attribute(f"{ROWS.format('ageing')} {row}", "href")
        assert href.startswith(f"/floor/{place}")
        follow(tab, href.removeprefix("/floor/"))
        tab.wait(".panes .table-row" if row == "th a" else ".passport")
        follow(tab, "office/today?days=7")
    assert unexpected(chromium) == []


def test_workshop_in_which_nothing_happened_reads_whole_sentences(
    open_office, workshop, own_history, chromium
):
    tab = open_office(workshop.worker_with("admin"), "today?days=90")
    see(tab, SAID.format("stock"), "No material was taken, written off or lost")
    assert said(tab) == {
        "ageing": "No pane waits at a station.",
        "load": "No pane came to a station or left one in the last 90 days.",
        "lead": "No pane was finished in the last 90 days.",
        "onTime": "No order was due in the last 90 days.",
        "losses": "No pane was lost in the last 90 days.",
        "stock": "No material was taken, written off or lost in the last 90 days.",
    }
    see(tab, ".pareto .sentence", "Nobody has called for help in the last 90 days.")
    assert tab.count(".weekly [role=img], .weekly-table") == 0
    assert unexpected(chromium) == []


def test_worker_reads_only_what_they_hold_the_keys_of(
    chromium, server, workshop, open_office
):
    asked = {}
    for keys, cards in (
        (("requests:view",), ["onTime"]),
        (("panes:view",), ["losses"]),
        ((), []),
    ):
        role = workshop.role(permissions=["orders:view", *keys])
        tab = open_office(workshop.worker(role=role), "today")
        see(tab, "h1", "Today")
        if cards:
            tab.wait(SAID.format(cards[0]))
        assert tab.attributes(".weekly [data-card]", "data-card") == cards
        assert tab.count(".weekly") == bool(keys)
        asked[keys] = [one for _, one in chromium.call("requests") if "?days=" in one]
    assert [one.split("/dashboard/")[1] for one in asked[("requests:view",)]] == [
        "on-time?days=30"
    ]
    assert asked[()] == []
    assert unexpected(chromium) == []


@pytest.mark.parametrize("width", [390, 768, 1280, 3840])
def test_charts_are_as_wide_as_the_screen_has_room(
    admin, workshop, width, open_office, own_history
):
    order_through(admin, workshop, 3)
    tab = open_office(workshop.worker_with("admin"), "today")
    tab.size(width, 844)
    tab.wait('[data-card="ageing"] .lane')
    assert tab.overflow() == 0
