"""The page of a station in a real browser, with and without network."""

import pytest
from PIL import Image
from werkzeug.exceptions import ServiceUnavailable

from api.test_labels import TEMPLATE
from browser.pages import (
    ENGLISH,
    INSTALLED,
    LIVE,
    THAI,
    WITH_SERVICE_WORKER,
    log_in,
    lose_first_answer,
    see,
    unexpected,
)
from browser.slow_requests import hold_answers
from browser.station_steps import (
    FAILED,
    KEPT,
    NEXT,
    NO,
    YES,
    command,
    offers,
    open_station,
    pause,
    says,
    scan,
    scan_in_thai,
    shows,
    status,
)
from glassflow.services.labels import network_printers
from lookups import pane_actions, pane_of, remakes_of
from scenarios import order_with_panes, order_with_units, pass_station
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

#: Lets go at once, which a click of the browser may do late on a busy machine.
TAP = """
    const button = document.querySelector(given);
    for (const type of ["pointerdown", "pointerup"])
      button.dispatchEvent(new PointerEvent(type, { bubbles: true }));
"""
PHONE = {"viewport": {"width": 390, "height": 844}}
SIZES = ((320, 640), (390, 844), (820, 1180), (1920, 1080))


@pytest.fixture
def account(workshop):
    return workshop.worker_with("worker")


@pytest.fixture
def job(admin, workshop):
    """An order of four panes, which pass two stations with Thai names."""
    made = order_with_panes(admin, workshop, steps=2, panes=4)
    for station, name in zip(
        made.stations, ("เจียรขอบ (Edging)", "ล้างกระจก (Washing)"), strict=True
    ):
        admin.patch(f"/api/stations/{station}", {"name": name})
    made.address = f"/floor/s/{made.stations[0]}"
    return made


def test_story_of_a_pane_at_a_station(chromium, server, admin, account, job, tmp_path):
    first, second, third, fourth = job.numbers
    request = f"/api/requests/{job.request['_id']}"
    name = {"name": "บริษัท ผู้เชี่ยวชาญกระจกและอลูมิเนียม จำกัด (สาขาบางนา)"}
    assert admin.patch(f"/api/customers/{job.customer}", name).status == 200
    tab = open_station(chromium, server, account, "/floor/s", **THAI, **PHONE)
    tab.click(f'a[href="{job.address}"]')
    tab.wait(".queue li")
    assert tab.text("h1") == "เจียรขอบ"
    assert "คิวงาน 4" in tab.text(".queue h2")

    scan(tab, f"STDPLUS:{first}")
    shows(tab, first)
    offers(tab, "รับเข้า")
    see(tab, ".whose", "ผู้เชี่ยวชาญกระจก… สาขาบางนา ล้างกระจก")
    see(tab, ".facts", "อยู่ที่นี่ 4/4")
    for deadline, said in (("2020-01-01T00:00:00Z", "ช้า"), (None, "บางนา ล้างกระจก")):
        change = {"deadline": deadline, "deadlineChangeReason": "x"}
        assert admin.patch(request, change).status == 200
        see(tab, ".whose", said)  # live
    scan(tab, f"STDPLUS:{first}", paused=True)  # the same code once more confirms
    says(tab, YES, "รับเข้าแล้ว")
    assert status(admin, first) == "in_progress"
    offers(tab, "ทำเสร็จ")
    pause(tab)
    tab.press("Enter")
    says(tab, YES, "ทำเสร็จแล้ว")
    offers(tab, "ส่งต่อ")
    tab.click(NEXT)
    says(tab, YES, "ส่งต่อแล้ว", "ถัดไป: ล้างกระจก")
    wait_until(lambda: "คิวงาน 3" in tab.text(".queue h2"))
    see(tab, ".facts", "อยู่ที่นี่ 3/4")

    scan(tab, f"STDPLUS:{first}", paused=True)
    says(tab, NO, "กระจกแผ่นนี้อยู่ที่ ล้างกระจก ไม่ใช่ เจียรขอบ")
    scan_in_thai(tab, f"STDPLUS:{second}")
    shows(tab, second)
    tab.fill(".read input", third.removeprefix("PNE-").lstrip("0"))
    pause(tab)
    tab.press("Enter")
    shows(tab, third)
    scan(tab, "8850123456789")
    says(tab, NO, "ไม่ใช่ของโรงงาน")

    tab.click(".queue li button")  # the oldest one
    shows(tab, second)
    command(tab, "NEXT")
    says(tab, YES, "รับเข้าแล้ว")
    tab.click(".undo")
    says(tab, YES, "ย้อนกลับแล้ว")
    assert status(admin, second) == "pending"

    scan(tab, f"STDPLUS:{fourth}")
    offers(tab, "รับเข้า")
    scan(tab, f"STDPLUS:{second}")
    shows(tab, second)
    tab.wait(".fail")
    command(tab, "FAIL")
    fail_with_photo(tab, tmp_path)
    says(tab, FAILED, "บันทึกไม่ผ่านแล้ว", "ทำใหม่เป็น PNE-", "เริ่มที่ เจียรขอบ")
    failed = admin.get(f"/api/panes/{second}").data
    logs = admin.get("/api/pane-logs", paneId=failed["_id"], action="qc_fail").data
    assert logs[0]["reason"] == "scratch"
    assert logs[0]["description"] == "รอยยาว"
    assert len(logs[0]["photos"]) == 1
    assert unexpected(chromium) == []


def test_failed_pane_does_not_look_passed_and_the_label_of_its_remake_is_one_tap_away(
    chromium, server, admin, account, job
):
    assert admin.post("/api/sticker-templates", TEMPLATE).status == 201
    failed = job.numbers[0]
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue li")
    scan(tab, f"STDPLUS:{failed}")
    offers(tab, "Take in")  # it breaks before that
    command(tab, "FAIL")
    tab.wait(".tiles")
    for name in ("DEFECT-BROKEN", "NEXT", "NEXT", "CONFIRM"):
        command(tab, name)
    says(tab, FAILED, "Recorded as failed", "Made again as")
    tab.click(".undo")
    says(tab, YES, "Undone")
    assert status(admin, failed) == "pending"
    offers(tab, "Take in")
    tab.click(NEXT)
    says(tab, YES, "Taken in")
    offers(tab, "Done")
    tab.press("f")
    tab.wait(".tiles")
    for selector in ('.tiles button:has-text("Broken")', *[".steps .main-button"] * 2):
        tab.wait(selector)
        tab.click(selector)
    tab.wait(".summary")
    assert tab.text(".summary").strip() == "Broken"  # and no photos
    tab.hold(".fail-button", 900)
    says(tab, FAILED, "Recorded as failed", "Made again as")
    assert tab.attribute(".pane", "data-kind") == "failed"
    assert tab.count('[data-kind="yes"]') == 0
    actions = ["qc_fail", "correction", "scan_in", "qc_fail"]  # and no complete
    assert pane_actions(admin, failed) == actions
    (remake,) = [
        one for one in remakes_of(admin, failed) if one["currentStatus"] != "cancelled"
    ]
    button = f"{FAILED} button"
    tab.wait(button)
    assert tab.text(button).strip() == f"Print the label of {remake['paneNumber']}"
    tab.stubPrint()
    tab.click(button)  # as PDF, where no printer is chosen
    see(tab, FAILED, "Did the label come out well?")
    wait_until(lambda: tab.prints() == 1)
    assert not pane_of(admin, remake["paneNumber"]).get("labelledAt")
    tab.click(f"{FAILED} .main-button")
    see(tab, FAILED, f"The label of {remake['paneNumber']} is printed.")
    assert pane_of(admin, remake["paneNumber"])["labelledAt"]
    tab.click(f"{FAILED} a")
    see(tab, ".chooser", "1 of 1 chosen")
    assert remake["paneNumber"] in tab.text(".chooser li")
    tab.wait(".paper img")
    assert unexpected(chromium) == []


def test_label_of_a_remake_prints_at_the_printer_of_the_device(
    chromium, server, app, admin, account, job, setting, monkeypatch
):
    printed = []

    def send(printer, *_, **__):
        printed.append(printer)
        return True

    assert admin.post("/api/sticker-templates", TEMPLATE).status == 201
    monkeypatch.setattr(network_printers, "send", send)
    setting(PRINTERS={"zebra": ["tcp://127.0.0.1:9100", "300"]})
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue li")
    keep = (
        "localStorage.setItem('glassflow.paper', JSON.stringify({ printer: given }));"
    )
    tab.run(keep, "zebra")
    button = f"{FAILED} button"
    fail_by_cards(tab, job.numbers[0])
    lose_first_answer(monkeypatch, app, "labels.print_labels")
    tab.wait(button)
    tab.click(button)
    see(tab, f"{FAILED} [role=alert]", "Open the labels page")
    tab.click(button)
    see(tab, FAILED, "is printed.")
    assert len(printed) == 1
    setting(PRINTERS={})
    fail_by_cards(tab, job.numbers[1])
    tab.wait(button)
    tab.click(button)
    see(tab, f"{FAILED} [role=alert]", "The printer zebra of this device is not there")
    assert len(printed) == 1


def fail_by_cards(tab, number):
    """Record a pane as failed, by the scanner alone."""
    scan(tab, f"STDPLUS:{number}")
    shows(tab, number)
    tab.wait(".fail:enabled")
    command(tab, "FAIL")
    tab.wait(".tiles")
    for card in ("DEFECT-BROKEN", "NEXT", "NEXT", "CONFIRM"):
        command(tab, card)
    says(tab, FAILED, "Recorded as failed")


def test_scanner_is_tested_and_codes_that_it_does_not_end_are_taken(
    chromium, server, account, job
):
    number = job.numbers[0]
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue li")
    scan(tab, f"STDPLUS:{number}", ended=False)
    shows(tab, number)  # after a silence
    tab.click(".signs .icon-button")
    tab.click('.menu button:has-text("Test my scanner")')
    result = ".scanner-test"
    see(tab, result, "Scan any label now")
    scan(tab, f"TDPLUS:{number}", ended=False)
    see(tab, result, f"TDPLUS:{number}")
    see(tab, result, "The first characters are missing")
    see(tab, result, "The page takes the code after a short silence")
    scan(tab, f"STDPLUS:{number}", paused=True)
    see(tab, result, "Everything is right")
    pause(tab)
    scan_in_thai(tab, f"STDPLUS:{number}STDPLUS:{number}")
    see(tab, result, "Two codes came as one")
    see(tab, result, "is set to Thai")
    scan(tab, "STDPLUS-WORKER:SECRETSECRETSECRET", paused=True)
    see(tab, result, "A worker's badge")
    assert "SECRET" not in tab.text(result)
    pause(tab)
    scan(tab, "8850999320014", ended=False)
    see(tab, result, "a scanner has sent one on this device before")
    see(tab, result, "Nobody understands this code")
    tab.press("Escape")
    wait_until(lambda: tab.count(result) == 0)
    scan(tab, f"STDPLUS:{job.numbers[1]}", ended=False)
    says(tab, ".notice", "without its end mark")
    tab.click(".signs .icon-button")
    tab.click('.menu button:has-text("Test my scanner")')
    see(tab, result, "Scan any label now")
    scan(tab, f"STDPLUS:{number}", ended=False)
    see(tab, result, "Take codes without end mark")
    tab.click(f"{result} button")
    tab.press("Escape")
    wait_until(lambda: tab.count(result) == 0)
    scan(tab, f"STDPLUS:{job.numbers[2]}", ended=False)
    shows(tab, job.numbers[2])


def fail_with_photo(tab, tmp_path):
    picture = tmp_path / "scratch.jpg"
    Image.new("RGB", (80, 60)).save(picture)
    tab.click('.tiles button:has-text("รอยขีดข่วน")')
    tab.choose(".photos input", [str(picture)])
    tab.wait(".photos img")
    tab.click(".steps .main-button")
    tab.fill("textarea", "รอยยาว")
    tab.click(".steps .main-button")
    tab.run(TAP, ".fail-button")  # too short
    tab.wait(".fail-button")
    tab.hold(".fail-button", 900)


def test_set_is_laminated_when_its_last_sheet_has_come(
    chromium, server, admin, worker, account, workshop
):
    job = order_with_units(admin, workshop, before=0)
    address = f"/floor/s/{job.lamination_station}"
    (one, other), parent = job.sheets[0], job.parents[0]
    tab = open_station(chromium, server, account, address, **ENGLISH)
    tab.wait(".queue li")
    tab.wait(LIVE)
    scan(tab, f"STDPLUS:{one}")
    offers(tab, "Take in")
    tab.click(NEXT)
    says(tab, YES, "Taken in")
    wait_until(lambda: "1/2 here" in tab.text(".unit"))
    tab.wait(".waits")
    assert worker.scan(other, "scan_in").status == 200  # on another device
    offers(tab, "Laminate")
    scan(tab, f"STDPLUS:{parent}")  # its number opens the same set
    shows(tab, parent)
    see(tab, ".merges", f"A stays; B, {parent} are retired")
    scan(tab, f"STDPLUS:{parent}", paused=True)
    says(tab, ".notice", "Hold the button to laminate")
    assert status(admin, one) == "in_progress"
    tab.click(f'label.sheet:has-text("{other}")')
    see(tab, ".merges", f"B stays; A, {parent} are retired")
    tab.hold(".hold button", 900)
    says(tab, YES, "Laminated", other, one)
    shows(tab, other)
    assert status(admin, one) == "merged_into"
    assert unexpected(chromium) == []


def test_failed_check_may_be_reported_right_after_the_scan_before_it(
    chromium, server, app, admin, account, job, monkeypatch
):
    number = job.numbers[0]
    admin.scan(number, "scan_in", station=job.stations[0])
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue li")
    scan(tab, f"STDPLUS:{number}")
    offers(tab, "Done")
    with monkeypatch.context() as unanswered:
        released = hold_answers(unanswered, app, "scans.next_step")
        command(tab, "NEXT")
        says(tab, YES, "Done")
        command(tab, "FAIL")
        tab.wait(".tiles")
        released.set()
    assert unexpected(chromium) == []


def test_withdrawal_whose_answer_is_lost_is_taken_once(
    chromium, server, app, admin, account, job, monkeypatch
):
    lot = {"material": job.material, "stockType": "Raw", "quantity": 9, "location": "Z"}
    assert admin.post("/api/inventories", lot).status == 201
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.click(f'.queue li button:has-text("{job.numbers[0]}")')
    shows(tab, job.numbers[0])
    with monkeypatch.context() as losing:
        lose_first_answer(losing, app, "withdrawals.create")
        tab.click(".more")
        tab.click('.menu button:has-text("Withdraw")')
        tab.click(".sheet-body .main-button")
        tab.wait(".sheet-body .fault")
        tab.press("Escape")  # and once more, with what is asked for at first
        wait_until(lambda: tab.count("dialog") == 0)
        tab.click(".more")
        tab.click('.menu button:has-text("Withdraw")')
        tab.click(".sheet-body .main-button")
        tab.wait(".done")
    (withdrawal,) = admin.get("/api/withdrawals").data
    assert withdrawal["withdrawalNumber"] in tab.text(".done")


def test_scans_without_network_are_kept_and_sent_once(
    chromium, server, admin, account, job
):
    options = ENGLISH | WITH_SERVICE_WORKER
    tab = open_station(chromium, server, account, job.address, **options)
    tab.wait(".queue li")
    tab.wait(LIVE)
    tab.run(INSTALLED)
    number, moved = job.numbers[0], job.numbers[2]
    chromium.call("offline", True)
    scan(tab, f"STDPLUS:{number}")
    offers(tab, "Take in")
    tab.click(NEXT)
    says(tab, KEPT, "Kept, to be sent")
    offers(tab, "Done")
    tab.click(NEXT)
    wait_until(lambda: "2 to send" in tab.text(".signs"))
    says(tab, KEPT, "Done")
    see(tab, ".facts", "4 of 4 here")
    wait_until(lambda: counts(tab) == "Waiting 3 In work 0 To hand on 1")
    assert "to send" in tab.text(f'.queue li:has-text("{number}")')
    tab.reload()  # a start without network, where no form was ever opened
    tab.wait(".queue li")
    wait_until(lambda: "2 to send" in tab.text(".signs"))
    scan(tab, f"STDPLUS:{number}")
    see(tab, ".whose", "Washing")
    offers(tab, "Hand on")
    tab.press("f")
    tab.wait(".tiles")
    tab.press("Escape")
    wait_until(lambda: tab.count("dialog") == 0)
    admin.scan(job.numbers[1], "complete")
    tab.click(".signs .icon-button:last-child")
    tab.click('.option:has-text("Two: in; done and on")')
    tab.press("Escape")
    scan(tab, f"STDPLUS:{job.numbers[1]}")  # will be refused
    wait_until(lambda: "3 to send" in tab.text(".signs"))
    says(tab, KEPT, "Take in")  # nobody waits for its answer any more
    scan(tab, f"STDPLUS:{moved}")
    wait_until(lambda: "4 to send" in tab.text(".signs"))
    pass_station(admin, moved, job.stations[0])
    chromium.call("offline", False)
    tab.wait(".pill.refused")
    wait_until(lambda: "to send" not in tab.text(".queue"))
    assert status(admin, number) == "awaiting_scan_out"
    pane = admin.get(f"/api/panes/{number}").data["_id"]
    logs = admin.get("/api/pane-logs", paneId=pane, sort="createdAt").data
    assert [log["action"] for log in logs] == ["scan_in", "complete"]
    tab.click(".pill.refused")
    wait_until(lambda: tab.count(".refusals > li") == 2)
    done, elsewhere = tab.texts(".refusals > li")
    assert "waits to be handed on" in done
    assert "Send again" not in done
    for words in (moved, "Take in", "Edging", account.name, "is at Washing"):
        assert words in elsewhere
    back = {"currentStation": job.stations[0], "currentStatus": "pending"}
    assert admin.patch(f"/api/panes/{moved}", back).status == 200
    tab.click('.refusals button:has-text("Send again")')
    wait_until(lambda: status(admin, moved) == "in_progress")
    wait_until(lambda: tab.count(".refusals > li") == 1)
    tab.click('.refusals button:has-text("Looked at")')
    wait_until(lambda: "None of your scans is refused" in tab.text(".sheet-body"))


def counts(tab):
    return " ".join(tab.text(".counts").split())


def test_unsent_scans_wait_for_their_worker_after_a_warned_logout(
    chromium, server, app, admin, workshop, account, job, monkeypatch
):
    colleague, number = workshop.worker_with("worker"), job.numbers[0]
    tab = open_station(chromium, server, account, job.address, **ENGLISH, **PHONE)
    tab.wait(".queue li")

    def busy(**_):
        raise ServiceUnavailable

    with monkeypatch.context() as overloaded:
        overloaded.setitem(app.view_functions, "scans.scan", busy)
        scan(tab, number)
        offers(tab, "Take in")
        tab.click(NEXT)
        says(tab, KEPT, "Kept, to be sent")
        tab.goto(f"{server}/floor/")
        tab.click(".bar > .quiet-button")
        warns_of_unsent_scans(tab, ".bar-fault")
        tab.goto(f"{server}{job.address}")
        # the menu comes with the queue, and says until then that it is not loaded
        tab.wait(".queue:not([aria-busy])")
        tab.click('.signs [aria-label="This device"]')
        tab.click('.menu button:has-text("Log out")')
        warns_of_unsent_scans(tab, ".sheet-body .fault")
        tab.click('.menu button:has-text("Log out anyway")')
        tab.wait(".unsent")
        log_in(tab, colleague)
        tab.wait(".queue:not([aria-busy])")
        tab.click(".pill.others")
        tab.wait(".others li")
        assert account.name in tab.text(".others li")
        assert "when this worker logs in on this device" in tab.text(".others li")
        tab.press("Escape")
        tab.click('.signs [aria-label="This device"]')
        tab.click('.menu button:has-text("Log out")')  # no scans of this worker
        tab.wait("#username")
    assert status(admin, number) == "pending"
    log_in(tab, account)
    wait_until(lambda: status(admin, number) == "in_progress")
    wait_until(lambda: tab.count(".pill.others") == 0)


def warns_of_unsent_scans(tab, selector):
    tab.wait(selector)
    assert "stay on this device" in tab.text(selector)
    assert tab.overflow() <= 0


def test_page_says_why_there_is_nothing_to_scan(
    chromium, server, admin, account, workshop, job
):
    idle = str(workshop.station(status="maintenance").pk)
    tab = open_station(chromium, server, account, f"/floor/s/{idle}", **ENGLISH)
    tab.wait(".empty")
    assert "under maintenance" in tab.text(".band")
    assert "No panes here" in tab.text(".queue")
    tab.goto(f"{server}/floor/s/{'0' * 24}")
    tab.wait(".message")
    assert "no such station" in tab.text("h1")
    tab.click(".message a")
    tab.wait(".choose li")

    blind = workshop.worker(role=workshop.role(permissions=["orders:view"]))
    tab = open_station(chromium, server, blind, job.address, **ENGLISH)
    tab.wait(".message")
    assert "may not use stations" in tab.text("h1")
    viewer = workshop.role(permissions=["stations:view", "panes:view"])
    tab = open_station(
        chromium, server, workshop.worker(role=viewer), job.address, **ENGLISH
    )
    tab.wait(".queue li")
    scan(tab, job.numbers[0])
    offers(tab, "Take in")
    tab.click(NEXT)
    says(tab, NO, "may not do this")
    assert status(admin, job.numbers[0]) == "pending"


#: The numbers and the places of the rows, and which of them have gone.
ROWS = """
    return [...document.querySelectorAll(".queue li button")].map((row) => [row.querySelector("b").textContent,
      Math.round(row.getBoundingClientRect().top), row.getAttribute("aria-disabled") ?? ""]);
"""
#: A finger on the list, or lifted from it.
TOUCH = """
    const row = document.querySelector(".queue li button");
    const touch = new Touch({ identifier: 1, target: row });
    const touches = given === "touchstart" ? [touch] : [];
    row.dispatchEvent(new TouchEvent(given, { bubbles: true, touches, changedTouches: [touch] }));
"""
#: What a scanner types into the field that has the focus, and each number of rows meanwhile.
COUNT_ROWS = """
    globalThis.lengths = new Set();
    const note = () => lengths.add(document.querySelectorAll(".queue li").length);
    new MutationObserver(note).observe(document.querySelector(".queue"), { subtree: true, childList: true });
"""


def test_queue_is_grouped_and_filtered_and_nothing_moves_under_a_hand(
    chromium, server, admin, workshop, account
):
    """By order and by glass, what is typed, a hand on the list, and what was done here."""
    job = order_with_panes(admin, workshop, steps=2, panes=8)
    here = {"routing": job.stations}
    other = order_with_panes(admin, workshop, panes=5, pane=here)
    late = order_with_panes(admin, workshop, panes=2, pane=here)
    past = {"deadline": "2020-01-01T00:00:00Z"}
    assert admin.patch(f"/api/requests/{late.request['_id']}", past).status == 200
    for pane in other.panes:
        glass = {"glassTypeLabel": "Grey", "mark": "W-7"}
        assert admin.patch(f"/api/panes/{pane['_id']}", glass).status == 200
    tab = open_station(
        chromium, server, account, f"/floor/s/{job.stations[0]}", **ENGLISH
    )
    tab.size(1280, 800)
    tab.wait(".queue li")
    tab.wait(LIVE)
    tab.click('.ways button:has-text("By order")')
    tab.wait(".group")
    heads = [" ".join(text.split()) for text in tab.texts(".group-head")]
    orders = [one.order["orderNumber"] for one in (late, job, other)]
    assert [text.split()[0] for text in heads] == orders
    assert "2 of 2 here" in heads[0]
    assert "late" in heads[0]
    assert tab.count(".queue li") == 0
    tab.click(f'.group-head:has-text("{orders[1]}")')
    wait_until(lambda: tab.count(".queue li") == 8)
    tab.click(f'.group-head:has-text("{orders[2]}")')
    wait_until(lambda: tab.count(".queue li") == 5)  # one is open at a time
    tab.click('.ways button:has-text("By glass")')
    wait_until(lambda: tab.count(".group") == 2)
    see(tab, ".queue", "Grey")

    tab.fill(".read input", "w7")
    wait_until(lambda: tab.count(".queue li") == 5)  # few, and all open
    see(tab, ".filter", "5 panes")
    tab.run(COUNT_ROWS)
    scan(tab, f"STDPLUS:{job.numbers[0]}")  # into the field, which has the focus
    shows(tab, job.numbers[0])
    assert tab.run("return document.querySelector('.read input').value") == "w7"
    assert tab.run("return [...lengths]") in ([], [5])
    tab.press("Enter")  # is no code: the list stays as it is
    tab.click('.filter button:has-text("Show all")')
    wait_until(lambda: tab.count(".filter") == 0)
    assert tab.run("return document.querySelector('.read input').value") == ""
    tab.click('.ways button:has-text("All")')
    wait_until(lambda: tab.count(".queue li") == 15)
    tab.reload()
    tab.wait(LIVE)
    wait_until(lambda: tab.count(".queue li") == 15)

    tab.run(TOUCH, "touchstart")
    before = tab.run(ROWS)
    assert pass_station(admin, before[0][0], job.stations[0]).status == 200
    new = order_with_panes(admin, workshop, panes=1, pane=here).numbers[0]
    wait_until(lambda: new in tab.text(".queue"))
    wait_until(lambda: "gone" in tab.text(".queue li"))
    held = tab.run(ROWS)
    assert [row[:2] for row in held[:-1]] == [row[:2] for row in before]
    assert [row[2] for row in held] == ["true", *[""] * 15]
    tab.run("document.querySelector('.queue li button').click()")  # does nothing
    assert tab.count(".work .pane") == 0
    scan(tab, f"STDPLUS:{before[3][0]}")  # the card may change
    shows(tab, before[3][0])
    assert [row[:2] for row in tab.run(ROWS)[:-1]] == [row[:2] for row in before]
    tab.run(TOUCH, "touchend")
    wait_until(lambda: before[0][0] not in tab.text(".queue"))

    offers(tab, "Take in")
    tab.click(NEXT)
    says(tab, YES, "Taken in")
    offers(tab, "Done")
    tab.click(NEXT)
    says(tab, YES, "Done")
    tab.press("Escape")
    see(tab, ".last li", f"{before[3][0]} Done")
    see(tab, ".idle-figure", "1 done today on this device")
    tab.reload()
    see(tab, ".last li", f"{before[3][0]} Done")
    tab.click(".idle-figure[data-due='late']")
    see(tab, ".filter", "Late")
    wait_until(lambda: tab.count(".queue li") == 1)
    tab.click(".last li button")
    shows(tab, before[3][0])
    assert unexpected(chromium) == []
