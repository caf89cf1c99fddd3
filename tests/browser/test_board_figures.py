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
    return [...new Set(broken)];
"""
FIGURES = (
    ".count > b, .late-chip, .split span, .lane dt, .lane dd, header dd, header dt,"
    ' .call:not([data-state="maintenance"]) .for'
)
#: The height of the largest digits of a lane, in CSS pixels.
DIGITS_PX = """
    return Math.min(...[...document.querySelectorAll(".count > b")]
      .map((one) => parseFloat(getComputedStyle(one).fontSize)));
"""


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
        "orders": [],
        "deliveries": [],
        "deadlines": {"a" * 24: None, "b" * 24: now.replace(year=2020)},
        "alerts": [],
        "calls": [shown_call(place, ids[place]) for place in range(stations)],
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
    # the board has the same tag whatever its stations, so no cache may have one
    tab = open_page(chromium.new_profile(**ENGLISH), f"{server}/floor/board", account)
    wait_until(lambda: tab.count(".lane .rack") == stations)
    for look in WALL_LOOKS:
        set_look(tab, *look)
        for wall in WALLS:
            tab.size(*wall)
            assert tab.run(BROKEN, FIGURES) == [], (look, wall)
            assert tab.overflow() <= 0, (look, wall)
    assert texts(tab, ".count > b")[:3] == ["9,999", "1,234", "630"][:stations]
    assert unexpected(chromium) == []
