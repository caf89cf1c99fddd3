"""Webhooks as records: who may have them, what is refused, and their secrets."""

import pytest

from glassflow.models.webhook import Webhook

HOOK = {"url": "https://example.com/hook", "events": ["pane:updated"]}
SECRET = "whsec_" + "YWJj" * 10


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({}, {"url", "events"}),
        ({**HOOK, "url": "https://127.1.2.3/"}, set()),  # allowed in tests
        ({**HOOK, "url": "https://10.1.2.3/"}, {"url"}),
        ({**HOOK, "url": "ftp://example.com/"}, {"url"}),
        ({**HOOK, "url": "https://example.com/" + "a" * 2000}, {"url"}),
        ({**HOOK, "events": []}, {"events"}),
        ({**HOOK, "events": ["*", "pane:updatd"]}, {"events.1"}),
        ({**HOOK, "secret": "guess me"}, {"secret"}),
    ],
)
def test_body_is_checked(admin, body, faults):
    answer = admin.post("/api/webhooks", body)
    assert set(answer.faults if faults else ()) == faults
    assert Webhook.objects.count() == (0 if faults else 1)


def test_secret_is_shown_once_if_it_was_generated_and_can_be_replaced(admin):
    made = admin.post("/api/webhooks", HOOK).data
    path = f"/api/webhooks/{made['_id']}"
    assert made["secret"].startswith("whsec_")
    assert made["owner"] == admin.id
    given = admin.post(f"{path}/secret", {"secret": SECRET})
    assert "secret" not in given.data
    replaced = admin.post(f"{path}/secret", {}).data["secret"]
    assert replaced not in (made["secret"], SECRET)
    assert set(admin.post(f"{path}/secret", {"secret": "x"}).faults) == {"secret"}
    for seen in (
        admin.get(path),
        admin.get("/api/webhooks"),
        admin.get("/api/webhooks/export.csv"),
        admin.get("/api/webhooks", search="whsec"),
        admin.patch(path, {"events": ["*"], "secret": SECRET, "owner": None}),
    ):
        assert seen.status == 200
        assert "whsec_" not in seen.text
    stored = Webhook.objects.get(pk=made["_id"])
    assert [bool(one["until"]) for one in stored.secrets] == [False, True, True]
    assert str(stored.owner) == admin.id


def test_only_holders_of_everything_have_webhooks(manager, client_with_keys):
    for client in (manager, client_with_keys("workers:manage", "roles:manage")):
        assert client.get("/api/webhooks").status == 403
        assert client.post("/api/webhooks", HOOK).status == 403


def test_there_are_so_many_webhooks_at_most(admin, set_policy, app):
    policy = app.extensions["runtime"].policy.webhooks
    set_policy(webhooks=type(policy)(max_webhooks=1))
    assert admin.post("/api/webhooks", HOOK).status == 201
    refused = admin.post("/api/webhooks", HOOK)
    assert refused.status == 400
    assert refused.errors == {"code": "TOO_MANY_WEBHOOKS"}


def test_webhook_of_a_deleted_worker_has_no_owner_until_another_one_enables_it(
    admin, workshop, server
):
    made = admin.post("/api/webhooks", HOOK).data
    path = f"/api/webhooks/{made['_id']}"
    other = workshop.worker_with("admin")
    Webhook.objects(pk=made["_id"]).update(owner=other.pk)
    assert admin.delete(f"/api/workers/{other.pk}").status == 200
    assert admin.get(path).data["owner"] is None
    assert admin.patch(path, {"isActive": True}).data["owner"] == admin.id
