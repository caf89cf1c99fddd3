"""The office pages on paper: what is printed, and that all of it fits."""

import pypdfium2
import pytest

from browser.floor_pages import see, set_look, unexpected
from scenarios import claim_pane, order_with_panes
from stock_api import create_lot
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

A4 = (703, 1032)  # without the margins, in CSS pixels
#: What is of no use on paper. The photos of claims are buttons, too.
CONTROLS = """
    const names = [".bar", ".rail", ".find", ".filters", ".back", ".row-check", ".selected", ".form-buttons",
      ".table-pages a", ".tabs a:not([aria-current])", "button", ".main-button", ".quiet-button"];
    const isShown = (one) => one.checkVisibility() && !one.closest(".gallery");
    return names.filter((name) => [...document.querySelectorAll(name)].some(isShown));
"""
#: The tables, lists and charts that are wider than the page.
TOO_WIDE = """
    const found = [...document.querySelectorAll("main *")].filter((one) => one.checkVisibility());
    return found.filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || one.scrollWidth > one.clientWidth + 1
      && getComputedStyle(one).overflowX !== "visible" && one.matches("table, .table, .grid-scroll, .chart, ul, section"))
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
    return job


def test_every_page_is_printed_without_controls_black_on_white_and_whole(
    open_office, chromium, admin, workshop, workshop_at_work
):
    job = workshop_at_work
    tab = open_office(workshop.worker_with("admin"))
    tab.size(*A4)
    for page, shown in {
        "dashboard": ".chart canvas",
        "orders?due=all": ".table-row",
        f"orders/{job.order['_id']}": ".group .table-row",
        f"requests/{job.request['_id']}": ".table-row",
        "panes": ".table-row",
        f"panes/{job.numbers[1]}": "dl",
        "claims": ".table-row",
        f"customers/{job.customer}": ".field input",
        "stock": ".holding",
        "prices": ".grid input",
        "people": ".table-row",
        "stations": ".table-row",
    }.items():
        tab.goto(f"{admin.url}/floor/office/{page}")
        tab.wait(shown)
        for look in (("en", "dark"), ("th", "light")):
            set_look(tab, *look)
            tab.media("print")
            assert tab.run(CONTROLS, None) == [], (page, look)
            wait_until(
                lambda: tab.run(TOO_WIDE, None) == [],  # the chart is drawn anew
                describe=lambda page=page: f"{page}: {tab.run(TOO_WIDE, None)}",
            )
            assert tab.overflow() <= 0, (page, look)
            assert tab.run(COLOURS, None) == ["rgb(0, 0, 0)", "#fff"], (page, look)
            tab.media("screen")
    assert unexpected(chromium) == []


def test_heading_of_a_list_is_on_each_of_its_pages_and_the_date_on_the_first(
    open_office, chromium, workshop, workshop_at_work, tmp_path
):
    tab = open_office(workshop.worker_with("admin"), "panes?sort=paneNumber")
    see(tab, ".table-row", workshop_at_work.numbers[0])
    assert tab.count(".printed:not(:empty)") == 0
    path = tmp_path / "panes.pdf"
    tab.pdf(str(path))
    pages = [
        "".join(one.get_textpage().get_text_bounded().split())
        for one in pypdfium2.PdfDocument(path)
    ]
    assert len(pages) == 2
    assert "Panes" in pages[0]
    assert "Printed" in pages[0]
    for text in pages:
        assert "NowatGlass" in text  # the titles of columns
        assert "Logout" not in text
        assert "Export" not in text
    printed = "".join(pages)
    assert all(number in printed for number in workshop_at_work.numbers[:50])
    assert "1–50of60" in pages[-1]
    assert unexpected(chromium) == []
