"""The AsyncAPI document: complete, valid, and what is sent over sockets."""

import json
from dataclasses import dataclass

import jsonschema_rs
import pytest

from glassflow.api_docs import asyncapi
from glassflow.core.process.clock import now
from glassflow.core.store.live_events import LiveEvent
from glassflow.core.store.outbox_entries import Change
from glassflow.realtime.client_events import OTHER_EVENTS
from glassflow.realtime.event_shapes import live_event_payload
from glassflow.services.events.message_routes import MESSAGE_ROUTES
from glassflow.services.events.room_map import ROOM_EVENTS, MessageRoute
from optional_tools import NODE_DIRECTORY, require_node
from screens import Screen

SPECIFICATION = NODE_DIRECTORY / "node_modules/@asyncapi/specs/schemas/3.0.0.json"


@pytest.fixture(scope="module")
def document(app):
    return json.loads(json.dumps(asyncapi.build(app)))


@pytest.fixture
def events(app):
    """The comparison with the document, whose faults of this test are no failure."""
    found = app.extensions["described_events"]
    yield found
    found.take()


def sent_to(document, room):
    messages = document["components"]["messages"]
    return {messages[name]["name"] for name in document["channels"][room]["messages"]}


def test_document_is_valid_asyncapi(document):
    require_node("@asyncapi/specs")
    schema = json.loads(SPECIFICATION.read_text("utf-8"))
    found = jsonschema_rs.validator_for(schema).iter_errors(document)
    assert [error.message for error in found] == []


def test_every_reference_leads_somewhere(document):
    def references(node):
        if isinstance(node, dict):
            yield from [node["$ref"]] if "$ref" in node else ()
            node = list(node.values())
        if isinstance(node, list):
            for one in node:
                yield from references(one)

    found = set(references(document))
    assert len(found) > 100
    for reference in found:
        here = document
        for step in reference.removeprefix("#/").split("/"):
            here = here[step]


def test_every_room_has_its_events_and_every_client_event_its_ack(document):
    rooms = {row.room for row in ROOM_EVENTS}
    assert rooms | {"client", "station_id", "user", "everybody"} == set(
        document["channels"]
    )
    assert {"pane:updated", "order:updated", "log:updated"} < sent_to(
        document, "dashboard"
    )
    assert sent_to(document, "pricing") == {
        "pricing:updated",
        "priceList:updated",
        "quote:updated",
        "billing:updated",
        "payment:updated",
    }
    assert sent_to(document, "everybody") == {"system_alert"}
    assert sent_to(document, "user") == {
        "notification",
        "role:updated",
        "worker:updated",
    }
    names = {row.join for row in ROOM_EVENTS} | {row.leave for row in ROOM_EVENTS}
    names |= OTHER_EVENTS.keys() - {"*"}
    replied = {
        document["components"]["messages"][
            one["messages"][0]["$ref"].rpartition("/")[2]
        ]["name"]
        for one in document["operations"].values()
        if one["action"] == "receive" and "reply" in one
    }
    assert replied == names


def test_every_live_event_and_every_key_is_described(document):
    messages = document["components"]["messages"].values()
    described = {one["name"]: one for one in messages if "headers" in one}
    for cls, route in MESSAGE_ROUTES.items():
        permission = described[cls.event_name].get("x-permission")
        assert (route.key is None) == (permission is None), cls
        assert route.key is None or route.key in permission.split(" or ")


def test_rooms_of_the_setting_are_described_too(app, setting):
    setting(EVENT_ROOMS={"order:updated": ["production"]})
    assert "order:updated" in sent_to(asyncapi.build(app), "production")


def test_document_is_read_without_a_token(anonymous, document):
    assert anonymous.get("/api/asyncapi.json").body == document


def test_event_whose_type_has_no_shape_is_found():
    @dataclass(frozen=True, kw_only=True)
    class Odd(LiveEvent):
        when: complex

    with pytest.raises(KeyError):
        live_event_payload(Odd, MessageRoute(None))


def test_event_that_differs_from_the_document_is_found(app, events, workshop):
    events.check("pane:updated", {"action": "danced", "data": {}})
    events.check("dance", {})
    events.check("join_pane ack", {"ok": True})
    found = events.take()
    assert [fault.partition(":")[0] for fault in found][1] == "dance is not described"
    assert len(found) == 3


def test_published_events_are_compared_with_the_document(app, events, workshop):
    builder = app.extensions["realtime"].publisher._groups._builder
    customer = workshop.make("Material", name="a", unit="b", reorder_point=0)
    stored = dict(customer.to_mongo())
    builder.build(Change("Material", customer.pk, "updated", stored), now())
    assert events.take() == []
    builder.build(Change("Material", customer.pk, "melted", stored), now())
    assert "melted" in " ".join(events.take())


def test_acks_of_screens_are_compared_with_the_document(admin, events, monkeypatch):
    seen = []
    monkeypatch.setattr(events, "check", lambda *compared: seen.append(compared))
    screen = Screen(admin)
    acks = [screen.call("join_pane"), screen.call("dance")]
    screen.close()
    assert seen == [("join_pane ack", acks[0]), ("join_me ack", acks[1])]
