"""The office pages on paper: what is printed, and that all of it fits."""

import re

import pypdfium2
import pytest

from billing_scenarios import deliver, finished
from browser.pages import follow, see, set_look, unexpected
from scenarios import claim_pane, order_with_panes
from stock_api import create_lot
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

MARGIN = 12 / 25.4 * 72 - 1  # in points, without rounding
A4 = (703, 1020)  # without the margins, in CSS pixels
#: What is of no use on paper. The photos of claims are buttons, too.
CONTROLS = """
    const names = [".bar", ".rail", ".find", ".filters", ".back", ".row-check", ".selected", ".form-buttons",
      ".table-pages a", ".tabs a:not([aria-current])", "button", ".main-button", ".quiet-button"];
    const isShown = (one) => one.checkVisibility() && !one.closest(".gallery");
    return names.filter((name) => [...document.querySelectorAll(name)].some(isShown));
"""
#: The tables, lists, charts and fields that are wider than the page, or cut.
TOO_WIDE = """
    const found = [...document.querySelectorAll("main *")].filter((one) => one.checkVisibility());
    return found.filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || one.scrollWidth > one.clientWidth + 1
      && getComputedStyle(one).overflowX !== "visible" && one.matches("table, .table, .grid-scroll, .chart, ul, section, input"))
      .map((one) => one.className || one.tagName);
"""
COLOURS = """
    const { color } = getComputedStyle(document.querySelector("h1"));
    return [color, getComputedStyle(document.documentElement).getPropertyValue("--bg").trim()];
"""


@pytest.fixture
def workshop_at_work(admin, worker, workshop):
    """An order of many panes, one of them claimed, and material in stock."""
    job = order_with_panes(admin, workshop, panes=60)
    claim_pane(worker, job.numbers[0])
    create_lot(admin, job.material, 5)
    marked = {"isCuttingStation": True}
    assert admin.patch(f"/api/stations/{job.stations[0]}", marked).status == 200
    return job


def test_every_page_is_printed_without_controls_black_on_white_and_whole(
    open_office, chromium, admin, workshop, workshop_at_work, tmp_path
):
    job = workshop_at_work
    deliver(admin, finished(admin, workshop, panes=1, customer=job.customer), 0)
    long = {"name": "บริษัท หาดใหญ่กลาสเซ็นเตอร์แอนด์อลูมิเนียมก่อสร้าง จำกัด (มหาชน) สาขาภาคใต้"}
    assert admin.patch(f"/api/customers/{job.customer}", long).status == 200
    hook = {"url": f"https://erp.example/{'hook' * 30}", "events": ["*"]}
    assert admin.post("/api/webhooks", hook).status == 201
    account = workshop.worker_with("admin")
    news = {"recipient": str(account.pk), "type": "news", "title": "สวัสดี" * 30}
    assert admin.post("/api/notifications", news).status == 201
    claim = admin.get("/api/claims").data[0]["_id"]
    tab = open_office(account)
    tab.size(*A4)
    for page, shown in {
        "today": ".today .card",
        "dashboard": ".chart canvas",
        "notifications": ".notices li",
        "orders?due=all": ".table-row",
        f"orders/{job.order['_id']}": ".group .table-row",
        f"requests/{job.request['_id']}": ".table-row",
        "panes": ".table-row",
        f"panes/{job.numbers[1]}": "dl",
        "claims": ".table-row",
        f"claims/{claim}": ".timeline li",
        f"customers/{job.customer}": "main:has(.account) .sales-table",
        "sales?by=month": ".sales-table .part",
        "cutting": ".cutting-table",
        "stock": ".holding",
        "withdrawals": ".empty",
        "materials": ".table-row",
        "prices": ".grid input",
        "workshop": ".logo",
        "people": ".table-row",
        "roles": ".table-row",
        f"roles/{account.role}": "fieldset",
        "stations": ".table-row",
        "station-templates": ".table-row",
        "job-types": ".empty",
        "labels": ".empty",
        "webhooks": ".table-row",
        "kept": ".kept-table td",
        "exports": ".empty",
    }.items():
        follow(tab, f"office/{page}")
        tab.wait(shown)
        for look in (("th", "light"), ("en", "dark")):
            set_look(tab, *look)
            tab.media("print")
            assert tab.run(CONTROLS, None) == [], (page, look)
            wait_until(
                lambda: tab.run(TOO_WIDE, None) == [],  # the chart is drawn anew
                describe=lambda page=page: f"{page}: {tab.run(TOO_WIDE, None)}",
            )
            assert tab.overflow() <= 0, (page, look)
            assert tab.run(COLOURS, None) == ["rgb(0, 0, 0)", "#fff"], (page, look)
            if look[0] == "en":
                require_printed(tab, tmp_path / "page.pdf", page)
            tab.media("screen")
    assert unexpected(chromium) == []


def require_printed(tab, path, page):
    """Print a page: the first sheet has its head, each one its number, and all of it fits."""
    tab.pdf(str(path))
    sheets = list(pypdfium2.PdfDocument(path))
    texts = [text_of(one) for one in sheets]
    assert "glassflow" in texts[0], page
    assert "Printed" in texts[0], page
    for number, (sheet, text) in enumerate(zip(sheets, texts, strict=True), 1):
        assert f"{number}/{len(sheets)}" in text, (page, number)
        assert "Logout" not in text, page
        assert right_of(sheet) <= sheet.get_width() - MARGIN, (page, number)


def text_of(sheet):
    """The text of a sheet, without spaces."""
    return "".join(sheet.get_textpage().get_text_bounded().split())


def test_each_sheet_of_a_list_has_its_number_and_the_heads_of_the_columns(
    open_office, chromium, admin, workshop, workshop_at_work, tmp_path
):
    admin.put("/api/workshop", {"name": "โรงงาน <กระจก> & A"})
    tab = open_office(workshop.worker_with("admin"), "panes?sort=paneNumber")
    see(tab, ".table-row", workshop_at_work.numbers[0])
    wait_until(lambda: tab.count(".paper-head") == 1)
    assert "กระจก" not in tab.text("body")  # on paper only
    path = tmp_path / "panes.pdf"
    tab.pdf(str(path))
    sheets = list(pypdfium2.PdfDocument(path))
    pages = [text_of(one) for one in sheets]
    assert len(pages) == 2
    assert "Panes" in pages[0]
    assert "โรงงาน<กระจก>&A" in pages[0]
    assert re.search(r"Printed[A-Z][a-z]{2}\d{1,2},\d{4}", pages[0])
    assert "Printed" not in pages[1]
    for number, text in enumerate(pages, 1):
        assert f"{number}/2" in text
        assert "NowatGlass" in text  # the titles of columns
        for control in ("Logout", "Export", "Home", "Menu", "Customers", "People"):
            assert control not in text, control
    printed = "".join(pages)
    assert all(number in printed for number in workshop_at_work.numbers[:50])
    assert "1–50of60" in pages[-1]
    for sheet in sheets:
        assert right_of(sheet) <= sheet.get_width() - MARGIN
    assert unexpected(chromium) == []


def right_of(sheet):
    """Where the text of a sheet ends at the right, in points."""
    text = sheet.get_textpage()
    return max(text.get_rect(index)[2] for index in range(text.count_rects()))
