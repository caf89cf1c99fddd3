"""Panes and claims in the office: actions on many panes, corrections, decisions.

First as the role that may do everything, then as the seeded worker.
"""

import pytest

from browser.pages import (
    change_unheard,
    follow,
    lose_first_answer,
    press_at_once,
    see,
    set_look,
    texts,
    unexpected,
)
from lookups import claim_of, order_of, pane_of, remakes_of
from scenarios import claim_pane, order_with_panes, pass_station
from stock_api import create_lot, quantities_of
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

ROW = ".panes .table-row"
SLOWLY_MS = 100  # from key to key, as fingers type
DIALOG = "dialog[open]"
CONFIRM = f"{DIALOG} .form-buttons .main-button"


@pytest.fixture
def boss(workshop):
    return workshop.worker_with("admin")


def check_row(number):
    return f'.row-check input[aria-label="Select {number}"]'


def test_selected_panes_are_scanned_and_cancelled_after_it_is_said(
    open_office, chromium, admin, worker, workshop, boss
):
    job = order_with_panes(admin, workshop, steps=2, panes=4)
    first, second, third, fourth = job.numbers
    worker.scan(fourth, "scan_in")
    worker.scan(fourth, "complete")
    tab = open_office(boss, f"panes?order={job.order['_id']}&sort=paneNumber")
    see(tab, ROW, fourth)
    assert len(texts(tab, ROW)) == 4
    tab.click(check_row(first))
    see(tab, ".selected", "1 selected")
    tab.type("jx", SLOWLY_MS)  # the next row, and select it
    see(tab, ".selected", "2 selected")
    tab.click(".table-top input")
    see(tab, ".selected", "4 selected")
    labels = tab.attribute(".selected a", "href")
    assert labels.endswith("%2C".join([first, second, third, fourth]))

    tab.click('.selected button:has-text("Scan selected")')
    see(tab, DIALOG, "3 panes are scanned together")
    see(tab, DIALOG, "1 left out")
    tab.click(CONFIRM)
    see(tab, DIALOG, "3 of 3 done")
    tab.press("Escape")
    wait_until(lambda: pane_of(admin, third)["currentStatus"] == "in_progress")
    see(tab, ".panes li:nth-child(3)", "In work")
    wait_until(lambda: tab.texts(".selected button") == [])

    # one is refused: none is scanned, and the row says why
    tab.click(check_row(first))
    tab.click(check_row(second))
    tab.click('.selected button:has-text("Scan selected")')
    see(tab, DIALOG, "2 panes are scanned")
    claim = claim_pane(worker, second).data
    tab.select(f"{DIALOG} select", "complete")
    tab.click(CONFIRM)
    see(tab, DIALOG, "0 of 2 done")
    see(tab, f"{DIALOG} li", f"Not recorded, because {second} was refused")
    assert pane_of(admin, first)["currentStatus"] == "in_progress"
    see(tab, ".panes li:nth-child(2)", "Claimed")
    tab.press("Escape")
    admin.patch(f"/api/claims/{claim['_id']}", {"status": "rejected"})
    see(tab, ".panes li:nth-child(2)", "In work")

    tab.click('.selected button:has-text("Cancel panes")')
    see(tab, DIALOG, "2 panes are cancelled")
    tab.fill(f"{DIALOG} input[type=text]", "ลูกค้าลดจำนวน")
    tab.click(CONFIRM)
    see(tab, DIALOG, "2 of 2 done")
    tab.press("Escape")
    for number in (first, second):
        assert pane_of(admin, number)["currentStatus"] == "cancelled"
    logs = admin.get("/api/pane-logs", reason="ลูกค้าลดจำนวน").data
    assert len(logs) == 2
    assert unexpected(chromium) == []


def test_claim_is_raised_once_with_a_photo_and_decided_as_it_was_said(
    open_office, chromium, app, admin, worker, workshop, boss, tmp_path, monkeypatch
):
    job = order_with_panes(admin, workshop, steps=2, panes=2)
    number = job.numbers[0]
    pass_station(worker, number, job.stations[0])
    lot = create_lot(admin, job.material, 5)
    tab = open_office(boss, f"panes/{number}")
    see(tab, "h1", number)
    tab.click("text=Raise a claim")
    tab.wait(".photos")
    tab.select("#field-defectCode", "broken")
    tab.click(".form .main-button")
    see(tab, ".field-fault", "required")
    tab.fill("#field-description", "มุมแตก")
    picture = tmp_path / "photo.png"
    tab.screenshot(str(picture))  # any picture
    tab.choose(".photos input", [str(picture)])
    tab.wait(".photos img")
    with monkeypatch.context() as losing:
        lose_first_answer(losing, app, "claims.from_pane")
        tab.click(".form .main-button")
        tab.wait(".form .fault")
        chromium.call("problems")
        tab.click(".form .main-button")
        see(tab, "h1", "CLM-")
    tab.wait(".gallery img")
    see(tab, ".timeline li", "Corrected")

    (claim,) = admin.get("/api/claims").data
    assert len(claim["photos"]) == 1
    tab.wait(".decisions")
    said = '.choice[data-status="approved"]'
    see(tab, said, f"{number} is scrapped")
    see(tab, said, "No material is taken yet")
    see(tab, said, "1 new pane is made")
    see(tab, '.choice[data-status="rejected"]', f"{number} goes back to where it was")
    tab.select(".choice select", job.stations[1])
    station = admin.get(f"/api/stations/{job.stations[1]}").data["name"]
    see(tab, f"{said} .consequences", f"starting at {station}")
    tab.click(f"{said} > .main-button")
    see(tab, DIALOG, "is final")
    tab.click(CONFIRM)
    see(tab, ".decided", "Old piece destroyed")
    (remake,) = remakes_of(admin, number)
    see(tab, ".decided", remake["paneNumber"])
    assert remake["currentStation"] == job.stations[1]
    assert quantities_of(admin, lot) == [5]
    assert order_of(admin, job.order)["paneCount"] == 2
    tab.click(".decided a")
    see(tab, ".related", number)
    assert unexpected(chromium) == []


def test_claim_that_a_cancellation_has_rejected_says_which_one_in_both_languages(
    open_office, chromium, admin, worker, workshop, boss
):
    job = order_with_panes(admin, workshop, panes=2)
    order, number = f"/api/orders/{job.order['_id']}", job.order["orderNumber"]
    with_order = claim_pane(worker, job.numbers[0]).data
    by_hand = claim_pane(worker, job.numbers[1]).data
    path = f"/api/claims/{by_hand['_id']}"
    assert admin.patch(path, {"status": "rejected"}).status == 200
    for status in ("cancelled", "pending"):  # it stays rejected, and says so still
        assert admin.patch(order, {"status": status}).status == 200
    tab = open_office(boss, f"claims/{with_order['_id']}")
    see(tab, ".decided", f"Rejected with the cancellation of {number}")
    set_look(tab, "th", "light")
    see(tab, ".decided", f"ไม่อนุมัติพร้อมกับการยกเลิก {number}")
    follow(tab, f"office/claims/{by_hand['_id']}")
    see(tab, ".decided", "ตัดสินแล้ว เปลี่ยนไม่ได้")
    assert "ยกเลิก" not in tab.text(".decided")
    assert unexpected(chromium) == []


def test_route_is_chosen_for_a_remake_whose_stations_no_longer_exist(
    open_office, chromium, admin, worker, workshop, boss
):
    job = order_with_panes(admin, workshop, steps=1)
    pass_station(worker, job.numbers[0], job.stations[0])
    name = admin.get(f"/api/stations/{job.stations[0]}").data["name"]
    new = str(workshop.station().pk)
    claim = claim_pane(worker, job.numbers[0]).data
    assert admin.delete(f"/api/stations/{job.stations[0]}").status == 200
    admin.get(
        f"/api/stations/{job.stations[0]}/history"
    )  # which has its last name then
    tab = open_office(boss, f"claims/{claim['_id']}")
    said = '.choice[data-status="approved"]'
    see(tab, f"{said} .fault", name)
    tab.wait("#new-route")
    tab.select("#new-route", new)
    see(tab, f"{said} .consequences", "1 new pane is made")
    tab.click(f"{said} > .main-button")
    tab.click(CONFIRM)
    see(tab, ".decided", "Old piece destroyed")
    (remake,) = remakes_of(admin, job.numbers[0])
    assert remake["routing"] == [new]
    assert unexpected(chromium) == []


def test_claim_is_listed_found_in_the_palette_and_rejected_only_as_it_was_read(
    open_office, chromium, admin, worker, workshop, boss
):
    job = order_with_panes(admin, workshop, panes=2)
    decided = claim_pane(worker, job.numbers[0]).data
    tab = open_office(boss, "claims")
    see(tab, ".claims .table-row", decided["claimNumber"])
    see(tab, ".tabs", "To decide 1")
    number = job.numbers[1]
    worker.scan(number, "scan_in")
    claim = claim_pane(worker, number).data  # joins the list by itself
    see(tab, ".claims .table-row", claim["claimNumber"])
    admin.patch(f"/api/claims/{decided['_id']}", {"status": "rejected"})
    wait_until(lambda: len(texts(tab, ".claims .table-row")) == 1)
    tab.click(".tabs a:nth-child(3)")
    see(tab, ".claims .table-row", decided["claimNumber"])
    tab.press("/")
    tab.wait("dialog.palette")
    tab.type(claim["claimNumber"])
    see(tab, "dialog.palette [aria-selected=true]", claim["claimNumber"])
    tab.press("Enter")
    see(tab, "h1", claim["claimNumber"])

    rejection = '.choice[data-status="rejected"]'
    see(tab, rejection, f"{number} goes back to where it was")
    tab.click(f"{rejection} > .quiet-button")
    see(tab, DIALOG, "is final")
    change_unheard("Claim", claim, description="ร้าวถึงขอบ")
    press_at_once(tab, CONFIRM)
    see(tab, f"{DIALOG} [role=alert]", "Somebody else has changed this claim")
    assert claim_of(admin, claim)["status"] == "pending"
    see(tab, ".about", "ร้าวถึงขอบ")  # it was read again

    tab.press("Escape")
    wait_until(lambda: tab.count(DIALOG) == 0)
    tab.click(f"{rejection} > .quiet-button")
    tab.click(CONFIRM)
    see(tab, ".decided", "Rejected")
    assert claim_of(admin, claim)["status"] == "rejected"
    assert pane_of(admin, number)["currentStatus"] == "in_progress"
    assert unexpected(chromium) == []


def test_worker_is_offered_what_their_role_may_do_and_no_more(
    open_office, chromium, admin, worker, workshop
):
    job = order_with_panes(admin, workshop, panes=2)
    number = job.numbers[0]
    account = workshop.worker()
    tab = open_office(account, "panes")
    see(tab, ROW, number)
    tab.click(check_row(number))
    see(tab, ".selected", "Scan selected")
    offered = " ".join(texts(tab, ".selected"))
    assert "Cancel panes" not in offered
    assert "Correct place" not in offered
    follow(tab, f"office/panes/{number}")
    see(tab, ".card", "Raise a claim")
    assert "Edit details" not in tab.text("main")
    assert "Correct place" not in tab.text("main")
    pane = pane_of(admin, number)["_id"]
    forced = {"currentStatus": "cancelled", "correctionReason": "x"}
    assert worker.patch(f"/api/panes/{pane}", forced).status == 403

    tab.click("text=Raise a claim")
    tab.wait("#field-description")
    tab.fill("#field-description", "เป็นรอย")
    tab.click(".form .main-button")
    see(tab, "#decision ~ p", "somebody who may decide")
    (claim,) = admin.get("/api/claims").data
    assert claim["reportedBy"] == str(account.pk)
    decided = worker.patch(f"/api/claims/{claim['_id']}", {"status": "approved"})
    assert decided.status == 403
    assert claim_of(admin, claim)["status"] == "pending"
    assert unexpected(chromium) == []


def test_reporter_who_may_decide_is_not_offered_their_own_claim(
    open_office, chromium, admin, manager, manager_account, workshop
):
    job = order_with_panes(admin, workshop)
    tab = open_office(manager_account, f"claims/new?order={job.order['_id']}")
    tab.wait("#field-description")
    tab.fill("#field-description", "ทั้งชุดเป็นคราบ")
    tab.click(".form .main-button")
    see(tab, "#decision ~ p", "You have reported this claim")
    (claim,) = admin.get("/api/claims").data
    assert (claim["pane"], claim["order"]) == (None, job.order["_id"])
    path = f"/api/claims/{claim['_id']}"
    assert admin.patch(path, {"status": "rejected"}).status == 200
    see(tab, ".decided", "Rejected")  # live, for whoever watches
    assert unexpected(chromium) == []


@pytest.fixture
def manager_account(workshop):
    return workshop.worker_with("manager")
