"""Every live event has a route, and every stored message is delivered by its route."""

import importlib
import pkgutil
import subprocess
import sys
from dataclasses import dataclass
from typing import ClassVar

import pytest
from mongoengine.connection import get_db

import glassflow
from glassflow.core.process import clock
from glassflow.core.store import outbox
from glassflow.core.store.live_events import LiveEvent, event_classes
from glassflow.services.events.message_routes import MESSAGE_ROUTES, check_routes
from glassflow.services.events.room_map import MessageRoute
from glassflow.services.notices.events import SystemAlert


@dataclass(frozen=True, kw_only=True)
class Unrouted(LiveEvent):
    event_name: ClassVar[str] = "unrouted"


@dataclass(frozen=True, kw_only=True)
class SecondAlert(LiveEvent):
    event_name: ClassVar[str] = SystemAlert.event_name


ROUTE = MessageRoute(None, rooms=("dashboard",))


@pytest.mark.parametrize(
    ("routes", "classes", "problem"),
    [
        ({}, [SystemAlert], "SystemAlert has no route"),
        ({SystemAlert: ROUTE}, [], "SystemAlert has a route, but is no event class"),
        (
            {SystemAlert: ROUTE, SecondAlert: ROUTE},
            [SystemAlert, SecondAlert],
            "system_alert is the name of several event classes",
        ),
        (
            {SystemAlert: ROUTE._replace(panes=("pane",))},
            [SystemAlert],
            "SystemAlert has no field pane",
        ),
    ],
)
def test_routes_and_event_classes_match_one_to_one(routes, classes, problem):
    with pytest.raises(TypeError, match=f"^{problem}$"):
        check_routes(routes, classes)


def test_every_event_class_of_the_package_has_a_route():
    for module in pkgutil.walk_packages(glassflow.__path__, "glassflow."):
        importlib.import_module(module.name)
    classes = list(event_classes())
    assert Unrouted in classes  # classes of every module are found
    ours = [cls for cls in classes if cls.__module__.startswith("glassflow.")]
    check_routes(MESSAGE_ROUTES, ours)
    assert len(ours) == 8


@pytest.mark.slow  # starts a program
def test_module_of_the_routes_cannot_be_imported_with_an_event_without_a_route():
    script = """
from typing import ClassVar
from glassflow.core.store.live_events import LiveEvent
class Unrouted(LiveEvent):
    event_name: ClassVar[str] = "unrouted"
import glassflow.services.events.message_routes
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.returncode != 0
    assert "TypeError: Unrouted has no route" in done.stderr


def messages(pane):
    """What release 0.2.0 stored for each live event, typed here by hand."""
    return [
        ("station:pane_arrived", {"paneNumber": "PNE-0001", "fromStation": None}),
        ("laminate:ready", {"sheetsPresent": 2, "sheetsTotal": 2}),
        ("laminate:waiting", {"sheetsPresent": 1, "sheetsTotal": 2}),
        ("pane:laminated", {"survivor": pane, "parent": pane, "sheets": ["a"]}),
        ("station:check_in", {"orderId": "o", "action": "entered"}),
        ("notification", {"type": "order_arrived", "readStatus": False}),
        ("scan-confirmed", {"worker": "Anan", "time": "2026-01-01T00:00:00.000Z"}),
        ("system_alert", {"message": "ไฟดับ"}),
    ]


@pytest.mark.undescribed
def test_messages_that_the_previous_release_stored_are_delivered(
    app, admin, workshop, screen
):
    pane = workshop.make("Pane", pane_number="PNE-0001", qr_code="x")
    stored = messages(pane.to_mongo().to_dict())
    mine = screen(admin).join_station("s")
    rows = [
        {"is": "Message", "event": name, "data": data, "stations": ["s"], "workers": []}
        for name, data in stored
    ]

    def publish():
        batch = {"_id": outbox._next_id(), "at": clock.now(), "entries": rows}
        get_db()[outbox.COLLECTION].insert_one(batch)
        app.extensions["realtime"].publisher.wake()  # as the message of another process

    received = mine.events_during(admin, publish)
    assert [name for name, _ in received] == [name for name, _ in stored]
    payloads = dict(received)
    rendered = payloads.pop("pane:laminated")
    for member in ("survivor", "parent"):
        assert rendered[member]["_id"] == str(pane.pk)
        assert rendered[member]["paneNumber"] == "PNE-0001"
    assert payloads == {k: v for k, v in stored if k != "pane:laminated"}
