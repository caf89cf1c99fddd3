"""Many panes that are lost at once at a station, and a pane that stands where the system has it not."""

import pytest

from api.test_labels import TEMPLATE
from browser.pages import (
    ENGLISH,
    INSTALLED,
    LIVE,
    WITH_SERVICE_WORKER,
    follow,
    lose_first_answer,
    open_page,
    see,
    texts,
    unexpected,
)
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
from lookups import pane_actions, pane_of, remakes_of
from scenarios import order_with_panes, pass_station
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

MENU, ENTRY = ".signs .icon-button", '.menu button:has-text("Lost, several")'
BROKEN, ONWARD, HOLD = (
    '.tiles button:has-text("Broken")',
    ".steps .main-button",
    ".fail-button",
)
HEAD, ROWS = ".ticks-head b", ".ticks li"
LOAD = 12


@pytest.fixture
def account(workshop):
    return workshop.worker_with("worker")


@pytest.fixture
def job(admin, workshop):
    """An order of fifteen panes at the first of three stations; the second one is an oven."""
    made = order_with_panes(admin, workshop, steps=3, panes=LOAD + 3)
    for station, name in zip(
        made.stations, ("Cutting", "Oven", "Packing"), strict=True
    ):
        admin.patch(f"/api/stations/{station}", {"name": name})
    made.address = f"/floor/s/{made.stations[0]}"
    made.load = made.numbers[:LOAD]
    return made


def put_in(admin, job):
    """Take the load in, as an oven does."""
    body = {"paneNumbers": job.load, "action": "scan_in", "station": job.stations[0]}
    assert admin.post("/api/panes/batch-scan", body).status == 200


def tap(tab, *selectors):
    for selector in selectors:
        tab.wait(selector)
        tab.click(selector)


def confirm(tab):
    tab.wait(HOLD)
    tab.hold(HOLD, 900)


def statuses(admin, numbers):
    return {status(admin, one) for one in numbers}


def test_lost_load_is_six_taps_one_print_and_one_undo(
    chromium, server, admin, account, workshop, job
):
    assert admin.post("/api/sticker-templates", TEMPLATE).status == 201
    put_in(admin, job)
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    colleague = workshop.worker_with("worker")
    device = chromium.second_profile(**ENGLISH)
    other = open_page(device, f"{server}{job.address}", colleague)
    board = chromium.tab(f"{server}/floor/board")
    for one in (tab, board):
        one.wait(LIVE)
    tap(tab, MENU, ENTRY)
    see(tab, HEAD, "12 of 12")
    assert tab.axe() == []
    tap(tab, BROKEN, ONWARD, ONWARD)
    see(tab, ".summary", "12 panes")
    confirm(tab)  # the sixth
    says(tab, FAILED, "Recorded as failed", "12 panes", "Made again as PNE-")
    assert statuses(admin, job.load) == {"defected"}
    made = sorted(remakes_of(admin, one)[0]["paneNumber"] for one in job.load)
    says(tab, FAILED, f"{made[0]} … {made[-1]}, from Cutting on")
    for one in (tab, other):
        counts(one, "Waiting 15 In work 0 To hand on 0")
    on_board(board, ["15"])

    button = f"{FAILED} button"
    see(tab, button, "Print the 12 labels")
    tab.stubPrint()
    tab.click(button)
    see(tab, FAILED, "Did all labels come out well?")
    wait_until(lambda: tab.prints() == 1)
    tab.click(f"{FAILED} .main-button")
    see(tab, FAILED, "The 12 labels are printed")
    assert all(pane_of(admin, one)["labelledAt"] for one in made)

    scan(tab, f"STDPLUS:{job.load[3]}")  # a look at one of them
    says(tab, NO, "has failed its check")
    see(tab, ".undo", "Undo 12 panes")
    tab.click(".undo")
    says(tab, YES, "Undone", "12 panes")
    assert statuses(admin, job.load) == {"in_progress"}
    assert statuses(admin, made) == {"cancelled"}
    for one in (tab, other):
        counts(one, "Waiting 3 In work 12 To hand on 0")
    on_board(board, ["3", "12"])
    assert unexpected(chromium) == []


def counts(tab, expected):
    wait_until(
        lambda: " ".join(tab.text(".counts").split()) == expected,
        describe=lambda: tab.text("body"),
    )


def on_board(board, expected):
    """The panes that a station has by the board: those that wait, and those in work."""
    lane = ".lane:has-text('Cutting') .split"
    wait_until(lambda: board.text(lane).split() == expected)


def test_panes_are_ticked_by_scans_and_one_that_was_handed_on_is_left_out(
    chromium, server, app, admin, account, job, monkeypatch
):
    put_in(admin, job)
    waiting, elsewhere = job.numbers[LOAD], job.numbers[LOAD + 1]
    pass_station(admin, elsewhere, job.stations[0])
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue li")
    scan(tab, f"STDPLUS:{waiting}")
    shows(tab, waiting)
    tap(tab, ".more", ENTRY)
    see(tab, HEAD, "12 of 12")
    tap(tab, '.ticks button:has-text("None")')
    see(tab, HEAD, "0 of 12")
    tap(tab, BROKEN)
    see(tab, ".sheet-body .fault", "Tick the panes that are lost first")
    moved, second = job.load[:2]
    for number in (moved, waiting, second, second):
        scan(tab, f"STDPLUS:{number}", paused=True)
    see(tab, HEAD, "3 of 13")
    assert waiting in tab.text(f"{ROWS}:first-child")
    scan(tab, f"STDPLUS:{elsewhere}")
    see(tab, ".sheet-body .fault", f"{elsewhere} is not at this station")
    for card in ("DEFECT-BROKEN", "NEXT", "NEXT"):
        command(tab, card)
    see(tab, ".summary", "3 panes")
    pass_station(admin, moved, job.stations[0])  # on another device
    see(tab, ".sheet-body", f"No longer here: {moved}")
    command(tab, "CONFIRM")
    fault = ".sheet-body .fault"
    see(tab, fault, f"{moved} This pane is at Oven, not at Cutting.")
    see(tab, fault, "Nothing is recorded yet.")
    assert status(admin, second) == "in_progress"
    tap(tab, f'.sheet-body button:has-text("Leave out {moved}")')
    see(tab, ".summary", "2 panes")
    lose_first_answer(monkeypatch, app, "scans.batch_fail")
    confirm(tab)
    says(tab, FAILED, "2 panes", f"{second}, {waiting}")
    assert statuses(admin, [second, waiting]) == {"defected"}
    assert pane_actions(admin, waiting) == ["qc_fail"]  # once, and no work is recorded
    assert status(admin, moved) == "pending"


def test_lost_load_without_network_is_kept_and_taken_back_or_sent(
    chromium, server, admin, account, job
):
    put_in(admin, job)
    options = ENGLISH | WITH_SERVICE_WORKER
    tab = open_station(chromium, server, account, job.address, **options)
    tab.wait(".queue li")
    tab.wait(LIVE)
    tab.run(INSTALLED)
    chromium.call("offline", True)
    tab.reload()
    tab.wait(".queue li")
    single = job.numbers[LOAD]
    scan(tab, f"STDPLUS:{single}")
    offers(tab, "Take in")
    tab.click(NEXT)
    says(tab, KEPT, "Take in")
    tap(tab, MENU, ENTRY)
    see(tab, HEAD, "13 of 13")  # the kept scan belongs to the last batch
    tap(tab, BROKEN, ONWARD, ONWARD)
    confirm(tab)
    says(tab, KEPT, "Kept, to be sent", "13 panes", "Failed")
    counts(tab, "Waiting 2 In work 0 To hand on 0")
    row = f'.queue li button:has-text("{single}")'
    assert tab.attribute(row, "data-status") == "left"
    see(tab, ".signs", "2 to send")
    see(tab, ".undo", "Undo 13 panes")
    tab.click(".undo")
    says(tab, YES, "Undone", "Not sent: Failed")
    counts(tab, "Waiting 2 In work 13 To hand on 0")
    see(tab, ".signs", "1 to send")

    tap(tab, MENU, ENTRY, BROKEN, ONWARD, ONWARD)
    confirm(tab)
    says(tab, KEPT, "13 panes")
    tab.click(".pill.kept")
    see(tab, ".waiting-rows", f"{job.load[0]} … {single} Failed · 13 panes")
    tab.press("Escape")
    wait_until(lambda: tab.count("dialog") == 0)
    chromium.call("offline", False)
    says(tab, FAILED, "Recorded as failed", "13 panes", "Made again as PNE-")
    assert statuses(admin, [*job.load, single]) == {"defected"}
    assert pane_actions(admin, single) == ["scan_in", "qc_fail"]
    counts(tab, "Waiting 15 In work 0 To hand on 0")
    see(tab, ".undo", "Undo 13 panes")


def test_pane_that_stands_here_is_taken_in_by_who_may_say_so(
    chromium, server, admin, account, workshop, job
):
    number, there = job.numbers[0], f"/floor/s/{job.stations[2]}"
    tab = open_station(chromium, server, account, there, **ENGLISH)
    tab.wait(".queue")
    scan(tab, f"STDPLUS:{number}")
    says(tab, NO, "is at Cutting", "Ask Cutting to hand it on")
    assert tab.count(NEXT) == 0

    manager = workshop.worker_with("manager")
    tab = open_station(chromium, server, manager, there, **ENGLISH)
    tab.wait(".queue")
    scan(tab, f"STDPLUS:{number}")
    says(tab, NO, "is at Cutting")
    assert "Ask Cutting" not in tab.text(".status-line")
    offers(tab, "It is here")
    tab.click(NEXT)
    see(tab, ".sheet-body", "The system has it at Cutting.")
    see(tab, ".sheet-body", "recorded in your name")
    assert tab.texts(".left-out li") == ["Cutting", "Oven"]
    tap(tab, ".sheet-body .main-button")
    says(tab, YES, "Taken in here")
    offers(tab, "Done")
    assert pane_of(admin, number)["currentStation"] == job.stations[2]
    tab.click(".undo")
    says(tab, YES, "Undone")
    assert pane_of(admin, number)["currentStation"] == job.stations[0]

    tab.click(MENU)
    tap(tab, '.option:has-text("Two: in; done and on")')
    tab.press("Escape")
    scan(tab, f"STDPLUS:{number}", paused=True)
    says(tab, NO, "is at Cutting")
    offers(tab, "It is here")
    tab.click(NEXT)
    tap(tab, ".sheet-body .main-button")
    says(tab, YES, "Taken in here")
    follow(tab, f"office/panes/{number}")
    see(tab, ".timeline", "Without a scan:")
    (moved, *_) = texts(tab, ".timeline li:has-text('Without a scan')")
    assert "Without a scan: Cutting Oven" in moved
    assert manager.name in moved
    assert unexpected(chromium) == []
