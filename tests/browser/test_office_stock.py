"""The stock in the office: lots, the book, withdrawals, prices, job types; by a browser."""

import pytest
from bson import ObjectId

from browser.pages import (
    change_unheard,
    choose,
    follow,
    press_at_once,
    see,
    unexpected,
    value,
)
from browser.slow_requests import hold_answers
from browser.station_steps import scan
from glassflow.models.withdrawal import Withdrawal
from glassflow.pages import files
from scenarios import order_with_panes
from stock_api import (
    LOTS,
    WITHDRAWALS,
    assert_stock_matches_ledger,
    create_lot,
    quantities_of,
    withdraw,
)
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

SAVE = ".form-buttons .main-button"
ROW = ".table-row"
LEVEL = ".level"
PRICES = "/api/pricing-settings"


@pytest.fixture
def glass(workshop):
    return workshop.material(name="Float 6", unit="sheets", reorder_point=10)


def send_dialog(tab):
    """Send the form of a dialog, which closes when it is done."""
    tab.click(f"dialog {SAVE}")
    wait_until(lambda: tab.count("dialog") == 0)


def button(text, inside="main"):
    return f"{inside} button:has-text('{text}')"


def test_lots_are_taken_in_moved_and_corrected_and_low_stock_is_red_at_once(
    open_office, chromium, admin, glass
):
    tab = open_office(admin.worker, "stock")
    see(tab, LEVEL, "Below the reorder point, 10 sheets missing")
    tab.click(".holding-links a:has-text('Take in')")
    tab.wait("#field-quantity")
    tab.fill("#field-quantity", "14")
    tab.click(SAVE)
    see(tab, ".form .fault", "Correct these fields")  # the place is missing
    tab.fill("#field-location", "A-01")
    tab.fill("#field-reason", "delivery note 77")
    tab.click(SAVE)
    tab.wait(button("Move"))
    (lot,) = admin.get(LOTS).data
    see(tab, "h1", lot["inventoryNumber"])
    assert (lot["quantity"], lot["material"]) == (14, str(glass.pk))

    follow(tab, "office/stock")
    see(tab, LEVEL, "14 sheets reorder point 10 sheets")
    there = create_lot(admin, glass, 2, location="B-02")
    see(tab, ".lots li", there["inventoryNumber"])  # live
    tab.click(button("Move"))
    tab.fill("#field-quantity", "20")
    tab.fill("#field-toLocation", "B-02")
    see(tab, ".preview[data-refused]", "Insufficient stock")
    tab.fill("#field-quantity", "4")
    see(
        tab,
        ".preview",
        f"{lot['inventoryNumber']} · A-01 are moved, 10 sheets are left",
    )
    see(tab, ".preview", "which has 2 sheets and will have 6 sheets")
    send_dialog(tab)
    see(tab, ".lots li", "6 sheets")
    assert quantities_of(admin, lot, there) == [10, 6]

    tab.click(button("Correct"))
    tab.fill("#field-quantity", "3")
    tab.click(f"dialog {SAVE}")
    see(tab, "dialog .field-fault", "Say why")
    see(tab, "dialog .preview", "7 sheets less")
    tab.fill("#field-reason", "broken by the fork lift")
    send_dialog(tab)
    see(tab, LEVEL, "9 sheets Below the reorder point, 1 sheets missing")
    tab.wait(".holding[data-low] .low .icon")
    assert admin.patch(f"/api/materials/{glass.pk}", {"reorderPoint": 5}).status == 200
    see(tab, LEVEL, "9 sheets reorder point 5 sheets")
    withdraw(admin, there, 5)
    see(tab, LEVEL, "Below the reorder point")  # live, and red

    tab.click("a:has-text('Book')")
    see(tab, f"{ROW}:first-child", "4 sheets")
    wait_until(lambda: tab.count(ROW) == 7)  # the withdrawal took from both lots
    see(tab, ROW, "broken by the fork lift")
    see(tab, ROW, "delivery note 77")
    balance = tab.texts(f"{ROW} .balance")[0]
    follow(tab, f"office/materials/{glass.pk}")
    see(tab, LEVEL, balance)
    assert balance == "4 sheets"
    follow(tab, f"office/materials/{glass.pk}/book?inventory={lot['_id']}")
    see(tab, ".filter", "The balance is that of this lot alone")
    wait_until(lambda: tab.texts(f"{ROW} .balance")[:1] == ["0 sheets"])
    tab.select(".filters select", "move")
    wait_until(lambda: tab.texts(f"{ROW} .balance") == ["10 sheets"])
    assert_stock_matches_ledger()
    assert unexpected(chromium) == []


def test_remnant_is_taken_in_labelled_and_moved_whole(
    open_office, chromium, admin, glass
):
    tab = open_office(admin.worker, f"stock/new?material={glass.pk}")
    tab.wait("#field-quantity")
    tab.fill("#field-quantity", "4")
    tab.select("#field-stockType", "Reuse")
    assert tab.count("#field-defects") == 0  # of which sheet?
    tab.fill("#field-dimensions\\.width", "812")
    tab.fill("#field-dimensions\\.height", "1450")
    see(tab, ".form", "A remnant is one sheet.")
    assert value(tab, "#field-quantity") == "1"
    tab.fill("#field-location", "A-01")
    tab.click(button("Add a defect"))
    for column, text in (("x", "700"), ("y", "0"), ("width", "200"), ("height", "90")):
        tab.fill(cell(0, column, "field-defects"), text)
    tab.click(SAVE)
    see(tab, "#field-defects-fault", "outside the sheet")
    tab.fill(cell(0, "width", "field-defects"), "112")
    tab.wait(".sheet .defect")
    tab.click(SAVE)
    tab.wait(button("Move"))
    (lot,) = admin.get(LOTS).data
    assert (lot["quantity"], lot["dimensions"]) == (1, {"width": 812, "height": 1450})
    assert lot["defects"] == [{"x": 700, "y": 0, "width": 112, "height": 90}]
    see(tab, ".lot-now", "1 sheets Remnant · 812 × 1,450 mm")

    tab.click("a:has-text('Print its label')")
    see(tab, ".chooser li", lot["inventoryNumber"])
    tab.wait("figure img")
    scan(tab, lot["qrCode"])  # opens the lot
    see(tab, "h1", lot["inventoryNumber"])
    follow(tab, "office/stock")
    see(tab, ".lots li", "Remnant · 812 × 1,450 mm")
    tab.click(button("Move"))
    tab.wait("#field-toLocation")
    assert tab.count("#field-quantity") == 0
    tab.fill("#field-toLocation", "B-02")
    see(tab, ".preview", "is moved whole to B-02. It keeps its number and its label.")
    send_dialog(tab)
    see(tab, ".lots li", "B-02")
    (moved,) = admin.get(LOTS).data
    assert (moved["_id"], moved["location"]) == (lot["_id"], "B-02")

    part = create_lot(
        admin,
        glass,
        1,
        stockType="Reuse",
        dimensions={"width": 400, "height": 600},
        parentLot=lot["_id"],
    )
    follow(tab, f"office/stock/{part['_id']}")
    tab.click(".lot-now p a")
    see(tab, "h1", lot["inventoryNumber"])
    tab.fill("#field-dimensions\\.width", "")
    tab.click(SAVE)
    see(tab, ".form .fault", "A size has a width and a height")
    assert unexpected(chromium) == []


def test_rules_of_cutting_are_set_for_all_glass_and_for_6_mm(
    open_office, chromium, admin, worker
):
    tab = open_office(admin.worker, "cutting")
    tab.click("a[href$='cutting-rules']")
    edge_trim = "#field-common\\.edgeTrim"
    tab.wait(edge_trim)
    assert value(tab, edge_trim) == "10"
    tab.fill(edge_trim, "15")
    tab.click(button("Add a thickness"))
    distance = cell(0, "leastDistance", "field-byThickness")
    tab.fill(cell(0, "thickness", "field-byThickness"), "12")
    tab.wait(f"{distance}[placeholder='24']")
    tab.fill(cell(0, "thickness", "field-byThickness"), "6")
    tab.wait(f"{distance}[placeholder='15']")
    tab.fill(cell(0, "allowance", "field-byThickness"), "3")
    tab.click(SAVE)
    see(tab, "[role=status]", "Saved")
    rules = admin.get("/api/cutting-rules").data
    assert rules["common"]["edgeTrim"] == 15
    (row,) = rules["byThickness"]
    assert {name: one for name, one in row.items() if one is not None} == {
        "thickness": 6,
        "allowance": 3,
    }
    body = {"byThickness": [{"thickness": 4, "kerf": 1}, row]}
    assert admin.put("/api/cutting-rules", body).status == 200
    wait_until(lambda: value(tab, cell(0, "kerf", "field-byThickness")) == "1")  # live
    tab.fill(cell(1, "thickness", "field-byThickness"), "4")
    tab.click(SAVE)
    see(tab, "#field-byThickness-fault", "twice")

    tab = open_office(worker.worker, "cutting-rules")
    see(tab, "#field-byThickness", "6 15 15 0 3")
    assert tab.count(SAVE) == 0
    assert unexpected(chromium) == []


def test_lot_that_somebody_has_corrected_unheard_is_shown_before_it_is_overwritten(
    open_office, chromium, admin, glass
):
    lot = create_lot(admin, glass, 5, location="A-01")
    tab = open_office(admin.worker, "stock")
    for page, counted in (("stock", 3), (f"stock/{lot['_id']}", 4)):
        follow(tab, f"office/{page}")
        tab.click(button("Correct"))
        tab.fill("dialog #field-quantity", str(counted))
        tab.fill("#field-reason", "counted")
        change_unheard("Inventory", lot, quantity=7)
        press_at_once(tab, f"dialog {SAVE}")
        see(tab, "dialog .conflict dd", "7 sheets")
        tab.click(button("Overwrite with mine", "dialog"))
        wait_until(lambda: tab.count("dialog") == 0)
        assert quantities_of(admin, lot) == [counted]
    assert unexpected(chromium) == []


def test_withdrawal_says_what_it_takes_and_is_decided_in_place(
    open_office, chromium, admin, worker, workshop, glass
):
    first, second = (create_lot(admin, glass, n, location=f"A-0{n}") for n in (3, 20))
    job = order_with_panes(admin, workshop)
    tab = open_office(worker.worker, f"withdrawals/new?material={glass.pk}")
    tab.wait("#field-quantity")
    assert tab.count("#field-withdrawnBy") == 0  # another's name is not offered
    tab.fill("#field-quantity", "24")
    see(tab, ".preview[data-refused]", "Insufficient stock")
    tab.fill("#field-quantity", "15")
    see(tab, ".preview .allocations", f"3 sheets {first['inventoryNumber']} · A-03")
    see(tab, ".preview .allocations", f"12 sheets {second['inventoryNumber']} · A-020")
    see(tab, ".preview", "8 sheets will be left. below the reorder point")
    create_lot(admin, glass, 1)
    see(tab, ".preview", "9 sheets will be left")  # live
    choose(tab, "#field-order", job.order["orderNumber"])
    assert quantities_of(admin, first, second) == [3, 20]
    tab.click(SAVE)
    tab.wait("#facts")
    (made,) = admin.get(WITHDRAWALS).data
    assert (made["order"], made["withdrawnBy"]) == (job.order["_id"], worker.id)
    assert quantities_of(admin, first, second) == [0, 8]
    see(tab, "h1", made["withdrawalNumber"])
    assert tab.count(button("Approve")) == 0
    assert tab.count(SAVE) == 0

    tab = open_office(workshop.worker_with("manager"), "withdrawals")
    see(tab, ".to-decide li", made["withdrawalNumber"])
    later = withdraw(worker, second, 2).data
    see(tab, ".to-decide li:nth-child(2)", later["withdrawalNumber"])  # live
    tab.click(".to-decide li:first-child button:has-text('Reject')")
    see(tab, "dialog", "go back to where they were taken from")
    see(tab, "dialog", f"12 sheets {second['inventoryNumber']}")
    send_dialog(tab)
    wait_until(lambda: tab.count(".to-decide > ul > li") == 1)
    see(tab, ROW, "Rejected")
    assert quantities_of(admin, first, second) == [3, 18]
    tab.click(".to-decide li:first-child button:has-text('Approve')")
    see(tab, "dialog", "the stock does not change")
    path = f"{WITHDRAWALS}/{later['_id']}"
    assert admin.patch(path, {"quantity": 1}).status == 200  # somebody was faster
    see(tab, ".to-decide li", "1 sheets")  # but not in the dialog, which was read
    tab.click(f"dialog {SAVE}")
    tab.wait("dialog [role=alert] .fault")
    assert admin.get(path).data["status"] == "pending"
    tab.press("Escape")
    see(tab, ".to-decide li", "1 sheets")
    tab.click(".to-decide li:first-child button:has-text('Approve')")
    send_dialog(tab)
    wait_until(lambda: admin.get(path).data["status"] == "approved")
    wait_until(lambda: tab.count(".to-decide") == 0)
    assert_stock_matches_ledger()
    assert unexpected(chromium) == []


def test_withdrawal_that_a_cancellation_has_rejected_says_which_one(
    open_office, chromium, admin, workshop, glass
):
    job = order_with_panes(admin, workshop)
    lot = create_lot(admin, glass, 10)
    made = withdraw(admin, lot, 2, order=job.order["_id"]).data
    cancelled = {"status": "cancelled", "cancelReason": "x"}
    path = f"/api/requests/{job.request['_id']}"
    assert admin.patch(path, cancelled).status == 200
    tab = open_office(admin.worker, f"withdrawals/{made['_id']}")
    see(tab, "#facts ~ dl dt", "Rejected with")
    see(tab, "#facts ~ dl dd", job.request["requestNumber"])
    assert unexpected(chromium) == []


def test_withdrawals_that_wait_are_all_counted_though_only_the_oldest_are_shown(
    open_office, chromium, admin, glass
):
    lot = create_lot(admin, glass, 100)
    oldest = withdraw(admin, lot, 1).data
    stored = Withdrawal.collection()
    (copied,) = stored.find()
    numbers = [f"COPY-{n}" for n in range(50)]
    copies = [
        {**copied, "_id": ObjectId(), "withdrawalNumber": number} for number in numbers
    ]
    stored.insert_many(copies)
    tab = open_office(admin.worker, "withdrawals")
    see(tab, ".to-decide h2", "To be decided 51")
    see(tab, ".to-decide > p", "The 50 oldest are shown")
    shown = ".to-decide > ul > li"
    assert tab.count(shown) == 50
    path = f"{WITHDRAWALS}/{oldest['_id']}"
    assert admin.patch(path, {"status": "approved"}).status == 200
    see(tab, shown, numbers[-1])  # the next one has taken its place
    see(tab, ".to-decide h2", "To be decided 50")
    assert tab.count(".to-decide > p") == 0
    assert unexpected(chromium) == []


def cell(row, column, table="glass-prices"):
    return f"#{table} [data-row='{row}'][data-column='{column}']"


#: Saves at once after somebody else: later the page would have heard of it.
SAVE_AFTER = f"""
    const {{ api }} = await import("/floor/static/{files.pages().version}/js/core/api.js");
    await api("/pricing-settings", {{ method: "PUT", body: given.theirs }});
    document.querySelector(given.save).click();
"""


def test_prices_are_typed_like_a_spreadsheet_and_nobodys_are_overwritten(
    open_office, chromium, admin, worker
):
    clear = {
        "5mm": {"pricePerSqFt": 36},
        "6mm": {"pricePerSqFt": 44, "grindingRate": 9},
    }
    edges = {"arris": 3}
    body = {"glassPrices": {"Clear": clear}, "edgeRates": edges, "holePriceEach": 50}
    assert admin.put(PRICES, body).status == 200
    tab = open_office(admin.worker, "prices")
    tab.wait(cell(0, "pricePerSqFt"))
    tab.click(cell(0, "pricePerSqFt"))
    tab.press("Control+a")
    tab.type("37,5")
    tab.click(SAVE)
    see(tab, ".grid .field-fault", "Must be a number")
    tab.fill(cell(0, "pricePerSqFt"), "37.5")
    tab.press("Enter")  # the next row, the same column
    tab.press("Control+a")
    tab.type("45")
    typing = open_office(admin.worker, "requests/new", profile=chromium.second_profile)
    for column, text in (("width", "1000"), ("height", "929.0304"), ("thickness", "5")):
        typing.fill(cell(0, column, "field-panes"), text)
    typing.fill(cell(0, "glassType", "field-panes"), "Clear")
    see(typing, ".sum", "360.00 baht")  # ten square feet
    tab.click(SAVE)
    see(tab, "[role=status]", "Saved")
    see(typing, ".sum", "375.00 baht")  # the request follows the price list
    glass = {"glassType": "Clear", "thickness": 5}
    pane = {"dimensions": {"width": 1000, "height": 929.0304}, "rawGlass": glass}
    quote = admin.post("/api/requests/price", {"panes": [pane]}).data
    assert quote["total"] == "375.00"
    stored = admin.get(PRICES).data
    assert stored["glassPrices"]["Clear"] == {
        "5mm": {"pricePerSqFt": 37.5},
        "6mm": {"pricePerSqFt": 45, "grindingRate": 9},
    }
    assert stored["edgeRates"] == edges

    tab.fill(cell(0, "pricePerSqFt"), "40")
    tab.fill("#price-holePriceEach", "55")
    clear = {**stored["glassPrices"]["Clear"], "5mm": {"pricePerSqFt": 39}}
    theirs = {"glassPrices": {"Clear": clear}, "notchPrice": 90}
    tab.run(SAVE_AFTER, {"theirs": theirs, "save": SAVE})
    see(tab, ".conflict", "Clear 5mm, Baht per ft²")
    see(tab, ".conflict", "yours 40, theirs 39")
    assert admin.get(PRICES).data["holePriceEach"] == 50
    tab.click(button("Take their values"))
    tab.click(SAVE)
    see(tab, "[role=status]", "Saved")
    stored = admin.get(PRICES).data
    assert stored["glassPrices"]["Clear"]["5mm"]["pricePerSqFt"] == 39
    assert (stored["holePriceEach"], stored["notchPrice"]) == (55, 90)

    tab = open_office(worker.worker, "prices")
    see(tab, ".price-table", "39")
    assert tab.count("main input") == 0
    assert unexpected(chromium) == []


def test_prices_are_typed_on_while_others_are_saved(
    open_office, chromium, app, admin, monkeypatch
):
    clear = {"5mm": {"pricePerSqFt": 36}, "6mm": {"pricePerSqFt": 44}}
    body = {"glassPrices": {"Clear": clear}, "holePriceEach": 50, "notchPrice": 80}
    assert admin.put(PRICES, body).status == 200
    tab = open_office(admin.worker, "prices")
    first, second = cell(0, "pricePerSqFt"), cell(1, "pricePerSqFt")
    tab.wait(second)
    tab.fill(first, "37")
    with monkeypatch.context() as slow:
        released = hold_answers(slow, app, "pricing-settings.update")
        tab.click(SAVE)
        wait_until(lambda: price_of(admin, "5mm") == 37)
    tab.click(second)
    tab.press("Control+a")
    tab.type("45")
    assert tab.count(f"{SAVE}:disabled") == 1  # it is still being saved
    released.set()
    see(tab, "[role=status]", "Saved")
    assert (value(tab, first), value(tab, second)) == ("37", "45")
    tab.type(".5")  # the field has kept the focus
    theirs = {"notchPrice": 90, "edgeRates": {"arris": 3}}
    assert admin.put(PRICES, theirs).status == 200
    wait_until(lambda: value(tab, "#price-notchPrice") == "90")
    tab.type("0")
    assert value(tab, second) == "45.50"
    tab.press("Enter")  # a new row
    tab.fill(cell(2, "type"), "Grey")
    tab.fill(cell(2, "thickness"), "8mm")
    assert admin.put(PRICES, {"notchPrice": 95}).status == 200
    wait_until(lambda: value(tab, "#price-notchPrice") == "95")
    assert value(tab, cell(2, "thickness")) == "8mm"
    tab.fill(cell(2, "pricePerSqFt"), "90")
    tab.click(SAVE)
    wait_until(lambda: price_of(admin, "6mm") == 45.5)
    assert admin.get(PRICES).data["glassPrices"]["Grey"]["8mm"]["pricePerSqFt"] == 90
    wait_until(lambda: tab.count(button("Discard")) == 0)
    assert unexpected(chromium) == []


def price_of(api, thickness):
    """The stored price of clear glass."""
    return api.get(PRICES).data["glassPrices"]["Clear"][thickness]["pricePerSqFt"]


def test_prices_that_were_typed_are_still_there_after_the_page_was_left(
    open_office, chromium, admin
):
    clear = {"5mm": {"pricePerSqFt": 36}}
    body = {"glassPrices": {"Clear": clear}, "holePriceEach": 50, "notchPrice": 80}
    assert admin.put(PRICES, body).status == 200
    tab = open_office(admin.worker, "prices")
    price, hole = cell(0, "pricePerSqFt"), "#price-holePriceEach"
    tab.wait(price)
    tab.fill(price, "40")
    tab.fill(hole, "fifty")  # which cannot be saved
    tab.click('.rail a[href$="customers"]')
    tab.wait(".empty")
    clear = {"5mm": {"pricePerSqFt": 39}}
    theirs = {"glassPrices": {"Clear": clear}, "notchPrice": 90}
    assert admin.put(PRICES, theirs).status == 200
    tab.click('.rail a[href$="prices"]')
    see(tab, ".conflict", "yours 40, theirs 39")  # neither is overwritten in silence
    assert (value(tab, price), value(tab, hole)) == ("40", "fifty")
    wait_until(lambda: value(tab, "#price-notchPrice") == "90")
    tab.reload()
    see(tab, ".conflict", "yours 40, theirs 39")
    tab.click(button("Overwrite with mine"))
    tab.fill(hole, "55")
    tab.click(SAVE)
    see(tab, "[role=status]", "Saved")
    stored = admin.get(PRICES).data
    assert stored["glassPrices"]["Clear"]["5mm"]["pricePerSqFt"] == 40
    assert (stored["holePriceEach"], stored["notchPrice"]) == (55, 90)
    tab.reload()
    tab.wait(price)
    assert tab.count(button("Discard")) == 0
    assert unexpected(chromium) == []


def test_material_and_job_type_are_made_for_new_work(
    open_office, chromium, admin, workshop
):
    first, second = (workshop.station(name=name) for name in ("Cutting", "Edging"))
    tab = open_office(admin.worker, "materials")
    tab.wait(".empty")
    tab.press("n")
    tab.wait("#field-name")
    tab.fill("#field-name", "Clear 5")
    tab.fill("#field-reorderPoint", "-1")
    tab.click(SAVE)
    see(tab, ".form .fault", "Correct these fields")
    tab.fill("#field-unit", "sheets")
    tab.fill("#field-reorderPoint", "4")
    tab.click(button("Add a size"))
    tab.fill(cell(0, "width", "field-sheetSizes"), "2134")
    tab.press("Tab")
    tab.type("3300")
    tab.click("#field-isPatterned")
    tab.click(SAVE)
    see(tab, LEVEL, "Below the reorder point, 4 sheets missing")

    (material,) = admin.get("/api/materials").data
    assert material["sheetSizes"] == [{"width": 2134, "height": 3300}]
    assert (material["isPatterned"], material["isCoated"]) == (True, False)
    follow(tab, "office/materials")
    see(tab, ROW, "2,134 × 3,300 mm")

    follow(tab, "office/job-types/new")
    wait_until(lambda: tab.count("#field-defaultRouting option") == 3)
    tab.fill("#field-name", "Cut and edged")
    tab.fill("#field-code", "CE")
    choose(tab, "#field-defaultMaterial", "Clear 5")
    for station in (second, first):
        tab.select("#field-defaultRouting", str(station.pk))
        see(tab, ".ordered-field li", station.name)
    tab.click("button[aria-label='Move Cutting up from position 2']")
    see(tab, ".ordered-field li:first-child", "Cutting")
    tab.fill("#field-defaultRawGlassTypes", "Clear, Low-E")
    tab.click(SAVE)
    see(tab, "h1", "Cut and edged")
    (made,) = admin.get("/api/job-types", populate="defaultMaterial").data
    assert made["defaultRouting"] == [str(first.pk), str(second.pk)]
    assert made["defaultMaterial"]["name"] == "Clear 5"
    assert made["defaultRawGlassTypes"] == ["Clear", "Low-E"]
    tab.click(".back")
    see(tab, ROW, "Cutting Edging Clear 5")
    assert unexpected(chromium) == []
