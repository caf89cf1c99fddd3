"""The forecast of a request and of a quote in the office: its dates, another plan, why there are none."""

from datetime import UTC, datetime, timedelta

import pytest

from api.test_forecasts import HOUR_S, OFFICE, PANES_OF_DAY, order_of, with_panes
from api.test_quotes import PANE, PRICES
from browser.pages import lose_first_answer, see, settles, texts, unexpected, value
from browser.test_board_page import service_is_ahead
from past_visits import fill
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ASK = '.forecast button:has-text("Work out a date")'
AGAIN = '.forecast button:has-text("Work it out again")'
TRY = '.plan button:has-text("Try")'
SAID = ".forecast > [role=status]"
DATE = '.forecast > .forecast-dates [data-odds="{}"]'
USE = '.forecast button:has-text("Use")'
THEN = '.plan .forecast-dates [data-odds="85"]'
DIALOG = "dialog .main-button"
NAMES = "ตัดกระจก (Cutting)", "เจียรขอบ (Edging)"


@pytest.fixture
def opened(admin, at, monkeypatch, app):
    """The workshop works Monday to Friday, 8 to 16; it is Wednesday at 8, for the page too."""
    at(0, "07:00")
    assert admin.put("/api/working-hours", {"week": OFFICE}).status == 200
    now = at(2, "08:00")
    service_is_ahead(monkeypatch, app, now.replace(tzinfo=UTC) - datetime.now(UTC))
    return now


@pytest.fixture
def stations(admin, workshop, opened):
    """Two stations that took half an hour for each pane in the last weeks."""
    made = [str(one.pk) for one in workshop.stations(2)]
    for station, name in zip(made, NAMES, strict=True):
        assert admin.patch(f"/api/stations/{station}", {"name": name}).status == 200
    fill(made, days=20, panes=12, seconds=HOUR_S // 2)
    return made


def day_after(opened, days):
    """Return a day as the page names it; `opened` is at 1 o'clock UTC."""
    day = opened + timedelta(days=days)
    return f"{day:%A}, {day:%b} {day.day}, {day.year}"


def ask(tab, shown, button=ASK):
    tab.wait(button)
    tab.click(button)
    see(tab, SAID, shown)


def test_the_date_of_a_request_is_worked_out_told_and_weighed_against_other_promises(
    open_office, chromium, admin, workshop, opened, stations
):
    promised = with_panes(
        admin,
        workshop,
        stations,
        2 * PANES_OF_DAY,
        expectedDeliveryDate=(opened + timedelta(days=2)).isoformat(),
    )
    order = order_of(admin, workshop, promised)
    request = with_panes(admin, workshop, stations, PANES_OF_DAY + 4)
    path = f"/api/requests/{request['_id']}"
    chromium.call("requests")
    tab = open_office(admin.worker, f"requests/{request['_id']}")
    tab.wait(ASK)
    assert not [
        one for _, one in chromium.call("requests") if one.endswith("/forecast")
    ]

    ask(tab, "20 panes: of 100 such jobs 85 are finished by")
    see(tab, ".forecast .hit-rate", "Not judged yet")
    rows = texts(tab, ".forecast > .forecast-table tbody tr")
    assert rows == ["Cutting 32 2 days", "Edging 32 2 days"]
    told = tab.text(f"{DATE.format(85)} b")
    assert told in tab.text(SAID)
    tab.click(f"{DATE.format(85)} button")
    see(tab, "dialog", f"The expected delivery becomes {told}")
    tab.click(DIALOG)
    see(tab, f"{DATE.format(85)} .saved", "Expected delivery")
    stored = admin.get(path).data["expectedDeliveryDate"]
    settles(lambda: value(tab, "#field-expectedDeliveryDate")[10:], "T16:00")
    assert stored.endswith("T09:00:00.000Z")
    # this change is none of the panes, another one may be
    assert "changed since then" not in tab.text(SAID)
    assert admin.patch(path, {"notes": "three more, they say"}).status == 200
    see(tab, SAID, "changed since then")
    ask(tab, "20 panes", AGAIN)
    wait_until(lambda: "changed since then" not in tab.text(SAID))

    assert tab.attribute(TRY, "disabled") is not None
    tab.click("#plan-first")
    tab.click(TRY)
    see(tab, ".plan [role=status]", "This work before all other")
    see(tab, THEN, day_after(opened, 1))
    assert f"earlier than {told[:3]}, " in tab.text(THEN)
    see(tab, ".plan .promises", "1 more promised order would be late.")
    (late,) = texts(tab, ".plan tbody tr")
    assert late.startswith(order["orderNumber"])
    assert "in any case" not in late
    tab.click("#plan-first")
    tab.fill("#plan-extraShifts", "21")
    tab.click(TRY)
    see(tab, ".plan .field-fault", "20")
    assert tab.attribute(":focus", "id") == "plan-extraShifts"
    tab.fill("#plan-extraShifts", "5")
    tab.select("#plan-station", stations[0])
    tab.click(TRY)
    see(tab, ".plan .sentence", "5 working days + One machine more at Cutting")
    see(tab, ".plan .promises", "No promised order would be late.")
    assert tab.count(".plan .field-fault, .plan tbody") == 0

    # what is not open any more is not forecast
    cancelled = {"status": "cancelled", "cancelReason": "no"}
    assert admin.patch(path, cancelled).status == 200
    wait_until(lambda: tab.count(".forecast") == 0)
    assert unexpected(chromium) == []


def test_a_draft_takes_the_date_and_the_quote_that_was_sent_keeps_it(
    open_office, chromium, admin, workshop, opened, stations
):
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    row = {**PANE, "routing": stations, "quantity": PANES_OF_DAY}
    body = {"customer": str(workshop.customer().pk), "panes": [row]}
    quote = admin.post("/api/quotes", body).data
    path = f"/api/quotes/{quote['_id']}"
    tab = open_office(admin.worker, f"quotes/{quote['_id']}")
    quantity = "#field-panes [data-row='0'][data-column='quantity']"
    tab.wait(quantity)
    tab.fill(quantity, "17")
    ask(tab, f"finished by {day_after(opened, 1)}")
    see(tab, SAID, "not saved: the forecast is without it")
    tab.click(f"{DATE.format(95)} button")
    tab.click(DIALOG)
    tab.wait(f"{DATE.format(95)} .saved")
    stored = admin.get(path).data
    assert stored["expectedDeliveryDate"].endswith("T09:00:00.000Z")
    assert value(tab, quantity) == "17"  # what was typed stays

    assert admin.post(f"{path}/send").status == 200
    see(tab, ".head .status", "Awaiting answer")
    wait_until(lambda: tab.count(USE) == 0)
    ask(tab, "16 panes", AGAIN)
    assert tab.count(USE) == 0
    assert tab.attribute("#field-expectedDeliveryDate", "readonly") is not None
    assert value(tab, "#field-expectedDeliveryDate").endswith("T16:00")
    assert admin.post(f"{path}/accept", {}).status == 200
    wait_until(lambda: tab.count(".forecast") == 0)
    assert unexpected(chromium) == []


def test_what_has_no_date_says_why(
    open_office, chromium, admin, workshop, opened, stations
):
    other = str(workshop.station(name="เจาะรู (Drilling)").pk)
    fill([other], days=20, panes=9)
    few = with_panes(admin, workshop, [stations[0], other], 2)
    tab = open_office(admin.worker, f"requests/{few['_id']}")
    ask(tab, "Not enough scans yet")
    assert texts(tab, ".few-scans li") == ["Drilling 180 of 200 visits"]
    assert tab.count(".forecast-dates, .plan") == 0

    anywhere = with_panes(admin, workshop, None, 2)
    tab = open_office(admin.worker, f"requests/{anywhere['_id']}")
    ask(tab, "The panes have no route yet")
    far = with_panes(admin, workshop, stations, 500)
    for _ in range(4):
        order_of(admin, workshop, with_panes(admin, workshop, stations, 500))
    tab = open_office(admin.worker, f"requests/{far['_id']}")
    ask(tab, "more than 120 working days")
    assert "2,000" in tab.text(".forecast-table")
    assert unexpected(chromium) == []


def test_worker_sees_the_forecast_by_the_key_of_orders_and_uses_it_by_that_of_requests(
    open_office, chromium, admin, workshop, opened, stations
):
    request = with_panes(admin, workshop, stations, 4)
    page = f"requests/{request['_id']}"
    without = workshop.role(permissions=["requests:view"])
    tab = open_office(workshop.worker(role=without), page)
    tab.wait(".record-history")
    assert tab.count(".forecast") == 0
    role = workshop.role(permissions=["requests:view", "orders:view"])
    tab = open_office(workshop.worker(role=role), page)
    ask(tab, "4 panes: of 100 such jobs")
    assert tab.count(".forecast-dates li") == 3
    assert tab.count(USE) == 0
    assert unexpected(chromium) == []


def test_forecast_that_fails_says_so_and_is_asked_for_again(
    open_office, admin, workshop, opened, stations, monkeypatch, app
):
    request = with_panes(admin, workshop, stations, 4)
    tab = open_office(admin.worker, f"requests/{request['_id']}")
    tab.wait(ASK)
    with monkeypatch.context() as losing:
        lose_first_answer(losing, app, "requests.forecast")
        tab.click(ASK)
        see(tab, ".forecast .fault", "too much to do")
    ask(tab, "4 panes: of 100 such jobs")
    assert tab.count(".forecast .fault") == 0
