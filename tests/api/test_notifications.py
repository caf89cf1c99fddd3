"""Notifications: private, and marked as read by their recipients."""

import pytest

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
