"""An empty workshop is set up, and delivers an order, by the pages alone."""

import base64
import re
from typing import NamedTuple

import pypdfium2
import pytest

from browser.pages import (
    ENGLISH,
    LIVE,
    choose,
    follow,
    log_in,
    replace_one_time_password,
    see,
    unexpected,
    value,
)
from browser.station_steps import NEXT, SAID, scan
from browser.test_office_on_paper import text_of
from label_pictures import codes_in
from service import Service
from waiting import wait_until

pytestmark = [
    pytest.mark.long,
    pytest.mark.slow,
    pytest.mark.embedded_store,
    pytest.mark.timeout(600),
]

SAVE = ".form-buttons .main-button"
DIALOG = "dialog[open]"
# without tone marks, which the text of a PDF repeats
WORKSHOP = "โรงงานกระจกไทย"
CUSTOMER = "สวนยาง"
STATIONS = ("ตัดกระจก (Cutting)", "เจียรขอบ (Edging)", "ส่งของ (Delivery)")
PANE = ".pane h2"
LABEL = ".paper img"
#: The picture of an element as base64; the policy of the page forbids to read its blob.
READ_PICTURE = """
    const picture = document.querySelector(given);
    await picture.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
    canvas.getContext("2d").drawImage(picture, 0, 0);
    return canvas.toDataURL().split(",")[1];
"""


class Account(NamedTuple):
    username: str
    password: str


@pytest.fixture
def service(tmp_path):
    """A service with the seeds only: roles, prices and one administrator."""
    running = Service(tmp_path, PREPARE=1, DEMO=0)
    yield running.start()
    running.stop()


def administrator(service):
    """The account whose one-time password the first start prints."""
    printed = re.compile(r"log in as (\S+) / (\S+) ")
    wait_until(lambda: printed.search(service.output()), describe=service.output)
    return Account(*printed.search(service.output()).groups())


def open_section(tab, name):
    """Follow the link of a section in the rail."""
    tab.click(f".rail a[href$='/office/{name}']")
    tab.wait(f".rail [href$='/office/{name}'][aria-current]")


def begin(tab, section):
    """Open the form of a new record of a section."""
    open_section(tab, section)
    # the page before is shown until the list is loaded, perhaps with a form or link like it
    tab.click(f"main a.new[href$='/office/{section}/new']")
    tab.wait(".form")


def fill(tab, **texts):
    for name, text in texts.items():
        tab.fill(f"#field-{name}", text)


def save(tab):
    """Save a new record, whose page opens; return its id."""
    tab.click(SAVE)
    wait_until(
        lambda: "/new" not in tab.address(),
        describe=lambda: tab.text("main"),
    )
    return tab.address().rsplit("/", 1)[1]


def cell(table, row, column):
    return f"#{table} [data-row='{row}'][data-column='{column}']"


def set_up_stations(tab):
    """A template and three stations with it; return their ids, in order."""
    begin(tab, "station-templates")
    fill(tab, name="Scan station")
    save(tab)
    made = []
    for name in STATIONS:  # its template and position are chosen already
        begin(tab, "stations")
        fill(tab, name=name)
        made.append(save(tab))
    return made


def set_up_stock(tab):
    """A material with ten sheets of it."""
    begin(tab, "materials")
    fill(tab, name="Clear 6 mm", unit="sheets", reorderPoint="4")
    save(tab)
    see(tab, ".level", "4 sheets missing")
    tab.click(".holding-links a:has-text('Take in')")
    tab.wait("#field-quantity")
    wait_until(lambda: value(tab, "#field-material") == "Clear 6 mm")
    fill(tab, quantity="10", location="A-01", reason="delivery note 1")
    save(tab)
    see(tab, ".lot-now .level", "10 sheets")


def set_up_work(tab, stations):
    """A job type with its route, the price of its glass, and a label."""
    begin(tab, "job-types")
    fill(tab, name="Cut and edged", code="CE", defaultRawGlassTypes="Clear")
    choose(tab, "#field-defaultMaterial", "Clear 6 mm")
    for station in stations:
        tab.select("#field-defaultRouting", station)
    save(tab)

    open_section(tab, "workshop")
    tab.wait(".logo")
    fill(tab, name=WORKSHOP, address="กรุงเทพ")
    tab.click(SAVE)
    see(tab, "[role=status]", "Saved")

    open_section(tab, "hours")
    see(tab, ".week-sum", "48 hours a week")
    tab.click(SAVE)
    see(tab, "[role=status]", "Saved")

    open_section(tab, "prices")
    tab.wait(cell("glass-prices", 0, "pricePerSqFt"))
    rows = range(tab.count("#glass-prices [data-column='type']"))
    row = next(row for row in rows if glass(tab, row) == ("Clear", "6mm"))
    tab.fill(cell("glass-prices", row, "pricePerSqFt"), "100")
    tab.click(SAVE)
    see(tab, "[role=status]", "Saved")

    begin(tab, "labels")
    tab.wait('[data-add="qr"]:enabled')
    fill(tab, name="pane", width="50", height="30")
    tab.click('[data-add="qr"]')
    tab.fill("#design-y", "1")
    tab.select("#design-add-field", "paneNumber")
    tab.fill("#design-y", "23")  # below the code
    save(tab)


def glass(tab, row):
    """The glass of a row of the price list: its type and thickness."""
    names = ("type", "thickness")
    return tuple(value(tab, cell("glass-prices", row, name)) for name in names)


def add_worker(tab):
    begin(tab, "people")
    fill(tab, name="สมชาย", position="cutter", username="somchai")
    tab.fill("#field-password", "glass-and-water-7")
    choose(tab, "#field-role", "Worker")
    save(tab)
    see(tab, "h1", "สมชาย")
    return Account("somchai", "glass-and-water-7")


def order_two_panes(tab):
    """Write the request of a new customer and make its order; return its address and number."""
    begin(tab, "customers")
    fill(tab, name=CUSTOMER, phone="081-234-5678")
    save(tab)
    begin(tab, "requests")
    panes = "field-panes"
    choose(tab, "#field-customer", CUSTOMER)
    tab.select(cell(panes, 0, "jobType"), "CE")
    wait_until(lambda: value(tab, cell(panes, 0, "glassType")) == "Clear")
    sizes = {"width": "600", "height": "400", "thickness": "6", "quantity": "2"}
    for name, text in sizes.items():
        tab.fill(cell(panes, 0, name), text)
    see(tab, ".sum", "516.66 baht")  # 2 × 0.24 m² of 100 baht a square foot
    save(tab)
    see(tab, "h1", "REQ-")
    tab.click("button:has-text('Make the order')")
    tab.wait(f"{DIALOG} #order-material")
    # of its job type
    wait_until(lambda: value(tab, "#order-material") == "Clear 6 mm")
    tab.click(f"{DIALOG} {SAVE}")
    see(tab, "h1", "ORD-")
    see(tab, ".summary-done", "0 of 2 done")
    return tab.address(), tab.text("h1")


def print_labels(tab):
    """Print the labels of the open order; return the codes that are on them."""
    tab.click("a:has-text('Print labels')")
    tab.wait(LABEL)
    first = codes_on_label(tab)
    tab.click("figcaption button:last-child")
    wait_until(lambda: codes_on_label(tab) != first)
    codes = first + codes_on_label(tab)
    tab.stubPrint()
    tab.click(".print .main-button")
    tab.wait(".asks")
    wait_until(lambda: tab.prints() == 1)
    tab.click(".asks .yes")
    see(tab, ".outcome", "2 labels printed")
    return codes


def codes_on_label(tab):
    return codes_in(base64.b64decode(tab.run(READ_PICTURE, LABEL)))


def work_at(tab, station, codes):
    """Pass all panes through a station with a scanner that types."""
    tab.wait(".choose li")
    tab.click(f".choose a[href$='{station}']")
    tab.wait(".queue li")
    for code in codes:
        scan(tab, code)
        see(tab, PANE, code.partition(":")[2])
        for done in ("Taken in", "Done", "Handed on"):
            tab.wait(NEXT)
            scan(tab, code, paused=True)  # once more: the next step
            see(tab, SAID, done)


def withdraw_a_sheet(tab, order):
    """Withdraw the glass of an order; return the withdrawal's number."""
    begin(tab, "withdrawals")
    choose(tab, "#field-material", "Clear 6 mm")
    choose(tab, "#field-order", order)
    fill(tab, quantity="1")
    see(tab, ".preview", "9 sheets will be left")
    save(tab)
    see(tab, "h1", "WD")
    return tab.text("h1")


def print_orders(tab, path):
    """Print the list of all orders as the browser does; return the text of its one sheet."""
    open_section(tab, "orders")
    see(tab, ".empty", "No order is late")
    tab.click(".tabs a[href$='due=all']")
    tab.wait(".table-row")
    tab.media("print")
    tab.pdf(str(path))
    tab.media("screen")
    (sheet,) = pypdfium2.PdfDocument(path)
    return text_of(sheet)


def test_empty_workshop_is_set_up_and_delivers_an_order_by_the_pages_alone(
    chromium, service, tmp_path
):
    start = f"{service.url}/floor"
    admin = administrator(service)
    office = chromium.profile(**ENGLISH).tab(start)
    log_in(office, admin, admin.password)
    replace_one_time_password(office, admin.password, "glass-and-fire-9")
    office.wait(LIVE)
    office.click("a[href='/floor/office']")
    stations = set_up_stations(office)
    set_up_stock(office)
    set_up_work(office, stations)
    worker = add_worker(office)
    address, order = order_two_panes(office)
    codes = print_labels(office)
    assert codes == ["STDPLUS:PNE-0001", "STDPLUS:PNE-0002"]
    office.goto(address)

    floor = chromium.second_profile(**ENGLISH).tab(f"{start}/office")
    log_in(floor, worker, worker.password)
    floor.wait(LIVE)
    withdrawn = withdraw_a_sheet(floor, order)
    for done, station in enumerate(stations, start=1):
        follow(floor, "s?choose")
        work_at(floor, station, codes)
        done_now = 2 if done == len(stations) else 0
        see(office, ".summary-done", f"{done_now} of 2 done")  # live
    see(office, "h1 ~ *", "Finished")

    open_section(office, "withdrawals")
    see(office, ".to-decide li", withdrawn)
    office.click(".to-decide li button:has-text('Approve')")
    office.click(f"{DIALOG} {SAVE}")
    see(office, ".table-row", "Approved")
    open_section(office, "stock")
    see(office, ".level", "9 sheets")
    printed = print_orders(office, tmp_path / "orders.pdf")
    for text in (WORKSHOP, order, CUSTOMER, "2/2"):
        assert text in printed
    open_section(office, "setup")
    see(office, ".set-up", "Every step is done.")
    assert unexpected(chromium) == []
