"""Requests and orders in the office, in a real browser: written, ordered, changed, cancelled."""

from datetime import UTC, datetime

import pytest

from api.test_quotes import PANE, PRICES, UNMAKEABLE
from browser.pages import (
    ENGLISH,
    LIVE,
    THAI,
    change_unheard,
    choose,
    follow,
    lose_first_answer,
    press_at_once,
    see,
    settles,
    texts,
    unexpected,
    value,
)
from browser.slow_requests import hold_answers, hold_requests
from browser.station_steps import open_station, scan
from lookups import pane_of
from scenarios import order_with_panes, order_with_units, pass_station
from stock_api import create_lot, quantities_of, withdraw
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

SAVE = ".form .main-button"
DIALOG = "dialog[open]"
CREATE = f".outside {DIALOG} {SAVE}"
TWICE = "const button = document.querySelector(given); button.click(); button.click();"
INVALID = ".grid [aria-invalid=true]"
#: Pasted as a spreadsheet copies it; the third width is none.
RANGE = (
    "กว้าง (มม.)\tสูง\tจำนวน\tหมายเหตุ\r\n"
    "1,200\t800\t2\tริมซ้าย\r\n"
    "๖๐๐\t500\t1\t\r\n"
    "abc\t700\t1\t\r\n"
)


def cell(column, row=0):
    return f'#field-panes [data-row="{row}"][data-column="{column}"]'


def press_button(tab, text):
    tab.click(f'button:has-text("{text}")')


def paste(tab, selector, text):
    tab.click(selector)
    tab.run(
        "const data = new DataTransfer(); data.setData('text/plain', given.text);"
        "const options = {clipboardData: data, bubbles: true, cancelable: true};"
        "document.querySelector(given.selector)"
        ".dispatchEvent(new ClipboardEvent('paste', options))",
        {"selector": selector, "text": text},
    )


@pytest.fixture
def empty_workshop(admin, workshop):
    """What has to be there before the first request: stations, a job type, glass."""
    stations = [str(one.pk) for one in workshop.stations(3)]
    glass = {"sheetsPerPane": 1, "defaultRawGlassTypes": ["Clear"]}
    kind = {"name": "Tempered glass", "code": "TEMP", "defaultRouting": stations}
    assert admin.post("/api/job-types", {**kind, **glass}).status == 201
    label = {"name": "default", "width": 60, "height": 40, "elements": []}
    assert admin.post("/api/sticker-templates", label).status == 201
    workshop.customer(name="Baan Suan Cafe", discount=10)
    workshop.material(name="Clear sheet 6 mm")
    rates = {"Clear": {"6mm": {"pricePerSqFt": 100}}}
    prices = {"glassPrices": rates, "minimumArea": 0, "edgeRates": {"arris": 10}}
    assert admin.put("/api/pricing-settings", prices).status == 200
    return stations


CUT_OFF = """
    const { scrollWidth, clientWidth } = document.querySelector(given);
    return scrollWidth - clientWidth;
"""


def test_request_is_pasted_ordered_labelled_and_gets_a_job_card(
    open_office, chromium, admin, empty_workshop
):
    tab = open_office(admin.worker, "requests")
    see(tab, ".empty", "Nothing here yet")
    tab.click("a.new")
    see(tab, "h1", "New request")
    tab.wait(cell("width"))
    assert tab.run(CUT_OFF, ".grid-scroll") <= 0  # at 1280 px

    tab.click(cell("width"))
    tab.type("300")
    tab.press("Tab")
    tab.type("400")
    tab.press("Tab")
    tab.press("Tab")
    assert tab.attribute(":focus", "data-column") == "jobType"
    tab.select(cell("jobType"), "TEMP")
    wait_until(lambda: value(tab, cell("glassType")) == "Clear")
    tab.fill(cell("thickness"), "6")
    see(tab, ".sum", "129.17 baht")  # 0.12 m² of 100 baht a square foot
    tab.click(cell("width"))
    tab.press("Enter")  # the next row, which is made
    wait_until(lambda: tab.attribute(":focus", "data-row") == "1")
    paste(tab, cell("width", 1), RANGE)
    wait_until(lambda: value(tab, cell("width", 2)) == "600")
    assert [value(tab, cell("height", row)) for row in range(4)] == [
        "400",
        "800",
        "500",
        "700",
    ]
    assert value(tab, cell("glassType", 3)) == "Clear"
    see(tab, ".sum", "Some rows have no price yet")

    tab.click(cell("width", 1))
    see(tab, ".pane-editor h2", "Pane of row 2")
    tab.select("#edge-top", "arris")
    press_button(tab, "Add a hole")
    holes = "#holes-grid [data-row='0']"
    for name, typed in (("x", "100"), ("y", "90"), ("diameter", "20")):
        tab.fill(f"{holes}[data-column='{name}']", typed)
    see(tab, ".pane-editor .cuts li", "Ø20")
    see(tab, ".price-lines", "Edge: Arris")
    see(tab, ".price-lines tfoot", "1,095.34")
    choose(tab, "#field-customer", "Baan Suan")
    see(tab, ".sum", "Discount 10 %")
    see(tab, ".sum", "VAT 7 %")
    tab.fill("#field-referenceId", "PO-14")

    tab.reload()  # what was typed is kept
    tab.wait(LIVE)
    wait_until(lambda: value(tab, cell("width", 3)) == "abc")
    see(tab, ".opened-draft", "Opened what you typed on")
    see(tab, ".opened-draft", "· Baan Suan Cafe · 4 rows")
    see(tab, ".grid .field-fault", "Not a valid number")
    tab.click(SAVE)
    see(tab, ".fault", "Row 4 · Width mm: Not a valid number")
    assert tab.attributes(INVALID, "aria-label") == ["Width mm, row 4"]
    wait_until(lambda: tab.attribute(":focus", "data-column") == "width")
    tab.fill(cell("width", 3), "700")
    tab.click(SAVE)  # before its price can be shown
    see(tab, "h1", "REQ-")

    (request,) = admin.get("/api/requests").data
    panes = admin.get("/api/panes", request=request["_id"], sort="paneNumber").data
    widths = [one["dimensions"]["width"] for one in panes]
    assert widths == [300, 1200, 1200, 600, 700]
    assert {tuple(one["routing"]) for one in panes} == {tuple(empty_workshop)}
    assert [len(one["holes"]) for one in panes] == [0, 1, 1, 0, 0]
    assert request["details"]["type"] == "Tempered glass"
    assert request["details"]["quantity"] == 5
    asked = ("dimensions", "rawGlass", "holes", "notches", "edgeTasks", "jobType")
    priced = [{name: one[name] for name in asked if name in one} for one in panes]
    body = {"panes": priced, "customer": request["customer"]}
    price = admin.post("/api/requests/price", body).data
    assert request["details"]["estimatedPrice"] == float(price["total"])
    assert request["referenceId"] == "PO-14"

    see(tab, ".panes .table-row", panes[0]["paneNumber"])
    press_button(tab, "Make the order")
    tab.wait(f"{DIALOG} #order-material")
    choose(tab, "#order-material", "Clear sheet")
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, "h1", "ORD-")
    (order,) = admin.get("/api/orders").data
    assert (order["quantity"], order["stations"]) == (5, empty_workshop)
    see(tab, ".panes .table-row", panes[0]["paneNumber"])

    tab.stubPrint()
    press_button(tab, "Print the job card")
    wait_until(lambda: tab.prints() == 1)
    tab.click('a:has-text("Print labels")')
    see(tab, "main", panes[4]["paneNumber"])

    follow(tab, f"office/requests/new?copy={request['_id']}")
    wait_until(lambda: tab.count(cell("width", 3)) == 1)
    assert [value(tab, cell("quantity", row)) for row in range(4)] == [
        "1",
        "2",
        "1",
        "1",
    ]
    assert unexpected(chromium) == []


def test_orders_of_three_kinds_of_glass_have_the_chosen_panes_materials_and_routes(
    open_office, chromium, admin, workshop
):
    cut, wash, drill = (
        str(workshop.station(name=name, position=place).pk)
        for name, place in (("Cutting", 1), ("Washing", 3), ("Drilling", 2))
    )
    clear = workshop.material(name="Clear sheet")
    spec = {"glassType": "GREEN", "thickness": "8 mm"}
    green = workshop.material(name="Green sheet", spec_details=spec)
    workshop.material(name="Grey sheet")
    workshop.make("JobType", name="Window", code="WIN", default_material=clear.pk)
    workshop.make("JobType", name="Door", code="DOOR")
    rows = (
        ("WIN", "Clear", 6, [cut, wash], 3),
        ("DOOR", "Green", 8, [cut, drill], 2),
        ("DOOR", "Grey", 10, [cut, drill], 1),
    )
    panes = []
    for code, glass, thickness, route, quantity in rows:
        raw = {"glassType": glass, "thickness": thickness}
        label = {"glassTypeLabel": f"{glass} {thickness} mm"}
        pane = {"jobType": code, "rawGlass": raw, "routing": route, **label}
        panes += [pane] * quantity
    body = {"customer": str(workshop.customer().pk), "panes": panes}
    body["details"] = {"type": "window", "quantity": len(panes)}
    request = admin.post("/api/requests", body).data

    tab = open_office(admin.worker, f"requests/{request['_id']}")
    press_button(tab, "Make the order")
    lines = f"{DIALOG} .kinds > .kind"
    wait_until(lambda: tab.count(lines) == 3)
    inputs = (
        "#order-paneMaterials",
        "#order-paneMaterials-1",
        "#order-paneMaterials-2",
    )
    # that of the job type, and the only one of its glass
    named = ["Clear sheet", "Green sheet", ""]
    wait_until(lambda: [value(tab, one) for one in inputs] == named)
    shown = texts(tab, lines)
    for line, words in zip(
        shown,
        (
            ("3 panes Clear 6 mm", "Cutting Washing"),
            ("2 panes Green 8 mm", "Cutting Drilling"),
            ("1 pane Grey 10 mm", "Cutting Drilling"),
        ),
        strict=True,
    ):
        assert all(one in line for one in words), shown
    assert tab.count(f"{DIALOG} .ordered-field") == 0
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, f"{DIALOG} .fault", "Choose a material for each kind of glass.")
    tab.wait(f"{inputs[2]}:focus")
    assert tab.attributes(f"{DIALOG} [aria-invalid=true]", "id") == [inputs[2][1:]]
    assert admin.get("/api/orders").data == []

    see(tab, DIALOG, "6 of 6 panes")
    assert tab.count("#order-quantity") == 0
    for kind in ("3 of Clear 6 mm", "2 of Green 8 mm", "1 of Grey 10 mm"):
        tab.click(f'[aria-label="All {kind}"]')
    see(tab, DIALOG, "0 of 6 panes")
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, f"{DIALOG} .field-fault", "Choose at least one pane.")
    tab.wait("#order-panes:focus")
    for kind in ("3 of Clear 6 mm", "2 of Green 8 mm"):
        tab.click(f'[aria-label="All {kind}"]')
    wait_until(lambda: tab.count(lines) == 2)  # which need no further material
    numbers = [one["paneNumber"] for one in request["panes"]]
    tab.click(f'{DIALOG} summary:has-text("Green 8 mm")')
    tab.click(f'{DIALOG} .of-kind label:has-text("{numbers[4]}")')
    see(tab, DIALOG, "4 of 6 panes")
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, ".summary-done", "0 of 4")

    (order,) = admin.get("/api/orders").data
    assert (order["material"], order["quantity"]) == (str(clear.pk), 4)
    assert order["stations"] == [cut, drill, wash]  # by position
    assert [
        (one["paneNumber"], one["material"], one["routing"])
        for one in admin.get("/api/panes", order=order["_id"], sort="paneNumber").data
    ] == [
        *((number, str(clear.pk), [cut, wash]) for number in numbers[:3]),
        (numbers[3], str(green.pk), [cut, drill]),
    ]
    wait_until(lambda: tab.count(".kinds > .kind") == 2)
    assert texts(tab, ".kinds > .kind") == [
        "3 panes Clear 6 mm Cutting Washing",
        "1 pane Green 8 mm · Material Green sheet Cutting Drilling",
    ]
    shown = texts(tab, ".panes .table-row .glass")
    materials = ["", "", "", "Green sheet"]
    assert [one.partition(" · ")[2] for one in shown] == materials
    assert tab.count(".ordered-field") == 0  # the panes have routes of their own
    assert tab.count("#field-quantity") == 0

    follow(tab, f"office/requests/{request['_id']}")
    press_button(tab, "Order the other 2 panes")
    choose(tab, inputs[1], "Grey sheet")
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, ".summary-done", "0 of 2")
    (rest,) = admin.get("/api/orders", _id_ne=order["_id"]).data
    assert (rest["material"], rest["quantity"]) == (str(green.pk), 2)
    follow(tab, f"office/requests/{request['_id']}")
    tab.wait(".panes .table-row")
    # until the panes are read again the page shows those that it kept
    wait_until(lambda: tab.count('.request-now button:has-text("rder")') == 0)
    further = {"panes": [{"routing": [cut]}]}
    admin.post(f"/api/requests/{request['_id']}/panes", further)
    tab.wait('.main-button:has-text("Order the other 1 pane")')

    without = order_with_panes(admin, workshop, route=[]).order
    follow(tab, f"office/orders/{without['_id']}")
    wait_until(lambda: tab.count("#field-stations option") > 1)
    tab.select("#field-stations", drill)
    tab.click(SAVE)
    see(tab, ".saved", "Saved")
    assert admin.get(f"/api/orders/{without['_id']}").data["stations"] == [drill]
    assert unexpected(chromium) == []


def test_row_says_what_its_price_lacks_and_a_missing_job_type_is_added_from_it(
    open_office, chromium, admin, workshop
):
    customer = workshop.customer()
    tab = open_office(admin.worker, "requests/new")
    choose(tab, "#field-customer", customer.name)
    for name in ("width", "height"):
        tab.fill(cell(name), "1000")
    see(tab, ".grid td.drawn", "choose glass")
    assert "baht" not in tab.text(".sum")
    tab.fill(cell("glassType"), "Unknown")
    see(tab, ".grid td.drawn", "no price for this glass")

    tab.run("document.querySelector(given).focus();", cell("jobType"))
    tab.select(cell("jobType"), "Add a job type …")
    tab.fill("#add-job-types-name", "Tempered glass")
    tab.fill("#add-job-types-code", "TEMP")
    material = "#add-job-types-defaultMaterial"
    tab.fill(material, "Clear 6 mm")
    press_button(tab, "Add “Clear 6 mm”")
    tab.fill("#add-materials-unit", "sheets")
    tab.fill("#add-materials-specDetails\\.glassType", "Clear")
    tab.fill("#add-materials-specDetails\\.thickness", "6 mm")
    tab.click(f"{CREATE} >> nth=-1")  # of the dialog above the other one
    wait_until(lambda: tab.count(DIALOG) == 1)
    assert value(tab, material) == "Clear 6 mm"
    tab.run(TWICE, CREATE)
    wait_until(lambda: value(tab, cell("glassType")) == "Clear")
    see(tab, f"{cell('jobType')} option:checked", "Tempered glass")
    settles(lambda: tab.attribute(":focus", "data-column"), "jobType")
    assert value(tab, cell("thickness")) == "6"
    see(tab, ".sum", "473.61 baht")
    assert admin.get("/api/requests").data == []  # the form below was not sent
    tab.click(SAVE)
    see(tab, "h1", "REQ-")
    assert admin.get("/api/requests").data[0]["details"]["type"] == "Tempered glass"

    press_button(tab, "Make the order")
    wait_until(lambda: value(tab, "#order-material") == "Clear 6 mm")
    tab.fill("#order-material", "Grey 8 mm")
    press_button(tab, "Add “Grey 8 mm”")
    tab.fill("#add-materials-unit", "sheets")
    tab.click(f"{CREATE} >> nth=-1")
    wait_until(lambda: tab.count(DIALOG) == 1)
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, "h1", "ORD-")
    (grey,) = admin.get("/api/materials", search="Grey").data
    assert admin.get("/api/orders").data[0]["material"] == grey["_id"]
    assert unexpected(chromium) == []


def test_fault_of_a_cut_out_is_named_and_leads_to_its_cell(
    open_office, chromium, admin, workshop
):
    customer = workshop.customer()
    tab = open_office(admin.worker, "requests/new")
    tab.wait(cell("width"))
    choose(tab, "#field-customer", customer.name)
    tab.fill("#field-details\\.type", "window")
    for row, width in enumerate(("1200", "900", "700")):
        tab.fill(cell("width", row), width)
        tab.fill(cell("height", row), "850")
        tab.press("Enter")
    tab.click(cell("width"))
    press_button(tab, "Add a hole")
    fill_cut(tab, "holes", x="1300", y="100", diameter="20")
    see(tab, ".pane-editor .cuts .wrong", "outside the pane")
    tab.click(cell("width", 1))
    see(tab, ".pane-editor h2", "Pane of row 2")
    press_button(tab, "Add a notch")
    tab.click(cell("width", 2))
    see(tab, ".pane-editor h2", "Pane of row 3")
    tab.fill(cell("quantity", 2), "0")
    tab.click(SAVE)
    see(tab, ".fault", "Row 2 · Notch 1 · x from left: This field must not be empty.")
    see(tab, ".fault", "Row 3 · Quantity: Must be greater than or equal to 1.")
    see(tab, "#field-panes [data-title='Quantity'] .field-fault", "equal to 1.")
    assert tab.texts("#field-panes th.faulty") == ["2", "3"]
    tab.fill(cell("quantity", 2), "1")
    tab.click('.fault a:has-text("Row 2 · Notch 1 · y from below")')
    see(tab, ".pane-editor h2", "Pane of row 2")
    tab.wait('#notches-grid [data-column="y"]:focus')
    see(tab, "#notches-grid", "This field must not be empty.")
    fill_cut(tab, "notches", x="0", y="0", width="-20")
    see(tab, "#notches-grid", "Must be greater than 0.")  # at once
    assert tab.texts("#field-panes th.faulty") == ["2"]
    fill_cut(tab, "notches", width="20")
    tab.click(SAVE)
    see(tab, ".fault", "Row 2 · Notch 1 · Height: This field must not be empty.")
    tab.wait('#notches-grid [data-column="height"]:focus')
    fill_cut(tab, "notches", height="30")
    wait_until(lambda: tab.count(".fault") == 0)  # as it is corrected
    tab.click(SAVE)
    see(
        tab, ".fault", "Row 1 · Hole 1 · x from left: Outside the pane of 1200 × 850 mm"
    )
    assert admin.get("/api/requests").data == []
    tab.click('.fault a:has-text("Row 1 · Hole 1")')
    tab.wait('#holes-grid [data-column="x"]:focus')
    tab.fill('#holes-grid [data-column="x"]', "1100")
    tab.click(SAVE)
    see(tab, "h1", "REQ-")
    assert len(admin.get("/api/panes").data) == 3
    assert unexpected(chromium) == []


def fill_cut(tab, grid, **cells):
    for name, text in cells.items():
        tab.fill(f'#{grid}-grid [data-row="0"][data-column="{name}"]', text)


def test_what_an_earlier_search_and_an_earlier_request_bring_replaces_nothing_typed(
    open_office, chromium, app, admin, workshop, monkeypatch
):
    size = {"width": 610, "height": 400, "thickness": 6}
    hole = {"id": "h1", "x": 50, "y": 50, "diameter": 20}
    pane = {"dimensions": size, "holes": [hole]}
    job = order_with_panes(admin, workshop, panes=3, pane=pane)
    for name in ("Baan Suan", "Baan Rai"):
        workshop.customer(name=name)
    field = "#field-customer"
    tab = open_office(admin.worker, "requests/new")
    tab.fill(field, "Baan")
    wait_until(lambda: len(tab.texts(f"{field} ~ .found [role=option]")) == 2)
    last = tab.texts(f"{field} ~ .found [role=option]")[-1]
    with monkeypatch.context() as slow:
        released = hold_answers(slow, app, "customers.index")
        tab.fill(field, last)
        tab.press("Enter")  # those that are still listed begin with another one
        assert tab.attribute(field, "aria-expanded") == "true"
        released.set()
    wait_until(lambda: tab.attribute(field, "aria-expanded") == "false")
    assert value(tab, field) == last  # the only one that is found

    tab.fill(cell("width"), "300")
    with monkeypatch.context() as slow:
        released = hold_answers(slow, app, "panes.index")
        choose(tab, "#copy-panes", job.request["requestNumber"])
        tab.fill(cell("height"), "200")
        released.set()
    wait_until(lambda: tab.count(cell("width", 1)) == 1)
    copied = [value(tab, cell(one, 1)) for one in ("width", "height", "quantity")]
    assert copied == ["610", "400", "3"]
    assert [value(tab, cell(one)) for one in ("width", "height")] == ["300", "200"]
    tab.click(cell("width", 1))
    see(tab, ".pane-editor h2", "Pane of row 2")
    see(tab, ".pane-editor .cuts li", "Ø20")
    press_button(tab, "Use this route for all rows")
    tab.fill("#field-details\\.type", "window")
    tab.click(SAVE)
    see(tab, "h1", "REQ-")
    made = tab.address().rsplit("/", 1)[1]
    panes = admin.get("/api/panes", request=made, sort="paneNumber").data
    assert [one["dimensions"]["width"] for one in panes] == [300, 610, 610, 610]
    assert [len(one["holes"]) for one in panes] == [0, 1, 1, 1]
    assert {tuple(one["routing"]) for one in panes} == {tuple(job.stations)}
    assert unexpected(chromium) == []


def test_deadline_is_moved_with_a_reason_and_a_request_cancelled_and_taken_back(
    open_office, chromium, app, admin, workshop, monkeypatch
):
    job = order_with_panes(admin, workshop, panes=2)
    lot = create_lot(admin, job.material, 5)
    withdraw(admin, lot, 2, order=job.order["_id"])
    path = f"/api/requests/{job.request['_id']}"
    admin.patch(path, {"deadline": "2030-01-01T00:00:00Z"})
    tab = open_office(admin.worker, f"requests/{job.request['_id']}", **THAI)
    see(tab, ".request-now", "2573")
    press_button(tab, "เลื่อนกำหนดส่ง")
    tab.fill("#deadline-deadline", "2574-02-03T10:00")
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, "#deadline-deadline-fault", "ปี ค.ศ. 2031")
    tab.fill("#deadline-deadline", "2031-02-03T10:00")
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, f"{DIALOG} .field-fault", "ต้องกรอกเมื่อเปลี่ยนกำหนดส่ง")
    tab.fill("#deadline-deadlineChangeReason", "ลูกค้าขอเลื่อน")
    theirs = datetime(2032, 1, 1, 5, tzinfo=UTC)
    change_unheard("Request", job.request, deadline=theirs)
    press_at_once(tab, f"{DIALOG} {SAVE}")
    see(tab, f"{DIALOG} .conflict dd", "2575")
    press_button(tab, "บันทึกค่าของฉันทับ")
    see(tab, ".request-now", "ลูกค้าขอเลื่อน")
    assert admin.get(path).data["deadline"].startswith("2031-02-03")

    press_button(tab, "ยกเลิกงาน")
    see(tab, DIALOG, "จะถูกยกเลิกทั้งหมด")
    see(tab, DIALOG, "กระจกที่ถูกยกเลิก: 2")
    see(tab, DIALOG, "คืนเข้าสต็อก: 1")
    tab.fill("#ask-cancelReason", "เปลี่ยนแบบ")
    with monkeypatch.context() as slow:
        released = hold_requests(slow, app, "requests.update")
        tab.click(f"{DIALOG} {SAVE}")
        see(tab, f"{DIALOG} .working", "กำลังทำ 2 แผ่น")
        assert tab.attribute(f"{DIALOG} {SAVE}", "disabled") is not None
        tab.press("Escape")  # the dialog stays, so nobody cancels it once more
        tab.click(f"{DIALOG} header button")
        assert tab.count(f"{DIALOG} .working") == 1
        released.set()
    see(tab, ".request-now", "เปลี่ยนแบบ")
    see(tab, ".request-orders .table-row", "ยกเลิก")
    assert admin.get(path).data["status"] == "cancelled"
    assert tab.count('button:has-text("สร้างออเดอร์")') == 0
    assert quantities_of(admin, lot) == [5]

    assert admin.delete(f"/api/stations/{job.stations[0]}").status == 200
    press_button(tab, "เรียกคืน")
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, ".request-now .status-line", "ข้ามสถานีที่ถูกลบไปแล้ว")
    see(tab, ".request-orders .table-row", "รอ")
    see(tab, ".panes .table-row", "รอ")
    assert admin.get(path).data["status"] == "pending"
    assert unexpected(chromium) == []


def test_request_gets_attachments_once_and_panes_that_its_order_takes(
    open_office, chromium, app, admin, workshop, tmp_path, monkeypatch
):
    job = order_with_panes(admin, workshop)
    path = f"/api/requests/{job.request['_id']}"
    tab = open_office(admin.worker, f"requests/{job.request['_id']}")
    see(tab, ".attachments", "No attachments yet")
    order, drawing = tmp_path / "PO-14.pdf", tmp_path / "drawing.pdf"
    order.write_bytes(b"%PDF-1.4\n%%EOF\n")
    drawing.write_bytes(b"no PDF")
    with monkeypatch.context() as losing:
        lose_first_answer(losing, app, "requests.attach")
        tab.choose(".attachments input", [str(order)])
        see(tab, ".attachments .field-fault", "PO-14.pdf")
        tab.choose(".attachments input", [str(order), str(drawing)])
        see(tab, ".attachments .field-fault", "drawing.pdf: Must be a PDF")
    chromium.call("problems")
    see(tab, ".attachments li", "PO-14.pdf")
    (stored,) = admin.get(path).data["attachments"]
    assert tab.attribute(".attachments li a", "href") == stored["url"]

    tab.click('a:has-text("Add panes")')
    tab.wait(cell("width"))
    number = job.order["orderNumber"]
    assert tab.texts("#field-order option:checked") == [number]
    tab.fill(cell("width"), "300")
    tab.fill(cell("height"), "x")
    tab.fill(cell("quantity"), "2")
    see(tab, ".grid .field-fault", "Not a valid number")
    tab.fill("#field-reason", "two more windows")
    tab.click(SAVE)
    see(tab, ".form [role=alert]", "Row 1")
    tab.fill(cell("height"), "400")
    tab.click(SAVE)
    wait_until(lambda: tab.count(".panes .table-row") == 3)
    see(tab, ".request-orders .table-row", "0/3")
    wait_until(lambda: value(tab, "#field-details\\.quantity") == "3")

    tab.click(".attachments li button")
    see(tab, DIALOG, "PO-14.pdf will be deleted")
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, ".attachments", "No attachments yet")
    assert admin.get(path).data["attachments"] == []
    assert unexpected(chromium) == []


def test_two_workers_change_one_order_and_neither_loses_a_change_in_silence(
    open_office, chromium, admin, manager, workshop
):
    job = order_with_panes(admin, workshop)
    address = f"orders/{job.order['_id']}"
    path = f"/api/orders/{job.order['_id']}"
    first = open_office(admin.worker, address)
    second = open_office(manager.worker, address, profile=chromium.second_profile)
    for tab in (first, second):
        tab.wait("#field-notes")

    first.fill("#field-notes", "of the first")
    second.fill("#field-priority", "7")  # another field: both are kept
    second.click(SAVE)
    see(second, ".saved", "Saved")
    wait_until(lambda: value(first, "#field-priority") == "7")
    assert value(first, "#field-notes") == "of the first"

    second.fill("#field-notes", "of the second")
    second.click(SAVE)
    see(first, ".conflict", "of the second")  # before it is overwritten
    assert value(first, "#field-notes") == "of the first"
    press_button(first, "Overwrite with mine")
    see(first, ".saved", "Saved")
    found = admin.get(path).data
    assert (found["notes"], found["priority"]) == ("of the first", 7)
    wait_until(lambda: value(second, "#field-notes") == "of the first")

    second.fill("#field-notes", "typed on")
    first.fill("#field-notes", "last")
    first.click(SAVE)
    see(second, ".conflict", "last")
    press_button(second, "Take their values")
    wait_until(lambda: value(second, "#field-notes") == "last")

    second.fill("#field-notes", "mine")
    change_unheard("Order", job.order, notes="unheard")  # the version says so
    press_at_once(second, SAVE)
    see(second, ".conflict dd", "unheard")
    press_button(second, "Overwrite with mine")
    see(second, ".saved", "Saved")
    assert admin.get(path).data["notes"] == "mine"
    assert unexpected(chromium) == []


def test_what_is_typed_is_kept_while_the_page_is_left_and_while_it_is_saved(
    open_office, chromium, app, admin, workshop, monkeypatch
):
    job = order_with_panes(admin, workshop)
    path = f"/api/orders/{job.order['_id']}"
    tab = open_office(admin.worker, f"orders/{job.order['_id']}")
    address = tab.address()
    tab.wait("#field-notes")
    tab.fill("#field-notes", "mine")
    tab.click(".back")
    see(tab, ".empty", "No order is late")
    assert admin.patch(path, {"priority": 4}).status == 200
    tab.goto(address)  # again: it knows nothing of how the order was
    wait_until(lambda: value(tab, "#field-priority") == "4")
    assert value(tab, "#field-notes") == "mine"
    assert tab.count(".conflict") == 0
    tab.click(".back")
    see(tab, ".empty", "No order is late")
    body = {"notes": "theirs", "priority": 5}
    assert admin.patch(path, body).status == 200
    tab.goto(address)
    see(tab, ".conflict dd", "theirs")
    assert value(tab, "#field-notes") == "mine"
    press_button(tab, "Overwrite with mine")
    see(tab, ".saved", "Saved")
    found = admin.get(path).data
    assert (found["notes"], found["priority"]) == ("mine", 5)
    tab.reload()
    wait_until(lambda: value(tab, "#field-notes") == "mine")
    assert tab.count(".conflict") == tab.count('button:has-text("Discard")') == 0

    tab.fill("#field-notes", "begun")
    with monkeypatch.context() as slow:
        released = hold_answers(slow, app, "orders.update")
        tab.click(SAVE)
        wait_until(lambda: admin.get(path).data.get("notes") == "begun")
    assert admin.patch(path, {"priority": 7}).status == 200
    wait_until(lambda: value(tab, "#field-priority") == "7")
    assert tab.count(".conflict") == 0  # of its own change it has heard before
    tab.fill("#field-notes", "begun, and ended")
    released.set()
    see(tab, ".saved", "Saved")
    shown = [value(tab, f"#field-{name}") for name in ("notes", "priority")]
    assert shown == ["begun, and ended", "7"]
    tab.click(SAVE)
    wait_until(lambda: admin.get(path).data["notes"] == "begun, and ended")
    assert unexpected(chromium) == []


def test_order_is_assigned_and_cancelled_and_taken_back_only_as_it_was_read(
    open_office, chromium, admin, worker, workshop
):
    job = order_with_panes(admin, workshop)
    path = f"/api/orders/{job.order['_id']}"
    tab = open_office(admin.worker, f"orders/{job.order['_id']}")
    choose(tab, "#field-assignedTo", worker.worker.name)
    tab.click(SAVE)
    see(tab, ".saved", "Saved")
    see(tab, ".summary dd", worker.worker.name)
    assert admin.get(path).data["assignedTo"] == worker.id

    change_unheard("Order", job.order, priority=3)
    press_button(tab, "Cancel the work")
    see(tab, DIALOG, "The unfinished panes of this order will be cancelled")
    press_at_once(tab, f"{DIALOG} {SAVE}")
    see(tab, f"{DIALOG} [role=alert]", "changed")
    wait_until(lambda: value(tab, "#field-priority") == "3")  # it is read again
    tab.press("Escape")
    wait_until(lambda: tab.count(DIALOG) == 0)

    for name, status, then, shown in (
        ("Cancel the work", "pending", "cancelled", "Cancelled"),
        ("Take the cancellation back", "cancelled", "pending", "Waiting"),
    ):
        press_button(tab, name)
        tab.wait(DIALOG)
        assert admin.patch(path, {"notes": f"while it is {status}"}).status == 200
        wait_until(lambda now=status: value(tab, "#field-notes").endswith(now))
        tab.click(f"{DIALOG} {SAVE}")
        see(tab, f"{DIALOG} [role=alert]", "changed")
        assert admin.get(path).data["status"] == status
        tab.press("Escape")
        wait_until(lambda: tab.count(DIALOG) == 0)
        press_button(tab, name)
        tab.click(f"{DIALOG} {SAVE}")
        see(tab, ".head .status", shown)
        see(tab, ".panes .table-row", shown)
        assert admin.get(path).data["status"] == then
        assert pane_of(admin, job.numbers[0])["currentStatus"] == then
    assert unexpected(chromium) == []


def test_worker_without_the_keys_reads_requests_and_changes_only_own_orders(
    open_office, chromium, admin, worker, workshop
):
    job = order_with_panes(admin, workshop)
    own = order_with_panes(admin, workshop, assignedTo=worker.id)
    tab = open_office(worker.worker, "requests")
    see(tab, ".requests .table-row", job.request["requestNumber"])
    assert tab.count("a.new") == 0
    tab.click(f'a[href$="{job.request["_id"]}"]')
    see(tab, "h1", job.request["requestNumber"])
    tab.wait(".panes .table-row")
    assert tab.count(f'{SAVE}, .attachments input, a:has-text("Add panes")') == 0
    assert tab.texts(".request-now button") == []
    assert tab.count("#field-notes[readonly]") == 1
    follow(tab, f"office/orders/{job.order['_id']}")
    tab.wait(".panes .table-row")
    assert tab.count("#change") == 0
    follow(tab, f"office/orders/{own.order['_id']}")
    tab.wait("#field-notes")
    tab.fill("#field-notes", "seen to")
    tab.click(SAVE)
    see(tab, ".saved", "Saved")

    path = f"/api/requests/{job.request['_id']}"
    body = {"customer": job.customer, "details": {"type": "a", "quantity": 1}}
    assert worker.post("/api/requests", body).status == 403
    assert worker.post(f"{path}/panes", {"panes": [{}]}).status == 403
    assert worker.patch(path, {"status": "cancelled"}).status == 403
    order = f"/api/orders/{job.order['_id']}"
    assert worker.patch(order, {"status": "cancelled"}).status == 403
    assert unexpected(chromium) == []


@pytest.mark.parametrize(("keys", "is_shown"), [([], False), (["pricing:view"], True)])
def test_price_is_shown_to_holders_of_one_of_its_keys(
    open_office, chromium, admin, workshop, keys, is_shown
):
    job = order_with_panes(admin, workshop)
    path = f"/api/requests/{job.request['_id']}"
    price = {"details": {"estimatedPrice": 4321}}
    assert admin.patch(path, price).status == 200
    role = workshop.role(permissions=["requests:view", "orders:view", *keys])
    tab = open_office(workshop.worker(role=role), "requests")
    see(tab, ".requests .table-row", job.request["requestNumber"])
    tab.click(".columns summary")
    tab.wait('.columns label:has-text("PO number") input')
    assert tab.count('.columns label:has-text("Price") input') == is_shown
    follow(tab, f"office/requests/{job.request['_id']}")
    tab.wait("#field-notes")
    assert tab.count('[id="field-details.estimatedPrice"]') == is_shown
    assert unexpected(chromium) == []


def test_second_order_of_a_request_is_of_the_panes_that_it_takes_over(
    open_office, chromium, admin, workshop
):
    job = order_with_units(admin, workshop)
    path = f"/api/requests/{job.request['_id']}"
    unit = {"routing": job.stations, "rawGlass": {"sheetsPerPane": 2}}
    further = {"routing": job.stations[:1]}
    body = {"panes": [unit, further, further]}
    assert admin.post(f"{path}/panes", body).status == 201
    request = job.request["_id"]
    made = admin.get("/api/panes", request=request, laminateRole="single").data
    cancelled = {"currentStatus": "cancelled", "correctionReason": "twice"}
    assert admin.patch(f"/api/panes/{made[0]['_id']}", cancelled).status == 200
    tab = open_office(admin.worker, f"requests/{job.request['_id']}")
    press_button(tab, "Order the other 2 panes")
    see(tab, DIALOG, "2 of 2 panes")
    choose(tab, "#order-material", workshop.material(name="Clear 6").name)
    tab.press("Escape")  # which stays as a draft
    wait_until(lambda: tab.count(DIALOG) == 0)
    own = workshop.material(name="Low-E of its own")
    material = {"material": str(own.pk)}
    for pane in admin.get("/api/panes", request=request, order="null").data:
        if pane["laminateRole"] != "sheet" and pane["currentStatus"] != "cancelled":
            assert admin.patch(f"/api/panes/{pane['_id']}", material).status == 200
    press_button(tab, "Order the other 2 panes")
    see(tab, f"{DIALOG} .kind", "Low-E of its own")
    assert tab.count("#order-material, #order-paneMaterials") == 0  # nothing to choose
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, ".summary-done", "0 of 2")
    (order,) = admin.get("/api/orders", _id_ne=job.order["_id"]).data
    assert (order["quantity"], order["paneCount"]) == (2, 2)
    assert order["material"] == str(own.pk)
    assert unexpected(chromium) == []


def test_worker_who_sees_no_panes_makes_an_order_of_all(
    open_office, chromium, admin, workshop
):
    body = {"customer": str(workshop.customer().pk)}
    body |= {"details": {"type": "a", "quantity": 2}, "panes": [{}, {}]}
    request = admin.post("/api/requests", body).data
    material = workshop.material(name="Clear 6").name
    keys = ["requests:view", "orders:view", "orders:create", "materials:view"]
    role = workshop.role(permissions=keys)
    path = f"requests/{request['_id']}"
    tab = open_office(workshop.worker(role=role), path)
    press_button(tab, "Make the order")
    choose(tab, "#order-material", material)
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, ".summary-done", "0 of 2")
    assert unexpected(chromium) == []


def test_request_keeps_its_status_and_an_inactive_assignee_that_no_order_or_copy_gets(
    open_office, chromium, admin, worker, workshop
):
    job = order_with_panes(admin, workshop, panes=1)
    path = f"requests/{job.request['_id']}"
    admin.patch(f"/api/{path}", {"assignedTo": worker.id})
    for station in job.stations:
        pass_station(admin, job.numbers[0], station)
    assert admin.get(f"/api/orders/{job.order['_id']}").data["status"] == "completed"
    further = {"panes": [{"routing": job.stations}]}
    assert admin.post(f"/api/{path}/panes", further).status == 201
    tab = open_office(admin.worker, path)
    press_button(tab, "Order the other 1 pane")
    wait_until(lambda: value(tab, "#order-assignedTo") == worker.worker.name)
    admin.patch(f"/api/workers/{worker.id}", {"isActive": False})
    tab.goto(f"{admin.url}/floor/office/{path}")  # with the worker as it is now
    wait_until(lambda: value(tab, "#field-assignedTo") == worker.worker.name)
    press_button(tab, "Order the other 1 pane")
    wait_until(lambda: value(tab, "#order-assignedTo") == "")
    tab.press("Escape")
    wait_until(lambda: tab.count(DIALOG) == 0)

    assert value(tab, "#field-status") == "pending"  # it does not follow the order
    hint = tab.attribute("#field-status", "aria-describedby")
    see(tab, f"#{hint}", "Set by you: it does not follow the orders")
    tab.wait('a:has-text("Add panes")')
    tab.select("#field-status", "completed")
    tab.click(SAVE)
    wait_until(lambda: tab.count('a:has-text("Add panes")') == 0)
    assert admin.get(f"/api/{path}").data["status"] == "completed"
    tab.click('a:has-text("Copy")')
    wait_until(lambda: tab.count(cell("width")) == 1)
    assert value(tab, "#field-assignedTo") == ""
    assert unexpected(chromium) == []


def test_form_begins_with_what_is_stored_not_with_what_the_page_showed_before(
    open_office, chromium, admin, workshop
):
    stations = [str(one.pk) for one in workshop.stations(2)]
    job = {
        "customer": str(workshop.customer().pk),
        "details": {"type": "a", "quantity": 7},
    }
    request = admin.post("/api/requests", job).data
    workshop.material(name="Clear 6")
    path = f"requests/{request['_id']}"
    tab = open_office(admin.worker, path)
    press_button(tab, "Make the order")
    wait_until(lambda: value(tab, "#order-quantity") == "7")
    choose(tab, "#order-material", "Clear 6")  # which stays as a draft
    tab.press("Escape")
    body = {"panes": [{"routing": stations}]}
    assert admin.post(f"/api/{path}/panes", body).status == 201
    wait_until(lambda: tab.count(".panes .table-row") == 1)

    tab.click('a:has-text("Add panes")')
    tab.wait(cell("width"))
    assert tab.count("#field-order option") == 1  # there is no order yet
    tab.click(".back")
    press_button(tab, "Make the order")
    wait_until(lambda: value(tab, "#order-material") == "Clear 6")
    assert tab.count("#order-quantity") == 0
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, "h1", "ORD-")
    (order,) = admin.get("/api/orders").data
    assert order["stations"] == stations
    tab.click('a:has-text("Add panes")')
    tab.wait(cell("width"))
    assert tab.texts("#field-order option:checked") == [order["orderNumber"]]
    tab.fill(cell("width"), "300")
    tab.fill(cell("height"), "300")
    tab.fill("#field-reason", "one more")
    tab.click(SAVE)
    wait_until(lambda: tab.count(".panes .table-row") == 2)
    panes = admin.get("/api/panes", request=request["_id"]).data
    assert {one["order"] for one in panes} == {order["_id"]}

    tab.click('a:has-text("Copy")')
    wait_until(lambda: tab.count("#field-panes [data-column='width']") == 2)
    tab.click(".back")
    see(tab, ".requests .table-row", request["requestNumber"])
    assert admin.post(f"/api/{path}/panes", body).status == 201
    tab.click(".requests .table-row")
    tab.click('a:has-text("Copy")')
    wait_until(lambda: value(tab, cell("quantity")) == "2")
    assert unexpected(chromium) == []


def test_pane_beyond_a_limit_is_marked_while_it_is_typed_and_at_the_station(
    open_office, chromium, server, admin, empty_workshop
):
    tab = open_office(admin.worker, "requests/new")
    tab.wait(cell("width"))
    for name, typed in (("width", "3000"), ("height", "400"), ("thickness", "10")):
        tab.fill(cell(name), typed)
    tab.wait(".pane-editor")
    press_button(tab, "Add a hole")
    for name, typed in (("x", "18"), ("y", "200"), ("diameter", "20")):
        tab.fill(f"#holes-grid [data-column='{name}']", typed)
    see(tab, ".findings", "Only with a risk. Hole 1 to the edge: 8 mm, at least 20 mm")
    tab.wait(".drawing .hole.warning")
    tab.fill(cell("width"), "3700")
    see(tab, ".grid .refusal", "≤ 3660")
    see(tab, ".findings .refusal", "Cannot be made. Width on the largest sheet")
    admin.put("/api/makeability", {"limits": {"sheetLong": 4000}})
    wait_until(lambda: tab.texts(".grid .refusal") == [])
    choose(tab, "#field-customer", "Baan Suan")
    tab.select(cell("jobType"), "TEMP")
    tab.click(SAVE)
    see(tab, "h1", "REQ-")
    (pane,) = admin.get("/api/panes").data
    assert [one["at"] for one in pane["makeability"]] == ["holes.0.x"]
    tab = open_office(admin.worker, f"panes/{pane['paneNumber']}")
    see(tab, ".findings", "Hole 1 to the edge: 8 mm, at least 20 mm")
    address = f"/floor/s/{pane['currentStation']}"
    tab = open_station(chromium, server, admin.worker, address, **ENGLISH)
    see(tab, ".queue", pane["paneNumber"])
    scan(tab, f"STDPLUS:{pane['paneNumber']}")
    see(tab, ".pane .note", "Check before work: Hole 1 to the edge: 8 mm")
    assert unexpected(chromium) == []


def test_limits_of_making_are_changed_on_their_page(
    open_office, chromium, admin, workshop
):
    tab = open_office(admin.worker, "prices")
    tab.click('a[href$="prices/limits"]')
    tab.wait('[id="field-limits.heaviest"]')
    tab.fill('[id="field-limits.heaviest"]', "80")
    tab.click("#field-isStrict")
    tab.click(SAVE)
    see(tab, ".form-buttons [role=status]", "Saved")
    stored = admin.get("/api/makeability").data
    assert (stored["limits"]["heaviest"], stored["isStrict"]) == (80, True)
    admin.put("/api/makeability", {"limits": {"heaviest": 90}})
    wait_until(lambda: value(tab, '[id="field-limits.heaviest"]') == "90")
    reader = workshop.worker_with("worker")
    tab = open_office(reader, "prices/limits")
    wait_until(lambda: value(tab, '[id="field-limits.heaviest"]') == "90")
    assert tab.texts(SAVE) == []
    assert unexpected(chromium) == []


def test_request_says_what_its_quote_lost_and_an_order_why_it_is_made_nevertheless(
    open_office, chromium, admin, workshop
):
    admin.put("/api/pricing-settings", PRICES)
    admin.put("/api/makeability", {"isStrict": True})
    gone = workshop.station(name="Drilling")
    workshop.material(name="Sheet")
    panes = [{**PANE, "routing": [str(gone.pk)]}, UNMAKEABLE]
    body = {"customer": str(workshop.customer().pk), "panes": panes}
    quote = f"/api/quotes/{admin.post('/api/quotes', body).data['_id']}"
    admin.post(f"{quote}/send", {"overrideReason": "The supplier cuts it"})
    assert admin.delete(f"/api/stations/{gone.pk}").status == 200
    request = admin.post(f"{quote}/accept", {}).data["request"]

    tab = open_office(admin.worker, f"requests/{request}")
    see(tab, ".request-now", "Station Drilling was deleted after the quote was sent")
    press_button(tab, "Make the order")
    tab.wait("#order-material")
    assert tab.count("#order-overrideReason") == 0  # the pane has that of its quote
    admin.post(f"/api/requests/{request}/panes", {"panes": [UNMAKEABLE]})
    follow(tab, f"office/requests/{request}")
    press_button(tab, "Make the order")
    choose(tab, "#order-material", "Sheet")
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, f"{DIALOG} .fault", "Cannot be made")
    tab.fill("#order-overrideReason", "The crane comes")
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, ".summary-done", "0 of 3")
    shown = admin.get("/api/panes", sort="paneNumber").data
    reasons = ["", "The supplier cuts it", "The crane comes"]
    assert [one["overrideReason"] for one in shown] == reasons
    follow(tab, f"office/panes/{shown[2]['paneNumber']}")
    see(tab, ".card", "The crane comes")
    assert unexpected(chromium) == []
