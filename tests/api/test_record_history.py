"""The history of records: what was changed, when, by whom and by what."""

from datetime import datetime

import gevent
import pytest
from bson import ObjectId
from click.testing import CliRunner
from flask.cli import FlaskGroup

from clients import Api
from glassflow.core.events import history
from glassflow.core.process import clock
from history_replay import assert_history_leads_to_the_records
from lookups import pane_of
from scenarios import (
    bring_to_lamination,
    claim_pane,
    order_with_panes,
    order_with_units,
    valid_bodies,
)
from stock_api import create_lot

OF_EVERY_CHANGE = {"version", "updatedAt"}


def history_of(api, path, **params):
    return api.get(f"{path}/history", **params).data


def changes_in(entry):
    return {one["field"]: (one["from"], one["to"]) for one in entry["changes"]}


def difference(before, after):
    return {
        name: (before[name], after[name])
        for name in after
        if before[name] != after[name] and name not in OF_EVERY_CHANGE
    }


@pytest.mark.usefixtures("own_history")  # settings have one id in all tests
def test_every_resource_shows_exactly_the_differences_of_its_records(admin, workshop):
    admin.get("/api/pricing-settings")  # which a quote would create
    for resource, new, change in valid_bodies(workshop).values():
        if resource == "notifications":
            continue  # messages have none
        made = admin.post(f"/api/{resource}", new).data
        path = f"/api/{resource}/{made['_id']}"
        before = admin.get(path).data
        headers = {"X-Request-ID": f"change-of-{resource}"}
        changed = admin.call("PATCH", path, json=change, headers=headers)
        assert changed.status == 200, (resource, changed)
        after = admin.get(path).data
        updated, *_, created = history_of(admin, path)
        shown = {name: new for name, (_, new) in changes_in(updated).items()}
        expected = {name: new for name, (_, new) in difference(before, after).items()}
        assert shown == expected, resource
        assert (updated["action"], created["action"]) == ("updated", "created")
        assert updated["request"] == f"change-of-{resource}"
        assert (updated["by"], updated["via"]) == (admin.id, "token")
        assert updated["version"] == after["version"]
        for name, (old, new) in changes_in(created).items():
            assert (old, new) == (None, before[name]), (resource, name)
        if admin.call("DELETE", path).status == 200:
            deleted, *earlier = history_of(admin, path)
            assert deleted["action"] == "deleted", resource
            assert len(earlier) >= 2
    assert assert_history_leads_to_the_records() > 0
    assert history.verify().is_whole


def test_history_shows_what_a_scan_changes_under_its_name(admin, worker, workshop):
    job = order_with_panes(admin, workshop)
    number = job.numbers[0]
    before = pane_of(admin, number)
    assert worker.scan(number, "scan_in").status == 200
    after = pane_of(admin, number)
    path = f"/api/panes/{after['_id']}"
    entry = history_of(admin, path)[0]
    assert entry["action"] == "scanned"
    assert entry["by"] == worker.id
    assert changes_in(entry) == difference(before, after)
    shown = history_of(admin, path, populate="true")[0]
    assert shown["by"]["name"] == worker.worker.name
    # by number and QR code too, and in pages
    by_number = history_of(admin, f"/api/panes/{number}")
    assert by_number[0] == entry
    pages = [
        history_of(admin, path, limit=1),
        history_of(admin, path, limit=200, before=entry["seq"]),
    ]
    assert [*pages[0], *pages[1]] == by_number


def test_history_has_no_word_of_a_secret_and_names_the_hidden_field(
    admin, workshop, app
):
    body = {
        "name": "Nok",
        "username": "nok",
        "password": "first secret 1",
        "role": str(workshop.roles["worker"].pk),
        "position": "Floor",
    }
    path = f"/api/workers/{admin.post('/api/workers', body).data['_id']}"
    changed = admin.patch(path, {"password": "second secret 2"})
    assert changed.status == 200, changed
    hook = {
        "url": "https://erp.example.com/x",
        "events": ["order:updated"],
        "secret": "whsec_" + "c2VjcmV0" * 4,
    }
    made = admin.post("/api/webhooks", hook).data
    newest, *_, created = history_of(admin, path)
    assert "passwordHash" in newest["hidden"]
    assert "passwordHash" in created["hidden"]
    hooks = history_of(admin, f"/api/webhooks/{made['_id']}")
    stored = [
        *history.of_record("Worker", ObjectId(path.rpartition("/")[2])),
        *history.of_record("Webhook", ObjectId(made["_id"])),
    ]
    text = f"{newest} {created} {hooks} {stored}"
    for word in ("argon2", "secret 1", "secret 2", "c2VjcmV0"):
        assert word not in text


def test_hidden_fields_are_named_to_who_may_manage_the_record_and_in_ones_own(
    admin, worker, client_with_keys
):
    """Whoever may view workers does not learn who has a one-time password now."""
    path = f"/api/workers/{worker.id}"
    assert admin.patch(path, {"position": "cutter"}).status == 200
    reset = admin.post(f"{path}/reset-password", {}).data["password"]
    manager, viewer = (
        client_with_keys("workers:view", *more) for more in (["workers:manage"], [])
    )
    newest = history_of(manager, path)[0]
    assert {"passwordHash", "passwordChangeRequired"} <= set(newest["hidden"])
    shown = history_of(viewer, path)
    assert [entry["hidden"] for entry in shown] == [[]] * len(shown)
    assert "position" in changes_in(shown[0])
    assert "passwordChangeRequired" not in str(shown)
    body = {"username": worker.worker.username, "password": reset}
    own = Api(worker.url, admin.post("/api/auth/login", body).data["token"])
    body = {"password": "of my own 1", "currentPassword": reset}
    assert own.patch("/api/auth/me", body).status == 200
    assert "passwordHash" in history_of(own, path)[0]["hidden"]


def test_command_is_named_as_what_made_a_change(admin, app):
    flask = FlaskGroup(create_app=lambda: app)  # the runner of tests begins otherwise
    assert CliRunner().invoke(flask, ["seed", "pricing"]).exit_code == 0
    created = history_of(admin, "/api/pricing-settings")[0]
    assert (created["by"], created["via"]) == (None, "command")
    assert created["viaName"] == "seed pricing"
    body = {"holePriceEach": 77}
    assert admin.call("PUT", "/api/pricing-settings", json=body).status == 200
    changed = history_of(admin, "/api/pricing-settings")[0]
    assert (changed["by"], changed["via"]) == (admin.id, "token")
    assert "holePriceEach" in changes_in(changed)
    named = admin.get("/api/pricing-settings/history", populate="true").data[0]
    assert named["by"]["_id"] == admin.id


def test_deleted_record_stays_in_the_lists_that_named_it(admin, workshop):
    kept, gone = (str(one.pk) for one in workshop.stations(2))
    body = {"name": "Tempered", "code": "T", "defaultRouting": [kept, gone]}
    made = admin.post("/api/job-types", body)
    assert made.status == 201, made
    path = f"/api/job-types/{made.data['_id']}"
    assert admin.patch(path, {"defaultRouting": [kept]}).status == 200
    assert admin.call("DELETE", f"/api/stations/{gone}").status == 200
    changed, created = history_of(admin, path, populate="defaultRouting")
    before, after = changes_in(changed)["defaultRouting"]
    assert [one["_id"] for one in after] == [kept]
    assert before == [*after, gone]
    assert changes_in(created)["defaultRouting"][1] == before


def test_history_of_a_deleted_record_is_for_those_who_saw_it(
    admin, worker, client_with_keys, workshop
):
    customer = admin.post("/api/customers", {"name": "gone"}).data
    path = f"/api/customers/{customer['_id']}"
    assert admin.call("DELETE", path).status == 200
    deleted = history_of(admin, path)[0]
    assert changes_in(deleted)["name"] == ("gone", None)
    assert client_with_keys("panes:view").get(f"{path}/history").status == 403
    assert admin.get("/api/customers/0123456789abcdef01234567/history").status == 404
    assert admin.get(f"{path}/history", before="x").status == 400


def test_passport_at_a_moment_is_the_pane_as_its_scans_had_left_it(
    admin, worker, workshop
):
    job = order_with_panes(admin, workshop, steps=2)
    number = job.numbers[0]
    states = [read(admin, number)]
    for action in ("scan_in", "complete", "scan_out", "scan_in", "complete"):
        assert worker.scan(number, action).status == 200
        states.append(read(admin, number))
    assert claim_pane(admin, number).status == 201
    states.append(read(admin, number))
    for seen in states:
        at = seen["pane"]["updatedAt"]
        shown = admin.get(f"/api/panes/{number}/passport", at=at).data
        last = [one for one in states if one["pane"]["updatedAt"] == at][-1]
        assert shown["pane"] == last["pane"]
        assert shown["unknownBefore"] is None
        assert len(shown["claims"]) == (seen is states[-1])
        assert all(one["createdAt"] <= at for one in shown["timeline"])
    now = admin.get(f"/api/panes/{number}/passport").data
    assert now["pane"] == states[-1]["pane"]
    assert len(now["timeline"]) >= 5
    earlier = admin.get(f"/api/panes/{number}/passport", at="2020-01-01T00:00:00Z")
    assert earlier.status == 404
    assert admin.get(f"/api/panes/{number}/passport", at="soon").status == 400


def test_passport_of_a_remade_laminated_pane_is_as_all_its_parts_were_at_each_moment(
    admin, worker, workshop
):
    job = order_with_units(admin, workshop, sheets=2)
    number, other = job.sheets[0]
    ids = {pane["paneNumber"]: pane["_id"] for pane in job.panes}
    lot = create_lot(admin, workshop.material(), 5, location="A")
    moments = []

    def remember():
        """Note the passport, and a moment that is later than all changes up to here."""
        moments.append((f"{clock.now().isoformat()}Z", read(admin, number)))
        gevent.sleep(0.005)  # times have milliseconds: the next change has another

    remember()
    cut = {"inventory": lot["_id"]}
    assert admin.patch(f"/api/panes/{ids[number]}", cut).status == 200
    remember()
    for sheet in (number, other):
        bring_to_lamination(worker, sheet, job)
    station = job.lamination_station
    assert worker.scan(number, "laminate", station=station).status == 200
    remember()
    claim = claim_pane(worker, number).data
    remember()
    decision = {"status": "approved", "decision": "destroy"}
    assert admin.patch(f"/api/claims/{claim['_id']}", decision).status == 200
    moved = {"quantity": 2, "toLocation": "B"}
    assert admin.post(f"/api/inventories/{lot['_id']}/move", moved).status == 200
    remember()

    path = f"/api/panes/{number}/passport"
    for at, then in moments:
        shown = admin.get(path, at=at).data
        assert {**shown, "at": None} == then
        assert then["request"]["_id"] == job.request["_id"]
        assert then["order"]["_id"] == job.order["_id"]
        assert [one["paneNumber"] for one in then["unit"]] == [number, other]

    def each(part, field):
        return [[one[field] for one in then[part]] for _, then in moments]

    (remake,) = moments[-1][1]["chain"]
    assert remake["remakeOf"] == ids[number]
    assert each("chain", "_id") == [[], [], [], [], [remake["_id"]]]
    assert each("lots", "quantity") == [[], [5], [5], [5], [3]]
    assert each("claims", "status") == [[], [], [], ["pending"], ["approved"]]
    sheets, laminated = ["sheet", "sheet"], ["single", "sheet"]
    assert each("unit", "laminateRole") == [sheets] * 2 + [laminated] * 3
    assert each("unit", "currentStatus") == [
        *[["pending", "pending"]] * 2,
        ["awaiting_scan_out", "merged_into"],
        ["claimed", "merged_into"],
        ["defected", "merged_into"],
    ]
    counts = [len(then["timeline"]) for _, then in moments]
    assert counts == sorted(set(counts)), "each of these steps is in the timeline"
    versions = [then["order"]["version"] for _, then in moments]
    assert versions == sorted(versions)
    assert versions[0] < versions[-1]

    path = f"/api/panes/{remake['paneNumber']}/passport"
    chain = admin.get(path, at=moments[-1][0]).data["chain"]
    assert chain == [moments[-1][1]["pane"]]
    assert admin.get(path, at=moments[-2][0]).status == 404, "it was not there yet"


def test_passport_of_a_deleted_pane_is_shown_at_a_moment_when_it_existed(
    admin, client_with_keys, worker, workshop
):
    job = order_with_panes(admin, workshop, steps=2)
    number = job.numbers[0]
    assert worker.scan(number, "scan_in").status == 200
    before = read(admin, number)
    pane, at = before["pane"]["_id"], before["pane"]["updatedAt"]
    path = f"/api/panes/{pane}/passport"
    assert admin.delete(f"/api/panes/{pane}").status == 200

    shown = admin.get(path, at=at).data
    assert shown["pane"] == before["pane"]
    assert shown["unknownBefore"] is None
    assert shown["request"]["_id"] == job.request["_id"]
    assert shown["order"]["_id"] == job.order["_id"]
    viewer = client_with_keys("panes:view").get(path, at=at).data
    assert (viewer["pane"]["paneNumber"], viewer["request"]) == (number, None)
    # not now, nor after it was deleted; and by its number nobody can find it any more
    assert admin.get(path).status == 404
    assert admin.get(path, at="2040-01-01T00:00:00Z").status == 404
    assert admin.get(path, at="2020-01-01T00:00:00Z").status == 404
    assert admin.get(f"/api/panes/{number}/passport", at=at).status == 404
    assert admin.get(f"/api/panes/{'0' * 24}/passport", at=at).status == 404


def read(api, number):
    return api.get(f"/api/panes/{number}/passport").data


def test_passport_says_what_the_history_does_not_reach(admin, worker, workshop):
    """A pane of an earlier release has no history before its next change."""
    made = workshop.make("Pane", pane_number="PNE-9001", qr_code="x")
    stored = type(made).collection()
    stored.update_one(
        {"_id": made.pk},
        {
            "$set": {
                "createdAt": datetime(2024, 1, 1),
                "updatedAt": datetime(2024, 6, 1),
            }
        },
    )
    path = "/api/panes/PNE-9001/passport"
    assert admin.get(path, at="2024-07-01").data["unknownBefore"] is None
    early = admin.get(path, at="2024-02-01").data
    assert early["unknownBefore"].startswith("2024-06-01T00:00:00")
    assert admin.get(path, at="2023-12-31").status == 404


def test_passport_shows_what_the_caller_may_view(admin, client_with_keys, workshop):
    job = order_with_panes(admin, workshop)
    shown = (
        client_with_keys("panes:view").get(f"/api/panes/{job.numbers[0]}/passport").data
    )
    assert shown["pane"]["paneNumber"] == job.numbers[0]
    assert (shown["request"], shown["order"]) == (None, None)
    assert shown["timeline"] == shown["claims"] == shown["lots"] == []
