"""Webhooks: events reach a receiver over real HTTP, in order, signed and at least once."""

import threading
from dataclasses import replace

import gevent
import pytest
from bson import ObjectId
from gevent import monkey
from gevent.lock import BoundedSemaphore
from mongoengine.connection import get_db

from clients import Api
from glassflow.core.events import event_log, event_numbers, webhook_log
from glassflow.core.process import deadlines, native_threads
from glassflow.domain.webhooks import DeliveryStatus
from glassflow.jobs.webhooks import deliverer, dispatcher, sender
from glassflow.services.auth import identity
from greenlets import spawn
from store_commands import record_commands
from waiting import wait_until
from webhook_receiver import Receiver

TEMPLATES = "station-template:updated"
SECRET = "whsec_" + "YWJj" * 10  # one that the owner chose


@pytest.fixture
def receiver():
    """Opens receivers: `receiver()`; they are closed afterwards."""
    opened = []

    def open_receiver():
        opened.append(Receiver())
        return opened[-1]

    yield open_receiver
    for one in opened:
        one.close()


@pytest.fixture
def quick_retries(monkeypatch):
    """Failed deliveries are tried again at once."""
    monkeypatch.setattr(deadlines, "WEBHOOK_FIRST_RETRY_S", 0.001)
    monkeypatch.setattr(deadlines, "WEBHOOK_LONGEST_RETRY_S", 0.01)


@pytest.fixture
def set_webhooks(app, set_policy):
    """Changes the policy of webhooks: `set_webhooks(retry_for_s=0)`."""
    policy = app.extensions["runtime"].policy.webhooks
    return lambda **values: set_policy(webhooks=replace(policy, **values))


@pytest.fixture
def hook(admin, quick_retries):
    """Creates webhooks: `hook(receiver, *events)`; they are deleted afterwards."""
    made = []

    def create(receiver, *events, api=admin, **fields):
        body = {"url": receiver.url, "events": events or [TEMPLATES], **fields}
        made.append(api.post("/api/webhooks", body).data)
        return made[-1]

    yield create
    for one in made:
        admin.delete(f"/api/webhooks/{one['_id']}")


def change(admin, *names):
    """Create records whose events have these names."""
    for name in names:
        assert admin.post("/api/station-templates", {"name": name}).status == 201


def deliveries(admin, hook, **params):
    return admin.get(f"/api/webhooks/{hook['_id']}/deliveries", **params).data


def wait_for_status(admin, hook, *statuses):
    """Wait until these are the statuses of the deliveries, the newest last."""

    def seen():
        rows = deliveries(admin, hook)["deliveries"]
        return [row["status"] for row in reversed(rows)]

    wait_until(lambda: seen() == list(statuses), describe=seen)
    return list(reversed(deliveries(admin, hook)["deliveries"]))


def test_events_arrive_in_order_signed_and_as_the_log_has_them(admin, receiver, hook):
    mine, other = receiver(), receiver()
    made = hook(mine)
    everything = hook(other, "*", secret=SECRET)
    assert "secret" not in everything, "its owner knows it"
    change(admin, "a", "b")
    admin.post("/api/customers", {"name": "no event"})
    admin.post("/api/materials", {"name": "m", "unit": "b", "reorderPoint": 1})
    change(admin, "c")
    mine.wait_for("a", "b", "c")
    wait_until(lambda: other.names().count("c"))
    events = [one.event["event"] for one in other.accepted]
    made_of = [name for name in events if name != "webhook:updated"]
    assert made_of == [TEMPLATES, TEMPLATES, "material:updated", TEMPLATES]
    for one in mine.deliveries:
        assert one.signed_by(made["secret"])
        assert not one.signed_by(SECRET)
        assert one.id == one.event["id"]
    assert all(one.signed_by(SECRET) for one in other.deliveries)
    rows = admin.get("/api/events", after=mine.deliveries[0].event["seq"] - 1).data
    logged = [row for row in rows if row["event"] == TEMPLATES]
    assert [one.event for one in mine.deliveries] == logged
    found = wait_for_status(admin, made, *["delivered"] * 3)
    assert [row["eventId"] for row in found] == [one.id for one in mine.deliveries]
    page = deliveries(admin, made, limit=2)
    assert [row["eventId"] for row in page["deliveries"]] == [
        found[2]["eventId"],
        found[1]["eventId"],
    ]
    rest = deliveries(admin, made, before=page["next"], status="delivered")
    assert [row["eventId"] for row in rest["deliveries"]] == [found[0]["eventId"]]
    assert rest["progress"]["position"] >= found[2]["seq"]
    assert deliveries(admin, made, status="parked")["deliveries"] == []


def test_owner_is_not_read_again_for_each_event(admin, receiver, hook, monkeypatch):
    monkeypatch.setattr(deadlines, "RECORD_CACHE_S", 1e6)
    mine = receiver()
    hook(mine)
    change(admin, "a")
    mine.wait_for("a")
    owners = ("workers", "roles")
    read = record_commands(
        monkeypatch, lambda command: command.get("find") in owners, of_all=True
    )
    change(admin, *"bcdef")
    mine.wait_for(*"abcdef")
    assert read.sent == []


def test_failed_delivery_is_repeated_with_its_id_and_nothing_overtakes_it(
    admin, receiver, hook, monkeypatch
):
    mine = receiver()
    monkeypatch.setattr(deadlines, "WEBHOOK_TIMEOUT_S", 1.0)
    # a redirect to itself, which is not followed
    mine.answers += [500, 429, 302, 307, 400, Receiver.HANG]
    made = hook(mine)
    change(admin, "a", "b")
    mine.wait_for("a", "b")
    ids = [one.id for one in mine.deliveries]
    assert len(ids) >= 8
    assert set(ids[:-1]) == {ids[0]}
    assert ids[-1] != ids[0]
    first, second = wait_for_status(admin, made, "delivered", "delivered")
    assert (first["attempts"], second["attempts"]) == (len(ids) - 1, 1)
    assert first["fault"] is None
    mine.release()
    mine.stop()  # refuses connections
    change(admin, "c")
    state = wait_until(lambda: deliveries(admin, made)["progress"]["lastFault"])
    assert "refused" in state.lower()
    mine.start()
    mine.wait_for("a", "b", "c")
    wait_until(lambda: deliveries(admin, made)["progress"]["failingSince"] is None)


def test_event_that_is_not_taken_is_parked_and_can_be_sent_again(
    app, admin, receiver, hook, set_webhooks
):
    mine = receiver()
    made = hook(mine)
    set_webhooks(retry_for_s=0)
    mine.answers += [500, 200, 200, 500]
    change(admin, "a", "b", "c")
    mine.wait_for("b", "c")
    rows = wait_for_status(admin, made, "parked", "delivered", "delivered")
    parked, delivered, _ = (
        f"/api/webhooks/{made['_id']}/deliveries/{row['_id']}/resend" for row in rows
    )
    assert (rows[0]["answered"], rows[0]["fault"]) == (500, "answered 500")
    runner = app.test_cli_runner()
    doctor = runner.invoke(args=["doctor"])
    assert f"WRONG  webhook {made['url']}" in doctor.output
    assert "1 parked" in doctor.output
    assert admin.post(parked).data["status"] == "queued"
    wait_until(lambda: deliveries(admin, made)["deliveries"][-1]["attempts"] == 2)
    listed = runner.invoke(args=["webhooks"]).output  # parked again
    assert made["_id"] in listed
    assert "1 parked" in listed
    queued = runner.invoke(args=["webhooks", "send-again", made["_id"]])
    assert queued.output == "1 deliveries are queued\n"
    mine.wait_for("b", "c", "a")
    assert admin.post(delivered).status == 200
    mine.wait_for("b", "c", "a", "b")
    wait_for_status(admin, made, *["delivered"] * 3)
    assert len({one.id for one in mine.deliveries}) == 3
    get_db()[event_log.COLLECTION].delete_many({"name": TEMPLATES})
    assert admin.post(parked).errors == {"code": "DELIVERY_EXPIRED"}
    for unknown in (made["_id"], "abc"):
        path = f"/api/webhooks/{made['_id']}/deliveries/{unknown}/resend"
        refused = admin.post(path)
        assert (refused.status, refused.message) == (404, "Delivery not found")


def test_webhook_that_fails_for_long_is_disabled_and_goes_on_when_enabled(
    app, admin, receiver, hook, set_webhooks
):
    mine, gone = receiver(), receiver()
    made, quitter = hook(mine), hook(gone)
    set_webhooks(disable_after_s=0)
    mine.answers.append(500)
    gone.answers.append(410)
    change(admin, "a")

    def is_disabled(one):
        return not admin.get(f"/api/webhooks/{one['_id']}").data["isActive"]

    wait_until(lambda: is_disabled(made) and is_disabled(quitter))
    shown = admin.get(f"/api/webhooks/{made['_id']}").data
    assert shown["disabledReason"] == "answered 500"
    notices = admin.get("/api/notifications", type="webhook_disabled").data
    assert {one["recipient"] for one in notices} == {admin.id}
    assert {one["referenceId"] for one in notices} == {made["_id"], quitter["_id"]}
    change(admin, "b")
    changed = admin.patch(f"/api/webhooks/{made['_id']}", {"isActive": True}).data
    assert changed["disabledReason"] is None
    mine.wait_for("a", "b")
    enabled = app.test_cli_runner().invoke(args=["webhooks", "enable", quitter["_id"]])
    assert enabled.exit_code == 0, enabled.output
    gone.wait_for("a", "b")


def test_receiver_that_hangs_delays_no_other_and_no_request(admin, receiver, hook):
    slow, quick = receiver(), receiver()
    slow.answers.append(Receiver.HANG)
    hook(slow)
    hook(quick)
    change(admin, "a")
    wait_until(lambda: slow.deliveries)
    change(admin, "b", "c")  # while the first one hangs
    quick.wait_for("a", "b", "c")
    assert len(slow.deliveries) == 1
    slow.release()
    wait_until(lambda: [one.name for one in slow.deliveries] == ["a", "b", "c"])


def test_owner_without_rights_stops_it_and_secrets_overlap(
    admin, receiver, hook, workshop, server
):
    mine, others = receiver(), receiver()
    worker = workshop.worker_with("admin")
    owner = Api(server, identity.issue(worker.pk), worker)
    made = hook(mine, api=owner)
    path = f"/api/webhooks/{made['_id']}"
    newer = admin.post(f"{path}/secret", {}).data["secret"]
    wait_until(lambda: doubly_signed(admin, mine))
    last = mine.deliveries[-1]
    assert last.signed_by(made["secret"])
    assert last.signed_by(newer)
    admin.patch(f"/api/workers/{worker.pk}", {"isActive": False})
    hook(others)
    taken = len(mine.deliveries)
    change(admin, "a", "b")
    others.wait_for("a", "b")  # so the other one had time enough
    assert len(mine.deliveries) == taken
    assert admin.patch(path, {"isActive": True}).data["owner"] == admin.id
    wait_until(lambda: [one.name for one in mine.deliveries[taken:]] == ["a", "b"])


def doubly_signed(admin, receiver):
    """Make an event; return whether the latest delivery has two signatures."""
    change(admin, "signed")
    wait_until(lambda: receiver.deliveries)
    return " " in receiver.deliveries[-1].headers["webhook-signature"]


def test_name_is_resolved_once_and_private_addresses_are_refused(
    admin, receiver, hook, set_webhooks, monkeypatch
):
    mine = receiver()
    asked = []

    def resolve(host, port):
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["169.254.169.254", "127.0.0.1"]

    monkeypatch.setattr(sender, "look_up", resolve)
    made = hook(mine, url=f"HTTP://receiver.example:{mine.port}/")
    change(admin, "a")
    mine.wait_for("a")
    assert asked == ["receiver.example"]
    assert mine.deliveries[0].headers["host"] == f"receiver.example:{mine.port}"
    change(admin, "b")
    fault = wait_until(lambda: deliveries(admin, made)["progress"]["lastFault"])
    assert fault == "the address 169.254.169.254 may not be called"
    assert mine.names() == ["a"]
    set_webhooks(networks=(), allow_http=False)
    wait_until(
        lambda: "https" in (deliveries(admin, made)["progress"]["lastFault"] or "")
    )


def test_look_ups_that_hang_take_no_threads_of_others(monkeypatch):
    hanging, asked = monkey.get_original("_thread", "allocate_lock")(), []

    def hang(host, *args, **kwargs):
        if host == "slow.example":  # not what deliveries of a test before ask for
            asked.append(host)
        with hanging:
            raise OSError("unknown")

    monkeypatch.setattr(sender, "_getaddrinfo", hang)
    count = gevent.get_hub().threadpool.maxsize
    with hanging, gevent.Timeout(60):
        senders = [
            spawn(sender.send, "http://slow.example/", b"", {}, lambda one: True)
            for _ in range(count)
        ]
        wait_until(lambda: len(asked) == count)
        assert native_threads.run_in_turn(BoundedSemaphore(), 1.0, int) == 0
    gevent.joinall(senders)
    assert not any(one.value.is_delivered for one in senders)


def test_events_that_expire_undelivered_are_reported(
    admin, receiver, hook, expire_events
):
    mine = receiver()
    mine.answers += [500] * 1_000_000
    made = hook(mine)
    change(admin, "a", "b")
    failing = wait_until(lambda: deliveries(admin, made)["deliveries"])[0]
    expire_events({"seq": {"$lte": failing["seq"]}})
    wait_until(lambda: deliveries(admin, made, status="lost")["deliveries"])
    mine.answers.clear()
    mine.wait_for("b")
    rows = wait_for_status(admin, made, "lost", "lost", "delivered")
    assert {row["upto"] for row in rows[:2]} == {failing["seq"]}
    assert {row["eventId"] for row in rows[:2]} == {failing["eventId"], None}
    notice = admin.get("/api/notifications", type="webhook_lost").data
    assert [one["referenceId"] for one in notice] == [made["_id"]]


def test_numbers_that_a_restored_log_has_left_out_are_not_reported(
    admin, receiver, hook
):
    mine = receiver()
    made = hook(mine)
    change(admin, "a")
    mine.wait_for("a")
    wait_for_status(admin, made, "delivered")
    event_numbers.skip_to(event_log.last() + 7)
    change(admin, "b")
    mine.wait_for("a", "b")
    wait_for_status(admin, made, "delivered", "delivered")
    assert admin.get("/api/notifications", type="webhook_lost").data == []


def test_event_is_sent_again_if_the_process_stops_before_its_position_is_stored(
    admin, receiver, hook, monkeypatch
):
    mine = receiver()
    settle, crashes = webhook_log.settle, threading.Event()

    def crash_once(*args, **outcome):
        if not crashes.is_set():
            crashes.set()
            raise OSError("gone")
        return settle(*args, **outcome)

    monkeypatch.setattr(webhook_log, "settle", crash_once)
    monkeypatch.setattr(deliverer, "STORE_RETRY_S", 0.01)
    hook(mine)
    change(admin, "a", "b")
    mine.wait_for("a", "a", "b")
    assert mine.deliveries[0].id == mine.deliveries[1].id


def test_process_that_another_has_overtaken_while_it_sent_notes_nothing(
    admin, receiver, hook
):
    mine = receiver()
    mine.answers.append(Receiver.HANG)
    made = hook(mine)
    change(admin, "a")
    wait_until(lambda: mine.deliveries)
    key = ObjectId(made["_id"])
    event = event_log.find(mine.deliveries[0].id)
    known = webhook_log.state(key)["position"]
    webhook_log.note_attempt(
        key, event, DeliveryStatus.DELIVERED, answered=202, fault=None
    )
    webhook_log.change(key, known, {"position": event.seq})
    mine.release()
    change(admin, "b")
    mine.wait_for("b")
    first, _ = wait_for_status(admin, made, "delivered", "delivered")
    assert (first["attempts"], first["answered"]) == (1, 202)


def test_delivery_under_way_of_a_deleted_webhook_leaves_nothing(admin, receiver, hook):
    mine, other = receiver(), receiver()
    mine.answers.append(Receiver.HANG)
    made = hook(mine)
    hook(other)
    change(admin, "a")
    wait_until(lambda: mine.deliveries)
    assert admin.delete(f"/api/webhooks/{made['_id']}").status == 200
    mine.release()
    change(admin, "b", "c")
    other.wait_for("a", "b", "c")  # so the other one had time enough
    key = ObjectId(made["_id"])
    assert webhook_log.page(key, status=None, before=None, limit=9) == []


def parked_path(admin, receiver, hook, name):
    """Let a receiver refuse an event; return the path of its parked delivery."""
    receiver.answers.append(500)
    change(admin, name)
    [row] = wait_for_status(admin, hook, "parked")
    return f"/api/webhooks/{hook['_id']}/deliveries/{row['_id']}"


def calls_of(monkeypatch, owner, name):
    """The calls of a function from now on that have returned."""
    called, calls = getattr(owner, name), []

    def call(*args, **kwargs):
        result = called(*args, **kwargs)
        calls.append(args)
        return result

    monkeypatch.setattr(owner, name, call)
    return calls


@pytest.mark.parametrize("status", [200, 500])
def test_resend_under_way_of_a_deleted_webhook_leaves_nothing(
    admin, receiver, hook, set_webhooks, monkeypatch, status
):
    mine = receiver()
    made = hook(mine)
    set_webhooks(retry_for_s=0)
    path = parked_path(admin, mine, made, "a")
    mine.answers.append(Receiver.HANG)
    assert admin.post(f"{path}/resend").status == 200
    wait_until(lambda: len(mine.deliveries) == 2)
    assert admin.delete(f"/api/webhooks/{made['_id']}").status == 200
    noted = calls_of(monkeypatch, webhook_log, "note_attempt")
    mine.release(status)
    wait_until(lambda: noted)
    key = ObjectId(made["_id"])
    assert webhook_log.page(key, status=None, before=None, limit=9) == []


def test_resend_is_sent_before_the_events_that_wait(
    admin, receiver, hook, set_webhooks, monkeypatch
):
    mine = receiver()
    made = hook(mine)
    set_webhooks(retry_for_s=0)
    path = parked_path(admin, mine, made, "a")
    mine.answers.append(Receiver.HANG)
    change(admin, "b")
    wait_until(lambda: len(mine.deliveries) == 2)
    change(admin, "c", "d")  # while b hangs
    refreshed = calls_of(monkeypatch, deliverer.Deliverer, "refresh")
    assert admin.post(f"{path}/resend").status == 200
    wait_until(lambda: refreshed)
    mine.release()
    wait_until(lambda: len(mine.deliveries) == 5)
    assert [one.name for one in mine.deliveries] == ["a", "b", "a", "c", "d"]
    wait_for_status(admin, made, *["delivered"] * 4)


def test_resend_is_sent_although_the_store_was_away_when_it_was_looked_for(
    admin, receiver, hook, set_webhooks, monkeypatch
):
    mine = receiver()
    made = hook(mine)
    set_webhooks(retry_for_s=0)
    path = parked_path(admin, mine, made, "a")
    queued, failures = webhook_log.queued, threading.Event()

    def fail_once(*args):
        if not failures.is_set():
            failures.set()
            raise OSError("gone")
        return queued(*args)

    monkeypatch.setattr(webhook_log, "queued", fail_once)
    monkeypatch.setattr(dispatcher, "POLL_INTERVAL_S", 3600)  # it would read too
    monkeypatch.setattr(deliverer, "STORE_RETRY_S", 0.01)
    assert admin.post(f"{path}/resend").status == 200
    wait_until(lambda: [one.name for one in mine.deliveries] == ["a", "a"])
