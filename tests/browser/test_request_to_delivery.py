"""A pane from the request to its delivery: with the keyboard, by touch, with the scanner alone."""

import pytest

from api.test_labels import TEMPLATE
from browser.pages import ENGLISH, SUBMIT, see, settles, unexpected
from browser.station_steps import (
    DONE,
    FAILED,
    NEXT,
    YES,
    command,
    offers,
    pause,
    says,
    scan,
    scan_in_thai,
    shows,
    status,
)
from factories import PASSWORD
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

TOUCH = {"viewport": {"width": 390, "height": 844}, "hasTouch": True}
NAMES = ("Edging", "Washing")  # of the stations
PRINT = ".print .main-button:enabled"
MATERIAL = "dialog #order-material"
GLASS = """return document.querySelector('[data-column="glassType"]').value;"""
CHOSEN = "return document.querySelector(given)?.value;"


@pytest.fixture
def account(workshop):
    return workshop.worker_with("admin")


@pytest.fixture
def job(admin, workshop):
    """A workshop with two stations, a job type that passes them, and an order of it."""
    kind = {"jobType": "TEMP", "rawGlass": {"glassType": "Clear", "thickness": 6}}
    size = {"dimensions": {"width": 600, "height": 400, "thickness": 6}}
    made = order_with_panes(admin, workshop, steps=2, pane={**kind, **size})
    for station, name in zip(made.stations, NAMES, strict=True):
        admin.patch(f"/api/stations/{station}", {"name": name})
    kind = {
        "name": "Tempered",
        "code": "TEMP",
        "defaultRouting": made.stations,
        "defaultRawGlassTypes": ["Clear"],
        "defaultMaterial": made.material,
    }
    assert admin.post("/api/job-types", kind).status == 201
    assert admin.post("/api/sticker-templates", TEMPLATE).status == 201
    made.name = admin.get(f"/api/customers/{made.customer}").data["name"]
    return made


def require_delivered(admin, order, number):
    """The order is finished, and its pane has been labelled and has passed all stations."""
    (found,) = admin.get("/api/orders", search=order).data
    assert (found["status"], found["panesCompleted"]) == ("completed", 1)
    pane = admin.get(f"/api/panes/{number}").data
    assert pane["currentStatus"] == "completed"
    assert pane["labelledAt"]


@pytest.mark.long
def test_pane_is_requested_and_delivered_with_the_keyboard_alone(
    chromium, server, admin, account, job
):
    tab = chromium.profile(**ENGLISH).tab(f"{server}/floor/office/requests")
    settles(tab.focused, "username")
    tab.type(account.username)
    tab.press("Tab")
    tab.type(PASSWORD)
    tab.press("Enter")
    order, number = request_with_keyboard(tab, job.name)
    tab.press("p")
    tab.wait(PRINT)
    tab.stubPrint()
    press(tab, "button", "Print 1 label")
    press(tab, "button", "Yes")
    see(tab, ".outcome", "1 label printed")
    press(tab, "a", "glassflow", back=True)
    tab.wait(".pages")
    press(tab, "a", "Station")

    for name in ("Edging", "Washing"):
        tab.wait(".choose li")
        press(tab, "a", name)
        tab.wait(".queue")
        if name == "Edging":
            fail_with_keyboard(tab, admin, job)
        press(tab, "button", number)
        shows(tab, number)
        pause(tab)
        for action, done in DONE.items():
            press(tab, "button", action, back=True)
            says(tab, YES, done)
        press(tab, "button", "This device", back=True)
        tab.wait(".sheet-body")
        press(tab, "a", "Choose another station" if name == "Edging" else "Start page")
    tab.wait(".pages")
    press(tab, "a", "Office")
    tab.wait(".rail")
    settles(tab.focused, "H1")
    tab.press("Control+k")
    tab.wait("dialog input")
    tab.type(order)
    see(tab, "#found", order)
    tab.press("Enter")
    see(tab, "h1 ~ *", "Finished")
    assert chromium.call("used") == ["keyboard"]
    require_delivered(admin, order, number)
    assert unexpected(chromium) == []


def go_to(tab, tag, wanted, *, back=False):
    """Move the focus by the Tab key to an element with a text, or an input by its selector."""
    here = """
        const element = document.activeElement;
        const { tagName, innerText, ariaLabel } = element;
        const [tag, wanted] = given;
        const isWanted = tag === "input" ? element.matches(wanted)
          : (innerText || ariaLabel || "").includes(wanted);
        return tagName === tag.toUpperCase() && isWanted;
    """
    for _ in range(60):
        if tab.run(here, [tag, wanted]):
            return
        tab.press("Shift+Tab" if back else "Tab")
    raise AssertionError(f"{wanted} cannot be reached: {tab.text('body')}")


def press(tab, tag, wanted, *, back=False):
    """Go to a button or link once it is there, and press it by Enter."""
    tab.wait(f'{tag}:has-text("{wanted}"), {tag}[aria-label="{wanted}"]')
    go_to(tab, tag, wanted, back=back)
    tab.press("Enter")


def request_with_keyboard(tab, customer):
    """Write a request of one pane and make its order; return the numbers of order and pane."""
    tab.wait("a.new")
    settles(tab.focused, "H1")
    tab.press("n")
    tab.wait('[data-column="width"]')
    settles(tab.focused, "field-customer")
    tab.type(customer)
    # once what is listed was found by all that was typed
    wait_until(
        lambda: (
            tab.press("Enter")
            or tab.attribute("#field-customer", "aria-expanded") == "false"
        )
    )
    go_to(tab, "input", '[data-column="width"]')
    for text in ("600", "400", "1"):
        tab.type(text)
        tab.press("Tab")
    tab.type("Temp")  # chooses the job type, whose glass and route the row gets
    settles(lambda: tab.run(GLASS, None), "Clear")
    press(tab, "button", "Create")
    see(tab, "h1", "REQ-")
    press(tab, "button", "Make the order")
    tab.wait(MATERIAL)  # it has the material of the job type
    press(tab, "button", "Make the order")
    see(tab, "h1", "ORD-")
    tab.wait(".panes .table-row")
    return tab.text("h1"), tab.text(".panes .table-row strong")


def fail_with_keyboard(tab, admin, job):
    """Fail the pane of the earlier order, which somebody has worked on."""
    (failing,) = job.numbers
    admin.scan(failing, "complete", station=job.stations[0])
    press(tab, "button", failing)
    shows(tab, failing)
    tab.wait(".fail")
    tab.press("f")
    tab.wait(".tiles")
    tab.press("Escape")
    wait_until(lambda: tab.run("return !document.querySelector('dialog');", None))
    tab.press("f")
    tab.wait(".tiles")
    press(tab, "button", "Broken")
    for step in (3, 4):
        press(tab, "button", "Next")
        see(tab, "#question", f"Step {step} of 4")
    press(tab, "button", "Confirm")
    see(tab, ".hold", "once more")
    tab.press("Enter")
    says(tab, FAILED, "Recorded as failed")
    assert status(admin, failing) == "defected"


@pytest.mark.long
def test_pane_is_requested_and_delivered_by_touch_alone(
    chromium, server, admin, account, job
):
    tab = chromium.profile(**ENGLISH, **TOUCH).tab(f"{server}/floor")
    write(tab, "#username", account.username)
    write(tab, "#password", PASSWORD)
    tab.tap(SUBMIT)
    tab.tap("a[href='/floor/office']")
    order, number = request_by_touch(tab, job.name)
    tab.tap('a:has-text("Print labels")')
    tab.wait(PRINT)
    tab.stubPrint()
    tab.tap(PRINT)
    tab.tap(".asks .yes")
    see(tab, ".outcome", "1 label printed")
    tab.tap(".bar .brand")
    tab.tap(".pages a[href='/floor/s']")

    for station in job.stations:
        tab.tap(f'a[href="/floor/s/{station}"]')
        tab.tap(f'.queue li button:has-text("{number}")')
        if tab.count(".begin"):  # the sounds are turned on with the first tap
            tab.tap(".begin")
        for action, done in DONE.items():
            offers(tab, action)
            tab.tap(NEXT)
            says(tab, YES, done)
        tab.tap('.signs [aria-label="This device"]')
        tab.tap('.menu a[href="/floor/s?choose"]')
    claim_by_touch(tab, admin, job)
    tab.tap('.signs [aria-label="This device"]')
    tab.tap('.menu a[href="/floor/"]')
    tab.tap("a[href='/floor/office']")
    tab.tap('.rail button:has-text("Find")')
    write(tab, "dialog input", order)
    tab.tap(f'#found a:has-text("{order}")')
    see(tab, "h1 ~ *", "Finished")
    assert chromium.call("used") == ["picker", "touch"]
    require_delivered(admin, order, number)
    assert unexpected(chromium) == []


def write(tab, selector, text):
    """Type into a field with the keyboard of a touch screen."""
    tab.tap(selector)
    tab.insert(text)


def request_by_touch(tab, customer):
    """Write a request of one pane and make its order; return the numbers of order and pane."""
    tab.tap('.rail button:has-text("Menu")')
    tab.tap("dialog a[href$='/requests']")
    tab.tap("main a.new")
    write(tab, "#field-customer", customer)
    tab.tap(f'[role=option]:has-text("{customer}")')
    wait_until(lambda: tab.run(CHOSEN, "#field-customer") == customer)
    for column, text in (("width", "600"), ("height", "400")):
        write(tab, f'#field-panes [data-column="{column}"]', text)
    tab.select('#field-panes [data-column="jobType"]', "TEMP")
    settles(lambda: tab.run(GLASS, None), "Clear")
    tab.tap(".form .main-button")
    see(tab, "h1", "REQ-")
    tab.tap('button:has-text("Make the order")')
    tab.wait(MATERIAL)
    tab.tap("dialog .main-button")
    see(tab, "h1", "ORD-")
    tab.wait(".panes .table-row")
    return tab.text("h1"), tab.text(".panes .table-row strong")


def claim_by_touch(tab, admin, job):
    """Raise a claim for the pane of the earlier order."""
    (claimed,) = job.numbers
    tab.tap(f'a[href="/floor/s/{job.stations[0]}"]')
    tab.tap(f'.queue li button:has-text("{claimed}")')
    shows(tab, claimed)
    tab.tap(".more")
    tab.tap('.menu button:has-text("claim")')
    tab.tap('.tiles button:has-text("Chipped")')
    tab.tap(".steps .main-button")
    write(tab, "textarea", "Corner")
    tab.tap(".steps .main-button")
    tab.tap('.main-button:has-text("Send the claim")')
    see(tab, ".done", "CLM-")
    tab.tap('dialog [aria-label="Close"]')
    wait_until(lambda: tab.count("dialog") == 0)
    assert status(admin, claimed) == "claimed"
    (claim,) = admin.get("/api/claims").data
    assert claim["defectCode"] == "chipped"


def test_pane_is_requested_fails_and_its_remake_is_delivered_with_the_scanner_alone(
    chromium, server, admin, account, job
):
    stations = list(zip(job.stations, NAMES, strict=True))
    first, second = stations
    tab = chromium.profile(**ENGLISH).tab(f"{server}/floor/office")
    settles(tab.focused, "username")
    tab.type(account.username)
    tab.press("Tab")
    scan(tab, PASSWORD)
    order, number = request_with_scanner(tab, server, job)
    for card, button in (("NEXT", PRINT), ("CONFIRM", ".asks .yes")):
        tab.wait(button)
        tab.stubPrint()
        command(tab, card)
    see(tab, ".outcome", "1 label printed")
    command(tab, "COPY")
    see(tab, ".setup [role=status]", "does nothing on this page")

    scan_through(tab, server, first, number)
    work(tab, server, second, number, ("Take in", "Done"))
    fail_with_scanner(tab, server, second[0])
    log = admin.get("/api/pane-logs", action="qc_fail").data[0]
    assert log["reason"] == "dimension_wrong"
    failed = admin.get(f"/api/panes/{number}").data["_id"]
    (remake,) = admin.get("/api/panes", remakeOf=failed).data
    command(tab, "COPY")
    see(tab, ".work", "for the pages of the office")
    for station in stations:
        scan_through(tab, server, station, remake["paneNumber"])
    assert chromium.call("used") == ["keyboard"]
    admin.post("/api/labels/print", {"panes": [remake["paneNumber"]]})
    require_delivered(admin, order, remake["paneNumber"])
    assert unexpected(chromium) == []


def request_with_scanner(tab, server, job):
    """Order again what the label of an earlier pane is of; return the numbers of order and pane."""
    (earlier,) = job.numbers
    tab.wait(".find")
    card = f"{server}/floor/office/orders/{job.order['_id']}"  # of the job
    # a page listens to the scanner soon after it is shown, not at once
    wait_until(lambda: scan(tab, card) or job.order["orderNumber"] in tab.text("h1"))
    tab.wait("[data-card=COPY]")
    scan_in_thai(tab, f"STDPLUS:{earlier}")
    see(tab, "h1", earlier)
    tab.wait("[data-card=COPY]")
    scan_in_thai(tab, "STDPLUS-DO:COPY")
    see(tab, "h1", "New request")
    settles(lambda: tab.run(CHOSEN, "#field-customer"), job.name)
    scan_in_thai(tab, "STDPLUS-DO:NEXT")
    see(tab, "h1", "REQ-")
    tab.wait(".request-now .main-button")
    command(tab, "NEXT")
    tab.wait(MATERIAL)
    command(tab, "BACK")
    wait_until(lambda: tab.count("dialog") == 0)
    command(tab, "NEXT")
    tab.wait(MATERIAL)
    command(tab, "NEXT")
    see(tab, "h1", "ORD-")
    tab.wait(".panes .table-row")
    found = tab.text("h1"), tab.text(".panes .table-row strong")
    command(tab, "FAIL")  # says so, and does nothing
    see(tab, "dialog [role=status]", "does nothing on this page")
    command(tab, "BACK")
    wait_until(lambda: tab.count("dialog") == 0)
    command(tab, "NEXT")
    return found


def scan_through(tab, server, station, number):
    """Work on a pane at a station, from the poster to handing it on."""
    work(tab, server, station, number, ("Take in", "Done", "Hand on"))


def work(tab, server, station, number, actions):
    """Do the steps of a pane at a station with the scanner alone."""
    address, name = station
    scan(tab, f"{server}/floor/s/{address}")  # the poster
    see(tab, "h1", name)
    pause(tab)  # as somebody who takes the pane
    scan_in_thai(tab, f"STDPLUS:{number}")
    shows(tab, number)
    for action in actions:
        offers(tab, action)
        command(tab, "NEXT")
        says(tab, YES, DONE[action])


def fail_with_scanner(tab, server, station):
    """Fail the pane on the screen; it is made again from its first station on."""
    tab.wait(".fail")
    command(tab, "FAIL")
    tab.wait(".tiles")
    command(tab, "CONFIRM")
    refuses(tab, "Answer this first")
    asks(tab, "DEFECT-STAIN", "Step 2 of 4")
    asks(tab, "BACK", "Step 1 of 4")
    asks(tab, "DEFECT-DIMENSION-WRONG", "Step 2 of 4")
    asks(tab, "NEXT", "Step 3 of 4")
    asks(tab, "NEXT", "Step 4 of 4")
    command(tab, "NEXT")
    refuses(tab, "scan the card “Confirm”")
    scan(tab, f"{server}/floor/s/{station}")  # the poster of where it begins again
    wait_until(lambda: tab.count(".option:nth-of-type(2) input:checked") == 1)
    command(tab, "UNDO-VIEW")
    wait_until(lambda: tab.count("dialog") == 0)
    command(tab, "FAIL")
    tab.wait(".tiles")
    for step, card in enumerate(("DEFECT-DIMENSION-WRONG", "NEXT", "NEXT"), start=2):
        asks(tab, card, f"Step {step} of 4")
    command(tab, "CONFIRM")
    says(tab, FAILED, "Recorded as failed")


def asks(tab, name, step):
    """A command card leads to a question of the form."""
    command(tab, name)
    wait_until(
        lambda: step in tab.text("#question"), describe=lambda: tab.text("dialog")
    )


def refuses(tab, words):
    wait_until(
        lambda: words in tab.text("dialog .fault"),
        describe=lambda: tab.text("dialog"),
    )
