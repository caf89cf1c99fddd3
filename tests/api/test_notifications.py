"""Notifications: private, and marked as read by their recipients."""

import pytest

from concurrency import run_concurrently
from screens import Screen
from tables_api import import_rows

PATH = "/api/notifications"


def note(to, **values):
    return {"recipient": to.id, "type": "news", "title": "ประชุมเช้า", **values}


def test_notification_is_created_with_defaults(admin, worker):
    made = admin.post(PATH, note(worker)).data
    assert made["recipient"] == worker.id
    assert (made["priority"], made["readStatus"]) == ("medium", False)
    assert made["message"] == ""
    assert worker.get(f"{PATH}/{made['_id']}").data == made


def test_worker_reads_only_their_own_notifications(admin, worker, manager):
    mine = admin.post(PATH, note(worker)).data
    other = admin.post(PATH, note(manager)).data
    assert [row["_id"] for row in worker.get(PATH).data] == [mine["_id"]]
    assert worker.get(PATH).body["pagination"]["total"] == 1
    assert worker.get(PATH, recipient=manager.id).data == []
    assert worker.get(f"{PATH}/{other['_id']}").status == 403
    assert len(admin.get(PATH).data) == 2


def test_worker_marks_only_their_own_notifications_as_read(admin, worker, manager):
    mine = admin.post(PATH, note(worker)).data
    other = admin.post(PATH, note(manager)).data
    read = {"readStatus": True}
    assert worker.patch(f"{PATH}/{mine['_id']}", read).data["readStatus"] is True
    assert worker.patch(f"{PATH}/{other['_id']}", read).status == 403
    assert worker.get(PATH, readStatus="false").data == []


def test_worker_cannot_change_the_recipient(admin, worker, manager):
    mine = admin.post(PATH, note(worker)).data
    path = f"{PATH}/{mine['_id']}"
    assert worker.patch(path, {"recipient": manager.id}).status == 403
    assert worker.patch(path, {**mine, "readStatus": True}).status == 200
    assert admin.patch(path, {"recipient": manager.id}).status == 200


def test_creating_and_deleting_need_their_keys(client_with_keys, worker):
    sender = client_with_keys("notifications:create")
    made = sender.post(PATH, note(worker)).data
    assert worker.post(PATH, note(worker)).status == 403
    assert worker.delete(f"{PATH}/{made['_id']}").status == 403
    keeper = client_with_keys("notifications:manage")
    assert keeper.delete(PATH, {"ids": [made["_id"]]}).data == {"deletedCount": 1}


def test_populated_recipient_has_only_public_fields(admin, worker):
    made = admin.post(PATH, note(worker), params={"populate": "true"}).data
    assert set(made["recipient"]) == {"_id", "name", "username", "position"}


def test_unknown_recipient_is_named(admin, worker):
    body = {**note(worker), "recipient": "0123456789abcdef01234567"}
    answer = admin.post(PATH, body)
    assert answer.status == 400
    assert answer.message == "Worker (recipient) not found"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"recipient": ""}, "recipient"),
        ({"recipient": None}, "recipient"),
        ({"type": ""}, "type"),
        ({"title": "  "}, "title"),
        ({"message": 5}, "message"),
        ({"referenceId": 5}, "referenceId"),
        ({"referenceType": []}, "referenceType"),
        ({"priority": "highest"}, "priority"),
        ({"readStatus": "no"}, "readStatus"),
    ],
)
def test_bad_input_is_refused(admin, worker, change, field):
    assert list(admin.post(PATH, {**note(worker), **change}).faults) == [field]


def test_worker_marks_all_their_notifications_as_read(
    admin, worker, manager, client_with_keys, monkeypatch
):
    monkeypatch.setattr("glassflow.services.notices.notifications.READ_AT_ONCE", 2)
    for to in (worker, worker, worker, worker, manager):
        admin.post(PATH, note(to))
    assert worker.post(f"{PATH}/read").data == {"updatedCount": 4}
    assert worker.post(f"{PATH}/read").data == {"updatedCount": 0}
    # an administrator sees those of others, and reads their own only
    assert admin.post(f"{PATH}/read").data == {"updatedCount": 0}
    assert len(admin.get(PATH, readStatus="false").data) == 1
    unread_first = admin.get(PATH, sort="readStatus,-createdAt").data
    assert [one["readStatus"] for one in unread_first] == [False] + 4 * [True]
    assert client_with_keys("notifications:create").post(f"{PATH}/read").status == 403


@pytest.fixture(params=["orders", "requests"])
def kind(request):
    """What is assigned: `orders` or `requests`."""
    return request.param


@pytest.fixture
def make(admin, workshop, kind):
    """Return the answer to the creation of an order or a request with further fields."""
    customer, material = workshop.customer(), workshop.material()
    orders = {"material": str(material.pk), "quantity": 1}
    requests = {"details": {"type": "window", "quantity": 1}}
    body = {"orders": orders, "requests": requests}[kind]
    body["customer"] = str(customer.pk)
    return lambda **further: admin.post(f"/api/{kind}", {**body, **further})


def assignments(api):
    """Type and record of each notification that a worker has, the oldest first."""
    rows = api.get(PATH, recipient=api.id, sort="createdAt").data
    own = [one for one in rows if one["type"] != "mark"]  # of a `Screen`
    return [(one["type"], one["referenceId"]) for one in own]


def test_worker_is_told_at_once_of_what_others_assign_to_them(
    admin, worker, manager, make, kind
):
    made = make().data
    path, kind_of_one = f"/api/{kind}/{made['_id']}", kind.removesuffix("s")
    number = made[f"{kind_of_one}Number"]
    screen = Screen(manager)
    change = {"assignedTo": manager.id}
    ((event, payload),) = screen.events_during(
        admin, lambda: admin.patch(path, {**change, "notes": "x"})
    )
    screen.close()
    assert (event, payload["type"]) == ("notification", f"{kind_of_one}_assigned")
    assert (payload["priority"], payload["referenceId"]) == ("medium", made["_id"])
    assert payload["referenceType"].lower() == kind_of_one
    assert number in payload["message"]
    told = [(f"{kind_of_one}_assigned", made["_id"])]
    assert admin.patch(path, {**change, "notes": "y"}).status == 200
    assert assignments(manager) == told
    # to somebody else, who is told alone; to nobody, and back
    assert admin.patch(path, {"assignedTo": worker.id}).status == 200
    assert assignments(worker) == told
    assert admin.patch(path, {"assignedTo": None}).status == 200
    assert admin.patch(path, {"assignedTo": worker.id}).status == 200
    assert assignments(worker) == told * 2
    assert assignments(manager) == told
    new = make(assignedTo=worker.id).data
    assert assignments(worker) == [*told * 2, (told[0][0], new["_id"])]


def test_worker_is_not_told_of_what_they_assign_to_themselves(admin, make, kind):
    path = f"/api/{kind}/{make(assignedTo=admin.id).data['_id']}"
    for assignee in (None, admin.id):
        assert admin.patch(path, {"assignedTo": assignee}).status == 200
    assert assignments(admin) == []


def test_worker_is_told_once_by_several_who_assign_the_same_at_once(
    admin, worker, make, kind
):
    path = f"/api/{kind}/{make().data['_id']}"
    change = {"assignedTo": worker.id}
    answers = run_concurrently([lambda: admin.patch(path, change)] * 5)
    assert [one.status for one in answers] == [200] * 5
    assert len(assignments(worker)) == 1


def test_inactive_worker_gets_nothing_new_and_keeps_what_they_have(
    admin, worker, workshop, make, kind
):
    own = f"/api/{kind}/{make(assignedTo=worker.id).data['_id']}"
    other = f"/api/{kind}/{make().data['_id']}"
    admin.patch(f"/api/workers/{worker.id}", {"isActive": False})
    gone = {"assignedTo": worker.id}
    before = admin.get(f"/api/{kind}").data
    for refused in (make(**gone), admin.patch(other, {**gone, "notes": "x"})):
        assert (refused.status, refused.errors) == (
            400,
            {"code": "WORKER_INACTIVE", **gone},
        )
    assert admin.get(f"/api/{kind}").data == before
    kept = admin.patch(own, {**gone, "notes": "x"})
    assert (kept.status, kept.data["assignedTo"]) == (200, worker.id)
    assert len(admin.get(PATH, recipient=worker.id).data) == 1


def test_imported_rows_tell_the_workers_to_whom_they_assign_and_refuse_inactive_ones(
    admin, worker, workshop, kind, make
):
    row = {"orders": {"quantity": 2, "material.name": workshop.material().name},
           "requests": {"details.type": "door", "details.quantity": 2}}[kind]  # fmt: skip
    row |= {"customer.name": workshop.customer().name}
    rows = [{**row, "assignedTo.username": worker.worker.username}] * 2
    gone = workshop.worker(is_active=False)
    refused = import_rows(
        admin, kind, [*rows, {**row, "assignedTo.username": gone.username}]
    )
    assert [one["row"] for one in refused.errors] == [4]
    assert import_rows(admin, kind, rows, dryRun=1).status == 200
    assert assignments(worker) == []
    made = import_rows(admin, kind, rows).data["rows"]
    assert {one[1] for one in assignments(worker)} == {one["_id"] for one in made}
    assert len(assignments(worker)) == 2
