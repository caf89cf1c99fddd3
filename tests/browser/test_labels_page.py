"""The labels page in a real browser: choose, preview, print, and what is marked."""

import base64

import pypdfium2
import pytest

from api.test_labels import TEMPLATE
from browser.pages import (
    ENGLISH,
    LIVE,
    STALE,
    lose_first_answer,
    open_page,
    unexpected,
)
from glassflow.services.labels import network_printers
from label_pictures import codes_in
from lookups import pane_of
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]
PRINT = ".print .main-button"
PREVIEW = ".paper img"
#: Keep the PDFs that the page shows: its policy lets no script read their addresses.
KEEP_PDFS = """
    const address = URL.createObjectURL.bind(URL);
    globalThis.pdfs = {};
    URL.createObjectURL = (blob) => {
      const made = address(blob);
      if (blob.type === "application/pdf") globalThis.pdfs[made] = blob;
      return made;
    };
"""
#: The PDF in the print frame, in base64.
PDF_IN_FRAME = """
    const blob = globalThis.pdfs[document.getElementById("print-frame").src];
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
"""
DPI, POINTS_PER_INCH = 300, 72


def open_labels(chromium, server, account, query="", **options):
    address = f"{server}/floor/labels{query}"
    return open_page(chromium.profile(**options), address, account)


@pytest.fixture
def account(workshop):
    return workshop.worker_with("admin")


@pytest.fixture
def job(admin, workshop):
    admin.post("/api/sticker-templates", TEMPLATE)
    return order_with_panes(admin, workshop, panes=3)


def test_chosen_labels_of_an_order_are_those_of_the_printed_pdf_and_are_marked(
    chromium,
    server,
    account,
    admin,
    job,
):
    tab = open_labels(chromium, server, account, **ENGLISH)
    wait_until(lambda: "Nothing is chosen yet" in tab.text(".result"))
    tab.fill("#label-search", job.order["orderNumber"])
    tab.click(f'.hits a[href="?order={job.order["_id"]}"]')
    tab.wait(PREVIEW)
    assert "3 of 3 chosen" in tab.text(".chooser")
    assert tab.text("figcaption").strip() == "Page 1 of 3"
    tab.click(".chooser li:first-child input")
    wait_until(lambda: "2 of 3 chosen" in tab.text(".chooser"))
    wait_until(lambda: "Page 1 of 2" in tab.text("figcaption"))
    first = tab.attribute(PREVIEW, "src")
    tab.click('figcaption [aria-label="Next page"]')
    wait_until(lambda: "Page 2 of 2" in tab.text("figcaption"))
    assert tab.attribute(PREVIEW, "src") != first  # the caption is that of the picture

    tab.select("#label-layout", "L7160")
    tab.wait(".cell")
    tab.wait(".warnings")
    assert tab.text(".warnings").endswith("is printed at 95 %")
    tab.click('.cell[aria-label="Begin at cell 5"]')
    tab.wait('.cell[aria-pressed="true"][aria-label="Begin at cell 5"]')

    tab.run(KEEP_PDFS)
    tab.stubPrint()
    tab.click(PRINT)
    tab.wait(".asks")
    wait_until(lambda: tab.prints() == 1)
    (codes,) = codes_of_pdf(base64.b64decode(tab.run(PDF_IN_FRAME)))
    assert sorted(codes) == [f"STDPLUS:{number}" for number in job.numbers[1:]]
    assert pane_of(admin, job.numbers[1])["labelledAt"] is None
    tab.click(".asks .yes")
    wait_until(lambda: "2 labels printed" in tab.text(".outcome"))
    wait_until(lambda: tab.count(".printed") == 2)
    assert pane_of(admin, job.numbers[1])["labelledAt"]
    assert pane_of(admin, job.numbers[0])["labelledAt"] is None

    admin.post("/api/labels/print", {"panes": job.numbers[:1]})  # elsewhere
    wait_until(lambda: tab.count(".printed") == 3)
    tab.reload()
    tab.wait(PREVIEW)
    tab.wait(".cell")  # the device keeps the layout
    assert tab.count(".cell") == 21
    assert unexpected(chromium) == []


def test_page_without_a_template_says_so_and_leads_to_a_new_one(
    chromium, server, account, admin, workshop
):
    job = order_with_panes(admin, workshop)
    query = f"?order={job.order['_id']}"
    tab = open_labels(chromium, server, account, query, **ENGLISH)
    tab.wait(".fault a")
    assert "There is no label template yet" in tab.text(".fault")
    assert "Nothing is chosen" not in tab.text("main")
    tab.click(".fault a")
    tab.wait(".office h1")
    assert tab.address().endswith("/floor/office/labels/new")
    assert unexpected(chromium) == []


def codes_of_pdf(content):
    """The texts of the codes on each page."""
    document, scale = pypdfium2.PdfDocument(content), DPI / POINTS_PER_INCH
    return [codes_in(page.render(scale=scale).to_pil()) for page in document]


def test_labels_whose_answer_is_lost_are_printed_once(
    chromium, server, app, account, job, setting, monkeypatch
):
    printed = []
    monkeypatch.setattr(
        network_printers,
        "send",
        lambda _, content, **__: printed.append(content) or True,
    )
    setting(PRINTERS={"zebra": ["tcp://127.0.0.1:9100", "300"]})
    address = f"?order={job.order['_id']}"
    tab = open_labels(chromium, server, account, address, **ENGLISH)
    tab.wait(PREVIEW)
    tab.select("#label-printer", "zebra")
    lose_first_answer(monkeypatch, app, "labels.print_labels")
    tab.click(PRINT)
    tab.wait(".print .fault")
    tab.click(PRINT)
    wait_until(lambda: "3 labels printed" in tab.text(".outcome"))
    assert len(printed) == 1
    tab.click(PRINT)  # what was answered is asked for again
    wait_until(lambda: len(printed) == 2)


def test_what_failed_without_network_is_repeated_when_it_is_back(
    chromium, network, account, job
):
    query = f"?order={job.order['_id']}"
    tab = open_labels(chromium, network.url, account, query, **ENGLISH)
    hit = f'.hits a[href="{query}"]'
    tab.wait(hit)
    tab.wait(PREVIEW)
    network.cut()
    tab.wait(STALE)
    tab.fill("#label-search", job.order["orderNumber"])
    tab.wait(".search .fault")
    assert tab.count(hit) == 0  # of the search before
    tab.click(".chooser li:first-child input")
    tab.wait(".result .fault")
    network.restore()
    tab.wait(LIVE)
    tab.wait(hit)
    tab.wait(PREVIEW)
    wait_until(lambda: tab.count(".fault") == 0)
    chromium.call("problems")
