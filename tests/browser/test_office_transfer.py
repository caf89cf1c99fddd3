"""Files out of the office and into it: a list is exported, changed and imported."""

import io

import openpyxl
import pytest

from browser.pages import (
    KEEP_FILES,
    KEPT_FILES,
    exported,
    follow,
    unexpected,
)
from scenarios import claim_pane, order_with_panes
from tables_api import rows_of, to_csv
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

CHOOSE_FILE = """
    const [selector, name, content] = given;
    const files = new DataTransfer();
    files.items.add(new File([Array.isArray(content) ? new Uint8Array(content) : content], name));
    const input = document.querySelector(selector);
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
"""
TRY_IMPORT = """
    const { version } = given;
    const { sendFile } = await import(`/floor/static/${version}/js/ui/files.js`);
    return sendFile("/customers/import", "name\\r\\nx\\r\\n", "text/csv")
        .then(() => 200, (error) => error.status);
"""


def shows(tab, selector, text):
    tab.wait(selector)
    wait_until(lambda: text in tab.text(selector), describe=lambda: tab.text(selector))


def test_customers_are_exported_changed_and_imported_once_every_row_is_right(
    open_office, chromium, admin, workshop
):
    formula = {"name": "=1+1 บ้านสวนน้ำใส", "phone": "+66 81", "notes": "เก่ง\nที่สุด"}
    for body in (formula, {"name": "Other", "discount": 5}):
        assert admin.post("/api/customers", body).status == 201
    tab = open_office(workshop.worker_with("manager"), "customers?search=1%2B1")
    tab.wait(".table-row")
    (first,) = exported(tab, 1)
    assert list(first) == ["Name", "Phone", "Address", "Discount"]
    (row,) = exported(tab, 2)
    assert {name: row[name] for name in ("name", "phone", "notes")} == {
        "name": "'=1+1 บ้านสวนน้ำใส",
        "phone": "'+66 81",
        "notes": "เก่ง\nที่สุด",
    }

    tab.click(".export")
    tab.click(".save-export summary")
    tab.fill("#export-name", "บวกหนึ่ง")
    tab.click(".save-export form button")
    shows(tab, ".save-export [role=status]", "Saved")
    tab.click(".save-export a")
    shows(tab, ".saved-exports", "บวกหนึ่ง")
    tab.run(KEEP_FILES, None)
    tab.click(".saved-exports .main-button")
    wait_until(lambda: len(tab.run(KEPT_FILES, None)) == 1)
    (row_of_file,) = rows_of(bytes(tab.run(KEPT_FILES, None)[0]), "xlsx")
    assert row_of_file["Name"] == formula["name"]
    tab.click('.saved-exports a:has-text("Customers")')
    tab.wait(".table-row")
    assert "search=1%2B1" in tab.address()

    tab.click("a.import")
    tab.wait(".import-choose")
    new = {**dict.fromkeys(row, ""), "name": "Aek", "discount": "500"}
    content = to_csv([{**row, "notes": "ใหม่"}, new, {**new, "name": "x"}]).decode()
    tab.run(CHOOSE_FILE, ["input[type=file]", "customers.csv", content])
    shows(tab, ".import-state", "Correct the rows")
    shown = [" ".join(one.split()) for one in tab.texts(".import-counts button")]
    assert shown == ["To correct 2", "Changed 1"]
    assert tab.count("[aria-invalid=true]") == 2
    assert tab.count("#import-3-discount[aria-invalid=true]") == 1
    assert tab.count(".import-checked .main-button[disabled]") == 1
    tab.fill("#import-3-discount", "50")
    tab.click('[data-action="fault"]:has(#import-4-name) button')
    tab.click(".import-checked .main-button")
    shows(tab, ".import-state", "Every row is right")
    tab.click('.import-counts button:has-text("Changed")')
    wait_until(lambda: tab.texts(".import-cell ins") == ["ใหม่"])
    assert len(admin.get("/api/customers").data) == 2  # nothing is stored yet
    tab.click(".import-checked .main-button")
    shows(tab, ".import-done", "1 added, 1 changed, 0 unchanged")
    tab.click(".import-done a")
    wait_until(lambda: len(tab.texts(".table-row")) == 3)
    found = {one["name"]: one for one in admin.get("/api/customers").data}
    assert found["Aek"]["discount"] == 50
    assert (found[formula["name"]]["notes"], found[formula["name"]]["phone"]) == (
        "ใหม่",
        "+66 81",
    )

    tab.click("a.import")  # rows from a spreadsheet, with the titles of the list
    tab.fill("#import-text", "Name\tPhone\tRemark\nNok\t02-1\tx\n")
    tab.click(".import-choose form button")
    shows(tab, ".import-scroll thead", "Remark")
    tab.select(".import-scroll select", "")
    wait_until(lambda: tab.count(".import-checked .main-button[disabled]") == 0)
    tab.click(".import-checked .main-button")
    shows(tab, ".import-state", "Every row is right")
    tab.click(".import-checked .main-button")
    shows(tab, ".import-done", "1 added")

    tab.click(".import-done button")  # plain CSV of Thai Windows, then a workbook
    thai = "ชื่อ,โทรศัพท์\r\nบ้านไทย,081\r\n".encode("cp874")
    tab.run(CHOOSE_FILE, ["input[type=file]", "thai.csv", list(thai)])
    shows(tab, ".import-scroll tbody", "บ้านไทย")
    tab.click('.import-checked button:has-text("Choose another file")')
    tab.wait(".import-choose")
    book, content = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["name"])
    book.create_sheet("other")
    book.save(content)
    chosen = ["input[type=file]", "two.xlsx", list(content.getvalue())]
    tab.run(CHOOSE_FILE, chosen)
    shows(tab, ".import-checked", "from the sheet “Sheet”")

    seeded = workshop.worker_with("worker")
    tab = open_office(seeded, "customers")
    tab.wait(".table-row")
    assert (tab.count(".export"), tab.count("a.import")) == (1, 0)
    follow(tab, "office/import/customers")
    shows(tab, ".empty", "You may not import")
    version = tab.run("return document.querySelector('script[src]').src;", None)
    given = {"version": version.split("/static/")[1].split("/")[0]}
    assert tab.run(TRY_IMPORT, given) == 403
    assert unexpected(chromium) == []


def test_saved_export_of_orders_or_claims_opens_on_the_tab_where_it_was_saved(
    open_office, chromium, admin, workshop
):
    job = order_with_panes(admin, workshop)  # has no deadline, so it is not late
    claim = claim_pane(admin, job.numbers[0]).data
    assert (
        admin.patch(f"/api/claims/{claim['_id']}", {"status": "rejected"}).status == 200
    )
    tab = open_office(workshop.worker_with("manager"))
    for address, section, shown in (
        ("orders?due=open", "Orders", "Open"),
        ("claims?show=rejected", "Claims", "Rejected"),
    ):
        name = f"ของ {address}"
        follow(tab, f"office/{address}")
        tab.wait(".table-row")
        tab.click(".export")
        tab.click(".save-export summary")
        tab.fill("#export-name", name)
        tab.click(".save-export form button")
        shows(tab, ".save-export [role=status]", "Saved")
        follow(tab, "office/exports")
        tab.click(f'.saved-exports li:has-text("{name}") a:has-text("{section}")')
        tab.wait(".table-row")
        shows(tab, ".tabs [aria-current]", shown)
    assert unexpected(chromium) == []
