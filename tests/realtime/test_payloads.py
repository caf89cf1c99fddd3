"""An event is at most 256 KB long; a larger one names the records that have to be read."""

import json

import orjson

from glassflow.services.events.payloads import MAX_EVENT_BYTES, encode_payload
from messages import send_message

LARGE = "x" * MAX_EVENT_BYTES


def test_event_of_a_large_record_names_the_record(admin, screen):
    mine, answers = screen(admin, "join_dashboard"), []
    body = {"name": "Label", "width": 50, "height": 30, "elements": [{"text": LARGE}]}

    def create():
        answers.append(admin.post("/api/sticker-templates", body))

    ((name, payload),) = mine.events_during(admin, create)
    made = answers[0].data
    brief = {"_id": made["_id"], "name": "Label", "version": made["version"]}
    assert name == "sticker-template:updated"
    assert payload == {"action": "created", "data": brief, "truncated": True}
    read = admin.get(f"/api/sticker-templates/{made['_id']}").data
    assert read["elements"] == [{"text": LARGE}]
    (listed,) = admin.get("/api/events", after=mine.metas[-2]["seq"] - 1, limit=1).data
    assert listed["data"] == payload


def test_payload_of_just_the_limit_is_whole():
    frame = len(encode_payload({"_id": 1, "text": ""}))
    whole = {"_id": 1, "text": "x" * (MAX_EVENT_BYTES - frame)}
    assert len(encode_payload(whole)) == MAX_EVENT_BYTES
    assert orjson.loads(encode_payload(whole)) == whole
    longer = {"_id": 1, "text": whole["text"] + "x"}
    assert orjson.loads(encode_payload(longer)) == {"_id": 1, "truncated": True}


def test_each_record_of_a_payload_is_cut_to_what_names_it():
    lot = {"_id": "a", "inventoryNumber": "INV-0001", "location": LARGE, "version": 3}
    moved = {"source": lot, "target": {**lot, "_id": "b"}, "quantity": 2}
    cut = {"_id": "a", "inventoryNumber": "INV-0001", "version": 3}
    assert orjson.loads(encode_payload({"action": "moved", "data": moved})) == {
        "action": "moved",
        "data": {"source": cut, "target": {**cut, "_id": "b"}, "quantity": 2},
        "truncated": True,
    }


def test_large_role_is_cut_and_its_change_still_told():
    role = {"_id": "a", "name": "Night", "permissions": [LARGE]}
    cut = {"_id": "a", "action": "updated", "data": {"_id": "a", "name": "Night"}}
    payload = {"_id": "a", "action": "updated", "data": role}
    assert orjson.loads(encode_payload(payload)) == {**cut, "truncated": True}


def test_name_and_list_that_are_long_themselves_are_left_out():
    record = {"_id": "a", "name": LARGE, "type": "note"}
    payload = {"survivor": record, "sheets": [LARGE], "retiredPaneNumbers": ["PNE-1"]}
    assert json.loads(encode_payload(payload)) == {
        "survivor": {"_id": "a", "type": "note"},
        "retiredPaneNumbers": ["PNE-1"],
        "truncated": True,
    }


def test_record_keeps_its_id_however_long_its_name():
    named = {"_id": "a", "name": "n" * 9_000, "title": "t" * 9_000}
    payload = {"action": "updated", "data": {**named, "notes": LARGE}}
    assert orjson.loads(encode_payload(payload))["data"] == named


def test_large_live_event_is_cut_too(admin, screen):
    mine = screen(admin).join_station("s")

    def publish():
        data = {"title": "arrived", "message": LARGE}
        send_message("notification", data, stations=["s"])

    assert mine.events_during(admin, publish) == [
        ("notification", {"title": "arrived", "truncated": True})
    ]
