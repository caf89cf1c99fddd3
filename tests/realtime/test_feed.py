"""The event log over REST: pages for programs, and a stream."""

import json

import gevent
import pytest
import requests
from mongoengine.connection import get_db

from glassflow.core import event_log

PATH = "/api/events"


@pytest.fixture
def start(admin, screen):
    """The number after which a test's own events come."""
    return screen(admin).quiet(admin).metas[-1]["seq"]


def make(admin, count=3):
    body = {"unit": "sheet", "reorderPoint": 0}
    return [
        admin.post("/api/materials", {**body, "name": f"m{n}"}).data
        for n in range(count)
    ]


def settled(admin, start, count, **query):
    """The events after a number, once there are so many."""
    with gevent.Timeout(5):
        while len(found := admin.get(PATH, after=start, **query).data) < count:
            gevent.sleep(0.05)
    return found


def test_events_are_listed_after_a_number_in_their_order(admin, start):
    made = make(admin)
    found = settled(admin, start, 3)
    assert [one["event"] for one in found] == ["material:updated"] * 3
    assert [one["data"] for one in found] == [
        {"action": "created", "data": one} for one in made
    ]
    assert [one["seq"] for one in found] == [start + 1, start + 2, start + 3]
    for one in found:
        assert one["rooms"] == ["dashboard", "inventory"]
        assert set(one) == {"id", "seq", "at", "event", "rooms", "data"}


def test_pages_follow_each_other(admin, start):
    make(admin, 5)
    settled(admin, start, 5)
    seen, after = [], start
    while page := (answer := admin.get(PATH, after=after, limit=2)).data:
        assert len(page) <= 2
        seen += [one["seq"] for one in page]
        after = answer.body["seq"]
    assert seen == [start + n for n in range(1, 6)]


def test_events_are_chosen_by_room_and_by_name(admin, start, workshop):
    make(admin, 1)
    admin.post("/api/customers", {"name": "nobody hears of it"})
    station = str(workshop.station().pk)
    admin.post("/api/panes", {"routing": [station]})
    settled(admin, start, 2)
    named = admin.get(PATH, after=start, event="material:updated").data
    assert [one["event"] for one in named] == ["material:updated"]
    there = admin.get(PATH, after=start, room=f"station:{station}").data
    assert [one["event"] for one in there] == ["pane:updated"]
    assert admin.get(PATH, after=start, room="pricing").data == []


def test_each_sees_what_their_keys_let_them_hear(admin, holder, start):
    mine = holder("materials:view")
    make(admin, 1)
    note = {"recipient": mine.id, "type": "x", "title": "mine"}
    admin.post("/api/notifications", note)
    admin.post("/api/notifications", {**note, "recipient": admin.id})
    settled(admin, start, 2)
    seen = mine.get(PATH, after=start).data
    assert [one["event"] for one in seen] == ["material:updated", "notification"]
    assert seen[0]["rooms"] == ["dashboard"]  # the store room's page is not theirs
    refused = mine.get(PATH, after=start, room="inventory")
    assert (refused.status, refused.message) == (
        403,
        "Not authorized for this action",
    )
    for room in (f"user:{admin.id}", "nowhere"):
        assert mine.get(PATH, room=room).status == 403
    assert mine.get(PATH, after=start, room=f"user:{mine.id}").data == seen[1:]


@pytest.mark.slow
def test_bad_questions_are_refused(admin, nobody, start):
    assert nobody.get(PATH).status == 401
    for wrong in ("x", "-1", "1.5", "9" * 30):
        assert set(admin.get(PATH, after=wrong).faults) == {"after"}
        assert set(admin.get(PATH, limit=wrong).faults) == {"limit"}
    make(admin)
    settled(admin, start, 3)
    get_db()[event_log.COLLECTION].delete_many({"seq": {"$lte": start + 1}})
    late = admin.get(PATH, after=start)
    assert (late.status, late.message) == (400, "Event log starts later")
    assert late.errors == {"code": "EVENT_LOG_STARTS_LATER", "oldest": start + 2}
    assert admin.get(PATH).data[0]["seq"] == start + 2  # without a number: from there


class Stream:
    """Reads server-sent events in the background."""

    def __init__(self, api, **query):
        self.events = []
        self.ended = False
        headers = {"Accept": "text/event-stream", **query.pop("headers", {})}
        self.response = api.session.get(
            api.url + PATH, params=query, headers=headers, stream=True, timeout=20
        )
        self._reading = gevent.spawn(self._read)

    def _read(self):
        now = {}
        try:
            for line in self.response.iter_lines(chunk_size=1, decode_unicode=True):
                name, _, value = line.partition(": ")
                if line and name:
                    now[name] = value
                elif not line and "id" in now:
                    self.events.append((int(now["id"]), now["event"], now["data"]))
                    now = {}
        except requests.RequestException:
            pass
        self.ended = True

    def wait(self, condition):
        with gevent.Timeout(8):
            while not condition(self):
                gevent.sleep(0.02)
        return self

    def close(self):
        self._reading.kill()
        self.response.close()


@pytest.fixture
def stream():
    opened = []

    def start(api, **query):
        opened.append(Stream(api, **query))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def test_a_stream_gives_what_was_missed_and_then_what_comes(admin, start, stream):
    (before,) = make(admin, 1)
    mine = stream(admin, after=start)
    assert mine.response.headers["Content-Type"].startswith("text/event-stream")
    mine.wait(lambda s: s.events)
    (after,) = make(admin, 1)
    mine.wait(lambda s: len(s.events) == 2)
    assert [seq for seq, _, _ in mine.events] == [start + 1, start + 2]
    told = [json.loads(data)["data"]["data"] for _, _, data in mine.events]
    assert told == [before, after]


def test_a_stream_goes_on_where_its_reader_was(admin, start, stream):
    make(admin, 3)
    settled(admin, start, 3)
    mine = stream(admin, headers={"Last-Event-ID": str(start + 2)})
    mine.wait(lambda s: s.events)
    assert mine.events[0][0] == start + 3


@pytest.mark.slow
def test_a_stream_ends_with_its_token(admin, holder, stream):
    reader = holder("materials:view")
    mine = stream(reader)
    admin.patch(f"/api/workers/{reader.id}", {"isActive": False})
    mine.wait(lambda s: s.ended)
