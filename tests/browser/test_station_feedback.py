"""What a station shows at once: a scan that was read, kept scans, and all of it in sight."""

import pytest

from browser.pages import ENGLISH, LIVE, THAI, lose_first_answer, see, unexpected
from browser.slow_requests import hold_requests
from browser.station_steps import (
    FAILED,
    KEPT,
    NEXT,
    NO,
    YES,
    command,
    offers,
    open_station,
    says,
    scan,
    shows,
    status,
)
from lookups import pane_actions
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

#: Notes each text that the signs of the header have.
WATCH = """
    globalThis.seen = [];
    const note = () => seen.push(document.querySelector(".signs").innerText);
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
"""
SEEN = "return seen.join(' ');"
TABLETS = [
    *((1280, 720), (1280, 800), (1024, 768), (1920, 1080)),
    *((768, 1024), (800, 1280), (1024, 600)),
]
PHONE = (390, 844)
LEAST_DRAWING_PX = 150
LEAST_DRAWING_SHARE = (
    0.4  # of the width of the card, for a pane that is wider than high
)
#: What of the queue's rows stands over something else, and the heights of the rows.
ROWS = """
    const rows = [...document.querySelectorAll(".queue li button")];
    const over = ({ children }) => [...children].some((one, i) => [...children].slice(i + 1).some((other) => {
      const [a, b] = [one, other].map((part) => {
        const text = document.createRange();
        text.selectNodeContents(part);
        const [{ left, right, width }, { top, bottom }] = [text, part].map((box) => box.getBoundingClientRect());
        return { left, right, width, top, bottom };
      });
      return a.width && b.width && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    }));
    return [
      rows.filter((row) => over(row) || row.scrollWidth > row.clientWidth).map((row) => row.innerText),
      [...new Set(rows.map((row) => Math.round(row.getBoundingClientRect().height)))],
      rows.length,
    ];
"""
DRAWING_PX = (
    "return document.querySelector('.drawing .glass').getBoundingClientRect().height"
)
#: The text and the width of "Start shift", and whether it stands in the row of the bell.
BEGIN = """
    const [begin, bell] = [".begin", ".bell"].map((one) => document.querySelector(`.signs ${one}`));
    const [{ top, width }, other] = [begin, bell].map((one) => one.getBoundingClientRect());
    return [begin.textContent.trim(), width, top === other.top];
"""
DRAWING_SHARE = """
    const [glass, card] = [".drawing .glass", ".pane"].map((one) => document.querySelector(one).getBoundingClientRect());
    return glass.width / card.width;
"""
#: The widths of the table, in CSS pixels, at which one of the names is on several lines.
BROKEN_AT = """
    const table = document.querySelector(".work");
    const broken = [];
    const linesOf = (node, from, length) => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, from + length);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    };
    let found = 0;
    for (let width = 300; width < 800; width += 4) {
      table.style.width = `${width}px`;
      const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
      while (texts.nextNode())
        for (const name of given) {
          const from = texts.currentNode.data.indexOf(name);
          if (from < 0) continue;
          found += 1;
          if (linesOf(texts.currentNode, from, name.length) > 1) broken.push(`${width}: ${texts.currentNode.data}`);
        }
    }
    table.style.width = "";
    return [found > 0, broken];
"""
BOTTOMS = """
    return Object.fromEntries(given.map((one) =>
      [one, innerHeight - document.querySelector(one).getBoundingClientRect().bottom]));
"""


@pytest.fixture
def account(workshop):
    return workshop.worker_with("worker")


@pytest.fixture
def job(admin, workshop):
    made = order_with_panes(admin, workshop, steps=2, panes=6)
    made.address = f"/floor/s/{made.stations[0]}"
    return made


def test_scan_is_acknowledged_before_its_answer_with_its_number(
    chromium, server, app, admin, account, job, monkeypatch
):
    odd = [{"id": "h1", "x": 9000, "y": 100, "diameter": 20}]
    shape = {"dimensions": {"width": 500, "height": 400}, "holes": odd}
    assert admin.patch(f"/api/panes/{job.panes[0]['_id']}", shape).status == 200
    shown, asked, then, last = job.numbers[:4]
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue li")
    scan(tab, f"STDPLUS:{shown}")
    offers(tab, "Take in")
    see(tab, ".drawing .cuts .wrong", "outside the pane")
    released = hold_requests(monkeypatch, app, "scans.next_step")
    try:
        scan(tab, f"STDPLUS:{asked}")
        wait_until(lambda: tab.text(".work h2") == asked)
        assert shown not in tab.text(
            ".work"
        )  # nor its button, which would seem pressed
        assert tab.count(NEXT) == 0
        for number in (then, last):
            scan(tab, f"STDPLUS:{number}")
        wait_until(lambda: f"Then: {then}, {last}" in tab.text(".work"))
    finally:
        released.set()
    shows(tab, last)
    assert unexpected(chromium) == []


def test_ordinary_scans_do_not_flash_as_scans_to_send(chromium, server, account, job):
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue li")
    tab.wait(LIVE)
    tab.run(WATCH)
    scan(tab, f"STDPLUS:{job.numbers[0]}")
    for action, done in (
        ("Take in", "Taken in"),
        ("Done", "Done"),
        ("Hand on", "Handed on"),
    ):
        offers(tab, action)
        tab.click(NEXT)
        says(tab, YES, done)
    assert "Live" in tab.run(SEEN)
    assert "to send" not in tab.run(SEEN)


WHOLE = ["scan_in", "complete", "scan_out"]


def choose(tab, label):
    """Choose something in the settings of the device."""
    tab.click(".signs .icon-button")
    tab.click(f'.option:has-text("{label}")')
    tab.press("Escape")
    wait_until(lambda: tab.count("dialog") == 0)


def test_station_asks_for_one_scan_or_two_and_one_undo_takes_back_the_whole(
    chromium, server, app, admin, account, job, monkeypatch
):
    done = ("Done and handed on", "Next:")
    one, two, three, four, five, six = (f"STDPLUS:{number}" for number in job.numbers)
    at_the_edge = [{"id": "h1", "x": 8, "y": 100, "diameter": 10}]
    size = {"width": 500, "height": 400, "thickness": 6}
    shape = {"dimensions": size, "holes": at_the_edge}
    assert admin.patch(f"/api/panes/{job.panes[5]['_id']}", shape).status == 200
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue li")
    tab.wait(LIVE)
    choose(tab, "One: done and on")
    with monkeypatch.context() as losing:
        lose_first_answer(losing, app, "scans.scan")
        scan(tab, one)
        shows(tab, job.numbers[0])
        says(tab, YES, "Done and handed on")  # once it was sent again
    assert pane_actions(admin, job.numbers[0]) == WHOLE
    tab.click(".undo")
    says(tab, YES, "Undone")
    assert status(admin, job.numbers[0]) == "pending"
    offers(tab, "Done and on")
    tab.click(f'.queue li button:has-text("{job.numbers[1]}")')  # a tap only shows it
    shows(tab, job.numbers[1])
    offers(tab, "Done and on")
    scan(tab, six)  # has to be checked before work
    shows(tab, job.numbers[5])
    see(tab, ".pane .note", "Check before work")
    offers(tab, "Done and on")
    assert {status(admin, n) for n in (job.numbers[1], job.numbers[5])} == {"pending"}

    choose(tab, "Two: in; done and on")
    scan(tab, two)
    says(tab, YES, "Taken in")
    offers(tab, "Done and on")
    scan(tab, two, paused=True)
    says(tab, YES, *done)
    choose(tab, "One: done and on")
    scan(tab, three)
    shows(tab, job.numbers[2])
    says(tab, YES, *done)
    chromium.call("offline", True)
    scan(tab, four)
    wait_until(lambda: "1 to send" in tab.text(".signs"))
    says(tab, KEPT, "Done and on")
    see(tab, f'.queue li:has-text("{job.numbers[3]}")', "to send")
    scan(tab, five)
    wait_until(lambda: "2 to send" in tab.text(".signs"))
    chromium.call("offline", False)
    wait_until(lambda: "to send" not in tab.text(".queue"))
    for number in job.numbers[1:5]:
        wait_until(lambda number=number: pane_actions(admin, number) == WHOLE)
    scan(tab, two, paused=True)
    says(tab, NO, "is at")


def test_what_is_worked_with_is_in_sight_and_no_text_over_another_one_at_each_size(
    chromium, server, admin, account, job, workshop
):
    """In a batch mode, with panes as tall as glass may be, late, urgent, neither and both."""
    here = {"routing": job.stations}
    urgent = order_with_panes(admin, workshop, panes=3, pane=here)
    neither = order_with_panes(admin, workshop, panes=3, pane=here)
    sizes = [(900, 2400), (900, 2200), (984, 1950), (2440, 3660)]
    for n, pane in enumerate([*job.panes, *urgent.panes, *neither.panes]):
        width, height = sizes[n % len(sizes)]
        size = {"dimensions": {"width": width, "height": height, "thickness": 6}}
        assert admin.patch(f"/api/panes/{pane['_id']}", size).status == 200
    for made in (job, urgent):
        order = f"/api/orders/{made.order['_id']}"
        assert admin.patch(order, {"priority": 2}).status == 200
    request = f"/api/requests/{job.request['_id']}"
    late = {"deadline": "2020-01-01T00:00:00Z"}
    assert admin.patch(request, late).status == 200
    tab = open_station(chromium, server, account, job.address, **THAI)
    tab.wait(".queue:not([aria-busy])")
    tab.click(".signs .icon-button")
    tab.click('.option:has-text("2 ครั้ง")')
    tab.press("Escape")
    scan(tab, f"STDPLUS:{job.numbers[0]}")
    says(tab, YES, "รับเข้าแล้ว")
    offers(tab, "เสร็จ+ส่งต่อ")  # which is asked for after the verdict
    command(tab, "NEXT")
    says(tab, YES, "ส่งต่อแล้ว", "ถัดไป:")
    scan(tab, f"STDPLUS:{job.numbers[1]}")
    shows(tab, job.numbers[1])
    says(tab, YES, "รับเข้าแล้ว")
    offers(tab, "เสร็จ+ส่งต่อ")  # the button is there after the verdict, not before
    tab.wait(".undo")
    tab.wait(".drawing svg")
    tab.size(*PHONE)
    assert tab.run(BEGIN) == ["เริ่มกะ", 48, True]
    tab.click(".signs .begin")
    for window in [*TABLETS, PHONE]:
        tab.size(*window)
        parts = [NEXT, ".undo", ".read input", ".queue"]
        if window == PHONE:  # whose queue is below the table
            parts.remove(".queue")
        bottoms = tab.run(BOTTOMS, parts)
        assert min(bottoms.values()) >= 0, (window, bottoms)
        assert tab.overflow() <= 0, window
        covered, heights, rows = tab.run(ROWS)
        assert (covered, len(heights), rows) == ([], 1, 11), (window, heights)
        if window == (800, 1280):
            assert tab.run(DRAWING_PX) > LEAST_DRAWING_PX
    tab.size(800, 1280)
    wide = {"dimensions": {"width": 3660, "height": 2440, "thickness": 6}}
    assert admin.patch(f"/api/panes/{job.panes[2]['_id']}", wide).status == 200
    tab.click(f'.queue li button:has-text("{job.numbers[2]}")')
    shows(tab, job.numbers[2])
    wait_until(lambda: tab.run(DRAWING_SHARE) > LEAST_DRAWING_SHARE)


def test_station_names_are_not_broken_where_a_sentence_ends_its_line(
    chromium, server, admin, account, job
):
    """A browser breaks Thai between words that it knows, and does not know these."""
    names = ["อบเทมเปอร์", "ลามิเนต"]
    for station, name in zip(job.stations, names, strict=True):
        assert admin.patch(f"/api/stations/{station}", {"name": name}).status == 200
    first, second = (f"STDPLUS:{number}" for number in job.numbers[:2])
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.size(800, 1280)
    tab.wait(".queue li")
    choose(tab, "One: done and on")
    scan(tab, first)
    says(tab, YES, "Next: ลามิเนต")
    assert tab.run(BROKEN_AT, names) == [True, []]
    scan(tab, first, paused=True)
    says(tab, NO, "is at ลามิเนต, not at อบเทมเปอร์")
    see(tab, ".tell", "ลามิเนต")
    assert tab.run(BROKEN_AT, names) == [True, []]
    choose(tab, "Three")
    scan(tab, second)
    offers(tab, "Take in")
    command(tab, "FAIL")
    tab.wait(".tiles")
    for name in ("DEFECT-BROKEN", "NEXT", "NEXT", "CONFIRM"):
        command(tab, name)
    says(tab, FAILED, "Made again as", "from อบเทมเปอร์ on")
    assert tab.run(BROKEN_AT, names) == [True, []]
