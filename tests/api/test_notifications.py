"""Notifications: private, and marked as read by those whom they are for."""

import pytest

PATH = "/api/notifications"


def note(to, **values):
    return {"recipient": to.id, "type": "news", "title": "ประชุมเช้า", **values}


def test_a_notification_is_made_with_its_defaults(admin, worker):
    made = admin.post(PATH, note(worker)).data
    assert made["recipient"] == worker.id
    assert (made["priority"], made["readStatus"]) == ("medium", False)
    assert made["message"] is None
    assert worker.get(f"{PATH}/{made['_id']}").data == made


def test_a_worker_sees_only_their_own(admin, worker, manager):
    mine = admin.post(PATH, note(worker)).data
    other = admin.post(PATH, note(manager)).data
    assert [row["_id"] for row in worker.get(PATH).data] == [mine["_id"]]
    assert worker.get(PATH).body["pagination"]["total"] == 1
    assert worker.get(PATH, recipient=manager.id).data == []
    assert worker.get(f"{PATH}/{other['_id']}").status == 403
    assert len(admin.get(PATH).data) == 2


def test_a_worker_marks_only_their_own_as_read(admin, worker, manager):
    mine = admin.post(PATH, note(worker)).data
    other = admin.post(PATH, note(manager)).data
    read = {"readStatus": True}
    assert worker.patch(f"{PATH}/{mine['_id']}", read).data["readStatus"] is True
    assert worker.patch(f"{PATH}/{other['_id']}", read).status == 403
    assert worker.get(PATH, readStatus="false").data == []


def test_a_worker_cannot_send_their_own_on(admin, worker, manager):
    mine = admin.post(PATH, note(worker)).data
    path = f"{PATH}/{mine['_id']}"
    assert worker.patch(path, {"recipient": manager.id}).status == 403
    assert worker.patch(path, {**mine, "readStatus": True}).status == 200
    assert admin.patch(path, {"recipient": manager.id}).status == 200


def test_creating_needs_its_key_and_deleting_needs_to_manage(holder, worker):
    sender = holder("notifications:create")
    made = sender.post(PATH, note(worker)).data
    assert worker.post(PATH, note(worker)).status == 403
    assert worker.delete(f"{PATH}/{made['_id']}").status == 403
    keeper = holder("notifications:manage")
    assert keeper.delete(PATH, {"ids": [made["_id"]]}).data == {"deletedCount": 1}


def test_the_recipient_shown_whole_is_no_more_than_a_person(admin, worker):
    made = admin.post(PATH, note(worker), params={"populate": "true"}).data
    assert set(made["recipient"]) == {"_id", "name", "username", "position"}


def test_an_unknown_recipient_is_named(admin, worker):
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
        ({"referenceId": ""}, "referenceId"),
        ({"referenceType": ""}, "referenceType"),
        ({"priority": "highest"}, "priority"),
        ({"readStatus": "no"}, "readStatus"),
    ],
)
def test_bad_input_is_refused(admin, worker, change, field):
    assert list(admin.post(PATH, {**note(worker), **change}).faults) == [field]
