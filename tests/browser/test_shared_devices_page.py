"""A tablet that two workers share, their badges in the office, and a wall screen."""

import pytest

from browser.pages import (
    ENGLISH,
    LIVE,
    THAI,
    follow,
    log_in,
    see,
    unexpected,
)
from browser.slow_requests import hold_answers
from browser.station_steps import scan
from glassflow.core.access import device_sessions
from glassflow.domain.permissions import ACCOUNT_ROLES
from glassflow.models.worker import Worker
from glassflow.services.auth import badges
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

TABLET = {"viewport": {"width": 820, "height": 1180}, "hasTouch": True}
WHO, NAME, NAMES = ".who h2", ".person b", ".names button"
YES, KEPT = (f'.verdict[data-kind="{kind}"]' for kind in ("yes", "kept"))


def account(workshop, slug):
    keys = list(ACCOUNT_ROLES[slug])
    role = workshop.role(name=slug, slug=slug, permissions=keys)
    return workshop.worker(role=role, username=slug, name=f"The {slug}")


def says(tab, selector, text):
    tab.wait(selector)
    wait_until(lambda: text in tab.text(selector), describe=lambda: tab.text("body"))


def type_pin(tab, pin):
    for digit in pin:
        tab.click(f'.keys button:has-text("{digit}")')
    tab.click(".keys .enter")


def workers_of(admin, job):
    logs = admin.get("/api/pane-logs", paneId=job.panes[0]["_id"]).data
    return {log["action"]: log["worker"] for log in logs}


def test_two_workers_share_a_tablet(
    chromium, network, app, admin, workshop, monkeypatch
):
    job = order_with_panes(admin, workshop, panes=3)
    number = job.numbers[0]
    name = {"name": "บริษัท กระจกใส จำกัด"}
    assert admin.patch(f"/api/customers/{job.customer}", name).status == 200
    somchai, malee = workshop.worker(name="สมชาย"), workshop.worker(name="มาลี")
    admin.put(f"/api/workers/{malee.pk}/pin", {"pin": "2580"})
    admin.post(f"/api/workers/{somchai.pk}/badge")
    code = badges.code_of(Worker.collection().find_one({"_id": somchai.pk}))
    page = f"{network.url}/floor/s/{job.stations[0]}"
    tab = chromium.profile(**ENGLISH, **TABLET).tab(page)
    log_in(tab, account(workshop, "device"))
    says(tab, WHO, "Who is working here?")
    tab.wait(NAMES)
    assert tab.count(".queue") == 0  # nobody works here
    scan(tab, f"STDPLUS:{number}")
    says(tab, ".who .fault", "Scan your badge")

    scan(tab, code)
    says(tab, NAME, "สมชาย")
    scan(tab, f"STDPLUS:{number}")
    tab.wait(".next")
    assert tab.text(".whose b") == "กระจกใส"
    scan(tab, f"STDPLUS:{number}", paused=True)
    tab.wait(YES)
    assert workers_of(admin, job) == {"scan_in": str(somchai.pk)}
    network.cut()
    tab.wait(".pill[data-kind=stale], [data-kind=lost]")
    tab.press("Escape")  # the pane leaves the page by itself too, but when?
    wait_until(lambda: tab.count(".next") == 0)
    scan(tab, f"STDPLUS:{number}")
    tab.wait(".next")
    assert tab.text(".whose b") == "กระจกใส"  # as this device keeps it
    scan(tab, f"STDPLUS:{number}", paused=True)
    tab.wait(KEPT)
    tab.press("Escape")
    says(tab, ".last li", number)
    assert "to send" in tab.text(".last")
    see(tab, ".idle-figure", "1 done today on this device")
    tab.click(".person button")
    says(tab, WHO, "Who is working here?")
    scan(tab, code)
    says(tab, ".who .fault", "No network")
    network.restore()
    wait_until(lambda: workers_of(admin, job).get("complete") == str(somchai.pk))

    tab.click(NAMES)
    says(tab, WHO, "PIN of มาลี")
    tab.wait(".pin input:focus")
    tab.type("13")  # on a keyboard; then on the screen, which leaves it usable
    tab.click('.keys button:has-text("7")')
    tab.type("9")
    tab.press("Enter")
    says(tab, ".who .fault", "Wrong PIN")
    with monkeypatch.context() as slow:
        released = hold_answers(slow, app, "devices.identify_by_pin")
        type_pin(tab, "2581")  # a slip, and while it is checked the right one
        tab.wait(".pin input:focus")
        tab.type("2580")
        tab.press("Enter")
        released.set()
        says(tab, NAME, "มาลี")
    see(tab, ".idle-figure", "1 done today on this device")
    assert "to send" not in tab.text(".last")
    assert "สมชาย" not in tab.text(".work")  # of what others did, no names
    scan(tab, f"STDPLUS:{number}")
    tab.wait(".next")
    scan(tab, f"STDPLUS:{number}", paused=True)
    tab.wait(YES)
    assert workers_of(admin, job)["scan_out"] == str(malee.pk)
    admin.patch(f"/api/workers/{malee.pk}", {"isActive": False})
    scan(tab, code)
    says(tab, NAME, "สมชาย")

    released = hold_answers(monkeypatch, app, "scans.scan")
    tab.click('.signs [aria-label="This device"]')
    tab.click('.option:has-text("Two: in; done and on")')
    tab.press("Escape")
    first, second = job.numbers[1:]
    for number in (first, second):
        scan(tab, f"STDPLUS:{number}")
    tab.click(".person button")  # before the answer to the first one
    says(tab, WHO, "Who is working here?")
    released.set()
    for pane in job.panes[1:]:  # the scan that waited for it too, in the same name
        path = f"/api/panes/{pane['_id']}"
        wait_until(
            lambda path=path: admin.get(path).data["currentStatus"] == "in_progress"
        )
        (log,) = admin.get("/api/pane-logs", paneId=pane["_id"]).data
        assert log["worker"] == str(somchai.pk)
    wait_until(lambda: not device_sessions.of_worker(somchai.pk))  # once they are sent
    assert unexpected(chromium) == []


def test_badges_are_printed_in_the_office_and_a_screen_is_logged_out_there(
    open_office, chromium, server, admin, workshop, setting
):
    setting(REQUIRE_IF_MATCH=["workers"])
    screen, somchai = account(workshop, "screen"), workshop.worker(name="สมชาย")
    order_with_panes(admin, workshop)
    people = "office/people"
    tab = open_office(workshop.worker_with("admin"), f"people/{somchai.pk}")
    tab.wait("#device-login")
    tab.click('button:has-text("Issue a badge")')
    tab.click(".dialog .main-button")
    says(tab, ".chooser", "สมชาย")
    tab.goto(f"{server}/floor/{people}/{somchai.pk}")
    tab.wait("#device-login")
    tab.click('button:has-text("Replace the badge")')
    says(tab, ".dialog", "The old badge stops working at once")
    tab.click(".dialog .main-button")
    says(tab, ".chooser", "สมชาย")
    tab.goto(f"{server}/floor/{people}/{somchai.pk}")
    tab.click('button:has-text("Revoke the badge")')
    tab.click(".dialog .main-button")
    tab.wait('button:has-text("Issue a badge")')

    wall = chromium.second_profile(**THAI).tab(f"{server}/floor/board")
    log_in(wall, screen)
    wall.wait(".lanes .rack")
    wall.goto(f"{server}/floor/")
    wall.wait(".pages a")
    assert wall.count(".pages a") == 1  # the board
    follow(tab, f"{people}/{screen.pk}")
    tab.wait(LIVE)
    tab.click('button:has-text("Log out everywhere")')
    tab.click(".dialog .main-button")
    wall.wait("#username")
    assert unexpected(chromium) == []


def test_pin_is_set_and_the_badges_of_all_are_printed_in_the_office(
    open_office, chromium, server, admin, workshop, setting
):
    somchai, malee = workshop.worker(name="สมชาย"), workshop.worker(name="มาลี")
    assert admin.post(f"/api/workers/{somchai.pk}/badge").status == 200
    collection = Worker.collection()
    badge = badges.code_of(collection.find_one({"_id": somchai.pk}))
    setting(REQUIRE_IF_MATCH=["workers"])
    people = "office/people"
    path = f"/api/workers/{malee.pk}"
    tab = open_office(workshop.worker_with("admin"), f"people/{malee.pk}")
    says(tab, "#device-login ~ dl", "Not set")
    tab.click('button:has-text("Set the PIN")')
    tab.fill("#ask-pin", "1111")
    tab.click(".dialog .main-button")
    says(tab, ".dialog .field-fault", "This PIN is too easily guessed: please choose")
    assert tab.texts(".dialog .fault") == []  # it is said once, beside the field
    assert tab.focused() == "ask-pin"
    assert admin.get(path).data["pinSetAt"] is None
    tab.fill("#ask-pin", "2580")
    tab.click(".dialog .main-button")
    tab.wait('button:has-text("Remove the PIN")')
    wait_until(lambda: tab.count(".dialog") == 0)
    says(tab, ".form-buttons [role=status] .saved", "PIN set")
    assert admin.get(path).data["pinSetAt"]
    tab.click('button:has-text("Set the PIN")')  # another one
    assert tab.texts(".form-buttons .saved") == []
    tab.fill("#ask-pin", "8250")
    tab.click(".dialog .main-button")
    says(tab, ".form-buttons [role=status] .saved", "PIN set")
    tab.goto(f"{server}/floor/{people}/{malee.pk}")  # with the worker as it is now
    tab.click('button:has-text("Remove the PIN")')
    tab.click(".dialog .main-button")
    wait_until(lambda: tab.count('button:has-text("Remove the PIN")') == 0)
    assert admin.get(path).data["pinSetAt"] is None

    follow(tab, people)
    tab.wait(".table-row")
    tab.click('button:has-text("Print badges")')
    says(tab, ".dialog", "Who has no badge gets one")
    tab.click(".dialog .main-button")
    says(tab, ".chooser", "มาลี")
    assert "สมชาย" in tab.text(".chooser")
    assert badges.code_of(collection.find_one({"_id": malee.pk}))
    assert badges.code_of(collection.find_one({"_id": somchai.pk})) == badge
    assert unexpected(chromium) == []


def test_seeded_worker_is_offered_no_badges_and_no_pin_of_others(
    open_office, chromium, worker, workshop
):
    other = workshop.worker(name="มาลี")
    tab = open_office(worker.worker, "people")
    tab.wait(".table-row")
    assert tab.count('button:has-text("Print badges")') == 0
    follow(tab, f"office/people/{other.pk}")
    tab.wait("#field-name[readonly]")
    assert tab.count("#device-login") == 0
    assert worker.put(f"/api/workers/{other.pk}/pin", {"pin": "2580"}).status == 403
    assert worker.post("/api/workers/badges", {}).status == 403
    assert unexpected(chromium) == []
