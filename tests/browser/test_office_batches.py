"""Actions on several selected records of the office's lists; by a browser."""

import pytest

from browser.pages import (
    PHONE,
    choose,
    exported,
    follow,
    see,
    settles,
    texts,
    unexpected,
)
from scenarios import order_with_panes
from stock_api import create_lot, withdraw
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

TEMPLATE = {"name": "default", "width": 60, "height": 40, "elements": []}
DIALOG, SELECTED, ROW = "dialog[open]", ".selected", ".table-row"
CONFIRM = f"{DIALOG} .main-button"
LEFT_OUT = f"{DIALOG} h3 + .batch-rows li"
#: How far the bar of actions scrolls sideways.
SCROLLS = """
    const bar = document.querySelector(".selected");
    return bar.scrollWidth - bar.clientWidth;
"""
SHIFT_CLICK = """
    const event = new MouseEvent("click", { bubbles: true, shiftKey: true });
    document.querySelector(given).dispatchEvent(event);
"""


def check(tab, name):
    tab.click(f'[aria-label="Select {name}"]')


def begin(tab, label):
    tab.click(f'{SELECTED} :is(a, button):has-text("{label}")')


def close(tab):
    tab.press("Escape")
    wait_until(lambda: tab.count(DIALOG) == 0)
    wait_until(lambda: tab.texts(f"{SELECTED} button") == [])


def test_selected_withdrawals_are_decided_and_others_left_out_with_the_reason(
    open_office, chromium, admin, worker, workshop
):
    lot = create_lot(admin, workshop.material(name="ใส 6 มม.", unit="sheets"), 20)
    made = [withdraw(admin, lot, quantity).data for quantity in (2, 3, 4)]
    first, _, third = (one["withdrawalNumber"] for one in made)
    path = "/api/withdrawals"
    admin.patch(f"{path}/{made[0]['_id']}", {"status": "approved"})
    tab = open_office(workshop.worker_with("manager"), "withdrawals")
    see(tab, ROW, third)
    tab.click(".table-top input")
    begin(tab, "Reject")
    see(tab, DIALOG, "2 withdrawals are rejected")
    see(tab, DIALOG, "A decision cannot be changed")
    see(tab, LEFT_OUT, f"{first} Approved 2 sheets ใส 6 มม. It was decided already")
    see(tab, f"{DIALOG} .allocations", f"3 sheets {lot['inventoryNumber']}")
    admin.patch(f"{path}/{made[2]['_id']}", {"notes": "theirs"})
    tab.click(CONFIRM)
    see(tab, DIALOG, "1 of 2 done")
    see(tab, f"{DIALOG} [data-kind=failed]", third)
    see(tab, f"{DIALOG} [data-kind=failed]", "Somebody else has changed this")
    close(tab)
    rows = admin.get(path, sort="withdrawalNumber").data
    assert [one["status"] for one in rows] == ["approved", "rejected", "pending"]
    assert admin.get(f"/api/inventories/{lot['_id']}").data["quantity"] == 14

    tab = open_office(worker.worker, "withdrawals")  # who may not decide
    see(tab, ROW, third)
    assert tab.count(".row-check") == tab.count(".to-decide") == 0
    assert tab.count("main .new") == 1
    assert unexpected(chromium) == []


def test_selected_notifications_are_marked_as_read(
    open_office, chromium, admin, worker
):
    for title in ("one", "two", "three", "four"):
        news = {"recipient": worker.id, "type": "system_alert", "title": title}
        assert admin.post("/api/notifications", news).status == 201
    tab = open_office(worker.worker, "notifications")
    see(tab, ".notices li", "one")
    titles = [one.split()[1] for one in texts(tab, ".notices li")]
    check(tab, titles[0])
    tab.run(SHIFT_CLICK, f'[aria-label="Select {titles[2]}"]')
    see(tab, SELECTED, "3 selected")
    tab.size(*PHONE)
    assert tab.overflow() <= 0
    assert tab.run(SCROLLS, None) <= 0
    begin(tab, "Mark as read")
    wait_until(lambda: tab.count(".notices [data-unread]") == 1)
    left = worker.get("/api/notifications", readStatus="false").data
    assert [one["title"] for one in left] == [titles[3]]
    see(tab, '.rail a:has-text("Notifications") b', "1")
    wait_until(lambda: tab.texts(f"{SELECTED} button") == [])
    assert unexpected(chromium) == []


def test_selected_orders_and_requests_are_assigned_and_printed(
    open_office, chromium, admin, workshop
):
    assert admin.post("/api/sticker-templates", TEMPLATE).status == 201
    jobs = [order_with_panes(admin, workshop) for _ in range(2)]
    aek = workshop.worker(name="เอก")
    admin.patch(f"/api/orders/{jobs[0].order['_id']}", {"assignedTo": str(aek.pk)})
    tab = open_office(workshop.worker_with("manager"), "orders?due=all")
    numbers = sorted(job.order["orderNumber"] for job in jobs)
    see(tab, ROW, numbers[0])
    tab.click(".table-top input")
    tab.size(*PHONE)
    see(tab, SELECTED, "2 selected")
    tab.wait(f'{SELECTED} a[href*="labels"]')
    assert tab.overflow() <= 0
    assert tab.run(SCROLLS, None) <= 0
    tab.size(1280, 720)
    begin(tab, "Assign")
    tab.wait("#assign-to")
    assert tab.count(f"{CONFIRM}:disabled") == 1  # to whom is not said yet
    choose(tab, "#assign-to", "เอก")
    see(tab, DIALOG, "1 record is assigned to เอก, who is notified")
    see(tab, LEFT_OUT, f"{jobs[0].order['orderNumber']}")
    tab.click(CONFIRM)
    see(tab, DIALOG, "1 of 1 done")
    close(tab)
    orders = admin.get("/api/orders").data
    assert {one["assignedTo"] for one in orders} == {str(aek.pk)}

    tab.click(".table-top input")
    begin(tab, "Assign")
    tab.click(f"{DIALOG} .check input")
    see(tab, DIALOG, "2 records are assigned to nobody")
    tab.click(CONFIRM)
    see(tab, DIALOG, "2 of 2 done")
    close(tab)
    assert {one["assignedTo"] for one in admin.get("/api/orders").data} == {None}

    tab.click(".table-top input")
    tab.stubPrint()
    begin(tab, "Print job cards")
    wait_until(lambda: tab.prints() == 1)
    begin(tab, "Print labels")
    for job in jobs:
        see(tab, ".chooser li", job.numbers[0])

    follow(tab, "office/requests")
    see(tab, ROW, jobs[0].request["requestNumber"])
    tab.click(".table-top input")
    begin(tab, "Assign")
    choose(tab, "#assign-to", "เอก")
    tab.click(CONFIRM)
    see(tab, DIALOG, "2 of 2 done")
    close(tab)
    found = admin.get("/api/requests").data
    assert {one["assignedTo"] for one in found} == {str(aek.pk)}
    tab.click(".table-top input")
    begin(tab, "Print labels")
    for job in jobs:
        see(tab, ".chooser li", job.numbers[0])
    assert unexpected(chromium) == []


def test_selected_customers_are_exported_and_merged(
    open_office, chromium, admin, workshop
):
    job = order_with_panes(admin, workshop)
    names = {"name": "บ้านสวน", "phone": "", "notes": "จ่ายช้า"}
    kept = admin.post("/api/customers", names).data
    gone = f"/api/customers/{job.customer}"
    admin.patch(gone, {"name": "บ้านสวน (เก่า)", "phone": "081-1"})
    workshop.customer(name="อื่น")
    tab = open_office(workshop.worker_with("manager"), "customers")
    see(tab, ROW, "อื่น")
    check(tab, "บ้านสวน")
    tab.wait(f'{SELECTED} button:has-text("Merge"):disabled')  # with which one?
    check(tab, "บ้านสวน (เก่า)")
    rows = exported(tab, 1, f"{SELECTED} .export")
    assert [one["Name"] for one in rows] == ["บ้านสวน", "บ้านสวน (เก่า)"]

    begin(tab, "Merge")
    old, new = (f'{DIALOG} .merged .card:has-text("{n}")' for n in ("จ่ายช้า", "081-1"))
    see(tab, old, "Requests 0")
    see(tab, new, "Orders 1")
    assert tab.count(CONFIRM) == 0  # which one stays is not said yet
    tab.click(f"{old} input")
    see(tab, DIALOG, "1 request and 1 order move to บ้านสวน.")
    tab.size(*PHONE)
    assert tab.overflow() <= 0
    admin.patch(f"/api/customers/{kept['_id']}", {"discount": 3})
    tab.click(CONFIRM)
    see(tab, DIALOG, "Somebody else has changed this")
    assert admin.get(gone).status == 200
    tab.press("Escape")
    tab.reload()
    see(tab, ROW, "บ้านสวน")
    for name in ("บ้านสวน", "บ้านสวน (เก่า)"):
        check(tab, name)
    begin(tab, "Merge")
    tab.click(f"{old} input")
    tab.click(CONFIRM)
    settles(lambda: tab.count(ROW), 2)
    wait_until(lambda: tab.count(DIALOG) == 0)
    assert admin.get(gone).status == 404
    found = admin.get(f"/api/customers/{kept['_id']}").data
    assert (found["phone"], found["notes"], found["discount"]) == ("081-1", "จ่ายช้า", 3)
    (order,) = admin.get("/api/orders").data
    assert order["customer"] == kept["_id"]

    seller = workshop.role(permissions=["customers:view", "customers:manage"])
    tab = open_office(workshop.worker(role=seller), "customers")
    see(tab, ROW, "บ้านสวน")
    tab.click(".table-top input")
    see(tab, SELECTED, "Export")
    assert tab.count(f'{SELECTED} button:has-text("Merge")') == 0
    assert unexpected(chromium) == []
