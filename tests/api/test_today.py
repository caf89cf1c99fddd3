"""The morning page: what a person who was not there reads of three bad days."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from billing_scenarios import PRICES, bill, deliver, entry_of, finished
from glassflow.core.process import clock
from glassflow.core.process.json import iso
from glassflow.domain import calendar
from glassflow.domain.working_time import WEEKDAYS
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import history
from lookups import remakes_of
from scenarios import order_with_panes, pass_station

PATH = "/api/dashboard/today"
ZONE = ZoneInfo("Asia/Bangkok")
OFFICE = {
    **{day: [{"start": "08:00", "end": "17:00"}] for day in WEEKDAYS[:6]},
    "sunday": [],
}
HOUR_S = 3600


@pytest.fixture
def opened(admin, at):
    """The workshop works Monday to Saturday, 8 to 17; it is Monday, 9 o'clock."""
    at(0, "07:00")
    assert admin.put("/api/working-hours", {"week": OFFICE}).status == 200
    at(0, "09:00")


def today(api):
    """Read the page once all that has happened is counted, half a second later."""
    history.update()
    return api.get(PATH).data


def due(order, moment):
    request = Request.objects.get(pk=order["request"])
    Request.objects(pk=request.pk).update(set__deadline=moment)


def finish(worker, job, numbers=None):
    for number in numbers or job.numbers:
        for station in job.stations:
            assert pass_station(worker, number, station).status == 200


def test_yesterday_is_the_last_working_day_and_has_what_was_finished(
    admin, worker, workshop, at, opened
):
    size = {"dimensions": {"width": 1000, "height": 2000, "thickness": 5}}
    job = order_with_panes(admin, workshop, steps=1, panes=3, pane=size)
    at(5, "10:00")  # a Saturday
    finish(worker, job, job.numbers[:2])
    Pane.objects.update(set__agreed_price=1250.5)
    monday = at(7, "07:30")
    found = today(admin)
    saturday = calendar.local_date(monday - timedelta(days=2), ZONE)
    assert found["day"] == saturday
    assert found["finished"] == {
        "panes": 2, "area": 4.0, "value": "2501.00", "usual": None, "target": None,
    }  # fmt: skip


def test_usual_number_is_the_median_of_the_same_weekdays(
    admin, worker, workshop, at, opened
):
    job = order_with_panes(admin, workshop, steps=1, panes=21)
    numbers = iter(job.numbers)
    for week, panes in enumerate([1, 5, 2, 6, 4]):
        at(7 * week + 1, "10:00")
        finish(worker, job, [next(numbers) for _ in range(panes)])
    at(7 * 5 + 1, "10:00")
    finish(worker, job, [next(numbers) for _ in range(3)])
    at(7 * 5 + 2, "08:00")
    found = today(admin)["finished"]
    assert (found["panes"], found["usual"]) == (3, 4)


def test_target_of_finished_panes_is_that_of_the_workshop_as_it_is_now(admin):
    for target in (40, 35, None):
        assert admin.put("/api/workshop", {"dailyTarget": target}).status == 200
        assert today(admin)["finished"]["target"] == target


def test_late_orders_and_those_due_within_two_working_days_say_where_they_stand(
    admin, worker, workshop, at, opened
):
    late, soon, later = (
        order_with_panes(admin, workshop, steps=2, panes=3) for _ in range(3)
    )
    cut, wash = late.stations
    pass_station(worker, late.numbers[0], cut)
    finish(worker, soon, soon.numbers[:1])
    now = at(4, "09:00")  # a Friday: Saturday and Monday are the next two working days
    due(late.order, now - timedelta(minutes=1))
    due(soon.order, at(7, "23:59"))
    due(later.order, at(8, "00:00"))
    at(4, "09:00")
    found = today(admin)
    assert found["late"]["count"] == found["soon"]["count"] == 1
    (row,) = found["late"]["orders"]
    assert row["orderNumber"] == late.order["orderNumber"]
    assert [(one["station"], one["panes"]) for one in row["stations"]] == [
        (cut, 2), (wash, 1),
    ]  # fmt: skip
    (row,) = found["soon"]["orders"]
    assert (row["paneCount"], row["panesCompleted"]) == (3, 1)
    assert sum(one["panes"] for one in row["stations"]) == 2


def test_panes_that_were_made_again_have_their_first_cause(
    admin, worker, workshop, at, opened
):
    job = order_with_panes(admin, workshop, steps=1, panes=3)
    Pane.objects.update(set__agreed_price=100)
    at(1, "10:00")
    for number, reason in zip(
        job.numbers, ("scratch", "broken", "scratch"), strict=True
    ):
        fail = {"reason": reason, "beforeComplete": True}
        assert worker.scan(number, "qc_fail", **fail).status == 200
    assert len(remakes_of(admin, job.numbers[0])) == 1
    at(1, "10:00:20")
    assert worker.post(f"/api/panes/{job.numbers[1]}/undo").status == 200
    Pane.objects(remake_of__ne=None).update(set__agreed_price=0)  # as if charged before
    at(2, "08:00")
    found = today(admin)["remakes"]
    assert (found["panes"], found["value"]) == (2, "200.00")
    assert (found["first"]["reason"], found["first"]["panes"]) == ("scratch", 2)
    assert found["first"]["station"] == job.stations[0]


def test_a_station_jams_where_panes_are_added_and_the_oldest_waits_too_long(
    admin, worker, workshop, at, opened
):
    job = order_with_panes(admin, workshop, steps=2, panes=6)
    cut, wash = job.stations
    for number in job.numbers[:4]:
        pass_station(worker, number, cut)
    at(1, "10:00")
    assert today(admin)["jam"] is None  # it is the first working day
    at(3, "08:00")  # with few stays, two working days are too long
    assert today(admin)["jam"] is None  # nothing has been added since yesterday
    at(3, "09:00")
    pass_station(worker, job.numbers[4], cut)
    found = today(admin)["jam"]
    assert (found["station"], found["panes"], found["more"]) == (wash, 5, 1)
    assert found["oldestSeconds"] == 27 * HOUR_S  # not 72


def test_of_stations_that_jam_the_one_is_named_to_which_most_panes_were_added(
    admin, worker, workshop, at, opened
):
    job = order_with_panes(admin, workshop, steps=3, panes=8)
    cut, edge, wash = job.stations
    for number in job.numbers[:4]:
        pass_station(worker, number, cut)
    pass_station(worker, job.numbers[0], edge)
    at(3, "09:00")
    for number in job.numbers[4:]:
        pass_station(worker, number, cut)
    pass_station(worker, job.numbers[1], edge)
    found = today(admin)["jam"]
    assert (found["station"], found["panes"], found["more"]) == (edge, 6, 3)
    for number in job.numbers[2:6]:
        pass_station(worker, number, edge)
    found = today(admin)["jam"]
    assert (found["station"], found["panes"], found["more"]) == (wash, 6, 5)


def test_orders_are_on_time_if_they_were_complete_by_their_deadlines(
    admin, worker, workshop, at, opened
):
    jobs = [order_with_panes(admin, workshop, steps=1, panes=2) for _ in range(5)]
    good, late, half, cancelled, old = jobs
    done = at(1, "10:00")
    finish(worker, good)
    finish(worker, late)
    finish(worker, half, half.numbers[:1])
    finish(worker, old)
    due(good.order, done)
    due(late.order, done - timedelta(minutes=1))
    due(half.order, done)
    due(cancelled.order, done)
    due(old.order, done - timedelta(days=29))
    path = f"/api/orders/{cancelled.order['_id']}"
    assert admin.patch(path, {"status": "cancelled"}).status == 200
    at(3, "08:00")
    found = today(admin)["onTime"]
    assert found == {
        "days": 30, "orders": 3, "onTime": 1, "before": {"orders": 1, "onTime": 0},
    }  # fmt: skip


def test_money_waits_in_what_is_not_delivered_not_billed_and_not_paid(
    admin, workshop, at, opened
):
    admin.put("/api/pricing-settings", PRICES)
    first = finished(admin, workshop, agreed=3000)
    part = order_with_panes(admin, workshop, steps=1, panes=2)
    Pane.objects(order=part.order["_id"]).update(set__agreed_price=500)
    pass_station(admin, part.numbers[0], part.stations[0])
    assert today(admin)["undelivered"] is None  # in a workshop without deliveries
    delivery = deliver(admin, first, 0, 1)
    found = today(admin)
    assert found["undelivered"] == {"orders": 2, "panes": 2, "value": "1500.00"}
    assert (found["unbilled"]["count"], found["unbilled"]["net"]) == (1, "2000.00")
    assert found["unpaid"] == {"invoices": 0, "amount": "0.00"}
    assert bill(admin, entry_of(admin, delivery)).status == 200
    paid = {"customer": first.customer, "amount": 140, "invoiceNumber": "INV-1"}
    assert admin.post("/api/payments", {**paid, "way": "cash"}).status == 201
    found = today(admin)
    assert found["unbilled"]["count"] == 0
    assert found["unpaid"] == {"invoices": 1, "amount": "2000.00"}
    (row,) = found["deliveries"]
    assert (row["deliveryNumber"], row["status"]) == (
        delivery["deliveryNumber"], "delivered",
    )  # fmt: skip


def test_each_part_needs_the_keys_of_the_lists_that_it_counts(client_with_keys):
    found = today(client_with_keys("orders:view"))
    hidden = {name for name, value in found.items() if value is None}
    assert hidden == {
        "finished", "late", "soon", "remakes", "jam", "onTime", "undelivered", "unbilled",
        "unpaid", "expiring", "lowStock",
    }  # fmt: skip
    assert client_with_keys("panes:view").get(PATH).status == 403
    seen = today(client_with_keys("orders:view", "panes:view"))
    assert seen["finished"]["value"] is None


def test_late_orders_name_their_customers_for_those_who_may_know_them(
    admin, workshop, client_with_keys, at, opened
):
    job = order_with_panes(admin, workshop, steps=1, panes=1)
    due(job.order, clock.now() - timedelta(days=1))
    named = client_with_keys("orders:view", "requests:view", "customers:names")
    (row,) = today(named)["late"]["orders"]
    assert row["customerShortName"]
    assert row["deadline"] == iso(clock.now() - timedelta(days=1))
    (row,) = today(client_with_keys("orders:view", "requests:view"))["late"]["orders"]
    assert row["customerShortName"] is None
