"""Forecasts: when the panes of a quote or a request are finished, and how many held."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from bson import ObjectId
from mongoengine.connection import get_db

from glassflow.domain import calendar
from glassflow.domain.forecast import LEAST_VISITS
from glassflow.domain.working_time import WEEKDAYS
from glassflow.models.order import Order
from glassflow.models.pane_log import PaneLog
from glassflow.services.forecasts import kept, past
from past_visits import fill
from scenarios import order_with_panes, order_with_units, pass_station

ZONE = ZoneInfo("Asia/Bangkok")
HOUR_S = 3600
OFFICE = {
    **{day: [{"start": "08:00", "end": "16:00"}] for day in WEEKDAYS[:5]},
    "saturday": [],
    "sunday": [],
}
# A station that takes half an hour for each pane: 16 of them are a day's work.
PANES_OF_DAY = 16


@pytest.fixture
def opened(admin, at):
    """The workshop works Monday to Friday, 8 to 16; it is Wednesday at 8."""
    at(0, "07:00")
    assert admin.put("/api/working-hours", {"week": OFFICE}).status == 200
    return at(2, "08:00")


@pytest.fixture
def known(admin, workshop, opened):
    """Two stations that took half an hour for each pane in the last weeks."""

    def known(count=2):
        stations = [str(one.pk) for one in workshop.stations(count)]
        fill(stations, days=20, panes=12, seconds=HOUR_S // 2)
        return stations

    return known


def with_panes(admin, workshop, stations, panes, **values):
    """Make a request of panes with this route."""
    return made(
        admin,
        "requests",
        customer=str(workshop.customer().pk),
        details={"type": "window", "quantity": panes},
        panes=[{"routing": stations}] * panes,
        **values,
    )


def made(admin, kind, **body):
    answer = admin.post(f"/api/{kind}", body)
    assert answer.status == 201, answer
    return answer.data


def order_of(admin, workshop, request, **values):
    return made(
        admin,
        "orders",
        customer=request["customer"],
        request=request["_id"],
        material=str(workshop.material().pk),
        quantity=request["details"]["quantity"],
        **values,
    )


def forecast(api, record, kind="requests", **what_if):
    body = {"whatIf": what_if} if what_if else {}
    answer = api.post(f"/api/{kind}/{record['_id']}/forecast", body)
    assert answer.status == 200, answer
    return answer.data


def days(found):
    """Return the dates of a forecast as days of the workshop."""
    return {name: local_day(moment) for name, moment in found["dates"].items()}


def local_day(moment):
    at = datetime.fromisoformat(moment).replace(tzinfo=None)
    return date.fromisoformat(calendar.local_date(at, ZONE))


def test_the_panes_before_it_decide_when_a_request_is_finished(
    admin, workshop, opened, known
):
    stations, today = known(), local_day(opened.isoformat())
    request = with_panes(admin, workshop, stations, 4)
    alone = forecast(admin, request)
    assert set(days(alone).values()) == {today}
    # the work of the day ends at 16 o'clock
    assert alone["dates"]["p85"] == f"{today}T09:00:00.000Z"
    assert (alone["panes"], alone["reason"], alone["isRough"]) == (4, None, False)
    assert [one["panes"] for one in alone["load"]] == [0, 0]
    # two days' work of others comes before it
    other = with_panes(admin, workshop, stations, 2 * PANES_OF_DAY)
    order_of(admin, workshop, other)
    busy = forecast(admin, request)
    assert [one["panes"] for one in busy["load"]] == [2 * PANES_OF_DAY] * 2
    assert busy["load"][0]["seconds"] == pytest.approx(2 * 8 * HOUR_S, rel=0.1)
    assert days(busy)["p85"] == today + timedelta(days=2)
    # the weekend counts nothing: four days' work ends on Monday
    more = with_panes(admin, workshop, stations, 2 * PANES_OF_DAY)
    order_of(admin, workshop, more)
    assert days(forecast(admin, request))["p85"] == today + timedelta(days=6)
    # what is cancelled is not before it any more
    admin.patch(
        f"/api/requests/{more['_id']}", {"status": "cancelled", "cancelReason": "no"}
    )
    assert days(forecast(admin, request)) == days(busy)


def test_a_quote_is_forecast_from_its_rows_and_its_date_becomes_that_of_the_request(
    admin, workshop, opened, known, client_with_keys
):
    stations = known()
    admin.put("/api/pricing-settings", {"glassPrices": {}})
    row = {
        "routing": stations,
        "quantity": PANES_OF_DAY,
        "unitPrice": 100,
        "dimensions": {"width": 500, "height": 500},
        "rawGlass": {"glassType": "Clear", "thickness": 6},
    }
    customer = str(workshop.customer().pk)
    quote = made(admin, "quotes", customer=customer, panes=[row])
    found = forecast(admin, quote, kind="quotes")
    assert found["panes"] == PANES_OF_DAY
    assert days(found)["p85"] == local_day(opened.isoformat()) + timedelta(days=1)
    promised = {"expectedDeliveryDate": found["dates"]["p85"]}
    path = f"/api/quotes/{quote['_id']}"
    assert admin.patch(path, promised).status == 200
    assert admin.post(f"{path}/send").status == 200
    accepted = admin.post(f"{path}/accept", {}).data
    request = admin.get(f"/api/requests/{accepted['request']}").data
    assert request["expectedDeliveryDate"] == promised["expectedDeliveryDate"]
    # now the same panes are planned
    assert days(forecast(admin, request)) == days(found)
    # and those of its quotes are these, which are not counted once more
    confirmation = made(admin, "quotes/confirmations", request=request["_id"])
    for one in (quote, confirmation):
        of_quote = forecast(admin, one, kind="quotes")
        assert (of_quote["panes"], days(of_quote)) == (PANES_OF_DAY, days(found))
        last = get_db()[kept.COLLECTION].find_one(sort=[("_id", -1)])
        assert (last["kind"], str(last["record"])) == ("Request", request["_id"])
    first = forecast(admin, quote, kind="quotes", first=True)["whatIf"]
    assert first["late"] == []
    # which is no detour around the key of requests
    seller = client_with_keys("pricing:view", "orders:view")
    assert seller.post(f"{path}/forecast", {}).status == 403


def test_a_date_that_a_quote_said_is_left_out_when_it_is_over(
    admin, workshop, opened, at
):
    customer = str(workshop.customer().pk)
    quote = made(
        admin,
        "quotes",
        customer=customer,
        panes=[{"unitPrice": 5, "rawGlass": {"glassType": "Clear"}}],
        expectedDeliveryDate=opened.isoformat(),
    )
    path = f"/api/quotes/{quote['_id']}"
    admin.post(f"{path}/send")
    at(3, "08:00")
    accepted = admin.post(f"{path}/accept", {}).data
    request = admin.get(f"/api/requests/{accepted['request']}").data
    assert request["expectedDeliveryDate"] is None


def test_sheets_of_a_unit_wait_for_one_another(admin, workshop, worker, opened):
    job = order_with_units(admin, workshop, sheets=2, count=3)
    fill(job.stations, days=20, panes=12, seconds=HOUR_S // 2)
    request = {"_id": job.request["_id"]}
    found = forecast(admin, request)
    assert (found["panes"], found["reason"]) == (3, None)
    assert [one["station"] for one in found["load"]] == job.stations
    before = kept_leads()[-1]
    # six sheets are cut in three hours, then the last unit takes an hour
    assert before["50"] == pytest.approx(4 * HOUR_S, rel=0.1)
    for sheet in job.sheets[0]:
        pass_station(worker, sheet, job.stations[0])
    forecast(admin, request)
    assert kept_leads()[-1]["50"] == pytest.approx(3 * HOUR_S, rel=0.1)


def test_panes_that_waited_for_their_order_did_not_wait_for_the_station(
    admin, workshop, opened
):
    (station,) = (str(one.pk) for one in workshop.stations(1))
    fill([station], panes=12, seconds=HOUR_S // 2, planned=timedelta(days=3))
    forecast(admin, with_panes(admin, workshop, [station], 4))
    assert kept_leads()[-1]["85"] == pytest.approx(2 * HOUR_S, rel=0.1)


def kept_leads():
    rows = get_db()[kept.COLLECTION].find({}).sort("_id", 1)
    return [row["leads"] for row in rows]


def test_there_is_no_date_where_too_little_is_known(admin, workshop, opened):
    station, other = (str(one.pk) for one in workshop.stations(2))
    request = with_panes(admin, workshop, [station, other], 2)
    fill([station], days=20, panes=10)
    fill([other], days=20, panes=9)
    found = forecast(admin, request)
    assert (found["reason"], found["dates"]) == ("FEW_SCANS", None)
    few = [(one["station"], one["visits"]) for one in found["fewScans"]]
    assert few == [(other, 180)]
    assert LEAST_VISITS == 200
    assert not kept_leads()
    # undone scans are none
    log = PaneLog.collection().find_one({"station": ObjectId(station)})
    PaneLog.collection().insert_one(
        {
            "pane": log["pane"],
            "action": "correction",
            "undone": [{"_id": log["_id"]}],
            "createdAt": log["createdAt"],
        }
    )
    past.forget()  # as on the next day
    few = forecast(admin, request)["fewScans"]
    assert {one["station"]: one["visits"] for one in few}[station] == 199


def test_what_has_no_panes_no_route_or_is_finished_has_no_date(
    admin, workshop, worker, opened
):
    customer = str(workshop.customer().pk)
    details = {"type": "window", "quantity": 1}
    empty = made(admin, "requests", customer=customer, details=details)
    assert forecast(admin, empty)["reason"] == "NO_PANES"
    anywhere = with_panes(admin, workshop, None, 2)
    found = forecast(admin, anywhere)
    assert (found["reason"], found["withoutRoute"]) == ("NO_ROUTE", 2)
    job = order_with_panes(admin, workshop, steps=1, panes=1)
    pass_station(worker, job.numbers[0], job.stations[0])
    assert forecast(admin, job.request)["reason"] == "FINISHED"


def test_an_order_without_panes_counts_by_its_quantity_and_stations(
    admin, workshop, opened, known
):
    stations = known()
    customer = str(workshop.customer().pk)
    details = {"type": "window", "quantity": 2 * PANES_OF_DAY}
    empty = made(admin, "requests", customer=customer, details=details)
    order_of(admin, workshop, empty, stations=stations)
    request = with_panes(admin, workshop, stations, 1)
    assert [one["panes"] for one in forecast(admin, request)["load"]] == [
        2 * PANES_OF_DAY
    ] * 2
    assert forecast(admin, empty)["reason"] is None


def test_what_if_says_what_would_change_and_which_promises_would_not_hold(
    admin, workshop, opened, known
):
    stations, today = known(), local_day(opened.isoformat())
    promised_at = (opened + timedelta(days=2)).isoformat()
    promised = with_panes(
        admin, workshop, stations, 2 * PANES_OF_DAY, expectedDeliveryDate=promised_at
    )
    order = order_of(admin, workshop, promised)
    request = with_panes(admin, workshop, stations, PANES_OF_DAY + 4)
    as_is = days(forecast(admin, request))
    assert as_is["p85"] > today + timedelta(days=2)
    first = forecast(admin, request, first=True)
    assert days(first) == as_is
    assert days(first["whatIf"])["p85"] == today + timedelta(days=1)
    (late,) = first["whatIf"]["late"]
    assert (late["order"], late["wasLate"]) == (order["_id"], False)
    assert local_day(late["promisedAt"]) == today + timedelta(days=2)
    assert local_day(late["expectedAt"]) > today + timedelta(days=2)
    shift = forecast(admin, request, extraShifts=5)["whatIf"]
    assert days(shift)["p85"] < as_is["p85"]
    assert shift["late"] == []
    one_machine = forecast(admin, request, station=stations[0])["whatIf"]
    assert days(one_machine)["p85"] == as_is["p85"]  # the second one is as slow
    # what would be otherwise is not kept
    assert len(kept_leads()) == 1
    # the deadline counts where no date was promised
    without = {"expectedDeliveryDate": None}
    assert admin.patch(f"/api/requests/{promised['_id']}", without).status == 200
    assert forecast(admin, request, first=True)["whatIf"]["late"] == []


@pytest.mark.parametrize(
    "what_if",
    [{"extraShifts": 21}, {"extraShifts": -1}, {"first": "yes"}, {"station": "x"}],
)
def test_what_cannot_be_otherwise_is_refused(admin, workshop, what_if):
    request = with_panes(admin, workshop, [], 1)
    path = f"/api/requests/{request['_id']}/forecast"
    assert admin.post(path, {"whatIf": what_if}).status == 400
    unknown = {"whatIf": {"station": str(ObjectId())}}
    answer = admin.post(path, unknown)
    assert (answer.status, "whatIf.station" in answer.message) == (400, True)


def test_the_hit_rate_is_of_the_work_that_is_finished(
    admin, worker, workshop, at, opened, known
):
    stations = known(1)
    assert hit_rate(admin, workshop, stations)["judged"] == 0
    held, missed = (
        with_panes(admin, workshop, stations, 1, notes=name) for name in "ab"
    )
    order_of(admin, workshop, held)
    forecast(admin, held)
    forecast(admin, held)  # of one day the last one counts
    order_of(admin, workshop, missed)
    forecast(admin, missed)
    changed = with_panes(admin, workshop, stations, 1)
    order = order_of(admin, workshop, changed)
    forecast(admin, changed)
    made(admin, "panes", order=order["_id"], routing=stations)
    at(2, "08:20")
    (number,) = numbers(admin, held)
    pass_station(worker, number, stations[0])
    found = hit_rate(admin, workshop, stations)
    assert found == {"judged": 1, "held": {"p50": 100, "p85": 100, "p95": 100},
                     "isOff": False}  # fmt: skip
    # an open one has missed once its longest time is over
    at(3, "15:00")
    found = hit_rate(admin, workshop, stations)
    assert (found["judged"], found["held"]["p95"]) == (2, 50)
    pass_station(worker, numbers(admin, missed)[0], stations[0])
    found = hit_rate(admin, workshop, stations)
    assert (found["judged"], found["held"]["p85"]) == (2, 50)
    # a scan that is undone takes its judgement back
    order = Order.objects(request=missed["_id"]).get()
    assert order.completed_at
    get_db()[kept.COLLECTION].update_one(
        {"record": ObjectId(held["_id"])}, {"$set": {"panes": 7}}
    )
    assert hit_rate(admin, workshop, stations)["judged"] in (1, 2)


def hit_rate(admin, workshop, stations):
    request = with_panes(admin, workshop, stations, 1)
    return forecast(admin, request)["hitRate"]


def numbers(admin, request):
    return [
        pane["paneNumber"]
        for pane in admin.get("/api/panes", request=request["_id"]).data
    ]


@pytest.mark.parametrize(
    ("kind", "key"), [("quotes", "pricing"), ("requests", "requests")]
)
def test_a_forecast_shows_other_orders_so_it_needs_their_key(
    admin, workshop, client_with_keys, kind, key
):
    record = (
        with_panes(admin, workshop, [], 1)
        if kind == "requests"
        else made(admin, "quotes", customer=str(workshop.customer().pk))
    )
    path = f"/api/{kind}/{record['_id']}/forecast"
    assert client_with_keys(f"{key}:view").post(path, {}).status == 403
    assert client_with_keys("orders:view").post(path, {}).status == 403
    assert client_with_keys(f"{key}:view", "orders:view").post(path, {}).status == 200
    missing = f"/api/{kind}/{ObjectId()}/forecast"
    assert admin.post(missing, {}).status == 404
