"""The office pages in a real browser: orders, passports, the palette; live and by keyboard."""

from datetime import timedelta

import pytest
from mongoengine.connection import get_db

from browser.pages import (
    LOOKS,
    choose,
    follow,
    see,
    set_look,
    settles,
    texts,
    unexpected,
)
from browser.station_steps import scan
from glassflow.core.process import clock
from scenarios import (
    bring_to_lamination,
    claim_pane,
    order_with_panes,
    order_with_units,
)
from stock_api import create_lot
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

ROW = ".orders .table-row"
PALETTE = "dialog.palette"
THEN = ".as-it-was ~ dl .status"  # of the pane at a moment
SLOWLY_MS = 100  # from key to key, as fingers type
#: Half a scan, then a section of the rail, and the other half on its page: with times of
#: their own, as the change may take longer than a scan.
SCAN_WHILE_IT_CHANGES = """
    const [code, section, heading] = given;
    let timeStamp = performance.now();
    const press = (key) => {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
      Object.defineProperty(event, "timeStamp", { value: timeStamp += 5 });
      document.body.dispatchEvent(event);
    };
    [...code.slice(0, 4)].forEach(press);
    document.querySelector(`.rail a[href$="${section}"]`).click();
    while (document.querySelector("h1")?.innerText !== heading)
      await new Promise(requestAnimationFrame);
    [...code.slice(4), "Enter"].forEach(press);
"""


MENU = "dialog.menu"
#: What the rail shows on a phone, in the languages: the third is the section.
IN_REACH = {
    "en": ["Home", "Menu", "Orders", "Find"],
    "th": ["หน้าแรก", "เมนู", "ออเดอร์", "ค้นหา"],
}
#: Whether the rail ends with the window and shows the section that it marks.
SEEN_IN_RAIL = """
    const rail = document.querySelector(".rail").getBoundingClientRect();
    const link = document.querySelector(".rail [aria-current]").getBoundingClientRect();
    return rail.bottom <= innerHeight && link.top >= rail.top && link.bottom <= rail.bottom;
"""


@pytest.fixture
def manager_account(workshop):
    return workshop.worker_with("manager")


def due_in(admin, job, hours):
    """Set the deadline of an order's request."""
    deadline = (clock.now() + timedelta(hours=hours)).isoformat()
    body = {"deadline": deadline, "deadlineChangeReason": "test"}
    path = f"/api/requests/{job.request['_id']}"
    assert admin.patch(path, body).status == 200


def test_late_orders_are_first_and_progress_is_live(
    open_office, manager_account, chromium, admin, worker, workshop
):
    late, soon, far = (order_with_panes(admin, workshop, panes=2) for _ in range(3))
    for job, hours in ((late, -49), (soon, 30), (far, 100)):
        due_in(admin, job, hours)
    tab = open_office(manager_account, "orders")
    number = late.order["orderNumber"]
    see(tab, ROW, number)
    assert len(texts(tab, ROW)) == 1
    assert "2 days late" in texts(tab, ROW)[0]
    see(tab, ".tabs", "Late 1 Due today 0 Due in 2 days 1 Open 3 All")
    assert "1" in tab.text(".rail b")

    for station in late.stations:
        for action in ("complete", "scan_out"):
            worker.scan(late.numbers[0], action, station=station)
    see(tab, ROW, "1/2")
    assert tab.attribute(f"{ROW} .progress", "aria-label").startswith("1 of 2 done")

    tab.click(".tabs a:nth-child(3)")
    see(tab, ROW, soon.order["orderNumber"])
    assert "in 1 day" in texts(tab, ROW)[0]
    tab.click(".tabs a:nth-child(4)")
    wait_until(lambda: len(texts(tab, ROW)) == 3)
    order = [job.order["orderNumber"] for job in (late, soon, far)]
    assert [row.split()[0] for row in texts(tab, ROW)] == order
    tab.back()
    wait_until(lambda: len(texts(tab, ROW)) == 1)

    due_in(admin, far, 1)  # another order joins the list, without a reload
    see(tab, ROW, far.order["orderNumber"])
    assert unexpected(chromium) == []


def test_tabs_of_orders_are_searched_filtered_sorted_and_have_columns_of_choice(
    open_office, manager_account, chromium, admin, workshop
):
    later, latest = (order_with_panes(admin, workshop, panes=n) for n in (1, 2))
    for job, hours in ((later, -1), (latest, -49)):
        due_in(admin, job, hours)
    numbers = [job.order["orderNumber"] for job in (latest, later)]
    tab = open_office(manager_account, "orders")

    def lists(*expected):
        settles(lambda: [row.split()[0] for row in texts(tab, ROW)], list(expected))

    lists(*numbers)  # the latest one first
    tab.click(".columns summary")
    tab.click('.columns label:has-text("Created") input')
    tab.click(".columns summary")
    tab.click('.table-head a:has-text("Created")')
    lists(*reversed(numbers))
    assert "sort=createdAt" in tab.address()
    tab.click(".tabs a:nth-child(1)")  # in its own order again
    lists(*numbers)
    see(tab, ".table-head", "Created")
    tab.fill(".filters input[type=search]", numbers[1])
    lists(numbers[1])
    see(tab, ".tabs", "Late 1 Due today 0 Due in 2 days 0 Open 1 All")
    tab.reload()  # its filters are in the address
    lists(numbers[1])
    tab.fill(".filters input[type=search]", "")
    lists(*numbers)
    choose(
        tab,
        "#filter-customer",
        admin.get(f"/api/customers/{latest.customer}").data["name"],
    )
    lists(numbers[0])
    due_in(admin, latest, 100)  # it leaves the tab, without a reload
    see(tab, ".empty", "Nothing matches")
    tab.click(".tabs a:nth-child(4)")
    lists(numbers[0])
    assert unexpected(chromium) == []


def test_order_shows_its_panes_by_station_as_they_move(
    open_office, manager_account, chromium, admin, worker, workshop
):
    job = order_with_panes(admin, workshop, steps=2, panes=2)
    tab = open_office(manager_account, f"orders/{job.order['_id']}")
    see(tab, "h1", job.order["orderNumber"])
    see(tab, ".group", f"{workshop_name(admin, job.stations[0])} 2")
    worker.scan(job.numbers[0], "scan_in")
    see(tab, ".panes .table-row", "In work")
    worker.scan(job.numbers[0], "complete")
    worker.scan(job.numbers[0], "scan_out")
    see(tab, ".group:nth-of-type(2)", f"{workshop_name(admin, job.stations[1])} 1")
    tab.click(f'a[href$="{job.numbers[0]}"]')
    see(tab, "h1", job.numbers[0])
    settles(tab.title, f"Pane {job.numbers[0]} · glassflow")
    see(tab, ".back", job.order["orderNumber"])  # known once the pane is read
    tab.click(".back")
    see(tab, "h1", job.order["orderNumber"])
    assert unexpected(chromium) == []


def workshop_name(admin, station):
    return admin.get(f"/api/stations/{station}").data["name"]


def test_passport_follows_the_pane_to_its_remake(
    open_office, manager_account, chromium, admin, worker, workshop
):
    size = {"dimensions": {"width": 800, "height": 2000}, "dimensionTolerance": "±1"}
    job = order_with_panes(admin, workshop, steps=2, pane=size)
    number = job.numbers[0]
    tab = open_office(manager_account, f"panes/{number}")
    see(tab, "main", "Nothing was scanned yet")
    assert tab.texts('.route [aria-current="step"]')[0].endswith("here now")
    worker.scan(number, "scan_in")
    see(tab, ".timeline li", "Taken in")
    see(tab, ".timeline li", worker.worker.name)
    see(tab, ".head .status", "In work")
    tab.click('summary:has-text("Earlier state")')
    see(tab, THEN, "In work")
    see(tab, ".as-it-was ~ .timeline li", worker.worker.name)
    worker.scan(number, "complete")
    tomorrow = clock.now() + timedelta(days=1)
    get_db()["archives"].insert_one({"_id": "old.sqlite", "at": 1, "until": tomorrow})
    measured = {"width": 803, "height": 2000, "diagonals": [2153, 2155]}
    failed = {"reason": "scratch", "description": "มุมซ้าย", "measured": measured}
    worker.scan(number, "qc_fail", **failed)
    see(tab, ".timeline li:first-child", "Check failed")
    outside = "Width 3 mm too large (beyond the tolerance)"
    values = (
        "Measured 803 × 2,000 mm · diagonals 2,153 / 2,155 mm · ordered 800 × 2,000 ±1"
    )
    compared = f"{outside} · Height as ordered · Diagonals differ by 2 mm"
    see(tab, ".timeline li:first-child", f"{values} · {compared}")
    assert texts(tab, ".timeline .outside") == [outside]
    see(tab, ".timeline li:last-child .warning", "or cannot read: old.sqlite")
    see(tab, ".timeline li:first-child", "Scratched · มุมซ้าย")
    see(tab, ".head .status", "Failed")
    assert texts(tab, THEN) == ["In work"]  # at the moment when it was opened
    tab.fill("#as-it-was", "2569-01-02T08:00")
    see(tab, "#as-it-was-fault", "was 2026 meant?")
    tab.fill("#as-it-was", "2020-01-02T08:00")
    see(tab, ".record-history", "The pane was not there yet")
    see(tab, ".related", "Made again as")
    tab.click(".related a")
    see(tab, ".related", f"Made in place of {number}")
    assert unexpected(chromium) == []


def test_unit_shows_its_sheets_and_what_they_become(
    open_office, manager_account, chromium, admin, worker, workshop
):
    job = order_with_units(admin, workshop)
    first, second = job.sheets[0]
    tab = open_office(manager_account, f"panes/{second}")
    see(tab, ".related", first)
    for sheet in (first, second):
        bring_to_lamination(worker, sheet, job)
        worker.scan(sheet, "complete")
    assert worker.scan(first, "laminate").status == 200
    see(tab, ".head .status", "Laminated")
    see(tab, ".related", f"Laminated into {first}")
    assert unexpected(chromium) == []


def test_palette_finds_what_is_typed_or_scanned_with_the_keyboard_alone(
    open_office, manager_account, chromium, admin, workshop
):
    job = order_with_panes(admin, workshop, panes=2)
    phone = {"phone": "076-325-907"}
    customer = admin.patch(f"/api/customers/{job.customer}", phone).data["name"]
    of_customer = {"customer": job.customer, "invoice_number": "INV-2026-001"}
    workshop.make(
        "BillingEntry", entry_number="BIL-0009", delivered_at=clock.now(), **of_customer
    )
    of_customer["invoice_number"] = "INV-2026-002"
    workshop.make(
        "Payment",
        payment_number="PAY-0012",
        paid_at=clock.now(),
        amount=1,
        **of_customer,
    )
    tab = open_office(manager_account, "orders?due=open")
    see(tab, ROW, job.order["orderNumber"])

    scanned = job.numbers[1]  # while nothing has the focus
    # a page listens to the scanner soon after it is shown, not at once
    wait_until(lambda: scan(tab, f"STDPLUS:{scanned}") or scanned in tab.text("h1"))
    tab.press("Control+k")
    tab.wait(PALETTE)
    scan(tab, f"STDPLUS:{scanned}")  # also the pane that is shown already
    wait_until(lambda: tab.texts(PALETTE) == [])
    tab.press("Control+k")
    tab.wait(PALETTE)
    tab.type(job.numbers[0])
    see(tab, f"{PALETTE} [aria-selected=true]", job.numbers[0])
    tab.press("Enter")
    see(tab, "h1", job.numbers[0])

    tab.press("/")
    tab.wait(PALETTE)
    tab.type(customer)
    see(tab, f"{PALETTE} [role=option]", customer)
    tab.press("Enter")
    see(tab, ".filter", f"Only those of {customer}")
    assert len(texts(tab, ROW)) == 1

    for text, row, shown, name in (
        ("+66 76 325907", customer, ".filter", f"Only those of {customer}"),
        ("INV-2026-001", "INV-2026-001", "h1", "BIL-0009"),
        ("PAY-0012", "PAY-0012", "h1", "PAY-0012"),
    ):
        tab.press("/")
        tab.wait(PALETTE)
        tab.type(text)
        see(tab, f"{PALETTE} [role=option]", row)
        tab.press("Enter")
        see(tab, shown, name)

    tab.press("/")
    tab.wait(PALETTE)
    tab.type("zzz")
    see(tab, f"{PALETTE} footer", "Nothing found for “zzz”")
    tab.press("Escape")
    wait_until(lambda: tab.texts(PALETTE) == [])

    # to the orders; once more where a busy machine paused between the keys
    wait_until(lambda: tab.type("go", SLOWLY_MS) or tab.address().endswith("/orders"))
    tab.click(".tabs a:nth-child(4)")
    see(tab, ROW, job.order["orderNumber"])
    tab.press("j")
    tab.press("Enter")
    see(tab, "h1", job.order["orderNumber"])
    tab.press("?")
    see(tab, "dialog", "Open the chosen row")
    tab.press("Escape")
    assert unexpected(chromium) == []


def test_menu_is_in_groups_on_any_screen_and_a_phone_opens_it_by_a_button(
    open_office, chromium, admin, workshop
):
    late = order_with_panes(admin, workshop)
    due_in(admin, late, -49)
    tab = open_office(workshop.worker_with("admin"), "orders")
    tab.size(1280, 720)
    see(tab, ".rail b", "1")
    groups = ["Work", "Glass and stock", "People and rights", "Workshop set-up"]
    assert tab.attributes(".rail [role=group]", "aria-label") == groups
    assert tab.texts(".rail p") == groups
    tab.click('.rail a:has-text("Webhooks")')
    see(tab, "h1", "Webhooks")
    settles(lambda: tab.run(SEEN_IN_RAIL), True)  # though it is a new one

    follow(tab, "office/orders")
    for look in LOOKS:
        set_look(tab, *look)
        tab.size(360, 640)
        wait_until(lambda: "1" in tab.text(".rail-menu"))
        in_reach = tab.texts(".rail :is(a, button):visible")
        assert [one.split()[0] for one in in_reach] == IN_REACH[look[0]]
        tab.click(".rail-menu")
        tab.wait(MENU)
        assert tab.attribute(f"{MENU} [aria-current]", "href").endswith("/orders")
        assert tab.count(f"{MENU} [role=group]") == 4
        assert tab.overflow() <= 0
        tab.press("Escape")
        wait_until(lambda: tab.count(MENU) == 0)
        settles(lambda: tab.attribute(":focus", "class"), "rail-menu")
    for section in ("orders", "stations"):  # also the one that is shown
        tab.click(".rail-menu")
        tab.click(f"{MENU} a[href$='/{section}']")
        wait_until(lambda: tab.count(MENU) == 0)
    see(tab, "h1", "สถานี")
    tab.click(".rail-menu")
    tab.wait(MENU)
    tab.back()
    see(tab, "h1", "ออเดอร์")
    wait_until(lambda: tab.count(MENU) == 0)
    assert unexpected(chromium) == []


def test_scan_during_which_the_page_changes_is_read_whole(
    open_office, manager_account, chromium, admin, workshop
):
    (number,) = order_with_panes(admin, workshop).numbers
    tab = open_office(manager_account, "customers")
    tab.click('.rail a[href$="/orders"]')
    see(tab, "h1", "Orders")
    wait_until(lambda: scan(tab, "12345678") or tab.texts(PALETTE))  # it listens
    tab.press("Escape")
    wait_until(lambda: tab.texts(PALETTE) == [])
    tab.run(SCAN_WHILE_IT_CHANGES, [f"STDPLUS:{number}", "/customers", "Customers"])
    see(tab, "h1", number)
    assert unexpected(chromium) == []


def test_panes_are_filtered_by_unit_and_days_and_a_faulty_date_is_shown_at_its_filter(
    chromium, open_office, manager_account, admin, workshop
):
    job, other = (
        order_with_units(admin, workshop, before=1),
        order_with_panes(admin, workshop),
    )
    unit, sheets = job.parents[0], job.sheets[0]
    tab = open_office(manager_account, "panes")
    see(tab, "main", other.numbers[0])
    tab.click('summary:has-text("More filters")')
    choose(tab, "#filter-parentPane", unit)
    wait_until(lambda: other.numbers[0] not in tab.text("main"))
    for number in sheets:
        see(tab, "main", number)
    assert "parentPane=" in tab.address()
    tab.fill("#filter-createdAt_lte", "2020-01-02")
    see(tab, ".empty", "clear")
    tab.fill("#filter-createdAt_lte", "2569-01-02")
    see(tab, "#filter-createdAt_lte-fault", "was 2026 meant?")
    tab.fill("#filter-createdAt_lte", "2040-01-02")
    see(tab, "main", sheets[0])
    assert tab.count(".field-fault") == 0
    assert "createdAt_lte=2040-01-02" in tab.address()
    assert unexpected(chromium) == []


def test_search_for_a_customer_leads_to_their_records_where_a_list_finds_none(
    chromium, open_office, admin, workshop
):
    customer = workshop.customer(name="สมพงษ์กระจก")
    workshop.customer(name="บ้านสวน", address="ถนนสมพงษ์กระจก")  # not the name
    order_with_panes(admin, workshop)
    job = order_with_panes(admin, workshop, customer=str(customer.pk))
    numbers = {
        "panes": job.numbers[0],
        "requests": job.request["requestNumber"],
        "orders?due=open": job.order["orderNumber"],
    }
    titles = {"panes": "Panes", "requests": "Requests"}
    tab = open_office(admin.worker, "panes")
    for path, number in numbers.items():
        follow(tab, f"office/{path}")
        see(tab, ".table-row", number)
        tab.fill(".filters input[type=search]", "สมพงษ์")
        said = f"{titles.get(path, 'Orders')} of สมพงษ์กระจก"
        see(tab, ".empty a", said)
        assert texts(tab, ".empty a")[1:] == [said]
        tab.click(f'.empty a:has-text("{said}")')
        see(tab, ".table-row", number)
        address = tab.address()
        assert f"customer={customer.pk}" in address
        assert "search" not in address
        assert path.partition("?")[2] in address  # it stays on its tab
        tab.back()
        see(tab, ".empty a", said)
    assert unexpected(chromium) == []


def test_customers_are_offered_to_nobody_who_may_not_see_them(
    chromium, open_office, admin, workshop
):
    workshop.customer(name="สมพงษ์กระจก")
    role = workshop.role(permissions=["requests:view"])
    tab = open_office(workshop.worker(role=role), "requests?search=สมพงษ์")
    see(tab, ".empty", "Nothing matches")
    wait_until(lambda: tab.count(".empty [role=status]") == 1)  # what offers them
    assert texts(tab, ".empty a") == ["clear the filters"]
    assert unexpected(chromium) == []


def test_way_back_leads_to_the_record_from_whose_page_a_page_was_opened(
    chromium, open_office, admin, workshop
):
    job = order_with_panes(admin, workshop)
    request, order = job.request["requestNumber"], job.order["orderNumber"]
    number = job.numbers[0]
    claim = claim_pane(admin, number).data["claimNumber"]
    oven, glass = workshop.template(name="Oven"), workshop.material(name="Float 6")
    workshop.station(name="Hot", template=oven)
    lot = create_lot(admin, glass, 10)["inventoryNumber"]
    tab = open_office(admin.worker, f"requests/{job.request['_id']}")

    def opened(link, heading, back):
        """Follow a link; return to where the page leads back."""
        tab.click(link)
        see(tab, "h1", heading)
        see(tab, ".back", back)
        assert len(texts(tab, ".back")) == 1

    def named(name):
        return f'main a:has-text("{name}")'

    opened(named(number), number, request)  # though it has an order
    opened(".back", request, "Requests")
    opened(named(order), order, request)
    opened(named(number), number, order)
    opened(named(claim), claim, number)
    opened(".back", number, order)

    follow(tab, f"office/station-templates/{oven.pk}")
    opened('.template-stations a:has-text("Hot")', "Hot", "Oven")
    opened(".back", "Oven", "Station templates")
    tab.click('.rail a[href$="/stock"]')
    opened(named("Float 6"), "Float 6", "Stock")
    opened(f'.lots a:has-text("{lot}")', lot, "Float 6")
    opened(".back", "Float 6", "Materials")
    tab.click('a:has-text("Book")')
    opened(".table-row", lot, "Float 6")
    opened(".back", "Float 6", "Float 6")
    assert unexpected(chromium) == []
