"""Vowels and tone marks that stand over and under each other are never cut off."""

import re

import pytest

from browser.pages import ENGLISH, FULL_HD, PHONE, follow, open_page
from browser.test_every_page import pages
from glassflow.core.process import clock
from glassflow.core.process.json import iso
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

#: Marks over marks, over a letter with an ascender, and under letters with a descender.
TALL = "ผู้เชี่ยวชาญ ที่นั้น น้ำ ญู ฐู ปี่"
#: So long that it is cut at its end wherever it has to be.
LONG = f"{TALL} {TALL} {TALL}"
#: How many texts with those marks are shown, and those of which a box cuts some.
CUT = """
    const pen = document.createElement("canvas").getContext("2d");
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const cut = [];
    let count = 0;
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      if (!texts.currentNode.data.includes(given) || !element.checkVisibility()
          || element.closest(".visually-hidden")) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
      if (!lines.length) continue;
      count += 1;
      pen.font = getComputedStyle(element).font;
      const { actualBoundingBoxAscent: up, actualBoundingBoxDescent: down, fontBoundingBoxAscent: ascent } =
        pen.measureText(given);
      const [top, bottom] = [lines[0].top + ascent - up, lines.at(-1).top + ascent + down];
      for (let box = element; box !== document.documentElement; box = box.parentElement) {
        const { overflowY } = getComputedStyle(box);
        const scrolls = box.scrollHeight > box.clientHeight + 1 && ["auto", "scroll"].includes(overflowY);
        if (scrolls) break; // the rest of the box is there, out of sight
        if (overflowY === "visible") continue;
        const edge = box.getBoundingClientRect();
        const [from, to] = [edge.top + box.clientTop, edge.top + box.clientTop + box.clientHeight];
        if (top < from - 0.5 || bottom > to + 0.5)
          cut.push(`${element.tagName}.${element.className} in ${box.tagName}.${box.className}: ` +
            `${(from - top).toFixed(1)} over, ${(bottom - to).toFixed(1)} under`);
      }
    }
    return [count, [...new Set(cut)]];
"""
#: The same of a box that cuts: what the page says must be found.
CUTTING = """
    const box = document.createElement("p");
    Object.assign(box.style, { overflow: "hidden", lineHeight: "1" });
    box.textContent = given;
    document.querySelector("main").append(box);
"""


@pytest.fixture
def job(admin, workshop):
    """A late order of a customer with such a name, on stations with such names."""
    job = order_with_panes(admin, workshop, steps=2, panes=3)
    late = {
        "deadline": iso(clock.now().replace(year=2025)),
        "deadlineChangeReason": TALL,
    }
    assert admin.patch(f"/api/requests/{job.request['_id']}", late).status == 200
    assert admin.patch(f"/api/customers/{job.customer}", {"name": LONG}).status == 200
    assert admin.patch(f"/api/materials/{job.material}", {"name": LONG}).status == 200
    for station in job.stations:
        changed = {"name": f"{TALL} {station[-3:]}"}
        assert admin.patch(f"/api/stations/{station}", changed).status == 200
    for pane in job.panes:
        changed = {"glassTypeLabel": TALL, "notes": TALL}
        assert admin.patch(f"/api/panes/{pane['_id']}", changed).status == 200
    claim = {
        "paneNumber": job.numbers[0],
        "source": "worker",
        "description": LONG,
        "reportedBy": str(workshop.worker(name=LONG).pk),
    }
    assert admin.post("/api/claims/from-pane", claim).status == 201
    return job


def test_no_mark_is_cut_off_wherever_names_stand(
    chromium, server, admin, workshop, job
):
    account = workshop.worker_with("admin")
    tab = open_page(chromium.profile(**ENGLISH), f"{server}/floor/office", account)
    office = sorted(
        path
        for path in pages()
        if path.startswith("office/") and not re.search("[:*]|import", path)
    )
    records = [
        f"office/orders/{job.order['_id']}",
        f"office/requests/{job.request['_id']}",
        f"office/customers/{job.customer}",
        f"office/materials/{job.material}",
        f"office/stations/{job.stations[0]}",
        f"office/panes/{job.numbers[0]}",
    ]
    views = [f"board?rotate={view}:600" for view in ("overview", "late", "spotlight")]
    shown, windows = 0, [FULL_HD, PHONE]
    for path in (*office, *records):
        follow(tab, path)
        shown += count_uncut(tab, path, windows)
    planned = {
        "customer": job.customer,
        "panes": [pane["_id"] for pane in job.panes],
        **dict.fromkeys(("address", "notes"), LONG),
        **dict.fromkeys(("recipient", "contact", "vehicle"), TALL),
    }
    delivery = admin.post("/api/deliveries", planned).data["_id"]
    station = job.stations[0]
    others = ("labels", "s?choose", f"s/{station}", f"deliveries/{delivery}")
    for path in (*views, *others, "deliveries"):
        follow(tab, path)
        if path in views:
            tab.wait(
                {"o": ".lanes .rack", "l": ".whole li", "s": ".spotlight li"}[path[13]]
            )
        shown += count_uncut(tab, path, windows)
    assert shown > 100
    tab.run(CUTTING, TALL)
    assert len(tab.run(CUT, TALL)[1]) == 1  # the measure finds one


def count_uncut(tab, path, windows):
    """Count the texts with the marks in all windows; a box that cuts some is a failure."""
    tab.wait("h1[tabindex]")
    wait_until(lambda: tab.count(".skeleton") == 0)
    shown = 0
    windows.reverse()  # its size is changed less often: that paints the page again
    for window in windows:
        tab.size(*window)
        count, cut = tab.run(CUT, TALL)
        assert cut == [], (path, window)
        shown += count
    return shown
