"""The event log over REST: pages, and a stream of server-sent events."""

import json

import pytest
import requests
from gevent.event import Event
from mongoengine.connection import get_db

from glassflow.core.events import event_log
from glassflow.core.process import clock
from glassflow.realtime import event_streams, events_api
from glassflow.realtime.limits import Limits
from glassflow.web.gate import Gate
from greenlets import spawn
from screens import refused_handshake
from waiting import REQUEST_TIMEOUT_S, wait_until

PATH = "/api/events"


@pytest.fixture
def start(admin, screen):
    """The number of the last event before those of the test."""
    return screen(admin).catch_up(admin).metas[-1]["seq"]


def create_materials(admin, count=3):
    body = {"unit": "sheet", "reorderPoint": 0}
    return [
        admin.post("/api/materials", {**body, "name": f"m{n}"}).data
        for n in range(count)
    ]


def wait_for_events(admin, start, count, **query):
    """Wait until there are so many events after a number, and return them."""
    found = []

    def are_there():
        found[:] = admin.get(PATH, after=start, **query).data
        return len(found) >= count

    wait_until(are_there)
    return found


def test_events_are_listed_after_a_number_in_their_order(admin, start):
    made = create_materials(admin)
    found = wait_for_events(admin, start, 3)
    assert [one["event"] for one in found] == ["material:updated"] * 3
    assert [one["data"] for one in found] == [
        {"action": "created", "data": one} for one in made
    ]
    assert [one["seq"] for one in found] == [start + 1, start + 2, start + 3]
    for one in found:
        assert one["rooms"] == ["dashboard", "inventory"]
        assert set(one) == {"id", "seq", "at", "event", "rooms", "data"}


def test_pages_continue_after_the_last_number(admin, start):
    create_materials(admin, 5)
    wait_for_events(admin, start, 5)
    seen, after = [], start
    while page := (answer := admin.get(PATH, after=after, limit=2)).data:
        assert len(page) <= 2
        seen += [one["seq"] for one in page]
        after = answer.body["seq"]
    assert seen == [start + n for n in range(1, 6)]


def test_events_are_filtered_by_room_and_by_name(admin, start, workshop):
    create_materials(admin, 1)
    admin.post("/api/customers", {"name": "not published"})
    station = str(workshop.station().pk)
    admin.post("/api/panes", {"routing": [station]})
    wait_for_events(admin, start, 2)
    named = admin.get(PATH, after=start, event="material:updated").data
    assert [one["event"] for one in named] == ["material:updated"]
    there = admin.get(PATH, after=start, room=f"station:{station}").data
    assert [one["event"] for one in there] == ["pane:updated"]
    assert admin.get(PATH, after=start, room="pricing").data == []


def test_each_worker_reads_only_events_that_their_keys_allow(
    admin, client_with_keys, start
):
    mine = client_with_keys("materials:view")
    create_materials(admin, 1)
    note = {"recipient": mine.id, "type": "x", "title": "mine"}
    admin.post("/api/notifications", note)
    admin.post("/api/notifications", {**note, "recipient": admin.id})
    wait_for_events(admin, start, 2)
    seen = mine.get(PATH, after=start).data
    assert [one["event"] for one in seen] == ["material:updated", "notification"]
    assert seen[0]["rooms"] == ["dashboard"]  # they may not join the room "inventory"
    refused = mine.get(PATH, after=start, room="inventory")
    assert (refused.status, refused.message) == (
        403,
        "Not authorized for this action",
    )
    for room in (f"user:{admin.id}", "nowhere"):
        assert mine.get(PATH, room=room).status == 403
    assert mine.get(PATH, after=start, room=f"user:{mine.id}").data == seen[1:]


@pytest.mark.slow
def test_invalid_queries_are_refused(admin, anonymous, start, expire_events):
    assert anonymous.get(PATH).status == 401
    for wrong in ("x", "-1", "1.5", "9" * 30):
        assert set(admin.get(PATH, after=wrong).faults) == {"after"}
        assert set(admin.get(PATH, limit=wrong).faults) == {"limit"}
    fault = {"event": "There is no event nonsense"}
    for stream in ({}, {"headers": {"Accept": "text/event-stream"}}):
        answer = admin.call("GET", f"{PATH}?event=nonsense", **stream)
        assert answer.faults == fault
    assert set(admin.get(PATH, room="a\x01b").faults) == {"room"}
    create_materials(admin)
    wait_for_events(admin, start, 3)
    expire_events({"seq": {"$lte": start + 1}})
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
            api.url + PATH,
            params=query,
            headers=headers,
            stream=True,
            timeout=REQUEST_TIMEOUT_S,
        )
        self._reading = spawn(self._read)

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

    def wait_for(self, count):
        wait_until(lambda: len(self.events) >= count)

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


def test_stream_sends_missed_events_and_then_live_ones(admin, start, stream):
    (before,) = create_materials(admin, 1)
    mine = stream(admin, after=start)
    assert mine.response.headers["Content-Type"].startswith("text/event-stream")
    mine.wait_for(1)
    (after,) = create_materials(admin, 1)
    mine.wait_for(2)
    assert [seq for seq, _, _ in mine.events] == [start + 1, start + 2]
    records = [json.loads(data)["data"]["data"] for _, _, data in mine.events]
    assert records == [before, after]


def test_stream_continues_after_last_event_id(admin, start, stream):
    create_materials(admin, 3)
    wait_for_events(admin, start, 3)
    mine = stream(admin, headers={"Last-Event-ID": str(start + 2)})
    mine.wait_for(1)
    assert mine.events[0][0] == start + 3


@pytest.mark.slow
def test_stream_ends_when_its_token_becomes_invalid(admin, client_with_keys, stream):
    reader = client_with_keys("materials:view")
    mine = stream(reader)
    admin.patch(f"/api/workers/{reader.id}", {"isActive": False})
    wait_until(lambda: mine.ended)


def test_page_ends_where_its_payloads_become_large(admin, start, monkeypatch):
    monkeypatch.setattr(events_api, "MAX_RESPONSE_BYTES", 1_000)
    create_materials(admin, count=6)
    wait_until(lambda: event_log.last() >= start + 6)
    names, after, pages = [], start, 0
    while after < start + 6:
        answer = admin.get(PATH, after=after)
        names += [row["data"]["data"]["name"] for row in answer.data]
        after, pages = answer.body["seq"], pages + 1
    assert names == [f"m{number}" for number in range(6)]
    assert pages > 1


def test_page_of_the_log_is_bounded_by_bytes(app, monkeypatch):
    log = get_db()[event_log.COLLECTION]
    monkeypatch.setattr(event_log, "PAGE_BYTES", 250)
    start = event_log.last() + 10_000
    rows = [
        {"_id": f"p{n}", "seq": start + n, "at": clock.now(), "name": "x"}
        | {"payload": b"y" * size, "rooms": []}
        for n, size in enumerate([100, 100, 100, 900, 100], 1)
    ]
    log.insert_many(rows)
    try:
        pages, after = [], start
        while page := event_log.after(after, start + 5):
            pages.append([event.seq - start for event in page])
            after = page[-1].seq
        assert pages == [[1, 2], [3], [4], [5]]
    finally:
        log.delete_many({"_id": {"$in": [row["_id"] for row in rows]}})


def test_streams_and_sockets_of_an_account_are_limited_together(
    app, admin, worker, stream, screen, monkeypatch
):
    tokens = app.extensions["realtime"]._tokens
    monkeypatch.setattr(tokens, "_limits", Limits(connections=3))
    monkeypatch.setattr(event_streams, "HEARTBEAT_INTERVAL_S", 0.0)
    monkeypatch.setattr(event_streams, "WAIT_S", 0.1)
    opened = [stream(worker) for _ in range(2)]
    screen(worker)
    headers = {"Accept": "text/event-stream"}
    refused = worker.call("GET", PATH, headers=headers)
    assert (refused.status, refused.message) == (429, "Too many connections")
    assert refused.errors == {"code": "TOO_MANY_CONNECTIONS"}
    assert int(refused.headers["Retry-After"]) > 0
    error = [{"message": "Too many connections"}]
    assert refused_handshake(worker.url, {"token": worker.token}) == error
    assert stream(admin).response.status_code == 200  # the limit is per worker
    assert worker.get(PATH).status == 200  # and a page is no connection
    opened[0].close()
    wait_until(lambda: tokens._open[worker.worker.pk] < 3)
    assert stream(worker).response.status_code == 200


def test_stream_follows_the_rights_of_its_worker(
    admin, client_with_keys, start, stream
):
    reader = client_with_keys("materials:view", "customers:view")
    mine = stream(reader)
    create_materials(admin, 1)
    mine.wait_for(1)
    role = f"/api/roles/{reader.worker.role}"
    assert admin.patch(role, {"permissions": ["customers:view"]}).status == 200
    mine.wait_for(2)  # role:updated
    assert worker_cannot_see_materials(admin, mine, reader)


def worker_cannot_see_materials(admin, mine, reader):
    """Create a material and then a notification; return whether only that arrived."""
    create_materials(admin, 1)
    body = {"recipient": reader.id, "type": "x", "title": "after"}
    assert admin.post("/api/notifications", body).status == 201
    wait_until(lambda: mine.events[-1][1] == "notification")
    return [name for _, name, _ in mine.events[2:]] == ["notification"]


def test_streams_that_are_opened_at_once_do_not_keep_other_requests_waiting(
    app, admin, stream, monkeypatch
):
    """Each waits for its turn in the event loop, and holds no place of the gate."""
    waiting, may_go_on = [], Event()

    def wait_for_turn():
        waiting.append(True)
        may_go_on.wait()

    monkeypatch.setattr(events_api, "yield_to_hub", wait_for_turn)
    monkeypatch.setitem(app.extensions, "gate", Gate(1))
    opening = [spawn(stream, admin) for _ in range(2)]
    wait_until(lambda: len(waiting) == 2)
    assert admin.get("/api/customers").status == 200
    may_go_on.set()
    for one in opening:
        assert one.get(timeout=REQUEST_TIMEOUT_S).response.status_code == 200


def test_stream_that_was_never_read_is_no_connection_once_it_is_closed(app, admin):
    streams = app.test_client()
    headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {admin.token}"}
    tokens = app.extensions["realtime"]._tokens
    answer = streams.get(PATH, headers=headers)
    assert tokens._open[admin.worker.pk] == 1
    answer.close()
    assert tokens._open[admin.worker.pk] == 0
