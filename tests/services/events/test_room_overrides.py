"""The setting EVENT_ROOMS sends events to more rooms, by the same keys."""

import json
from contextlib import ExitStack

import pytest

from clients import Api
from earlier_tests import publishing_stopped
from glassflow import runtime
from glassflow.app import create_app
from glassflow.settings import SettingsError, load_settings
from screens import Screen
from server import serve

MORE = {"order:updated": ["production", "order"], "station:check_in": ["order"]}


@pytest.fixture(scope="module")
def application(app, store_settings):
    """The address and the tokens of an application with more rooms, which publishes."""
    env = store_settings | {"EVENT_ROOMS": json.dumps(MORE)}
    with ExitStack() as stack:
        stack.enter_context(publishing_stopped(app))
        made = create_app(load_settings("testing", env=env))
        stack.callback(made.extensions["realtime"].stop)
        url, stop = serve(made)
        stack.callback(stop)
        yield url, made.extensions["runtime"].tokens
    runtime.set_default(app.extensions["runtime"])


@pytest.fixture
def log_in(application, workshop):
    """Opens a client at that application: `log_in("orders:view")`."""
    url, tokens = application

    def client(*keys):
        found = workshop.worker(role=workshop.role(permissions=list(keys)))
        return Api(url, tokens.issue(found.pk), found)

    return client


def test_event_is_also_heard_in_the_rooms_of_the_setting_by_its_key(log_in, workshop):
    admin = log_in("*")
    allowed = Screen(log_in("orders:view", "panes:view"))
    allowed.join("join_production", "join_order")
    denied = Screen(log_in("panes:view")).join("join_production")
    customer, material = workshop.customer(), workshop.material()
    first, second = (str(one.pk) for one in workshop.stations(2))
    body = {"customer": str(customer.pk), "material": str(material.pk), "quantity": 1}
    answers = []

    def create():
        stations = {"stations": [first, second]}
        answers.append(admin.post("/api/orders", body | stations))

    def advance():
        path = f"/api/orders/{answers[0].data['_id']}"
        assert admin.patch(path, {"currentStationIndex": 1}).status == 200

    try:
        payload = {"action": "created", "data": None}
        events = allowed.events_during(admin, create)
        assert events == [("order:updated", payload | {"data": answers[0].data})]
        names = [name for name, _ in allowed.events_during(admin, advance)]
        assert sorted(names) == [
            "order:updated",
            "station:check_in",
            "station:check_in",
        ]
        assert denied.events_during(admin, create) == []
        after = allowed.metas[0]["seq"]
        listed = admin.get("/api/events", after=after, room="production").data
        assert "order:updated" in [event["event"] for event in listed]
    finally:
        allowed.close()
        denied.close()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"orders:updated": ["order"]}, "EVENT_ROOMS names the event 'orders:updated'"),
        ({"system_alert": ["order"]}, "EVENT_ROOMS names the event 'system_alert'"),
        ({"order:updated": ["orders"]}, "EVENT_ROOMS names the room 'orders'"),
        ({"order:updated": ["user:1"]}, "EVENT_ROOMS names the room 'user:1'"),
    ],
)
def test_unknown_event_or_room_is_refused_at_the_start(
    app, store_settings, value, message
):
    env = store_settings | {"EVENT_ROOMS": json.dumps(value)}
    try:
        with pytest.raises(SettingsError, match=message):
            create_app(load_settings("testing", env=env))
    finally:
        runtime.set_default(app.extensions["runtime"])


def test_compat_sends_orders_to_the_production_room():
    settings = load_settings("compat", env={})
    assert settings["EVENT_ROOMS"] == {"order:updated": ["production"]}
