"""Numbers that are missing in the event log: readers skip them, and never go back.

A repaired store or retention by date can leave out any number of events. What
`flask restore` leaves out is another matter: see test_resume.py.
"""

import json
from types import SimpleNamespace

import pytest
from mongoengine.connection import get_db

from glassflow.core.events import event_log, event_numbers
from glassflow.core.events.event_log import PAGE
from glassflow.core.store import counters
from glassflow.realtime import event_streams
from glassflow.services.events.room_map import STATION_KEY, keyed_room
from messages import add_to_log
from waiting import wait_until

ROOM = keyed_room("station:s", STATION_KEY)
PATH = "/api/events"
NARROW, WIDE = 3, PAGE + 100


def add(*serials):
    """Store an event for each serial; return the number of the last one."""
    return add_to_log("told", [{"serial": one} for one in serials], rooms=[ROOM])


def counted():
    """The collection of the counters."""
    return get_db()[counters.COLLECTION]


def leave_out(count):
    """Let the log go on behind so many numbers, as a counter that is ahead of it."""
    number = event_log.last() + count
    counted().update_one({"_id": event_numbers.COUNTER}, {"$set": {"seq": number}})
    event_numbers.forget()  # as a process that starts now


@pytest.fixture
def begin(log_tail, expire_events):
    """The number before the events of the test, which are the only ones in the log."""
    number = add(0)
    log_tail.wake()
    wait_until(lambda: log_tail.position >= number)
    expire_events({"seq": {"$lte": number}})
    return number


@pytest.fixture
def ready(begin, log_tail, forget_recent):
    """Waits until all events are delivered, and forgets them; returns the last number."""

    def wait():
        log_tail.wake()
        newest = event_log.last(begin)
        wait_until(lambda: log_tail.position >= newest)
        forget_recent()
        return event_log.last()

    return wait


@pytest.fixture(params=["resume", "list", "stream"])
def read(request, admin, raw):
    """Reads what follows a number: `read(after)` returns serials, or the refusal.

    A refusal is the number of the oldest event, in a namespace.
    """

    def by_resume(after):
        client = raw(admin)
        assert client.call("join_station_room", "s")["ok"]
        client.send("427" + json.dumps(["resume", {"after": after}]))
        serials = []
        while (text := client.packet()).startswith("42"):
            serials.append(json.loads(text[2:])[1]["serial"])
        ack = json.loads(text.removeprefix("437"))[0]
        if not ack["ok"]:
            return SimpleNamespace(oldest=ack["oldest"])
        assert ack["seq"] >= max(after, event_log.last(after))
        return serials

    def by_list(after):
        page = admin.get(PATH, after=after)
        if page.status != 200:
            return SimpleNamespace(oldest=page.errors["oldest"])
        return [row["data"]["serial"] for row in page.data]

    def by_stream(after):
        stream = admin.session.get(
            f"{admin.url}{PATH}?after={after}",
            headers={"Accept": "text/event-stream"},
            stream=True,
        )
        with stream:
            if stream.status_code != 200:
                return SimpleNamespace(oldest=stream.json()["errors"]["oldest"])
            serials, lines = [], stream.iter_lines(chunk_size=1, decode_unicode=True)
            for line in lines:
                if line.startswith("data: "):
                    serials.append(json.loads(line[6:])["data"]["serial"])
                elif line == ": still here":  # nothing else has been read for seconds
                    return serials

    return {"resume": by_resume, "list": by_list, "stream": by_stream}[request.param]


@pytest.fixture
def quick_heartbeats(monkeypatch):
    """Streams say soon that they have nothing more to send."""
    monkeypatch.setattr(event_streams, "HEARTBEAT_INTERVAL_S", 0.2)
    monkeypatch.setattr(event_streams, "WAIT_S", 0.1)


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_gap_in_the_middle_is_skipped_from_before_inside_and_behind(
    begin, ready, read, quick_heartbeats, width
):
    first = add(1)
    leave_out(width)
    add(2, 3)
    last = ready()
    assert last == first + width + 2
    assert read(first - 1) == [1, 2, 3]
    assert read(first) == [2, 3]
    assert read(first + 1) == [2, 3]
    assert read(first + width) == [2, 3]
    assert read(last - 1) == [3]
    assert read(last) == []


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_gap_at_the_end_is_skipped(begin, ready, read, quick_heartbeats, width):
    first = add(1)
    leave_out(width)
    last = ready()
    assert last == first + width
    assert read(first - 1) == [1]
    assert read(first) == []
    assert read(last - 1) == []
    assert read(last) == []
    assert read(last + 1).oldest == first


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_only_numbers_before_the_oldest_event_and_behind_the_last_are_refused(
    begin, ready, read, quick_heartbeats, expire_events, width
):
    add(*range(width))
    oldest = add("kept")
    leave_out(2)
    add("new")
    last = ready()
    expire_events({"seq": {"$lt": oldest}})
    for expired in (begin, begin + 1, oldest - 2):
        assert read(expired).oldest == oldest
    assert read(oldest - 1) == ["kept", "new"]
    assert read(oldest) == ["new"]
    assert read(last + 1).oldest == oldest


def test_number_of_the_newest_event_is_accepted_in_an_empty_log(
    begin, ready, read, quick_heartbeats
):
    last = ready()
    assert last == begin
    assert read(last) == []
    assert read(last - 1).oldest == last + 1
    assert read(last + 1).oldest == last + 1


def test_list_without_a_number_begins_with_the_oldest_event(admin, begin, ready):
    leave_out(WIDE)
    add(1, 2)
    ready()
    assert [row["data"]["serial"] for row in admin.get(PATH).data] == [1, 2]


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_connected_client_receives_each_event_around_a_gap_once(
    admin, raw, log_tail, begin, width
):
    client = raw(admin)
    assert client.call("join_station_room", "s")["ok"]
    first = add(1)
    log_tail.wake()
    wait_until(lambda: log_tail.position == first)
    leave_out(width)
    add(2)
    leave_out(width)
    for serial in (3, 4):
        last = add(serial)
        log_tail.wake()
        wait_until(lambda last=last: log_tail.position == last)
    assert [client.event()[1]["serial"] for _ in range(4)] == [1, 2, 3, 4]


def test_log_that_does_not_know_the_newest_events_yet_is_no_gap(
    admin, raw, begin, ready, log_tail, monkeypatch
):
    """As after a failover: the client asks again, and loses nothing."""
    first = add(1)
    add(2)
    ready()
    client = raw(admin)
    assert client.call("join_station_room", "s")["ok"]
    with monkeypatch.context() as lagging:
        lagging.setattr(event_log, "last", lambda *_: first)
        lagging.setattr(event_log, "after", lambda *_: [])
        ack = client.call("resume", {"after": first})
    assert ack == {"ok": False, "error": "Service unavailable"}
    client.send("427" + json.dumps(["resume", {"after": first}]))
    assert json.loads(client.packet()[2:])[1] == {"serial": 2}


def test_counter_that_is_behind_the_log_is_raised(begin):
    last = add(1, 2)
    counted().update_one({"_id": event_numbers.COUNTER}, {"$set": {"seq": begin}})
    event_numbers.forget()
    event_numbers.ensure()
    assert counted().find_one({"_id": event_numbers.COUNTER})["seq"] == last
    assert add(3) == last + 1
