"""The process is killed around the commit of a request with an `Idempotency-Key`.

The history and a webhook have each effect once as well.
"""

from pathlib import Path

import pytest
import requests

from clients import Api
from service import COMMAND, Service
from tables_api import import_rows
from waiting import wait_until

pytestmark = [
    pytest.mark.long,
    pytest.mark.embedded_store,
    pytest.mark.slow,
    pytest.mark.timeout(300),
]


@pytest.fixture
def order_to_die(tmp_path):
    return tmp_path / "death"


@pytest.fixture
def service(tmp_path, demo_workshop, order_to_die):
    running = Service(
        tmp_path,
        command=[*COMMAND, "dying_app:app"],
        PYTHONPATH=Path(__file__).parent,
        WEBHOOK_NETWORKS="127.0.0.0/8",
        GLASSFLOW_TEST_DEATH=order_to_die,
    )
    demo_workshop.copy_files(running.data_dir)
    yield running.start()
    running.stop()


def one(admin, name, headers):
    """Create a customer, which has no event."""
    return admin.post("/api/customers", {"name": name}, headers=headers)


def two(admin, name, headers):
    return admin.post("/api/materials", {"items": materials(name)}, headers=headers)


def file(admin, name, headers):
    return import_rows(admin, "materials", materials(name), headers=headers)


def materials(name):
    return [
        {"name": each, "unit": "kg", "reorderPoint": 0}
        for each in (name, f"{name} too")
    ]


def assert_created_once(admin, path, name, count):
    """So many records have this name, and the history has the creation of each."""
    found = admin.get(path, search=name).data
    assert len(found) == count
    for record in found:
        history = admin.get(f"{path}/{record['_id']}/history").data
        assert [entry["action"] for entry in history] == ["created"]


def test_request_whose_process_is_killed_around_its_commit_is_carried_out_once(
    service, order_to_die, receiver
):
    """One record, a bulk create, and an import."""
    admin = Api(service.url, service.login())
    hook = {"url": receiver.url, "events": ["material:updated"]}
    assert admin.post("/api/webhooks", hook).status == 201
    announced = []
    for send, path, count in (
        (one, "/api/customers", 1),
        (two, "/api/materials", 2),
        (file, "/api/materials", 2),
    ):
        for moment in ("before", "after"):
            name = f"{send.__name__} {moment}"
            headers = {"Idempotency-Key": name}
            order_to_die.write_text(moment)
            with pytest.raises(requests.RequestException):
                send(admin, name, headers)
            service.wait_until_ready()
            stored = admin.get(path, search=name).data
            assert len(stored) == (count if moment == "after" else 0), name
            answers = [send(admin, name, headers) for _ in range(2)]
            replayed = [one.headers.get("Idempotency-Replayed") for one in answers]
            assert replayed == ["true" if moment == "after" else None, "true"]
            status = 200 if send is file else 201
            assert [one.status for one in answers] == [status, status]
            assert answers[0].text == answers[1].text
            if stored and send is one:
                assert answers[0].data == stored[0]
            assert_created_once(admin, path, name, count)
            if count == 2:
                announced += [material["name"] for material in materials(name)]
    service.assert_history_is_whole()
    wait_until(
        lambda: len(receiver.ids()) >= len(announced), describe=receiver.describe
    )
    receiver.assert_in_order()
    assert list(dict.fromkeys(receiver.names())) == announced
    assert len(receiver.ids()) == len(announced)


def hand_overs(admin):
    """Yield hand-overs of one pane, each with what tells whether it has happened."""
    for delivery in admin.get("/api/deliveries/open").data:
        ready = [one for one in delivery["panes"] if one["state"] == "ready"]
        if delivery["status"] != "planned" or not ready:
            continue
        pane = admin.get(f"/api/panes/{ready[0]['_id']}").data
        path = f"/api/deliveries/{delivery['_id']}"
        body = {"paneNumbers": [pane["paneNumber"]], "receivedBy": "สมชาย"}

        def state(path=path, pane=pane):
            order = admin.get(f"/api/orders/{pane['order']}").data
            return (
                admin.get(path).data["status"] == "delivered",
                admin.get(f"/api/panes/{pane['_id']}").data["deliveredAt"] is not None,
                order["panesDelivered"],
            )

        yield f"{path}/hand-over", body, state


def acceptances(admin):
    """Yield acceptances of quotes with their order, and what tells about each."""
    material = admin.get("/api/materials", limit=1).data[0]["_id"]
    for quote in admin.get("/api/quotes", status="sent").data:
        path = f"/api/quotes/{quote['_id']}"

        def state(path=path, customer=quote["customer"]):
            found = admin.get(path).data
            totals = [
                admin.get(f"/api/{kind}", customer=customer).body["pagination"]["total"]
                for kind in ("requests", "orders", "panes")
            ]
            return (found["request"] is not None, found["order"] is not None, *totals)

        yield f"{path}/accept", {"order": {"material": material}}, state


def changes(admin):
    """Yield changes of requests with an agreed price, each adding a pane."""
    for request in admin.get("/api/requests").data:
        panes = admin.get("/api/panes", request=request["_id"], limit=50).data
        if not request["details"]["estimatedPrice"] or not panes:
            continue
        path = f"/api/requests/{request['_id']}"
        pane = {name: panes[0][name] for name in ("dimensions", "rawGlass")}
        body = {"add": [pane], "reason": "ลูกค้าโทรมา"}

        def state(path=path, request=request["_id"]):
            found = admin.get(path).data
            total = admin.get("/api/panes", request=request).body["pagination"]["total"]
            priced = found["details"]["estimatedPrice"]
            return (len(found["changes"]), total, priced)

        yield f"{path}/changes", body, state


def credits(admin):
    """Yield credits of billed entries, after each of them was put on an invoice."""
    for entry in admin.get("/api/billing-entries", status="open").data:
        if entry["net"] <= 0:
            continue
        billed = {"ids": [entry["_id"]], "invoiceNumber": f"INV-{entry['entryNumber']}"}
        assert admin.post("/api/billing-entries/bill", billed).status == 200
        body = {"amount": 1, "panes": [], "reason": "รอยขีดข่วน"}

        def state(entry=entry["_id"], customer=entry["customer"]):
            found = admin.get("/api/billing-entries", customer=customer, limit=200).data
            credits_of = [one["net"] for one in found if one["creditOf"] == entry]
            return (len(credits_of), -sum(credits_of))

        yield f"/api/billing-entries/{entry['_id']}/credit", body, state


def payments(admin):
    """Yield payments of customers who owe something, and what their account says."""
    entries = admin.get("/api/billing-entries", limit=200).data
    for customer in dict.fromkeys(one["customer"] for one in entries):
        body = {"customer": customer, "amount": 100}

        def state(customer=customer):
            total = admin.get("/api/payments", customer=customer).body["pagination"]
            account = admin.get(f"/api/customers/{customer}/account").data
            return (total["total"], float(account["balance"]["paid"]))

        yield "/api/payments", body, state


def test_act_of_the_office_whose_process_is_killed_is_completed_once(
    service, order_to_die
):
    worked = service.flask("seed", "work")
    assert worked.returncode == 0, worked.stderr
    admin = Api(service.url, service.login())
    for cases in (hand_overs, acceptances, changes, credits, payments):
        first, second, *_ = cases(admin)
        for moment, (path, body, state) in (("before", first), ("after", second)):
            before, headers = state(), {"Idempotency-Key": f"{path} {moment}"}
            order_to_die.write_text(moment)
            with pytest.raises(requests.RequestException):
                admin.post(path, body, headers=headers)
            service.wait_until_ready()
            left = state()
            assert (left == before) == (moment == "before"), (path, before, left)
            answers = [admin.post(path, body, headers=headers) for _ in range(2)]
            assert {one.status for one in answers} in ({200}, {201}), answers
            done = state()
            assert moment == "before" or done == left
            assert all(one > two for one, two in zip(done, before, strict=True))
    service.assert_history_is_whole()
