"""The page for drivers and the counter on a phone, with and without network."""

from io import BytesIO

import pytest
from PIL import Image

from browser.pages import (
    ENGLISH,
    INSTALLED,
    LIVE,
    STALE,
    THAI,
    WITH_SERVICE_WORKER,
    log_in,
    open_page,
    see,
    unexpected,
)
from browser.station_steps import KEPT, NO, YES, says, scan
from browser.test_shared_devices_page import NAMES, account, type_pin
from pictures import load
from scenarios import claim_pane, order_with_panes, pass_station
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

PHONE = {"viewport": {"width": 390, "height": 844}}
HAND_OVER, SURE = ".bar-below .main-button", ".asking .main-button"
SEND = ".hand-over > fieldset > .main-button"
NAME, BEGUN = '.hand-over > fieldset > label input[type="text"]', ".begun"
PROGRESS, LOADED = ".bar-below p", '[data-state="loaded"]'
MAX_SIGNATURE_BYTES = 100_000
#: Ends the session as another tab does; and the names of what the page has stored since.
LOG_OUT = 'new BroadcastChannel("glassflow.session").postMessage("ended");'
DATABASES = "return (await indexedDB.databases()).map(({ name }) => name);"
DRAFTS = "glassflow.kept"
#: Draws a line, in whose middle the page is drawn again: somebody types a letter of the name.
SIGN_WHILE_TYPING = """
    const canvas = document.querySelector(".hand-over canvas");
    const field = document.querySelector(".hand-over input[type=text]");
    canvas.setPointerCapture = () => {}; // it takes pointers of devices only
    const { left, top, width } = canvas.getBoundingClientRect();
    const point = (type, part) => canvas.dispatchEvent(new PointerEvent(type,
      { pointerId: 1, button: 0, clientX: left + part * width, clientY: top + 20, bubbles: true }));
    point("pointerdown", 0.2);
    point("pointermove", 0.4);
    field.value += "ก";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((drawn) => setTimeout(drawn, 50));
    point("pointermove", 0.8);
    point("pointerup", 0.8);
    await new Promise((drawn) => setTimeout(drawn, 50));
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const dark = [...Array(data.length / 4).keys()].filter((n) => data[4 * n] < 100);
    return Math.max(...dark.map((n) => (n % canvas.width) / canvas.width))
      - Math.min(...dark.map((n) => (n % canvas.width) / canvas.width));
"""


@pytest.fixture
def driver(workshop):
    return workshop.worker_with("worker")


@pytest.fixture
def make_job(admin, workshop):
    """Make an order whose first panes are finished: `make_job(panes, finished)`."""

    def make(panes, finished):
        job = order_with_panes(admin, workshop, steps=1, panes=panes)
        for number in job.numbers[:finished]:
            assert pass_station(admin, number, job.stations[0]).status == 200
        return job

    return make


@pytest.fixture
def plan(admin):
    """Plan a delivery of all panes of a job."""

    def create(job, **values):
        panes = [one["_id"] for one in job.panes]
        body = {"customer": job.customer, "panes": panes, **values}
        made = admin.post("/api/deliveries", body)
        assert made.status == 201, made.body
        return made.data

    return create


def address(delivery):
    return f"/floor/deliveries/{delivery['_id']}"


def read(admin, delivery):
    return admin.get(f"/api/deliveries/{delivery['_id']}").data


def load_all(admin, delivery, numbers):
    path = f"/api/deliveries/{delivery['_id']}/load"
    assert admin.post(path, {"paneNumbers": numbers}).status == 200


def row(number):
    """The row of a pane in the form of a hand-over."""
    return f'.row:has-text("{number}")'


def take_photo(tab, selector, path):
    Image.new("RGB", (640, 480), "navy").save(path)
    tab.choose(f"{selector} input[type=file]", [str(path)])
    tab.wait(f"{selector} .photos img")


def opened(profile, server, delivery, worker):
    tab = open_page(profile, f"{server}{address(delivery)}", worker)
    tab.wait(HAND_OVER)
    return tab


def cut_off(chromium, tab):
    """Take the network from a phone without a service worker, once it has the form."""
    tab.click(HAND_OVER)
    tab.wait(".hand-over .row")
    tab.press("Escape")
    chromium.call("offline", True)
    tab.wait(STALE)


def test_scan_says_whether_the_pane_leaves_with_the_delivery(
    chromium, server, admin, driver, make_job, plan
):
    job, other, gone = make_job(3, 2), make_job(1, 1), make_job(1, 1)
    request = f"/api/requests/{job.request['_id']}"
    admin.patch(request, {"deliveryLocation": "Site 1"})
    planned = plan(job, recipient="ร้านกระจกใส", address="9 ถ.สุขุมวิท", phone="081-234")
    admin.patch(request, {"deliveryLocation": ""})
    elsewhere, delivered = plan(other), plan(gone)
    first, second, unfinished = job.numbers
    done = {"paneNumbers": gone.numbers, "receivedBy": "คุณสมชาย"}
    path = f"/api/deliveries/{delivered['_id']}"
    assert admin.post(f"{path}/hand-over", done).status == 200
    tab = open_page(chromium.profile(**ENGLISH, **PHONE), f"{server}/floor/", driver)
    tab.click('a[href="/floor/deliveries"]')
    see(tab, ".all li", "Loaded 0 of 3")
    see(tab, ".all li", "1 not finished")
    see(tab, ".all section:last-child", delivered["deliveryNumber"])

    scan(tab, f"STDPLUS:{first}")  # on the list it opens the delivery
    see(tab, "h1", planned["deliveryNumber"])
    assert "query=9%20" in tab.attribute("a.address", "href")
    assert tab.attribute(".facts .quiet-button", "href") == "tel:081234"
    see(tab, ".facts", "is now: the customer’s address")
    see(tab, ".missing", unfinished)
    scan(tab, f"STDPLUS:{first}")
    says(tab, YES, "Loaded", first)
    see(tab, PROGRESS, "Loaded 1 of 3")
    wait_until(lambda: read(admin, planned)["loadedPanes"] == [job.panes[0]["_id"]])
    for number, words in (
        (first, "Loaded already"),
        (unfinished, "Not finished"),
        (other.numbers[0], f"Belongs to {elsewhere['deliveryNumber']}"),
        (gone.numbers[0], "Handed over already"),
        ("PNE-999999", "There is no such pane"),
    ):
        tab.fill(".read input", number)  # the same one twice, too
        tab.click(".read button")
        says(tab, NO, words, number)
    tab.click(f"{LOADED} button")
    says(tab, YES, "Taken off", first)
    see(tab, PROGRESS, "Loaded 0 of 3")
    assert read(admin, planned)["loadedPanes"] == []

    # what others do shows by itself: a pane is loaded, another one is finished
    load = {"paneNumbers": [second]}
    assert admin.post(f"/api/deliveries/{planned['_id']}/load", load).status == 200
    see(tab, LOADED, second)
    pass_station(admin, unfinished, job.stations[0])
    wait_until(lambda: tab.count(".missing") == 0)
    assert unexpected(chromium) == []


def test_delivery_is_loaded_and_handed_over_without_network(
    chromium, server, admin, driver, make_job, plan, tmp_path
):
    job = make_job(3, 2)
    planned = plan(job)
    profile = chromium.profile(**THAI, **PHONE, **WITH_SERVICE_WORKER)
    tab = opened(profile, server, planned, driver)
    tab.run(INSTALLED)
    chromium.call("offline", True)
    tab.wait(STALE)
    scan(tab, f"STDPLUS:{job.numbers[0]}")
    says(tab, KEPT, "ขึ้นรถแล้ว", "จะอัปโหลดเอง")
    see(tab, LOADED, "รออัปโหลด")
    tab.click(".pill.kept")
    tab.click(".waiting-rows button")  # a wrong one, taken back
    wait_until(lambda: tab.count(".pill.kept") == 0)
    tab.press("Escape")
    wait_until(lambda: tab.count("dialog") == 0)
    see(tab, PROGRESS, "ขึ้นรถแล้ว 0 จาก 3")
    scan(tab, f"STDPLUS:{job.numbers[0]}", paused=True)
    tab.reload()
    tab.wait(HAND_OVER)
    see(tab, LOADED, "รออัปโหลด")
    see(tab, PROGRESS, "ขึ้นรถแล้ว 1 จาก 3")

    tab.click(HAND_OVER)
    tab.click(SEND)
    see(tab, "#name-fault", "ใส่ชื่อผู้รับกระจก")
    tab.fill(NAME, "คุณสมศรี")
    tab.drag(".hand-over canvas", 90, 30)
    take_photo(tab, ".part", tmp_path / "door.jpg")
    tab.fill(".hand-over textarea", "วางหน้าบ้าน")
    tab.click(SEND)
    see(tab, ".asking", f"ยังไม่ขึ้นรถ: {job.numbers[1]}")
    see(tab, ".asking", f"ยังผลิตไม่เสร็จ: {job.numbers[2]}")
    tab.click(SURE)
    says(tab, KEPT, "ส่งมอบแล้ว")
    see(tab, ".handed", "คุณสมศรี")
    tab.reload()
    see(tab, ".handed", "รออัปโหลด")
    tab.click(".back")
    see(tab, ".as-of", "ไม่มีเครือข่าย")
    see(tab, '.all [data-status="delivered"]', "รออัปโหลด")
    assert read(admin, planned)["status"] == "planned"

    chromium.call("offline", False)
    wait_until(lambda: read(admin, planned)["status"] == "delivered")
    handed = read(admin, planned)
    assert handed["panes"] == [job.panes[0]["_id"]]
    assert handed["missingPanes"] == [one["_id"] for one in job.panes[1:]]
    (one,) = handed["handOvers"]
    assert (one["receivedBy"], one["remark"]) == ("คุณสมศรี", "วางหน้าบ้าน")
    assert handed["deliveredAt"] == one["at"] < one["recordedAt"]
    assert len(one["photos"]) == 1
    assert [left["reason"] for left in one["left"]] == [None, None]
    signature = load(admin, one["signature"]).content
    assert len(signature) < MAX_SIGNATURE_BYTES
    darkest, brightest = Image.open(BytesIO(signature)).convert("L").getextrema()
    assert darkest < 50 < 200 < brightest
    wait_until(lambda: "รออัปโหลด" not in tab.text("body"))
    see(tab, '.all [data-status="delivered"]', "ส่งมอบแล้ว 1 จาก 3")
    pane = admin.get(f"/api/panes/{job.numbers[0]}").data
    assert pane["deliveredAt"] == handed["deliveredAt"]


def test_hand_over_that_is_refused_is_listed_and_the_delivery_stays_planned(
    chromium, server, admin, driver, make_job, plan
):
    job = make_job(1, 1)
    planned = plan(job)
    tab = opened(chromium.profile(**ENGLISH, **PHONE), server, planned, driver)
    cut_off(chromium, tab)
    tab.click(HAND_OVER)
    tab.click('.ticks input[type="checkbox"]')  # at the counter nothing was loaded
    tab.fill(NAME, "คุณสมศรี")
    tab.click(SEND)  # nothing stays open: no question
    says(tab, KEPT, "Handed over")
    claim_pane(admin, job.numbers[0])
    chromium.call("offline", False)
    tab.click(".pill.refused")
    see(tab, ".refusals li", f"{job.numbers[0]} Hand over to คุณสมศรี")
    see(tab, ".refusals li", "has an open claim")
    assert tab.count('.refusals button:has-text("Send again")') == 1
    tab.press("Escape")
    see(tab, ".missing", job.numbers[0])
    assert read(admin, planned)["status"] == "planned"


def test_hand_over_is_undone_by_who_recorded_it(
    chromium, server, admin, workshop, driver, make_job, plan
):
    job = make_job(2, 2)
    planned = plan(job)
    tab = opened(chromium.profile(**ENGLISH, **PHONE), server, planned, driver)
    tab.click(HAND_OVER)
    tab.click('button:has-text("All that are finished")')
    tab.fill(NAME, "คุณสมชาย")
    assert tab.run(SIGN_WHILE_TYPING, None) > 0.55  # of the width: the whole line
    claim_pane(admin, job.numbers[1])
    tab.wait('.ticks label:has-text("open claim")')
    tab.click(SEND)
    tab.click(SURE)
    says(tab, YES, "Handed over")
    see(tab, ".handed", "คุณสมชาย")
    assert read(admin, planned)["handOvers"][0]["signature"]
    colleague = workshop.worker_with("worker")
    other = open_page(
        chromium.second_profile(**ENGLISH), f"{server}{address(planned)}", colleague
    )
    see(other, ".handed", "คุณสมชาย")
    assert other.count(".handed button") == 0
    tab.click(".handed button")
    tab.click(".sheet-body .danger")
    says(tab, YES, "Hand-over undone")
    tab.wait(HAND_OVER)
    other.wait(HAND_OVER)
    assert read(admin, planned)["status"] == "planned"
    see(tab, ".missing", job.numbers[1])
    assert unexpected(chromium) == []


def test_two_phones_hand_over_halves_one_of_them_without_network(
    chromium, server, admin, workshop, driver, make_job, plan
):
    job = make_job(4, 4)
    planned = plan(job)
    load_all(admin, planned, job.numbers)
    profile = chromium.profile(**ENGLISH, **PHONE)
    colleague = opened(profile, server, planned, workshop.worker_with("worker"))
    tab = opened(chromium.second_profile(**ENGLISH, **PHONE), server, planned, driver)
    cut_off(chromium, tab)
    halves = ((colleague, job.numbers[:2], "Nok"), (tab, job.numbers[2:], "Noi"))
    for phone, half, name in reversed(halves):
        phone.click(HAND_OVER)
        for number in set(job.numbers) - set(half):
            phone.click(f"{row(number)} input")
        phone.click('.common button:has-text("Comes later")')
        phone.fill(NAME, name)
        phone.click(SEND)
        see(phone, ".asking", "Comes later: ")
        phone.click(SURE)
        says(phone, KEPT if phone is tab else YES, "Handed over")
        see(phone, ".handed", "2 of 4 handed over")
    colleague.click(".back")
    see(colleague, ".all section:first-of-type", "2 of 4 handed over")

    chromium.call("offline", False)
    wait_until(lambda: not read(admin, planned)["missingPanes"])
    for phone in (tab, colleague):
        if phone is colleague:
            # its row goes to another section of the list, and a click before is lost
            see(phone, "main", "to Noi")
            phone.click(f'a[href="{address(planned)}"]')
        wait_until(lambda phone=phone: phone.count(".hand-over-row") == 2)
        assert phone.count(HAND_OVER) == 0
        wait_until(lambda phone=phone: phone.count(".handed button") == 1)
    handed = read(admin, planned)
    assert {one["receivedBy"] for one in handed["handOvers"]} == {"Nok", "Noi"}
    assert [one["panes"] for one in handed["handOvers"]] == [
        [one["_id"] for one in panes] for panes in (job.panes[:2], job.panes[2:])
    ]
    tab.click(".handed button")  # each its own
    see(tab, ".sheet-body", "to Noi")
    tab.click(".sheet-body .danger")
    says(tab, YES, "Hand-over undone")
    see(tab, ".handed", "2 of 4 handed over")
    assert read(admin, planned)["panes"] == [one["_id"] for one in job.panes[:2]]
    assert unexpected(chromium) == []


def test_form_survives_a_reload_and_a_broken_pane_gets_a_claim(
    chromium, server, admin, driver, make_job, plan, tmp_path
):
    job = make_job(2, 2)
    planned = plan(job)
    load_all(admin, planned, job.numbers)
    broken = job.numbers[1]
    tab = opened(chromium.profile(**ENGLISH, **PHONE), server, planned, driver)
    assert tab.count(BEGUN) == 0
    tab.click(HAND_OVER)
    tab.wait(row(broken))
    assert tab.count(".reason") == 0  # all are ticked
    tab.click(f"{row(broken)} input")
    tab.fill(NAME, "คุณสมศรี")
    tab.click(SEND)
    see(tab, ".hand-over .fault", "Give a reason for each pane")
    tab.click(f'{row(broken)} button:has-text("Broken")')
    tab.fill(f'{row(broken)} input[type="text"]', "corner")
    take_photo(tab, row(broken), tmp_path / "pane.jpg")
    tab.drag(".hand-over canvas", 90, 30)
    take_photo(tab, ".part", tmp_path / "door.jpg")
    wait_until(lambda: tab.count(".photos img") == 2)
    tab.reload()
    see(tab, BEGUN, "kept on this device")
    tab.click(f"{BEGUN} button")
    tab.wait(f'{row(broken)} .reason[aria-pressed="true"]')
    assert tab.count(".photos img") == 2
    assert tab.attribute(".hand-over canvas", "aria-label") == "The signature"
    tab.click(SEND)
    see(tab, ".asking", f"Broken: {broken}")
    tab.click(SURE)
    says(tab, YES, "Handed over")
    (one,) = read(admin, planned)["handOvers"]
    assert (one["receivedBy"], len(one["photos"])) == ("คุณสมศรี", 1)
    assert load(admin, one["signature"]).content
    (left,) = one["left"]
    assert (left["paneNumber"], left["reason"], left["note"]) == (
        broken,
        "broken",
        "corner",
    )
    assert len(left["photos"]) == 1
    assert left["claimNumber"]
    see(tab, ".handed", "1 of 2 handed over")
    see(tab, ".missing", "open claim · Broken")
    tab.reload()
    see(tab, ".handed", "1 of 2 handed over")
    assert tab.count(BEGUN) == 0
    assert tab.count(HAND_OVER) == 0  # nothing can leave
    assert unexpected(chromium) == []


def test_nobody_is_there_and_all_panes_come_back(
    chromium, server, admin, driver, make_job, plan
):
    job = make_job(3, 3)
    planned = plan(job)
    load_all(admin, planned, job.numbers)
    tab = opened(chromium.profile(**ENGLISH, **PHONE), server, planned, driver)
    tab.click(HAND_OVER)
    tab.click('.ticks-head button:has-text("None")')
    tab.click('.common button:has-text("Nobody there")')
    assert tab.count(NAME) == 0
    see(tab, SEND, "Nothing handed over")
    tab.click(SEND)
    see(tab, ".asking", f"Nobody there: {', '.join(job.numbers)}")
    tab.click(SURE)
    says(tab, YES, "Nothing handed over")
    back = read(admin, planned)
    assert (back["status"], back["panes"]) == ("returned", [])
    (one,) = back["handOvers"]
    assert {left["reason"] for left in one["left"]} == {"absent"}

    tab.click(".back")  # still today's work, and once more at the door
    see(tab, ".all section:first-of-type", "nothing handed over")
    tab.click(f'a[href="{address(planned)}"]')
    see(tab, HAND_OVER, "Hand over the rest")
    see(tab, ".group", "Nobody there")
    scan(tab, f"STDPLUS:{job.numbers[0]}")
    says(tab, NO, "Loaded already")
    tab.click(HAND_OVER)
    tab.fill(NAME, "คุณสมชาย")
    tab.click(SEND)
    says(tab, YES, "Handed over")
    wait_until(lambda: tab.count(".hand-over-row") == 2)
    assert read(admin, planned)["status"] == "delivered"
    assert unexpected(chromium) == []


def test_driver_identifies_on_a_shared_phone(
    chromium, server, admin, workshop, make_job, plan
):
    job = make_job(1, 1)
    planned = plan(job)
    malee = workshop.worker(name="มาลี", role=workshop.roles["worker"])
    other = workshop.worker(name="สมหญิง", role=workshop.roles["worker"])
    admin.put(f"/api/workers/{malee.pk}/pin", {"pin": "2580"})
    admin.put(f"/api/workers/{other.pk}/pin", {"pin": "1397"})
    tab = chromium.profile(**ENGLISH, **PHONE).tab(f"{server}/floor/")
    log_in(tab, account(workshop, "device"))
    tab.wait(LIVE)
    tab.click('a[href="/floor/deliveries"]')
    tab.click(f'{NAMES}:has-text("มาลี")')
    type_pin(tab, "2580")
    tab.click(f'a[href="{address(planned)}"]')
    tab.wait(HAND_OVER)
    scan(tab, f"STDPLUS:{job.numbers[0]}")
    says(tab, YES, "Loaded")
    assert read(admin, planned)["loadedPanes"] == [job.panes[0]["_id"]]
    tab.click(HAND_OVER)
    tab.fill(NAME, "คุณสมศรี")
    tab.press("Escape")
    see(tab, BEGUN, "kept on this device")
    assert DRAFTS in tab.run(DATABASES)
    for name, pin, begun in (("สมหญิง", "1397", 0), ("มาลี", "2580", 1)):
        tab.click(".person button")
        tab.click(f'{NAMES}:has-text("{name}")')
        type_pin(tab, pin)
        see(tab, ".person b", name)
        tab.wait(HAND_OVER)
        wait_until(lambda begun=begun: tab.count(BEGUN) == begun)
    tab.run(LOG_OUT)
    wait_until(lambda: DRAFTS not in tab.run(DATABASES))
