"""Records in the office: lists, forms with faults and newer changes, rights; by a browser."""

import pytest
from werkzeug.exceptions import ServiceUnavailable

from browser.pages import (
    FULL_HD,
    PHONE,
    THAI,
    choose,
    follow,
    log_in,
    open_page,
    see,
    set_look,
    settles,
    texts,
    unexpected,
    value,
)
from factories import PASSWORD
from scenarios import order_with_panes
from stock_api import create_lot
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

SAVE = ".form-buttons .main-button"
ROW = ".table-row"
SAME_NAME = ".same-name"
TITLE, ACTIONS, COLUMNS = (
    f'[id="field-uiSchema.{one}"]' for one in ("title", "actions", "columns")
)
NOTHING = "~ .found .nothing-found"  # after a field
OFFERS = f"{NOTHING} :is(a, button)"
BELL = '.rail a:has-text("Notifications") b'
RAIL = [
    "Home", "Today", "Overview", "Orders", "Deliveries", "Activity", "Set-up", "Stations",
    "Working hours",
]  # fmt: skip


def saved(tab):
    see(tab, ".form-buttons [role=status]", "Saved")


#: How many lines the text of an element has.
LINES = """
    const found = document.querySelector(given);
    return Math.round(found.offsetHeight / parseFloat(getComputedStyle(found).lineHeight));
"""
#: Hides or shows the page, as a browser does that shows another tab.
HIDE = """
    Object.defineProperty(document, "hidden", { value: given, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
"""


def test_customer_is_created_found_and_not_overwritten_in_silence(
    open_office, chromium, admin, workshop
):
    account = workshop.worker_with("manager")
    tab = open_office(account, "customers")
    tab.wait(".empty")
    tab.press("n")
    tab.wait("#field-name")
    tab.fill("#field-phone", "081-234-5678")
    tab.fill("#field-discount", "140")
    tab.click(SAVE)
    see(tab, ".form .fault", "Correct these fields")
    assert tab.count(".field-fault") == 2  # the name is missing, too
    assert value(tab, "#field-phone") == "081-234-5678"
    tab.reload()
    tab.wait("#field-name")
    wait_until(lambda: value(tab, "#field-discount") == "140")  # kept until it is saved
    tab.fill("#field-name", "บ้านสวน")
    tab.fill("#field-discount", "5")
    tab.click(SAVE)
    wait_until(lambda: tab.address().rsplit("/", 1)[1] not in ("new", "customers"))
    customer = tab.address().rsplit("/", 1)[1]
    path = f"/api/customers/{customer}"
    see(tab, "h1", "บ้านสวน")

    tab.run(HIDE, True)  # no event tells of customers, and a hidden page does not look
    tab.fill("#field-phone", "02-111")
    assert admin.patch(path, {"notes": "ring twice"}).status == 200
    tab.click(SAVE)  # nothing collides: both changes are kept
    see(tab, ".form-buttons [role=status]", "other fields")
    wait_until(lambda: value(tab, "#field-notes") == "ring twice")
    tab.click(SAVE)
    saved(tab)

    tab.fill("#field-phone", "02-222")
    assert admin.patch(path, {"phone": "02-333"}).status == 200
    tab.click(SAVE)
    see(tab, ".conflict dd", "02-333")
    assert admin.get(path).data["phone"] == "02-333"
    tab.click('.conflict button:has-text("Overwrite")')
    saved(tab)
    found = admin.get(path).data
    assert (found["phone"], found["notes"], found["discount"]) == (
        "02-222",
        "ring twice",
        5,
    )
    tab.click(".record-history summary")
    see(tab, ".changes li:first-child .change dt", "Phone")
    see(tab, ".changes li:first-child .change del", "02-333")
    see(tab, ".changes li:first-child .change ins", "02-222")
    see(tab, ".changes li:first-child", account.name)
    see(tab, ".changes li:last-child strong", "Created")
    tab.click(".back")
    tab.fill(".filters input", "สวน")
    wait_until(lambda: "search=" in tab.address())
    wait_until(lambda: tab.count(ROW) == 1)
    tab.fill(".filters input", "nobody")
    see(tab, ".empty", "Nothing matches")
    tab.click(".empty a")
    see(tab, ROW, "บ้านสวน")
    workshop.customer(name="บ้านไร่")
    tab.run(HIDE, False)
    see(tab, ROW, "บ้านไร่")
    tab.click(f'{ROW}:has-text("บ้านสวน")')
    tab.click(".delete")
    tab.click("dialog .danger")
    wait_until(lambda: admin.get(path).status == 404)
    follow(tab, "office/customers")
    see(tab, ROW, "บ้านไร่")
    # logged out while the list is open: who logs in next is not shown it
    admin.patch(f"/api/workers/{account.pk}", {"password": PASSWORD})
    tab.wait("#username")
    log_in(tab, workshop.worker(role=workshop.role(permissions=["orders:view"])))
    see(tab, "main [role=alert]", "may not see this")
    assert "บ้านไร่" not in tab.text("body")
    assert unexpected(chromium) == []


def test_list_keeps_its_columns_and_its_tab_and_leaves_a_page_without_rows(
    open_office, chromium, admin, workshop
):
    address = "12 ถนนสุขุมวิท"
    workshop.customer(name="a", address=address, notes="ring twice")
    *_, last = [workshop.customer(name=f"ลูกค้า {n:02}") for n in range(50)]
    tab = open_office(workshop.worker_with("manager"), "customers?sort=name&page=2")
    see(tab, ROW, last.name)
    assert tab.count(ROW) == 1
    see(tab, ".table-pages", "51–51 of 51")
    assert admin.delete(f"/api/customers/{last.pk}").status == 200
    tab.run(HIDE, False)  # no event tells of customers: a shown page looks
    wait_until(lambda: tab.count(ROW) == 50)
    assert "sort=name&page=1" in tab.address()

    see(tab, ROW, address)
    assert "ring twice" not in tab.text(".table")
    tab.click(".columns summary")
    tab.click('.columns label:has-text("Address") input')
    tab.click('.columns label:has-text("Notes") input')
    for _ in range(2):
        see(tab, ROW, "ring twice")
        titles = [one.split()[0] for one in tab.texts(".table-head > span")]
        assert titles == ["Name", "Phone", "Discount", "Notes"]
        assert address not in tab.text(".table")
        tab.reload()

    number = order_with_panes(admin, workshop).order["orderNumber"]
    for due in ("open", "all"):  # old bookmarks
        follow(tab, f"office/orders?due={due}&page=3")
        see(tab, ROW, number)
        assert f"due={due}&page=1" in tab.address()
    tab.fill(".filters input[type=search]", "nobody")
    wait_until(lambda: "search=nobody" in tab.address())
    tab.select("#filter-status", "completed")
    wait_until(lambda: "status=completed" in tab.address())
    tab.click(".empty a")
    see(tab, ROW, number)
    assert tab.address().endswith("/orders?due=all")
    follow(tab, "office/claims?show=rejected&source=customer&page=1")
    tab.click(".empty a")
    see(tab, ".empty", "Nothing here yet")
    assert tab.address().endswith("/claims?show=rejected")
    assert unexpected(chromium) == []


VISIBLE = "return document.querySelector(given).checkVisibility();"


def test_panes_are_sorted_by_their_customers_and_paged_by_number(
    open_office, chromium, admin, workshop
):
    later, first = (
        order_with_panes(
            admin, workshop, panes=30, customer=str(workshop.customer(name=name).pk)
        )
        for name in ("Zenith", "Alpha")
    )
    tab = open_office(workshop.worker_with("manager"), "panes?sort=paneNumber")
    tab.size(*FULL_HD)  # a narrow one has no room for all columns
    follow(tab, "office/panes?sort=paneNumber")
    see(tab, ROW, later.numbers[0])
    tab.click('.table-head a:has-text("Customer")')
    see(tab, ROW, "Alpha")
    assert "sort=order.customer.name" in tab.address()
    see(tab, ".table-head .customer", "sorted in ascending order")
    assert texts(tab, ".table-pages li") == ["1", "2"]
    tab.click('.table-pages a[aria-label="Page 2"]')
    see(tab, ".table-pages [aria-current=page]", "2")
    see(tab, ".table-pages", "51–60 of 60")
    assert {"Zenith"} == set(texts(tab, f"{ROW} .customer"))
    tab.click('.table-head a:has-text("Here for")')
    see(tab, ".table-head .age", "sorted in ascending order")
    assert first.numbers[-1] in texts(tab, f"{ROW} .number")
    assert tab.run(VISIBLE, "#sort-by") is False
    tab.size(*PHONE)  # where rows are cards without headings
    tab.click(".unfold")
    tab.select("#sort-by", "-paneNumber")
    see(tab, ROW, first.numbers[-1])
    assert "sort=-paneNumber" in tab.address()
    assert unexpected(chromium) == []


def test_record_is_deleted_right_after_it_was_saved_and_restored_from_the_activity(
    open_office, chromium, admin, workshop, own_history
):
    customer = workshop.customer(name="บ้านสวน")
    tab = open_office(workshop.worker_with("manager"), f"customers/{customer.pk}")
    tab.wait("#field-name")
    tab.fill("#field-name", "บ้านไร่")
    tab.click(SAVE)
    saved(tab)
    see(tab, "h1", "บ้านไร่")
    tab.click(".delete")
    see(tab, "dialog", "It can be restored later, on the page “Activity”.")
    tab.click("dialog .danger")
    see(tab, "h1", "Customers")
    assert admin.get(f"/api/customers/{customer.pk}").status == 404
    follow(tab, f"office/customers/{customer.pk}")
    tab.click('.empty a:has-text("Activity")')
    see(tab, ".activity", "Deleted customer บ้านไร่")
    tab.click('button:has-text("Restore")')
    see(tab, ".restore", "Restored: บ้านไร่")
    tab.select("#filter-action", "")
    see(tab, ".activity > li:first-child", "Restored customer บ้านไร่")
    changed = '.activity > li:nth-child(3) summary:has-text("Name")'
    tab.click(changed)
    see(tab, ".activity > li:nth-child(3) dl", "บ้านสวน")
    set_look(tab, "th", "dark")
    see(tab, ".activity > li:first-child", "เรียกคืน ลูกค้า บ้านไร่")
    tab.click('.activity > li:first-child a:has-text("บ้านไร่")')
    tab.wait("#field-name")
    assert value(tab, "#field-name") == "บ้านไร่"
    assert all("404" in one for one in unexpected(chromium))


def test_restore_that_is_refused_says_why_and_a_request_comes_back_whole(
    open_office, chromium, admin, workshop, own_history
):
    job = order_with_panes(admin, workshop, panes=3)
    number = job.request["requestNumber"]
    for path in (f"requests/{job.request['_id']}", f"customers/{job.customer}"):
        assert admin.delete(f"/api/{path}").status == 200
    tab = open_office(workshop.worker_with("admin"), "activity?action=deleted")
    both = ".activity > li:nth-child({}) button"
    see(tab, ".activity > li:nth-child(2)", f"Deleted request {number}")
    see(tab, ".activity > li:nth-child(2)", "Deleted 3 panes")
    assert tab.count(".restore button") == 2  # what goes with the request has none
    tab.click(both.format(2))
    see(tab, ".restore [role=alert]", "which is deleted: restore that first")
    tab.click(both.format(1))
    see(tab, ".activity > li:nth-child(1) .restore", "Restored")
    tab.click(both.format(2))
    see(tab, ".activity > li:nth-child(2) .restore", f"Restored: {number}")
    tab.click(f'.restore a:has-text("{number}")')
    see(tab, "h1", number)
    see(tab, "main", job.numbers[2])
    assert all("409" in one for one in unexpected(chromium))


def test_worker_is_added_and_a_live_change_collides_before_it_is_saved(
    open_office, chromium, admin, workshop
):
    tab = open_office(workshop.worker_with("admin"), "people/new")
    tab.wait("#field-name")
    for name, text in (
        ("name", "สมหญิง"),
        ("position", "cutter"),
        ("username", "somying"),
        ("password", "secret-word-9"),
    ):
        tab.fill(f"#field-{name}", text)
    kept = "return Object.values(sessionStorage).join();"
    wait_until(lambda: "somying" in tab.run(kept, None))
    assert "secret-word" not in tab.run(kept, None)
    tab.fill("#field-role", "Work")
    tab.click('.reference [role=option]:has-text("Worker")')
    tab.click(SAVE)
    wait_until(lambda: not tab.address().endswith("/new"))
    worker = tab.address().rsplit("/", 1)[1]
    see(tab, "h1", "สมหญิง")

    tab.fill("#field-position", "grinder")
    body = {"position": "washer"}
    assert admin.patch(f"/api/workers/{worker}", body).status == 200
    see(tab, ".conflict dd", "washer")  # before anything was sent
    tab.click('.conflict button:has-text("Take")')
    wait_until(lambda: value(tab, "#field-position") == "washer")
    tab.click(".check input")
    tab.click(SAVE)
    saved(tab)
    assert admin.get(f"/api/workers/{worker}").data["isActive"] is False
    tab.click(".record-history summary")
    see(tab, ".changes li:first-child dt", "May log in")
    assert admin.patch(f"/api/workers/{worker}", {"position": "packer"}).status == 200
    see(
        tab, ".changes li:first-child ins", "packer"
    )  # of somebody else, while it is open
    follow(tab, "office/people?isActive=false")
    see(tab, ROW, "สมหญิง")
    assert unexpected(chromium) == []


def test_name_that_another_record_of_its_kind_has_is_pointed_out_and_can_be_saved(
    open_office, chromium, admin, workshop
):
    known = workshop.customer(name="Baan  Suan", phone="081-234-5678")
    other = workshop.customer(name="Baan Rai")
    tab = open_office(admin.worker, f"customers/{other.pk}")
    wait_until(lambda: value(tab, "#field-name") == "Baan Rai")
    tab.fill("#field-name", "BAAN SUAN")
    said = "There is already a customer of this name: Baan Suan, 081-234-5678"
    see(tab, SAME_NAME, said)
    follow(tab, "office/customers/new")
    tab.fill("#field-name", " baan suan ")
    see(tab, SAME_NAME, said)
    assert tab.attribute(f"{SAME_NAME} a", "href").endswith(str(known.pk))
    tab.fill("#field-name", "Baan")  # a part of it is another name
    wait_until(lambda: tab.text(SAME_NAME) == "")
    tab.fill("#field-name", "Baan suan")
    see(tab, SAME_NAME, said)
    tab.click(SAVE)
    see(tab, "h1", "Baan suan")
    assert len(admin.get("/api/customers", search="suan").data) == 2

    name = "Clear 6"
    for section, made, about in (
        ("materials", workshop.material(name=name, code="C6"), "Clear 6, C6"),
        ("people", workshop.worker(name=name, username="c6"), "Clear 6, c6"),
        ("stations", workshop.station(name=name), name),
        ("station-templates", workshop.template(name=name), name),
    ):
        follow(tab, f"office/{section}/new")
        tab.fill("#field-name", "clear 6")
        see(tab, SAME_NAME, f"of this name: {about}")
        assert tab.attribute(f"{SAME_NAME} a", "href").endswith(f"/{made.pk}")
    assert unexpected(chromium) == []


def test_field_that_finds_nothing_adds_the_record_in_place_or_leads_to_its_page(
    open_office, chromium, admin, workshop
):
    tab = open_office(admin.worker, "job-types/new")
    see(tab, ".ordered-field", "There are no stations yet")
    assert tab.attribute(".ordered-field a", "href").endswith("/stations/new")
    assert tab.count("#field-defaultRouting") == 0
    follow(tab, "office/stations/new")
    field, name = "#field-templateId", "#field-name"
    tab.wait(name)
    tab.fill(name, "Cutting")
    tab.click(SAVE)
    see(tab, ".form .fault li", "Station template: This field is required. Choose one.")
    tab.click(field)
    see(tab, f"{field} {NOTHING}", "There are no station templates yet")
    tab.press("Tab")
    tab.press("Escape")
    settles(tab.focused, "field-templateId")
    assert tab.text(f"{field} {NOTHING}") == ""
    tab.press("ArrowDown")
    see(tab, f"{field} {OFFERS}", "Add a station template")
    tab.press("Tab")
    tab.press("Enter")
    see(tab, "dialog h2", "Add a station template")
    settles(tab.focused, "add-station-templates-name")
    tab.press("Escape")
    settles(tab.focused, "field-templateId")
    wait_until(lambda: tab.count("dialog") == 0)
    see(tab, f"{field} {OFFERS}", "Add a station template")  # as it was
    tab.fill(field, "Saw")
    see(tab, f"{field} {NOTHING}", "There are no station templates yet")
    tab.click(f"{field} {OFFERS}:has-text('Add “Saw”')")
    wait_until(lambda: value(tab, "#add-station-templates-name") == "Saw")
    tab.press("Enter")
    wait_until(lambda: tab.count("dialog") == 0)
    settles(tab.focused, "field-templateId")
    assert [value(tab, one) for one in (field, name)] == ["Saw", "Cutting"]
    tab.click(SAVE)
    see(tab, "h1", "Cutting")
    (template,) = admin.get("/api/station-templates").data
    assert admin.get("/api/stations").data[0]["templateId"] == template["_id"]

    follow(tab, "office/people/new")
    tab.fill("#field-station", "Oven")
    see(tab, f"#field-station {NOTHING}", "Nothing found for “Oven”")
    see(tab, f"#field-station {NOTHING}", "What you typed in this form is kept")
    tab.click(f"#field-station {OFFERS}")
    see(tab, "h1", "New station")
    wait_until(lambda: value(tab, name) == "Oven")  # what was searched for
    assert unexpected(chromium) == []


def test_field_and_filter_say_what_they_do_not_find_and_offer_no_more_than_one_may(
    open_office, chromium, admin, workshop
):
    read = ["requests:view", "customers:view", "pricing:view", "job_types:view"]
    keys = [*read, "requests:manage"]
    role = workshop.role(permissions=keys)
    tab = open_office(workshop.worker(role=role), "requests/new")
    field = "#field-customer"
    tab.wait(field)
    tab.click(field)
    see(tab, f"{field} {NOTHING}", "There are no customers yet")
    workshop.customer(name="Baan Suan")
    tab.fill(field, "Baan Rai")
    see(tab, f"{field} {NOTHING}", "Nothing found for “Baan Rai”")
    assert tab.count(f"{field} {OFFERS}") == 0
    job_types = "[data-column='jobType'] option"
    assert texts(tab, job_types) == ["No job types yet"]
    tab.fill("#field-assignedTo", "Somchai")
    see(tab, f"#field-assignedTo {NOTHING}", "Your role may not see this")

    tab = open_office(admin.worker, "requests")
    tab.fill("#filter-customer", "Baan Rai")
    see(tab, f"#filter-customer {NOTHING}", "Nothing found for “Baan Rai”")
    assert tab.count(f"#filter-customer {OFFERS}") == 0  # nobody filters by a new one
    follow(tab, "office/panes")
    see(tab, "#filter-station option", "There are no stations yet")
    assert unexpected(chromium) == []


def test_first_station_needs_a_template_and_others_are_added_in_a_row(
    open_office, chromium, admin, workshop
):
    tab = open_office(admin.worker, "stations")
    see(tab, ".empty", "Every station needs a station template")
    rail = texts(tab, ".rail a")
    setup = ["Materials", "Prices", "Stations", "Station templates", "Job types"]
    assert [one for one in rail if one in setup] == setup
    assert rail.index("Customers") < rail.index("Materials")
    tab.click(".empty a")
    see(tab, "h1", "New station template")
    see(tab, ".field small", "A name is enough: the station gets the plain screen")
    tab.fill("#field-name", "Oven")
    see(tab, ".field small", "Stations that there are keep their own")
    tab.click("#field-isCheckStation")
    tab.click("#field-isCuttingStation")
    tab.click(SAVE)
    see(tab, "h1", "Oven")
    (template,) = admin.get("/api/station-templates").data
    assert template["uiSchema"] == {}
    assert (template["isCheckStation"], template["isCuttingStation"]) == (True, True)
    see(tab, ".empty", "No station has this template")
    tab.click(".back")
    see(tab, ROW, "Oven")
    tab.click('.rail a[href$="/stations"]')
    see(tab, ".empty", "Add the first station")
    tab.click("a.new")
    see(tab, "h1", "New station")
    for name in ("ตัด (Cut)", "ขอบ (Edge)"):
        tab.fill("#field-name", name)
        tab.click('button:has-text("Create and add another")')
        see(tab, "[role=status] .saved", f"{name} added")
        settles(tab.focused, "field-name")
        assert value(tab, "#field-name") == ""
    wait_until(lambda: value(tab, "#field-templateId") == "Oven")
    assert value(tab, "#field-position") == "3"
    tab.fill("#field-name", "ส่ง (Deliver)")
    tab.click(SAVE)
    see(tab, "h1", "Deliver")
    made = admin.get("/api/stations", sort="position").data
    assert [one["position"] for one in made] == [1, 2, 3]
    assert [one["colorId"] for one in made] == ["sky", "blue", "violet"]
    assert {one["templateId"] for one in made} == {template["_id"]}
    assert all(one["isCheckStation"] and one["isCuttingStation"] for one in made)
    tab.click(".back")
    see(tab, "h1", "Stations")
    see(tab, ROW, "Deliver")
    assert unexpected(chromium) == []


def test_station_for_lamination_is_set_up_under_maintenance_and_put_into_use(
    open_office, chromium, admin, workshop
):
    # which a station has without a choice
    workshop.template(name="Oldest", is_check_station=True, is_cutting_station=True)
    template = str(workshop.template(name="Oven").pk)
    tab = open_office(admin.worker, f"station-templates/{template}")
    tab.click('a:has-text("New station from this template")')
    wait_until(lambda: value(tab, "#field-templateId") == "Oven")
    for name, ticked in (("Oldest", 1), ("Oven", 0)):
        choose(tab, "#field-templateId", name)
        for field in ("isCheckStation", "isCuttingStation"):
            assert len(texts(tab, f"#field-{field}:checked")) == ticked
    tab.fill("#field-name", "ลามิเนต (Laminate)")
    tab.fill("#field-position", "3")
    tab.click('.colors label:has-text("Teal")')
    tab.select("#field-status", "maintenance")
    tab.click("#field-isLaminateStation")
    tab.click(SAVE)
    see(tab, "h1", "Laminate")
    path = f"/api/stations/{tab.address().rsplit('/', 1)[1]}"
    made = {
        "templateId": template,
        "position": 3,
        "colorId": "teal",
        "isLaminateStation": True,
        "status": "maintenance",
    }
    assert made.items() <= admin.get(path).data.items()
    tab.click(".back")
    see(tab, ROW, "Laminate")
    see(tab, f"{ROW} .laminates", "Lamination")
    see(tab, f"{ROW} .status", "Maintenance")
    tab.click(ROW)
    wait_until(lambda: value(tab, "#field-status") == "maintenance")
    tab.select("#field-status", "online")
    tab.click(SAVE)
    saved(tab)
    made["status"] = "online"
    assert made.items() <= admin.get(path).data.items()
    follow(tab, f"office/station-templates/{template}")
    see(tab, ".template-stations li", "Laminate")
    assert unexpected(chromium) == []


def test_customer_with_orders_is_kept_and_the_refusal_leads_to_them(
    open_office, chromium, admin, workshop
):
    job = order_with_panes(admin, workshop)
    order_with_panes(admin, workshop)  # of another customer
    tab = open_office(workshop.worker_with("admin"), f"customers/{job.customer}")
    tab.click(".delete")
    tab.click("dialog .danger")
    see(tab, "dialog [role=alert]", "Customer has 1 request, 1 order")
    see(
        tab,
        "dialog [role=alert]",
        "A customer with requests, orders, quotes or deliveries is kept",
    )
    set_look(tab, "th", "light")
    see(tab, "dialog [role=alert]", "ลูกค้าที่มีใบรับงาน ออเดอร์ ใบเสนอราคา หรือเที่ยวส่งจะเก็บไว้")
    tab.press("Escape")
    tab.click(".delete")
    tab.click("dialog .danger")
    see(tab, "dialog [role=alert] .fault", "ลูกค้ายังมีใบรับงาน 1 รายการ")
    assert "Customer" not in tab.text("dialog [role=alert]")
    tab.click('dialog a:has-text("ใบรับงาน (1)")')
    see(tab, ROW, job.request["requestNumber"])
    assert len(texts(tab, ROW)) == 1
    follow(tab, f"office/customers/{job.customer}")
    tab.click(".delete")
    tab.click("dialog .danger")
    tab.click('dialog a:has-text("ออเดอร์ (1)")')
    see(tab, ROW, job.order["orderNumber"])
    assert len(texts(tab, ROW)) == 1
    assert admin.get(f"/api/customers/{job.customer}").status == 200
    assert all("409" in one for one in unexpected(chromium))


def test_seeded_roles_have_names_and_descriptions_in_the_language_of_the_page(
    open_office, chromium, admin, workshop
):
    account = workshop.worker_with("admin")
    seeded = workshop.role(
        name="Manager",
        slug="seeded",
        description="ผู้จัดการโรงงาน ดูแลงานทั้งหมด ยกเว้นพนักงานและสิทธิ์",
    )
    workshop.role(name="ช่าง", description="คนของเรา")
    malee = workshop.worker(name="มาลี", role=seeded)
    tab = open_office(account, "roles")
    see(tab, ROW, "Manager Manager of the workshop: all work")
    see(tab, ROW, "ช่าง คนของเรา")
    set_look(tab, "th", "light")
    see(tab, ROW, "ผู้จัดการโรงงาน ผู้จัดการโรงงาน ดูแลงานทั้งหมด")
    follow(tab, "office/people")
    see(tab, f'{ROW}:has-text("มาลี")', "ผู้จัดการโรงงาน")
    follow(tab, f"office/people/{malee.pk}")
    wait_until(lambda: value(tab, "#field-role") == "ผู้จัดการโรงงาน")
    choose(tab, "#field-role", "ผู้จัดการโรงงาน")
    follow(tab, f"office/roles/{seeded.pk}")
    see(tab, "h1", "ผู้จัดการโรงงาน")
    assert value(tab, "#field-name") == "Manager"  # what is stored is what is edited
    own = open_page(chromium.profile(**THAI), f"{admin.url}/floor/", malee)
    see(own, "dd", "ผู้จัดการโรงงาน")
    assert unexpected(chromium) == []


def fail():
    raise ServiceUnavailable


def test_role_is_a_matrix_and_a_change_of_it_reaches_the_open_page(
    open_office, chromium, app, admin, workshop, monkeypatch
):
    role = str(workshop.role(permissions=["roles:manage", "stations:view"]).pk)
    account = workshop.worker_with("admin")
    with monkeypatch.context() as broken:
        broken.setitem(app.view_functions, "roles.catalogue", fail)
        tab = open_office(account, f"roles/{role}")
        tab.wait(".fields .fault button")
    tab.click(".fields .fault button")
    tab.wait(".matrix fieldset")
    assert tab.count("fieldset") >= 19
    tab.click('[title="customers:view"] input')
    tab.click(SAVE)
    saved(tab)
    keys = admin.get(f"/api/roles/{role}").data["permissions"]
    assert set(keys) == {"roles:manage", "stations:view", "customers:view"}

    other = workshop.worker(role=workshop.role(permissions=["stations:view"]))
    theirs = str(other.role)
    tab = open_office(other, "stations")
    tab.wait(".empty")
    assert tab.texts(".rail a") == ["Home", "Stations", "Working hours"]
    assert tab.count("a.new") == 0
    more = {"permissions": ["stations:manage", "orders:view"]}
    assert admin.patch(f"/api/roles/{theirs}", more).status == 200
    tab.wait("a.new")
    wait_until(lambda: tab.texts(".rail a") == RAIL)
    assert all("503" in one for one in unexpected(chromium))


def test_station_template_is_made_and_changed_by_its_form_alone(
    open_office, chromium, admin
):
    tab = open_office(admin.worker, "station-templates/new")
    tab.wait("#field-name")
    tab.fill("#field-name", "Quality")
    tab.fill(TITLE, "ตรวจสอบ")
    tab.click('.choice-list label:has-text("Checklist")')
    for step in ("Handed on", "Taken in", "Check passed"):  # in any order
        tab.click(f'{ACTIONS} label:has-text("{step}")')
    tab.click('[id="field-uiSchema.batch"] label:has-text("Taken in")')
    for column in ("dimensions", "paneNumber"):
        tab.select(COLUMNS, column)
    tab.click("button[aria-label='Move Pane number up from position 2']")
    tab.fill("#checklist", "Size\n\nNo scratches\n")
    assert tab.attribute(".advanced", "open") is None
    tab.click(SAVE)
    see(tab, "h1", "Quality")
    path = f"/api/station-templates/{tab.address().rsplit('/', 1)[1]}"
    made = {
        "title": "ตรวจสอบ",
        "layout": "checklist",
        "actions": ["scan_in", "qc_pass", "scan_out"],
        "batch": ["scan_in"],
        "columns": ["paneNumber", "dimensions"],
        "panels": [{"type": "checklist", "items": ["Size", "No scratches"]}],
    }
    assert admin.get(path).data["uiSchema"] == made

    own = {
        "version": 1,
        "layout": "radar",
        "actions": ["scan_in", "polish", "scan_out"],
        "columns": ["paneNumber", "loadArea"],
        "panels": [{"type": "oven-load", "maxAreaSqM": 7.2}],
    }
    assert admin.patch(path, {"uiSchema": {**own, "title": "Oven"}}).status == 200
    see(tab, ".choice-list label:has(:checked)", "radar")
    see(tab, f"{ACTIONS} label:has(:checked)", "polish")
    see(tab, ".ordered-field li", "loadArea")
    assert tab.count("#checklist") == 0
    assert tab.attribute(SAVE, "disabled") is not None
    tab.click(f'{ACTIONS} label:has-text("Completed")')
    tab.click("button[aria-label='Remove Pane number from position 1']")
    tab.fill(TITLE, "Oven 2")
    tab.click(SAVE)
    saved(tab)
    changed = {
        **own,
        "title": "Oven 2",
        "actions": ["scan_in", "polish", "complete", "scan_out"],
        "columns": ["loadArea"],
    }
    assert admin.get(path).data["uiSchema"] == changed
    tab.click(".record-history summary")
    latest = ".changes li:first-child .change"
    see(tab, f"{latest} dt", "Steps at the station")
    see(tab, f"{latest} ins", "Taken in, polish, Completed, Handed on")
    see(tab, f"{latest} del", "Pane number, loadArea")
    assert unexpected(chromium) == []


def test_form_and_json_of_a_station_template_are_the_same_value(
    open_office, chromium, admin
):
    body = {"name": "Oven", "uiSchema": {"title": "Oven", "groupBy": "order"}}
    template = admin.post("/api/station-templates", body).data["_id"]
    path = f"/api/station-templates/{template}"
    tab = open_office(admin.worker, path.removeprefix("/api/"))
    json = "#field-uiSchema"
    tab.click(".advanced summary")
    tab.fill(TITLE, "Oven 1")
    wait_until(lambda: '"title": "Oven 1"' in value(tab, json))
    tab.click('.choice-list label:has-text("Batch")')
    wait_until(lambda: '"layout": "batch"' in value(tab, json))
    typed = '{"title":"Oven 2","groupBy":"order","actions":["start"]}'
    tab.fill(json, typed)
    wait_until(lambda: value(tab, TITLE) == "Oven 2")
    assert value(tab, json) == typed  # as it was typed
    see(tab, f"{ACTIONS} label:has(:checked)", "Started")
    see(tab, ".choice-list label:has(:checked)", "Plain")

    tab.fill(json, typed[:-1])
    tab.click(".advanced summary")
    tab.click(SAVE)
    see(tab, ".field-fault", "Must be JSON")
    settles(tab.focused, "field-uiSchema")  # it is open again
    assert value(tab, json) == typed[:-1]
    assert tab.attribute(TITLE, "readonly") is not None
    tab.fill(json, typed)
    tab.click(SAVE)
    saved(tab)
    assert admin.get(path).data["uiSchema"] == {
        "title": "Oven 2",
        "groupBy": "order",
        "actions": ["start"],
    }
    assert unexpected(chromium) == []


def test_pages_that_a_role_may_not_see_are_not_offered_and_say_so(
    open_office, chromium, workshop
):
    role = workshop.role(permissions=["panes:view"])
    tab = open_office(workshop.worker(role=role), "panes")
    see(tab, ".empty", "Nothing here yet")
    assert tab.texts(".rail a") == ["Home", "Panes", "Racks", "Calls and stops"]
    assert tab.attributes(".rail [role=group]", "aria-label") == ["Work"]
    for page in ("people", "dashboard"):
        follow(tab, f"office/{page}")
        see(tab, "main [role=alert]", "may not see this")
        assert tab.count("a.new") == tab.count(ROW) == 0
    assert unexpected(chromium) == []


@pytest.fixture
def of_the_office(admin, workshop):
    """Records that the seeded worker reads: {page: (id, a field, what shows its list)}."""
    template = workshop.template(name="Oven")
    glass = workshop.material()
    job_type = admin.post("/api/job-types", {"name": "Cut", "code": "CUT"}).data
    label = {"name": "default", "width": 60, "height": 40, "elements": []}
    records = {
        "people": admin.id,
        "roles": workshop.roles["manager"].pk,
        "station-templates": template.pk,
        "stations": workshop.station(template=template).pk,
        "customers": workshop.customer().pk,
        "materials": glass.pk,
        "job-types": job_type["_id"],
        "price-lists": workshop.make("PriceList", name="contractors").pk,
        "labels": admin.post("/api/sticker-templates", label).data["_id"],
    }
    found = {page: (record, "name", ROW) for page, record in records.items()}
    lot = create_lot(admin, glass, 3)["_id"]
    quoted = {"customer": str(records["customers"])}
    quote = admin.post("/api/quotes", quoted).data["_id"]
    return {
        **found,
        "stock": (lot, "location", ".lots li"),
        "quotes": (quote, "project", ROW),
    }


def test_seeded_worker_reads_the_records_of_the_office_and_changes_none_of_them(
    open_office, chromium, worker, of_the_office
):
    tab = open_office(worker.worker)
    tab.wait(".rail a")
    assert "Webhooks" not in tab.texts(".rail a")
    for page, (record, field, row) in of_the_office.items():
        follow(tab, f"office/{page}")
        tab.wait(row)
        assert tab.count("a.new") == tab.count('main button:has-text("Correct")') == 0
        tab.click(f'main a[href*="{record}"]')
        tab.wait(f"#field-{field}[readonly]")
        assert tab.count(SAVE) == tab.count(".delete") == 0, page
        if page == "stations":  # its template is not changed by keys
            template = "#field-templateId"
            wait_until(lambda: value(tab, "#field-templateId") == "Oven")
            tab.click(template)
            tab.press("ArrowDown")
            assert tab.attribute(template, "aria-expanded") == "false"
    for page, shown in (
        ("people/new", "#field-name[readonly]"),
        ("dashboard", ".figures li"),
        ("exports", ".empty"),
        (f"materials/{of_the_office['materials'][0]}/book", ROW),
    ):
        follow(tab, f"office/{page}")
        tab.wait(shown)
        assert tab.count(SAVE) == tab.count(".fault") == 0, page
    assert unexpected(chromium) == []


def test_notifications_arrive_lead_to_what_they_are_about_and_are_read(
    open_office, chromium, admin, worker, workshop
):
    job = order_with_panes(admin, workshop)
    about = {"referenceType": "Pane", "referenceId": job.panes[0]["_id"]}
    news = {"recipient": worker.id, "type": "news", "message": "ดูด้วย"}
    tab = open_office(worker.worker, "notifications")
    see(tab, ".empty", "Nothing here yet")
    assert tab.count(BELL) == 0
    admin.post(
        "/api/notifications", {**news, **about, "title": "A pane", "priority": "high"}
    )
    admin.post("/api/notifications", {**news, "title": "Of nothing"})
    see(tab, BELL, "2")
    assert tab.run(LINES, '.rail [href$="/notifications"] > span') == 1
    see(tab, ".notices li", "A pane ดูด้วย High")
    tab.click('.notices button[aria-label="Mark “Of nothing” as read"]')
    see(tab, BELL, "1")
    see(tab, ".notices li[data-unread]:nth-child(1)", "A pane")  # it moves up
    tab.click('a.notice:has-text("A pane")')
    see(tab, "h1", job.numbers[0])
    wait_until(lambda: tab.count(BELL) == 0)
    unread = {"readStatus": "false"}
    wait_until(lambda: worker.get("/api/notifications", **unread).data == [])

    for title in ("third", "fourth"):
        admin.post("/api/notifications", {**news, "title": title})
    see(tab, BELL, "2")  # wherever one is
    tab.click('.rail a:has-text("Notifications")')
    see(tab, ".notices li[data-unread]:nth-child(1)", "fourth")  # unread ones first
    see(tab, ".notices li[data-unread]:nth-child(2)", "third")
    tab.click('button:has-text("Mark all as read")')
    wait_until(lambda: tab.count(BELL) == tab.count(".notices [data-unread]") == 0)
    assert worker.get("/api/notifications", **unread).data == []
    assert tab.count("a.new") == 0

    tab = open_office(workshop.worker_with("manager"), "notifications")
    tab.click("a.new")
    tab.fill("#field-title", "Meeting at 15:00")
    tab.click(SAVE)
    see(tab, ".form .fault", "Correct these fields")
    choose(tab, "#field-recipient", worker.worker.name)
    tab.click(SAVE)
    see(tab, "main [role=status]", "“Meeting at 15:00” was sent")
    assert value(tab, "#field-title") == ""
    (sent,) = worker.get("/api/notifications", **unread).data
    assert (sent["title"], sent["priority"]) == ("Meeting at 15:00", "medium")
    assert unexpected(chromium) == []
