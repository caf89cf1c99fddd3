"""The demo workshop in the middle of a working day."""

import json
import shutil
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from billing_scenarios import forget_prices_of_panes
from glassflow.core.process import clock
from glassflow.demo_store import work as demo_work
from glassflow.demo_store.work import (
    CLOSES,
    OPENS,
    SUNDAY,
    DeliveryStory,
    Story,
    working_moment,
)
from glassflow.domain import calendar
from glassflow.domain.agreed_prices import is_live
from glassflow.domain.money import as_decimal
from glassflow.domain.quotes import QuoteStatus
from glassflow.host.data_files import SEEDS
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.claim import Claim
from glassflow.models.delivery import Delivery
from glassflow.models.material_log import MaterialLog
from glassflow.models.notification import Notification
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.models.payment import Payment
from glassflow.models.quote import Quote
from glassflow.models.request import Request
from glassflow.models.station import Station
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import daily_figures, history, pricing, seeding
from glassflow.services.stock import audit, low_stock

BANGKOK = ZoneInfo("Asia/Bangkok")
OPEN = ("pending", "in_progress", "awaiting_scan_out")

moments = st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1))


@given(now=moments, hours=st.floats(0, 300))
def test_a_working_moment_lies_in_the_hours_of_a_working_day(now, hours):
    moment = working_moment(hours, now, BANGKOK)
    local = calendar.in_zone(moment, BANGKOK)
    day = local.replace(hour=0, minute=0, second=0, microsecond=0)
    assert moment <= now
    assert local.weekday() != SUNDAY
    assert timedelta(hours=OPENS) <= local - day <= timedelta(hours=CLOSES)


@given(now=moments, early=st.floats(0, 200), later=st.floats(0, 200))
def test_working_moments_have_the_order_of_their_hours(now, early, later):
    first, second = sorted([early, later], reverse=True)
    assert working_moment(first, now, BANGKOK) <= working_moment(second, now, BANGKOK)


@pytest.mark.parametrize(
    ("hours", "expected"),
    [
        (0, "2026-11-27 14:00"),  # a Friday
        (6, "2026-11-27 08:00"),
        (7, "2026-11-26 16:00"),
        (6 + 4 * 9 + 1, "2026-11-21 16:00"),  # not on Sunday, the 22nd
    ],
)
def test_working_hours_are_counted_back_over_nights_and_sundays(hours, expected):
    now = datetime(2026, 11, 27, 7, tzinfo=UTC).replace(tzinfo=None)
    moment = calendar.in_zone(working_moment(hours, now, BANGKOK), BANGKOK)
    assert f"{moment:%Y-%m-%d %H:%M}" == expected


@pytest.fixture
def short_plan(tmp_path, monkeypatch):
    """Reduce the plan to an order of each story, one of units, and one without either."""
    plan = json.loads((SEEDS / "demo/work.json").read_text("utf-8"))
    orders = {one.get("story", one["kind"]): one for one in plan["orders"]}
    plan["orders"] = [orders[name] for name in (*Story, "skylight", "table")]
    plan["deliveries"] = _deliveries_of(plan)
    for order in plan["orders"][-2:]:
        order["isQuoted"] = True
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "work.json").write_text(json.dumps(plan), "utf-8")
    for name in ("claim.jpg", "signature.png"):
        shutil.copy(SEEDS / "demo" / name, folder)
    monkeypatch.setattr(demo_work, "SEEDS", tmp_path)


def _deliveries_of(plan):
    """One of each story, of the finished order, and one of an order in work."""
    complaint, skylight = (
        next(one for one in plan["orders"] if one.get("story", one["kind"]) == name)
        for name in (Story.COMPLAINT, "skylight")
    )
    rows = {
        DeliveryStory.IN_PART: (complaint, {"planned": 12.0, "receivedBy": "สมชาย"}),
        DeliveryStory.LOADING: (complaint, {"planned": 9.0, "day": 0, "hour": 13}),
        DeliveryStory.PLANNED: (skylight, {"planned": 2.0, "day": 0, "hour": 15}),
    }
    return [
        {"story": story, "customer": order["customer"], **row}
        for story, (order, row) in rows.items()
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("short_plan", "own_history")
def test_every_story_of_the_plan_happens_once(app):
    _work_until_sunday()
    claims = {one.status: len(one.photos) for one in Claim.objects}
    assert claims == {"pending": 1, "approved": 0}
    assert PaneLog.objects(action="qc_fail").count() == 1
    assert PaneLog.objects(action="laminate_complete").count() > 0
    assert Pane.objects(remake_of__ne=None).count() == 2
    measured = [one.measured for one in PaneLog.objects(action="qc_pass")]
    assert {one["tolerance"] for one in measured if one} <= {"±1", "+1/-2"}
    assert any(measured)
    part, loading, planned = Delivery.objects.order_by("planned_for", "id")
    assert (part.status, loading.status) == ("delivered", "planned")
    assert part.hand_overs[0]["signature"]
    assert {row["reason"] for row in part.hand_overs[0]["left"]} == {"refused"}
    assert Pane.objects(delivered_at__ne=None).count() == len(part.panes)
    assert 0 < len(loading.loaded_panes) < len(loading.panes)
    assert planned.panes
    assert not planned.loaded_panes
    quotes = Counter(one.status for one in Quote.objects)
    assert quotes == {**dict.fromkeys(QuoteStatus, 1), "sent": 4, "accepted": 2}
    assert Quote.objects(request__ne=None).count() == quotes["accepted"]
    _records_agree(app)
    assert not demo_work.work()  # once


@pytest.mark.long
@pytest.mark.usefixtures("own_history")
def test_the_workshop_is_in_the_middle_of_a_day(app):
    """One story, since the work takes half a minute."""
    now = _work_until_sunday()
    _some_wait_and_some_are_in_work_at_every_station(list(Pane.objects))
    _orders_are_late_due_and_finished(list(Order.objects), now)
    _something_is_to_be_decided()
    times = [calendar.in_zone(log.created_at, BANGKOK) for log in PaneLog.objects]
    assert 12 <= (max(times).date() - min(times).date()).days <= 16
    assert len({one.date() for one in times}) >= 10  # the chart has a shape
    assert max(times).date() == (calendar.in_zone(now, BANGKOK) - timedelta(1)).date()
    _records_agree(app)


def _work_until_sunday():
    """Do the work of the plan up to a Sunday evening; the last is done on Saturday."""
    seeding.seed_workers()
    seeding.seed_demo()
    sunday = calendar.day_start(clock.now(), BANGKOK)
    sunday -= timedelta(days=(calendar.in_zone(sunday, BANGKOK).weekday() + 1) % 7 or 7)
    now = sunday + timedelta(hours=20)
    with clock.at(now):
        assert demo_work.work()
    return now


def _records_agree(app):
    """Compare prices, figures, times, stock, history and orders with the records."""
    assert all(one.details["estimatedPrice"] > 0 for one in Request.objects)
    counted = sum(daily_figures.stored().values(), Counter())
    passed = PaneLog.objects(action="qc_pass").count()
    assert (
        sum(n for name, n in counted.items() if name.startswith("passed")) == passed > 0
    )
    times = [calendar.in_zone(log.created_at, BANGKOK) for log in PaneLog.objects]
    assert all(OPENS <= one.hour <= CLOSES and one.weekday() != SUNDAY for one in times)
    assert len({log.worker for log in PaneLog.objects}) == 4
    assert audit.differences() == []
    verified = history.verify()
    assert verified.is_whole
    assert verified.rows > Pane.objects.count()
    counted = [order.to_mongo() for order in Order.objects]
    assert app.test_cli_runner().invoke(args=["orders", "recount"]).exit_code == 0
    assert [order.to_mongo() for order in Order.objects] == counted
    _panes_of_earlier_releases_get_their_prices(app)


def _panes_of_earlier_releases_get_their_prices(app):
    """Each entry and each request keeps its amount; the panes add up to it."""

    def amounts():
        entries = {
            one.entry_number: (one.net, one.gross) for one in BillingEntry.objects
        }
        agreed = {
            one.request_number: one.details["estimatedPrice"] for one in Request.objects
        }
        return entries, agreed

    before = amounts()
    forget_prices_of_panes()
    assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
    assert amounts() == before
    prices = defaultdict(Decimal)
    for pane in Pane.objects(agreed_price__ne=None):
        if is_live(pane.stored_form()) or pane.delivered_at:
            prices[pane.request] += as_decimal(pane.agreed_price)
    for request in Request.objects:
        assert as_decimal(request.details["estimatedPrice"]) == prices[request.pk]
        assert request.unshared_price == 0
    for part in [part for one in BillingEntry.objects for part in one.parts]:
        assert as_decimal(part["net"]) == sum(
            as_decimal(line["net"]) for line in part["panes"]
        )


def _some_wait_and_some_are_in_work_at_every_station(panes):
    there = Counter(
        (pane.current_station, pane.current_status)
        for pane in panes
        if pane.current_status in OPEN and pane.laminate_role != "parent"
    )
    assert 95 <= there.total() <= 125
    by_station, by_status = Counter(), Counter()
    for (station, status), number in there.items():
        by_station[station] += number
        by_status[status] += number
    names = {one.pk: one.name for one in Station.objects}
    assert {names[one] for one in by_station} == set(names.values())
    assert max(by_station.values()) < there.total() / 2
    assert all(by_status[status] >= 5 for status in OPEN)
    units = [pane for pane in panes if pane.laminate_role == "sheet"]
    laminating = next(one.pk for one in Station.objects if one.is_laminate_station)
    waiting = {one.parent_pane for one in units if one.current_station == laminating}
    others = {one.parent_pane for one in units if one.current_station != laminating}
    assert waiting & others  # a unit waits for a sheet


def _orders_are_late_due_and_finished(orders, now):
    open_orders = [one for one in orders if one.status != "completed"]
    assert 11 <= len(open_orders) <= 13
    deadlines = {one.pk: one.deadline for one in Request.objects}
    days = Counter(
        (deadlines[one.request] - calendar.day_start(now, BANGKOK)).days
        for one in open_orders
    )
    assert sum(n for day, n in days.items() if day < 0) == 2
    assert days[1] == 2
    assert any(0 < one.panes_delivered < one.pane_count for one in orders)
    deliveries = Counter(one.status for one in Delivery.objects)
    assert deliveries == {"delivered": 8, "planned": 4}
    assert [one for one in Delivery.objects(status="planned") if not one.loaded_panes]
    entries = Counter(one.status for one in BillingEntry.objects)
    assert entries == {"billed": 3, "open": 5}
    assert all(one.net > 0 for one in BillingEntry.objects)
    paid = [one.invoice_number for one in Payment.objects]
    assert paid == ["INV-0001", "INV-0002"]


def _something_is_to_be_decided():
    claims = {one.status: len(one.photos) for one in Claim.objects}
    assert claims == {"pending": 1, "approved": 0}
    assert Withdrawal.objects(status="pending").count() >= 2
    assert Pane.objects(current_status="defected", remake_of=None).count() >= 1
    assert Pane.objects(remake_of__ne=None).count() >= 2
    assert len(low_stock.shortages()) == 1
    unread = Notification.objects(read_status=False).count()
    assert 0 < unread < Notification.objects.count()
    assert MaterialLog.objects(action_type="import").count() > 30
    assert not pricing.settings().is_example
