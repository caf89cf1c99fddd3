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
PROGRESS, LOADED = ".bar-below p", '[data-state="loaded"]'
MAX_SIGNATURE_BYTES = 100_000
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


def opened(profile, server, delivery, worker):
    tab = open_page(profile, f"{server}{address(delivery)}", worker)
    tab.wait(HAND_OVER)
    return tab


def test_scan_says_whether_the_pane_leaves_with_the_delivery(
    chromium, server, admin, driver, make_job, plan
):
    job, other, gone = make_job(3, 2), make_job(1, 1), make_job(1, 1)
    planned = plan(job, recipient="ร้านกระจกใส", address="9 ถ.สุขุมวิท", phone="081-234")
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
    says(tab, KEPT, "ขึ้นรถแล้ว", "จะส่งเอง")
    see(tab, LOADED, "รอส่ง")
    tab.reload()
    tab.wait(HAND_OVER)
    see(tab, LOADED, "รอส่ง")
    see(tab, PROGRESS, "ขึ้นรถแล้ว 1 จาก 3")

    tab.click(HAND_OVER)
    tab.click(".hand-over > fieldset > .main-button")
    see(tab, "#name-fault", "ใส่ชื่อผู้รับกระจก")
    tab.fill(".hand-over input[type=text]", "คุณสมศรี")
    tab.drag(".hand-over canvas", 90, 30)
    picture = tmp_path / "door.jpg"
    Image.new("RGB", (640, 480), "navy").save(picture)
    tab.choose(".hand-over input[type=file]", [str(picture)])
    tab.wait(".photos img")
    tab.fill(".hand-over textarea", "วางหน้าบ้าน")
    tab.click(".hand-over > fieldset > .main-button")
    see(tab, ".asking", f"ยังค้างส่ง 2 แผ่น: {job.numbers[1]}, {job.numbers[2]}")
    tab.click(SURE)
    says(tab, KEPT, "ส่งมอบแล้ว")
    see(tab, ".handed", "คุณสมศรี")
    tab.reload()
    see(tab, ".handed", "รอส่ง")
    tab.click(".back")
    see(tab, ".as-of", "ไม่มีเครือข่าย")
    see(tab, '.all [data-status="delivered"]', "รอส่ง")
    assert read(admin, planned)["status"] == "planned"

    chromium.call("offline", False)
    wait_until(lambda: read(admin, planned)["status"] == "delivered")
    handed = read(admin, planned)
    assert handed["panes"] == [job.panes[0]["_id"]]
    assert handed["missingPanes"] == [one["_id"] for one in job.panes[1:]]
    assert (handed["receivedBy"], handed["remark"]) == ("คุณสมศรี", "วางหน้าบ้าน")
    assert handed["deliveredAt"] < handed["updatedAt"]
    assert len(handed["photos"]) == 1
    signature = load(admin, handed["signature"]).content
    assert len(signature) < MAX_SIGNATURE_BYTES
    darkest, brightest = Image.open(BytesIO(signature)).convert("L").getextrema()
    assert darkest < 50 < 200 < brightest
    wait_until(lambda: "รอส่ง" not in tab.text("body"))
    see(tab, '.all [data-status="delivered"]', planned["deliveryNumber"])
    pane = admin.get(f"/api/panes/{job.numbers[0]}").data
    assert pane["deliveredAt"] == handed["deliveredAt"]


def test_hand_over_that_is_refused_is_listed_and_the_delivery_stays_planned(
    chromium, server, admin, driver, make_job, plan
):
    job = make_job(1, 1)
    planned = plan(job)
    tab = opened(chromium.profile(**ENGLISH, **PHONE), server, planned, driver)
    chromium.call("offline", True)
    tab.wait(STALE)
    tab.click(HAND_OVER)
    tab.click('.ticks input[type="checkbox"]')  # at the counter nothing was loaded
    tab.fill(".hand-over input[type=text]", "คุณสมศรี")
    tab.click(".hand-over > fieldset > .main-button")  # nothing stays open: no question
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
    tab.fill(".hand-over input[type=text]", "คุณสมชาย")
    assert tab.run(SIGN_WHILE_TYPING, None) > 0.55  # of the width: the whole line
    claim_pane(admin, job.numbers[1])
    tab.wait('.ticks label:has-text("open claim")')
    tab.click(".hand-over > fieldset > .main-button")
    tab.click(SURE)
    says(tab, YES, "Handed over")
    see(tab, ".handed", "คุณสมชาย")
    assert read(admin, planned)["signature"]
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


def test_driver_identifies_on_a_shared_phone(
    chromium, server, admin, workshop, make_job, plan
):
    job = make_job(1, 1)
    planned = plan(job)
    malee = workshop.worker(name="มาลี", role=workshop.roles["worker"])
    admin.put(f"/api/workers/{malee.pk}/pin", {"pin": "2580"})
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
