"""Every page in each of its states: accessible, and without horizontal overflow.

In both themes and both languages, at 320 CSS pixels and on full HD. A new page needs a row here;
those of the office that need no record are found by their table. axe runs here, once for each
state, and not in the stories. The states of offers (test_offer_page.py), and what is shown alone
(test_camera.py, test_drawing.py), are checked there.
"""

import re
from types import SimpleNamespace
from zlib import crc32

import pytest
from PIL import Image
from werkzeug.exceptions import ServiceUnavailable

import cutting_api
from api.test_labels import TEMPLATE
from api.test_quotes import PANE
from billing_scenarios import PRICES, deliver, entry_of, finished
from browser.pages import (
    CORE,
    ENGLISH,
    FULL_HD,
    LIVE,
    PHONE,
    STALE,
    change_unheard,
    choose,
    follow,
    log_in,
    open_logged_in,
    press_at_once,
    replace_one_time_password,
    see,
    set_look,
    unexpected,
)
from browser.slow_requests import hold_requests
from browser.station_steps import scan
from browser.test_shared_devices_page import NAMES, account, type_pin
from glassflow.core.process import clock
from glassflow.core.process.json import iso
from glassflow.pages import files
from mailed_quotes import policy
from pictures import photo
from scenarios import claim_pane, order_with_panes, order_with_units, pass_station
from sizes import size
from stock_api import create_lot, withdraw
from waiting import wait_until
from webhook_receiver import parked_delivery

pytestmark = [pytest.mark.sized, pytest.mark.slow, pytest.mark.timeout(900)]

WINDOWS = [PHONE, (390, 844), (820, 1180), FULL_HD]
THEMES = ["dark", "light"]
#: The languages and windows; each state goes through them in the other order than the one
#: before, as each change of a size paints the page again.
ROUNDS = size(
    [("en", PHONE), ("th", PHONE), ("th", FULL_HD)],
    long=[*(("th", one) for one in WINDOWS), *(("en", one) for one in WINDOWS[::-1])],
)
#: The same for what a page shows for a while, such as a dialog: it has the language in which
#: it was opened.
BRIEF_ROUNDS = size([("en", PHONE), ("en", FULL_HD)], long=ROUNDS)
#: The themes that axe checks in a language and window; one of these for each state, always
#: the same one. Its rules on colours and names do not depend on the size, and colours do
#: not depend on the language.
CHECKED_BY_AXE = size(
    [{("th", PHONE): ["dark"]}, {("en", PHONE): ["light"]}],
    long=[{("th", PHONE): THEMES, ("th", FULL_HD): ["dark"], ("en", PHONE): THEMES}],
)
BRIEFLY_CHECKED_BY_AXE = size(
    [{("en", FULL_HD): ["dark"]}, {("en", PHONE): ["light"]}], long=CHECKED_BY_AXE
)
#: How far the page is wider than the window, in CSS pixels: in its theme and, with no
#: painting in between, in the other one, which it keeps.
OVERFLOWS = f"""
    const {{ setTheme, theme }} = await import("{CORE}/preferences.js");
    const root = document.documentElement;
    const overflow = () => root.scrollWidth - root.clientWidth;
    const overflows = {{ [theme.value]: overflow() }};
    setTheme(theme.value === "dark" ? "light" : "dark");
    return {{ ...overflows, [theme.value]: overflow() }};
"""


def until_loaded(tab, _):
    """Wait for what a station loads after its first picture: its queue and its menus."""
    tab.wait(".queue:not([aria-busy])")


def click(*selectors):
    """Make a step that clicks on elements, each as soon as it is there."""

    def step(tab, _):
        for selector in selectors:
            tab.wait(selector)
            tab.click(selector)

    return step


def fill(selector, text):
    """Make a step that fills in a field; `text` may have values of the job."""

    def step(tab, job):
        tab.wait(selector)
        tab.fill(selector, text.format(**vars(job)))

    return step


def press(key):
    return lambda tab, _: tab.press(key)


def patch(path, **body):
    """Make a step that changes a record as somebody else does."""

    def step(_, job):
        assert job.admin.patch(path.format(**vars(job)), body).status == 200

    return step


def show_pane(name):
    """Make a step that types the number of one of the job's panes."""

    def step(tab, job):
        tab.wait(".queue li")
        tab.fill(".read input", getattr(job, name))
        tab.click(".read button")

    return step


def type_unfinished(tab, job):
    """Type the number of a pane that its delivery lacks."""
    tab.fill(".read input", job.ready)
    tab.click(".read button")


def name_recipient(tab, _):
    tab.fill(".hand-over input[type=text]", "คุณสมศรี")


submit = click("form .main-button")


#: Path of the page below /floor, query, what shows that it is there, and steps before.
WITHOUT_LOGIN = [
    ("secure", "", ".secure #other", []),
    ("offer", "", ".offer .gone", []),
    ("", "", "#username", []),
    ("", "", ".fault", [submit]),
]
WITHOUT_DATA = [
    ("", "", ".set-up-steps a", []),
    ("login", "", ".pages a", []),
    ("nothing", "", ".message", []),
    ("board", "", ".board .message", []),
    ("s", "?choose", ".choose .empty, .choose .message", []),
    ("deliveries", "", ".empty", []),
    ("deliveries/:deliveryId", "", ".message", []),
    ("labels", "", ".empty", []),
    ("office", "", ".to-do", []),
]
SETTINGS = '.signs [aria-label="This device"]'
FAIL = '.tiles button:has-text("Broken")'
WITH_DATA = [
    ("board", "?rotate=overview:600", ".lanes .rack", []),
    ("board", "?rotate=late:600", ".whole li", []),
    ("board", "?rotate=spotlight:600", ".spotlight li", []),
    ("s", "?choose", ".choose li", []),
    ("s/:stationId", "", ".queue li", []),
    ("s/:stationId", "", ".next", [show_pane("ready")]),
    ("s/:stationId", "", ".menu", [show_pane("ready"), click(".more")]),
    ("s/:stationId", "", ".tiles", [show_pane("ready"), click(".fail")]),
    ("s/:stationId", "", "textarea", [show_pane("ready"),
        click(".fail", FAIL, ".steps .main-button")]),
    ("s/:stationId", "", ".hold", [show_pane("ready"),
        click(".fail", FAIL, ".steps .main-button", ".steps .main-button")]),
    ("s/:stationId", "", '.verdict[data-kind="no"]', [show_pane("unknown")]),
    ("s/:stationId", "", ".station[data-glove] .switches", [
        until_loaded, click(SETTINGS, '.option input[type="checkbox"]')]),
    ("s/:stationId", "", '.verdict[data-kind="yes"]', [
        show_pane("waiting"), click(".next")]),
    ("deliveries", "", ".all li", []),
    ("deliveries/:deliveryId", "", ".missing", []),
    ("deliveries/:deliveryId", "", '.verdict[data-kind="no"]', [type_unfinished]),
    ("deliveries/:deliveryId", "", ".row .reasons", [
        click(".bar-below .main-button", ".row .icon-button")]),
    (None, "deliveries: the question", ".asking", [
        click(".ticks input:enabled"), name_recipient, submit]),
    ("", "", ".try img", []),
    ("labels", "", ".hits a", []),
    ("labels", "?order={order}", ".paper img", []),
    ("labels", "?kind=commands", ".paper img", []),
    ("labels", "?order=gone", ".fault", []),
]  # fmt: skip
HISTORY = 'summary:has-text("History of changes")'
OF_RECORDS = [
    ("office/orders/:id", "", ".changes li", [click(HISTORY)]),
    ("office/panes/:number", "", ".changes li", [
        click('summary:has-text("Earlier state")', ".as-it-was", HISTORY)]),
    ("office/people/:worker", "", "section[aria-labelledby=sessions] p", []),
    ("office/import/customers", "", ".import-choose", []),
    ("office/activity", "?action=created", ".activity dl", [click(".activity summary")]),
]  # fmt: skip
SAVE = ".form-buttons .main-button"
DIALOG = "dialog[open]"
ALERT = f"{DIALOG} [role=alert]"
SELECT_ALL = click(".table-top input")


def button(text, inside="main"):
    return f'{inside} :is(a, button):has-text("{text}")'


def cell(column, row=0, grid="field-panes"):
    return f'#{grid} [data-row="{row}"][data-column="{column}"]'


def open_unmakeable_pane(tab, _):
    """Fill in a pane that cannot be made, with a hole too near to its edge, and another one."""
    tab.wait(cell("width"))
    for name, typed in (("width", "3700"), ("height", "400"), ("thickness", "6")):
        tab.fill(cell(name), typed)
    tab.fill(cell("glassType"), "Clear")
    tab.press("Enter")
    tab.fill(cell("width", 1), "abc")
    tab.click(cell("width"))
    tab.click(button("Add a hole"))
    for name, typed in (("x", "18"), ("y", "200"), ("diameter", "20")):
        tab.fill(cell(name, grid="holes-grid"), typed)
    tab.select("#edge-top", "arris")
    tab.click(".form .main-button")
    see(tab, ".fault", "Row 2 · Width mm")
    tab.click(cell("width"))  # the fault had the focus
    see(tab, ".findings .refusal", "Cannot be made")
    tab.wait(".price-lines")


def add_job_type(tab, _):
    """Open the dialog of a job type, and above it that of its material."""
    tab.run("document.querySelector(given).focus();", cell("jobType"))
    tab.select(cell("jobType"), "Add a job type …")
    tab.fill("#add-job-types-defaultMaterial", "Grey 8 mm")
    tab.click('button:has-text("Add “Grey 8 mm”")')


def change_deadline(tab, job):
    """Change a deadline that somebody else has just changed."""
    tab.click(button("Change the deadline"))
    tab.fill("#deadline-deadline", "2031-02-03T10:00")
    tab.fill("#deadline-deadlineChangeReason", "x")
    change_unheard("Request", job.record, deadline=clock.now().replace(year=2032))
    press_at_once(tab, f"{DIALOG} .form .main-button")


def change_price(tab, job):
    """Type a price that somebody else changes meanwhile."""
    first = cell("pricePerSqFt", grid="glass-prices")
    tab.wait(first)
    tab.fill(first, "40")
    theirs = {"glassPrices": {"Clear": {"6mm": {"pricePerSqFt": 39}}}}
    assert job.admin.put("/api/pricing-settings", theirs).status == 200


def place_order(tab, job):
    choose(tab, "#order-paneMaterials-1", "Green sheet")
    tab.click(f"{DIALOG} .form .main-button")


def attach(tab, job):
    tab.wait(".attachments input")
    tab.choose(".attachments input", [job.document])


def find(text):
    """Make a step that searches by the palette."""

    def step(tab, job):
        tab.press("/")
        tab.wait("dialog.palette")
        tab.type(text.format(**vars(job)))

    return step


def show_other_station(tab, job):
    wait_until(lambda: tab.count("#field-defaultRouting option") > len(job.stations))
    for station in job.stations:
        tab.select("#field-defaultRouting", station)


def unfold(tab, _):
    """Show the filters of a list, which a phone has folded."""
    tab.wait(".list-filters")
    tab.run("document.querySelector('.unfold').click()")


HOLES = "holes-grid"
OPEN_WIDTH = '.open-panes [data-column="width"]'
#: What pages of the office show for a while, or of records: as the tables above. A row
#: without a path goes on from the one before.
BRIEF = [
    # forms: faults, a name that another record has, a table in a form
    ("office/customers/new", "", ".grid .field-fault", [
        fill("#field-name", "{name}"), click("#field-deliveryAddresses"),
        fill(cell("name", grid="field-deliveryAddresses"), "Yard"),
        fill("#field-discount", "140"), click(SAVE), lambda tab, _: tab.wait(".same-name a")]),
    ("office/customers/:customer", "", ".conflict dd", [
        fill("#field-notes", "mine"), patch("/api/customers/{customer}", notes="theirs"),
        click(SAVE)]),
    (None, "", ALERT, [click(".delete", "dialog .danger")]),
    ("office/customers/:buyer", "", ".balance .table-row", []),
    ("office/stations/new", "", ".found .nothing-found :is(a, button)", [
        fill("#field-templateId", "zzz")]),
    ("office/stations/:stationId", "", ".colors", []),
    ("office/stations/:stopped", "", ".maintenance a", []),
    ("office/racks", "", ".table-row", []),
    ("office/cutting", "", ".unplanned a", []),
    ("office/cutting/:cutting", "", ".sheet", []),
    ("office/racks/:rack", "", "#on-rack", []),
    ("office/racks/new", "", "#field-place", []),
    ("office/calls", "", ".pareto tbody tr", []),
    ("office/calls/:call", "", "#call-facts", []),
    ("office/calls/new", "", "#field-refusesScanIn", [click("#field-machineStands")]),
    ("office/roles/:role", "", ".matrix fieldset", []),
    ("office/station-templates/new", "", ".field-fault", [
        click('.choice-list label:has-text("Checklist")', ".advanced summary"),
        fill("#field-uiSchema", "{{"), click(SAVE)]),
    ("office/job-types/new", "", ".ordered-field li", [show_other_station]),
    ("office/workshop", "", ".logo img", []),
    ("office/hours", "", "#hours-sunday .field-fault", [
        click("#hours-sunday input", "#hours-sunday > button", SAVE)]),
    (None, "", ".days-off li", [click(button("holidays"))]),
    ("office/people/:worker", "", f"{DIALOG} .field-fault", [
        click(button("Set the PIN")), fill("#ask-pin", "1111"),
        click(".dialog .main-button")]),
    ("office/account", "", ".dialog .fault, .dialog .field-fault", [
        click(button("New API key")), fill("#ask-name", "a"),
        fill("#ask-scopes", "panes:fly"), click(".dialog .main-button")]),
    ("office/webhooks/:webhook", "", ".deliveries li button", []),
    ("office/price-lists/:priceList", "", "form.prices .grid", []),
    ("office/prices", "", ".conflict", [change_price]),
    ("office/labels/new", "", ".properties", [click('[data-add="qr"]')]),
    # requests, orders and quotes
    ("office/requests/new", "", ".grid .field-fault", [open_unmakeable_pane]),
    (None, "", "#add-materials-unit", [add_job_type]),
    ("office/requests/new", "", ".opened-draft", []),
    ("office/requests/:unordered", "", ".attachments li", [attach]),
    (None, "", f"{DIALOG} .fault", [
        click(button("Make the order"), f"{DIALOG} .form .main-button")]),
    (None, "", "main .kinds > .kind", [place_order]),
    ("office/requests/:request", "", ".few-scans", [click(button("Work out a date"))]),
    ("office/requests/:request", "", f"{DIALOG} .conflict dd", [change_deadline]),
    ("office/requests/:request/panes", "", cell("width"), []),
    ("office/requests/:request/change", "", ".preview-faults li", [
        fill(OPEN_WIDTH, "wide"), click(button("Add panes"))]),
    (None, "", ".preview .change-lines", [fill(OPEN_WIDTH, "700")]),
    ("office/quotes/:quote", "", ".sum strong", []),
    (None, "", f"{DIALOG} .main-button", [click(button("Mark as sent"))]),
    (None, "", ".quote-lines", [click(f"{DIALOG} .main-button")]),
    (None, "", "#link", [
        click(button("Link for the customer"), button("Make the link", DIALOG))]),
    ("office/quotes/:mailed", "", ".mail-remark:not(:empty)", [
        click(button("E-mail")), fill("#ask-to", f"{'a' * 60}@b.example")]),
    # panes and claims
    ("office/panes", "?search=หาดใหญ่", '.empty a:has-text("Panes of")', []),
    ("office/panes", "", "#filter-createdAt_lte-fault", [
        unfold, click('summary:has-text("More filters")'),
        fill("#filter-createdAt_lte", "2569-01-02")]),
    ("office/panes", "", f"{DIALOG} .batch-rows", [
        SELECT_ALL, click(button("Correct place", ".selected"))]),
    ("office/panes/:number", "", f"{DIALOG} .field-fault", [
        click("text=Correct place or status"),
        lambda tab, job: tab.select("#field-currentStation", job.stations[1]),
        click(f"{DIALOG} {SAVE}")]),
    ("office/panes/:number", "", f"{DIALOG} .drawing .cuts li", [
        click(button("Edit details"), button("Add a hole", DIALOG)),
        *(fill(f"{DIALOG} {cell(name, grid=HOLES)}", typed)
          for name, typed in (("x", "300"), ("y", "100"), ("diameter", "40")))]),
    ("office/claims/:claim", "", ".choice .consequences", []),
    (None, "", f"{DIALOG} {SAVE}", [
        click('.choice[data-status="rejected"] > .quiet-button')]),
    ("office/claims/:routeless", "", "#new-route", []),
    ("office/claims/:cancelled", "", ".decided", []),
    # stock, deliveries and what is owed
    ("office/stock", "", ".preview", [
        click(button("Move")), fill("#field-quantity", "4"),
        fill("#field-toLocation", "B-02")]),
    ("office/withdrawals/new", "?material={material}", ".preview .allocations", [
        fill("#field-quantity", "2")]),
    ("office/withdrawals", "", f"{DIALOG} .allocations", [
        SELECT_ALL, click(button("Reject", ".selected"))]),
    ("office/deliveries/new", "?order={order}", ".choice-groups summary", []),
    ("office/deliveries/:planned", "", ".group", []),
    ("office/deliveries/:delivered", "", ".facts-card img.signature", []),
    ("office/today", "", ".today:has(.money):has(.trips) ~ .weekly:has([data-card=load] .lanes):has(.weeks)", []),
    ("office/sales", "", ".sales-table .part", [click(button("Show months"))]),
    ("office/billing", "", f"{DIALOG} .billed-sums", [
        click(".billing-entries .table-top input"),
        click(button("Mark as billed", ".selected"))]),
    ("office/billing", "", ".accounts-sum:has-text('entr'), .accounts-sum:has-text('รายการ')", [
        click(".billing-top button"),
    ]),
    ("office/billing/:entry", "", ".billing-parts", []),
    ("office/billing/:billed", "", ".standing ol", []),
    (None, "", f"{DIALOG} .field-fault", [
        click(button("Credit"), ".credit-pane input"), fill(".credit-net", "9000"),
        fill("#credit-reason", "x"), click(f"{DIALOG} .main-button")]),
    ("office/payments/:payment", "", ".unpaid-invoices button", [
        lambda tab, _: tab.select("#field-purpose", "invoice")]),
    # lists
    ("office/customers", "", "#export-name", [
        click(".export", ".save-export summary")]),
    ("office/customers", "", f"{DIALOG} .merged .card", [
        SELECT_ALL, click(button("Merge", ".selected"))]),
    ("office/import/customers", "", "[aria-invalid=true]", [
        fill("#import-text", "Name\tDiscount\nNok\t500\n"),
        click(".import-choose form button")]),
    ("office/activity", "?action=deleted", ".restore button", []),
    ("office/notifications", "", ".selected button", [click(".row-check input")]),
    # above any page
    ("office/orders", "", "dialog.palette [role=option]", [find("{ready}")]),
    (None, "", f"{DIALOG}:not(.palette)", [press("Escape"), press("?")]),
    ("office/orders", "", "dialog.menu", [
        lambda tab, _: tab.size(*PHONE), click(".rail-menu")]),
]  # fmt: skip
#: Pages of records that are lists or forms as others.
MORE = size([], long=[
    ("office/stock/:lot", "", ".sheet .defect", []),
    ("office/materials/:material", "", ".lots li", []),
    ("office/materials/:material/book", "", ".table-row", []),
    ("office/withdrawals/:withdrawal", "", "#facts", []),
    ("office/claims/new", "?pane={ready}", ".form", []),
    ("office/orders/nothing", "", ".empty", []),
    ("office/panes/PNE-9999", "", ".empty", []),
])  # fmt: skip
HEADING = "h1[tabindex]"


def pages():
    """The paths of all pages, as the tables of main.js and of the office have them."""
    tables = [
        found[1]
        for module in (files.ROOT / "js").rglob("*.js")
        if (found := TABLE.search(module.read_text("utf-8")))
    ]
    return {path for table in tables for path in ROW.findall(table)}


#: A row has the module of the page, or the name of what loads it.
TABLE = re.compile(r"const PAGES = \[(.*?)\n\];", re.DOTALL)
ROW = re.compile(r'\["([^"]*)", (?:\(\) =>|page\(|\w+\])')


def test_each_page_outside_of_the_office_has_a_row():
    listed = {path for path, *_ in (*WITHOUT_LOGIN, *WITHOUT_DATA, *WITH_DATA)}
    assert {"board", "office/orders/:id"} <= pages()
    outside = {path for path in pages() if not path.startswith("office")}
    assert outside - listed == set()


@pytest.fixture
def make_job(admin, workshop):
    """Makes a late order; one of its panes may be handed on: the values of the rows."""

    def make():
        assert admin.post("/api/sticker-templates", TEMPLATE).status == 201
        job = order_with_panes(admin, workshop, steps=2, panes=4)
        late = {"deadline": iso(clock.now().replace(year=2025))}
        path = f"/api/requests/{job.request['_id']}"
        assert admin.patch(path, {**late, "deadlineChangeReason": "x"}).status == 200
        name = {"name": "บริษัท หาดใหญ่กลาสเซ็นเตอร์แอนด์อลูมิเนียม จำกัด (มหาชน)"}
        assert admin.patch(f"/api/customers/{job.customer}", name).status == 200
        waiting, ready, _, finished = job.numbers
        for station in job.stations:
            assert pass_station(admin, finished, station).status == 200
        notes = {"notes": "เจาะรู Ø12 2 รู ที่มุมซ้ายบน"}
        assert admin.patch(f"/api/panes/{ready}", notes).status == 200
        assert admin.scan(ready, "complete").status == 200
        return SimpleNamespace(
            order=job.order["_id"],
            record=job.request,
            customer=job.customer,
            stations=job.stations,
            planned={
                "customer": job.customer,
                "panes": [one["_id"] for one in job.panes],
            },
            ready=ready,
            waiting=waiting,
            unknown="999999",
            parameters={
                ":stationId": job.stations[0],
                ":id": job.order["_id"],
                ":number": ready,
                ":worker": str(workshop.worker().pk),
            },
        )

    return make


def test_every_page_is_accessible_and_fits_in_every_look(
    demo_settings, chromium, server, admin, workshop, make_job
):
    account = workshop.worker_with("admin")
    path = f"/api/workers/{account.pk}/reset-password"
    password = admin.post(path).data["password"]
    tab = chromium.profile(**ENGLISH).tab(f"{server}/floor/secure")
    for path, *row in WITHOUT_LOGIN:
        tab.goto(f"{server}/floor/{path}")
        check(tab, (None, *row))
    log_in(tab, account, password)
    check(tab, (None, "password", "#repeated", []))
    replace_one_time_password(tab, password, "one of my own 1")
    tab.wait(LIVE)
    for row in WITHOUT_DATA:
        check(tab, row)
    job = make_job()
    delivery = admin.post("/api/deliveries", job.planned).data
    job.parameters[":deliveryId"] = delivery["_id"]
    for row in WITH_DATA:
        check(tab, row, job)
    offline = [(tab, WITH_DATA[0]), (chromium.tab(f"{server}/floor/"), WITH_DATA[4])]
    for one, row in offline:
        one.wait(LIVE)
        open_row(one, row, job)
    chromium.call("offline", True)
    for one, row in offline:
        one.wait(STALE)
        looks_good(one, ("offline", row[0]))
    chromium.call("offline", False)
    for one, _ in offline:
        one.wait(LIVE)
    assert unexpected(chromium) == []


def test_every_page_of_the_office_is_accessible_and_fits_in_every_look(
    open_office, chromium, workshop, make_job
):
    job = make_job()
    tab = open_office(workshop.worker_with("admin"))
    for path in sorted(pages()):
        if path.startswith("office") and not re.search("[:*]", path):
            check(tab, (path, "", HEADING, []))
    for row in OF_RECORDS:
        check(tab, row, job)
    assert unexpected(chromium) == []


@pytest.fixture
def make_records(admin, workshop, make_job, tmp_path):
    """Makes records for the rows of BRIEF, beside those of a job: the values of the rows."""

    def create(path, **body):
        made = admin.post(f"/api/{path}", body)
        assert made.status in (200, 201), made
        return made.data

    def make(account):
        assert (
            admin.put(
                "/api/pricing-settings", {**PRICES, "edgeRates": {"arris": 10}}
            ).status
            == 200
        )
        assert admin.put("/api/workshop", {"logo": photo("image/png")}).status == 200
        job = make_job()
        job.admin, job.document = admin, str(tmp_path / "PO-14.pdf")
        (tmp_path / "PO-14.pdf").write_bytes(b"%PDF-1.4\n%%EOF\n")
        ids = job.parameters
        job.name = admin.get(f"/api/customers/{job.customer}").data["name"]
        ids[":customer"], ids[":request"] = job.customer, job.record["_id"]
        workshop.material(name="Green sheet")
        spec = {"glassType": "CLEAR", "thickness": "6 mm"}
        workshop.material(name="Clear sheet", spec_details=spec)
        unordered = [
            {**PANE, "rawGlass": {"glassType": glass, "thickness": 6}}
            for glass in ("Clear", "Green")
        ]
        details = {"type": "window", "quantity": 2}
        ids[":unordered"] = create(
            "requests", customer=job.customer, details=details, panes=unordered
        )["_id"]
        ids[":quote"] = create("quotes", customer=job.customer, panes=[PANE])["_id"]
        client = str(workshop.customer(email="ann@customer.example").pk)
        mailed = create("quotes", customer=client, panes=[{**PANE, "unitPrice": 100}])
        ids[":mailed"] = create(f"quotes/{mailed['_id']}/send")["_id"]
        # claims: to be decided, of a pane without a route, and rejected by a cancellation
        ids[":claim"] = claim_pane(admin, job.waiting).data["_id"]
        routeless = order_with_panes(admin, workshop, steps=1)
        pass_station(admin, routeless.numbers[0], routeless.stations[0])
        ids[":routeless"] = claim_pane(admin, routeless.numbers[0]).data["_id"]
        assert admin.delete(f"/api/stations/{routeless.stations[0]}").status == 200
        cancelled = order_with_panes(admin, workshop)
        ids[":cancelled"] = claim_pane(admin, cancelled.numbers[0]).data["_id"]
        path = f"/api/orders/{cancelled.order['_id']}"
        assert admin.patch(path, {"status": "cancelled"}).status == 200
        ids[":rack"] = create("racks", name="A-frame 3", place="Hall 2")["_id"]
        # calls: one that somebody answers, and one that keeps panes out
        call = {"station": job.stations[0], "kind": "machine", "machineStands": True}
        create("calls", **{**call, "kind": "question"}, reason="Which edge?")
        call = create("calls", **call, reason="The belt has come off its rollers")
        ids[":call"] = create(f"calls/{call['_id']}/take")["_id"]
        ids[":stopped"] = str(workshop.station(name="เจาะรู (Drilling)").pk)
        stop = {"station": ids[":stopped"], "kind": "machine", "refusesScanIn": True}
        create("calls", **stop, reason="A new pump, waits for a part until Tuesday")
        # stock and deliveries
        glass = workshop.material(name="Float 6", reorder_point=10)
        job.material = ids[":material"] = str(glass.pk)
        station = f"/api/stations/{job.stations[0]}"
        assert admin.patch(station, {"isCuttingStation": True}).status == 200
        lot = create_lot(admin, glass, 9, location="A-01")
        remnant = {"stockType": "Reuse", "dimensions": {"width": 812, "height": 1450}}
        defect = {"x": 600, "y": 0, "width": 212, "height": 90}
        rest = create_lot(
            admin, glass, 1, parentLot=lot["_id"], defects=[defect], **remnant
        )
        rules = {"byThickness": [{"thickness": 6, "allowance": 3}]}
        assert admin.put("/api/cutting-rules", rules).status == 200
        to_cut = cutting_api.job_to_cut(admin, workshop, panes=3)
        ids[":cutting"] = cutting_api.planned(admin, to_cut)["_id"]
        decided, waiting = (withdraw(admin, lot, 1).data for _ in range(2))
        approved = {"status": "approved"}
        admin.patch(f"/api/withdrawals/{decided['_id']}", approved)
        ids[":lot"], ids[":withdrawal"] = rest["_id"], waiting["_id"]
        sold = finished(admin, workshop, agreed=3000)
        first, second = deliver(admin, sold, 0), deliver(admin, sold, 1)
        ids[":buyer"], ids[":entry"] = sold.customer, entry_of(admin, first)["_id"]
        billed = finished(admin, workshop, agreed=1000, panes=1, customer=sold.customer)
        ids[":billed"] = entry_of(admin, deliver(admin, billed, 0))["_id"]
        create("billing-entries/bill", ids=[ids[":billed"]], invoiceNumber="INV-1")
        paid = create("payments", customer=sold.customer, amount=100)
        ids[":payment"] = paid["_id"]
        left = [sold.panes[2]["_id"]]
        planned = create("deliveries", customer=sold.customer, panes=left)
        ids[":planned"] = planned["_id"]
        undone = f"deliveries/{second['_id']}"
        create(f"{undone}/undo")
        signature, taken = (
            create("attachments", photo=photo(kind))["_id"]
            for kind in ("image/png", "image/jpeg")
        )
        proof = {"signature": signature, "photos": [taken], "remark": "at the gate"}
        numbers = [sold.numbers[1]]
        create(f"{undone}/hand-over", paneNumbers=numbers, receivedBy="Aek", **proof)
        ids[":delivered"] = second["_id"]
        # the rest
        ids[":role"] = str(workshop.role(permissions=["stations:view"]).pk)
        hook = {"url": "https://example.com/hook", "isActive": False}
        ids[":webhook"] = create("webhooks", events=["pane:updated"], **hook)["_id"]
        parked_delivery(ids[":webhook"])
        rates = {"Clear": {"6mm": {"pricePerSqFt": 80}}}
        prices = create("price-lists", name="contractors", glassPrices=rates)
        ids[":priceList"] = prices["_id"]
        news = {"type": "news", "title": "A pane", "priority": "high"}
        create("notifications", recipient=str(account.pk), **news)
        assert admin.delete(f"/api/customers/{workshop.customer().pk}").status == 200
        return job

    return make


def test_what_pages_of_the_office_show_for_a_while_is_accessible_and_fits(
    open_office, chromium, app, workshop, make_records, set_policy, monkeypatch
):
    set_policy(mail=policy("smtp://127.0.0.1:2525"))
    account = workshop.worker_with("admin")
    job = make_records(account)
    tab = open_office(account)
    for row in (*BRIEF, *MORE):
        check_brief(tab, row, job)
    with monkeypatch.context() as slow:
        released = hold_requests(slow, app, "requests.update")
        row = ("office/requests/:request", "", f"{DIALOG} .working", [
            click(button("Cancel the work")), fill("#ask-cancelReason", "x"),
            click(f"{DIALOG} .form .main-button")])  # fmt: skip
        check_brief(tab, row, job)
        released.set()
    open_row(tab, ("office/orders", "?due=all", ".table-row", []), job)
    chromium.call("offline", True)
    tab.wait(STALE)
    looks_good(tab, ("offline", "office"), BRIEF_ROUNDS, BRIEFLY_CHECKED_BY_AXE)
    chromium.call("offline", False)
    tab.wait(LIVE)
    assert all("409" in one or "400" in one for one in unexpected(chromium))


#: What a station shows for a while.
STATION = "s/:stationId"
ANSWERED = [click('.tiles button:has-text("Scratch")', ".steps .main-button"),
    fill("textarea", "x"), click(".steps .main-button")]  # fmt: skip
#: While the service takes no scan.
UNSENT = [
    (STATION, "", ".done", [
        show_pane("waiting"),
        click(".more", '.menu button:has-text("Report a claim")'), *ANSWERED,
        click('.sheet-body .main-button:has-text("Send the claim")')]),
    (None, "", '.verdict[data-kind="kept"]', [
        press("Escape"), show_pane("waiting"), click(".next")]),
    (None, "", ".waiting-rows .fault", [click(".pill.kept")]),
    ("", "", ".bar-fault", [click(".bar > .quiet-button")]),
    (STATION, "", ".sheet-body .fault", [
        until_loaded, click(SETTINGS, '.menu button:has-text("Log out")')]),
    (None, "", ".unsent", [click('.menu button:has-text("Log out anyway")')]),
]  # fmt: skip


def test_what_stations_and_the_board_show_for_a_while_is_accessible_and_fits(
    chromium, server, app, admin, workshop, make_job, monkeypatch, tmp_path
):
    def busy(**_):
        raise ServiceUnavailable

    worker, colleague = (workshop.worker_with("admin") for _ in range(2))
    job = make_job()
    scratch = str(tmp_path / "scratch.jpg")
    Image.new("RGB", (80, 60)).save(scratch)
    odd = {"dimensions": {"width": 500, "height": 400}}
    odd["holes"] = [{"id": "h1", "x": 9000, "y": 100, "diameter": 20}]
    assert admin.patch(f"/api/panes/{job.ready}", odd).status == 200
    units = order_with_units(admin, workshop, before=0)
    address = f"{server}/floor/s/{job.parameters[':stationId']}"
    tab = open_logged_in(chromium.profile(**ENGLISH), address, worker)
    tab.wait(".queue li")
    job.parameters[":lamination"] = units.lamination_station
    job.sheet = units.sheets[0][0]
    admin.scan(job.sheet, "scan_in", station=units.lamination_station)
    checked = order_with_panes(
        admin, workshop, steps=1, pane={"dimensionTolerance": "±1"}
    )
    job.parameters[":check"], job.checked = checked.stations[0], checked.numbers[0]
    admin.patch(f"/api/stations/{checked.stations[0]}", {"isCheckStation": True})
    admin.scan(job.checked, "scan_in", station=checked.stations[0])
    job.rack = create_rack(admin, job.checked)
    for row in (
        (STATION, "", ".drawing .cuts .wrong", [show_pane("ready")]),
        (None, "", ".photos img", [
            click(".fail", FAIL), lambda tab, _: tab.choose(".photos input", [scratch])]),
        (None, "", '.verdict[data-kind="failed"]', [
            click(*[".steps .main-button"] * 2),
            lambda tab, _: tab.hold(".fail-button", 900)]),
        (None, "", ".remake-label .main-button", []),
        (STATION, "", ".scanner-test li", [
            until_loaded, click(SETTINGS, '.menu button:has-text("Test my scanner")', ".scan-now"),
            lambda tab, _: scan(tab, "OTHER:1")]),
        ("s/:lamination", "", ".unit .waits, .waits", [show_pane("sheet")]),
        ("s/:check", "", ".pane.rack", [show_pane("rack")]),
        ("s/:check", "", ".measuring", [show_pane("checked"), click(".buttons .measure")]),
        (STATION, "", ".sheet-body .tiles", [until_loaded, click(".bell")]),
        (None, "", ".band.call[data-stands]", [
            click('.option:has-text("The machine stands")', '.tiles button:has-text("Machine")')]),
        (None, "", ".calls li", [click(".bell")]),
        (f"s/{'0' * 24}", "", ".message", []),
    ):  # fmt: skip
        check_brief(tab, row, job)
    with monkeypatch.context() as overloaded:
        for view in ("scans.scan", "claims.from_pane"):
            overloaded.setitem(app.view_functions, view, busy)
        for row in UNSENT:
            check_brief(tab, row, job)
        log_in(tab, colleague)
        check_brief(
            tab, (None, "", ".others li", [until_loaded, click(".pill.others")]), job
        )
        row = (None, "", "#username", [
            press("Escape"), click(SETTINGS, '.menu button:has-text("Log out")')])  # fmt: skip
        open_row(tab, row, job)
    pass_station(admin, job.waiting, job.parameters[":stationId"])
    log_in(tab, worker)
    check_brief(tab, (None, "", ".refusals > li", [click(".pill.refused")]), job)

    admin.put(f"/api/workers/{colleague.pk}/pin", {"pin": "2580"})
    device = chromium.second_profile(**ENGLISH).tab(address)
    log_in(device, account(workshop, "device"))
    for row in (
        (None, "", NAMES, []),
        (None, "", ".keys .enter", [click(NAMES)]),
        (None, "", ".person b", [lambda tab, _: type_pin(tab, "2580"), until_loaded]),
    ):
        check_brief(device, row, job)

    for one in admin.get("/api/sticker-templates").data:
        assert admin.delete(f"/api/sticker-templates/{one['_id']}").status == 200
    check_brief(tab, ("labels", "?order={order}", ".fault a", []), job)
    station = f"/api/stations/{job.parameters[':stationId']}"
    assert admin.patch(station, {"status": "maintenance"}).status == 200
    stop = {"station": units.lamination_station, "kind": "machine"}
    stop |= {"machineStands": True, "reason": "The belt is torn"}
    assert admin.post("/api/calls", stop).status == 201
    for row in (
        ("", "", '.call-bar [data-state="open"]', []),
        (None, "", '.call-bar [data-state="taken"]', [click(".call-bar .main-button")]),
    ):
        check_brief(tab, row, job)
    board = "rotate=overview:600,late:600,spotlight:600"
    for row in (
        ("board", f"?{board}", '.lanes .call[data-state="stands"]', [
            lambda tab, _: see(tab, "[data-alert=failed]", "failed its check")]),
        (None, "", ".late.whole li", [press("ArrowRight")]),
        (None, "", ".spotlight li", [press("ArrowRight")]),
        (None, "", ".board dialog[open]", [press("?")]),
    ):  # fmt: skip
        open_row(tab, row, job)
        looks_good(tab, row[:3], [("en", FULL_HD)], [{("en", FULL_HD): ["light"]}])
    with monkeypatch.context() as overloaded:
        overloaded.setitem(app.view_functions, "board.show", busy)
        follow(tab, "")
        tab.run("localStorage.clear();")  # what the board has kept, too
        tab.goto(f"{server}/floor/board")
        check_brief(tab, (None, "board", ".message", []), job)
    assert all("503" in one for one in unexpected(chromium))


def create_rack(admin, *numbers):
    """Make a rack with panes on it; returns its number."""
    rack = admin.post("/api/racks", {"name": "A-frame 3", "place": "Hall 2"}).data
    body = {"paneNumbers": list(numbers)}
    assert admin.post(f"/api/racks/{rack['_id']}/put", body).status == 200
    return rack["rackNumber"]


def check(tab, row, job=None):
    open_row(tab, row, job)
    looks_good(tab, row[:3])


def check_brief(tab, row, job):
    """Check a state that a page shows for a while; a row without a path goes on."""
    open_row(tab, row, job)
    looks_good(tab, row[:3], BRIEF_ROUNDS, BRIEFLY_CHECKED_BY_AXE)


def open_row(tab, row, job):
    path, query, ready, steps = row
    set_look(tab, "en", THEMES[0])  # the steps are in English
    if path is not None:
        for name, value in job.parameters.items() if job else ():
            path = path.replace(name, value)
        follow(tab, path + (query.format(**vars(job)) if job else query))
    if steps:
        tab.size(*FULL_HD)  # a narrow window folds parts of a page
    for step in steps:
        step(tab, job)
    tab.wait(ready)
    wait_until(lambda: tab.count(".skeleton") == 0)


def looks_good(tab, state, rounds=ROUNDS, checked=CHECKED_BY_AXE):
    themes = checked[crc32(repr(state).encode()) % len(checked)]
    for lang, window in rounds:
        set_look(tab, lang, THEMES[0])
        tab.size(*window)
        overflows = tab.run(OVERFLOWS)
        assert len(overflows) == len(THEMES)
        assert max(overflows.values()) <= 0, (state, lang, window, overflows)
        for theme in themes.get((lang, window), ()):
            set_look(tab, lang, theme)
            assert tab.axe() == [], (state, lang, window, theme)
    rounds.reverse()
