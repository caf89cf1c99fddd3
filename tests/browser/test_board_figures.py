"""The figures of the wall board are whole, however many stations and panes there are."""

from datetime import timedelta

import pytest

from browser.pages import (
    ENGLISH,
    LOOKS,
    open_page,
    set_look,
    texts,
    unexpected,
)
from glassflow.core.process import clock
from glassflow.services.reports import board
from sizes import size
from waiting import wait_until

pytestmark = [pytest.mark.sized, pytest.mark.slow, pytest.mark.timeout(400)]

WALLS = [(1366, 768), (1920, 1080), (3840, 2160)]
#: Both languages, which differ in their widths; with all themes for the long run.
WALL_LOOKS = size(LOOKS, long=[*LOOKS, ("en", "light"), ("th", "dark")])
NAMES = [
    "ตัดกระจก (Cutting)", "เจียรขอบ (Edging)", "เจาะรู (Drilling)", "ล้างกระจก (Washing)",
    "อบเทมเปอร์ (Tempering)", "ลามิเนต (Lamination)", "ตรวจสอบคุณภาพ (Quality control)",
    "จัดส่ง (Delivery)", "บากมุม (Notching)", "พ่นทราย (Sandblasting)", "พิมพ์ลาย (Printing)",
    "ประกอบ (Assembly)", "บรรจุ (Packing)", "รอรับ (Pickup)",
]  # fmt: skip
COLORS = ["blue", "teal", "violet", "orange", "green", "pink", "yellow"]
#: The panes at the stations, in turn: the most that a board has to show, and usual numbers.
COUNTS = [9999, 1234, 630, 109, 57, 5, 0]
STATUSES = ["pending", "in_progress", "awaiting_scan_out"]
HOUR = 3600

#: What is broken of the figures that the selectors find: over several lines, cut, or out of
#: their lane or of the window.
BROKEN = """
    const broken = [];
    const say = (element, what) => broken.push(`${element.textContent.trim()}: ${what}`);
    const outside = (inner, outer) =>
      inner.left < outer.left - 1 || inner.right > outer.right + 1
      || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
    for (const element of document.querySelectorAll(given)) {
      const range = document.createRange();
      range.selectNodeContents(element);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
      const middles = boxes.map(({ top, bottom }) => (top + bottom) / 2);
      const height = Math.max(...boxes.map((box) => box.height));
      if (Math.max(...middles) - Math.min(...middles) > height / 2) say(element, "several lines");
      if (element.scrollWidth > element.clientWidth + 1) say(element, "wider than its box");
      const lane = element.closest(".lane") ?? document.body;
      for (const box of boxes) if (outside(box, lane.getBoundingClientRect())) say(element, "out of its lane");
    }
    const lanes = [...document.querySelectorAll(".lane")];
    for (const lane of lanes) {
      const parts = [...lane.querySelectorAll("h2, .count > b, .late-chip, .split, .call, .rack, dl")]
        .map((part) => [part, part.getBoundingClientRect()]).filter(([, { height }]) => height > 0);
      for (const [index, [part, box]] of parts.entries())
        for (const [other, further] of parts.slice(index + 1))
          if (box.bottom > further.top + 1 && further.bottom > box.top + 1) say(part, `over ${other.className || other.tagName}`);
    }
    for (const words of document.querySelectorAll(".lane h2 > *, .deliveries li > *, .foot li > *")) {
      const range = document.createRange();
      range.selectNodeContents(words);
      const [{ top, bottom }, box] = [range, words.closest("li") ?? words].map((one) => one.getBoundingClientRect());
      const spare = parseFloat(getComputedStyle(words).fontSize) / 2; // letters are lower than what a font asks for
      if (top < box.top - spare || bottom > box.bottom + spare) say(words, "cut");
    }
    return [...new Set(broken)];
"""
FIGURES = (
    ".count > b, .late-chip, .split span, .lane dt, .lane dd, header dd, header dt,"
    ' .call:not([data-state="maintenance"]) .for'
)
#: The size of the smallest text that each selector finds, in CSS pixels.
SMALLEST_PX = """
    const px = (one) => parseFloat(getComputedStyle(one).fontSize);
    return given.map((selector) => Math.min(...[...document.querySelectorAll(selector)].map(px)));
"""
#: What is read from some metres away, and its least size on a wall of 1080 pixels.
LEAST_PX = {
    ".lane h2 span": 34,
    ".lane [data-oldest] dd": 40,
    ".lane dl dd": 28,
    ".lane dl dt": 28,
    ".split span": 28,
    ".deliveries li *": 28,
    ".late li *": 28,
    ".latest li > *": 28,
    "header dd, header dt": 28,
}
#: Of more stations: of each language, as a Latin word is not broken.
LEAST_NAME_PX = {9: {"th": 32, "en": 29}, 12: {"th": 26, "en": 17}}


def shown_board(stations):
    """The answer of a board with so many stations."""
    now = clock.now()
    ids = [f"{n:024x}" for n in range(1, stations + 1)]
    rows = []
    for place, station in enumerate(ids):
        for n in range(COUNTS[place % len(COUNTS)]):
            row = {
                "_id": f"{place:04x}{n:020x}",
                "paneNumber": f"PNE-{place}{n:04}",
                "currentStation": station,
                "currentStatus": STATUSES[n % 10 // 4],
                "order": None,
                "request": "a" * 24 if n % 9 else "b" * 24,
                "arrivedAt": now - timedelta(hours=(n % 40) * (1 + place)),
                "version": 1,
                "width": 900,
                "height": 600 + 300 * (n % 7),
            }
            rows.append([row[name] for name in board.PANE_FIELDS])
    stay = {"p50": 2 * HOUR, "p85": 8 * HOUR, "p95": 20 * HOUR, "count": 400}
    return {
        "seq": 0,
        "timezone": "Asia/Bangkok",
        "stations": [
            {
                "_id": station,
                "name": NAMES[place],
                "colorId": COLORS[place % len(COLORS)],
                "position": place,
                "status": "online",
                "maintenance": False,
                "version": 1,
                "outToday": [1999, 682, 44][place % 3],
                "stay": stay,
            }
            for place, station in enumerate(ids)
        ],
        "panes": {"fields": board.PANE_FIELDS, "rows": rows},
        "finished": {"today": 1999, "usual": [1999] * 24},
        "orders": [shown_order(place) for place in range(9)],
        "deliveries": [shown_delivery(place) for place in range(7)],
        "deadlines": {"a" * 24: None, "b" * 24: now.replace(year=2020)},
        "alerts": [
            {
                "kind": "low_stock",
                "material": "f" * 24,
                "name": "กระจกใส 6 มม.",
                "quantity": 2,
                "unit": "แผ่น",
            }
        ],
        "calls": [shown_call(place, ids[place]) for place in range(stations)],
    }


def shown_order(place):
    """A late order."""
    return {
        "_id": f"{place:024x}",
        "orderNumber": f"ORD-1{place:04}",
        "request": "b" * 24,
        "customer": None,
        "status": "in_progress",
        "priority": 1,
        "paneCount": 120,
        "panesCompleted": place,
        "version": 1,
        "customerName": None,
        "customerShortName": "ผู้เชี่ยวชาญกระจก… สาขาบางนา",
        "deadline": None,
    }


def shown_delivery(place):
    """A delivery of today: planned and loaded in part, returned or delivered."""
    return {
        "_id": f"{place:024x}",
        "deliveryNumber": f"DLV-1{place:04}",
        "recipient": ["บริษัท ผู้เชี่ยวชาญกระจก จำกัด", "บ้านสวน"][place % 2],
        "plannedFor": clock.now(),
        "status": ["planned", "planned", "returned", "delivered"][place % 4],
        "deliveredAt": None,
        "version": 1,
        "paneCount": 24,
        "missing": 0,
        "loaded": 12,
        "lacking": ["e" * 24] * 12,
    }


def shown_call(place, station):
    """A call at a station: maintenance, a machine that stands, or a question."""
    return {
        "_id": f"{place:024x}",
        "callNumber": f"CALL-{place:04}",
        "station": station,
        "kind": ["machine", "machine", "question"][place % 3],
        "machineStands": place % 3 < 2,
        "refusesScanIn": place % 3 == 0,
        "reason": "สายพานขาด รออะไหล่จากผู้ผลิต ช่างมาวันพฤหัสบดีตอนบ่าย",
        "pane": None,
        "paneNumber": "PNE-12345-A" if place % 3 == 2 else "",
        "calledFrom": None,
        "calledBy": "c" * 24,
        "calledByName": "มาลี",
        "calledAt": clock.now() - timedelta(minutes=59),
        "takenBy": "d" * 24 if place % 2 else None,
        "takenAt": clock.now() if place % 2 else None,
        "takenByName": "ศุภกิตติ์ ปัญญาประดิษฐ์กุล" if place % 2 else "",
        "status": "taken" if place % 2 else "open",
        "version": 1,
    }


@pytest.mark.parametrize("stations", size([3, 14], long=[3, 8, 10, 14]))
def test_figures_are_whole_on_every_wall(
    chromium, server, workshop, monkeypatch, stations
):
    monkeypatch.setattr(board, "read_board", lambda *_, **__: shown_board(stations))
    account = workshop.worker_with("admin")
    tab = open_page(chromium.profile(**ENGLISH), f"{server}/floor/board", account)
    wait_until(lambda: tab.count(".lane .rack") == stations)
    wait_until(lambda: tab.count(".deliveries li") == 3)
    for look in WALL_LOOKS:
        set_look(tab, *look)
        for wall in WALLS:
            tab.size(*wall)
            assert tab.run(BROKEN, FIGURES) == [], (look, wall)
            assert tab.overflow() <= 0, (look, wall)
    assert texts(tab, ".count > b")[:3] == ["9,999", "1,234", "630"][:stations]
    assert unexpected(chromium) == []


@pytest.mark.parametrize("stations", [8, 9, 12])
def test_words_and_ages_are_read_from_where_figures_are(
    chromium, server, workshop, monkeypatch, stations
):
    shown = shown_board(stations)
    monkeypatch.setattr(board, "read_board", lambda *_, **__: shown)
    account = workshop.worker_with("admin")
    tab = open_page(chromium.profile(**ENGLISH), f"{server}/floor/board", account)
    wait_until(lambda: tab.count(".deliveries li") == 3)
    for look in WALL_LOOKS:
        set_look(tab, *look)
        least = LEAST_PX
        if stations != 8:
            least = {".lane h2 span": LEAST_NAME_PX[stations][look[0]]}
        for width, height in WALLS[1:]:
            tab.size(width, height)
            found = dict(zip(least, tab.run(SMALLEST_PX, [*least]), strict=True))
            small = {
                selector: px
                for selector, px in found.items()
                if px < least[selector] * height / 1080 - 0.01
            }
            assert small == {}, look
    assert tab.count(".lane h2 small") == 1  # what the deliveries say
    tab.goto(f"{server}/floor/board?names=both")
    wait_until(lambda: tab.count(".lane h2 small") == stations + 1)
    assert "ตรวจสอบคุณภาพ" in " ".join(texts(tab, ".lane h2"))
    assert "Quality control" in " ".join(texts(tab, ".lane h2"))
