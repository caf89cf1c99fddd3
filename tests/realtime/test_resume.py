"""A resume sends all missed events and ends with an acknowledgment in every case.

Whatever the size of the events and the speed of the client.
"""

import json
import socket
from datetime import timedelta

import pytest
from gevent.event import Event

from glassflow.core.events import event_log, event_numbers, log_pages
from glassflow.core.events.log_pages import LogPages
from glassflow.core.process.clock import now
from glassflow.realtime import event_streams
from glassflow.realtime.resume import Resumption
from glassflow.realtime.wire import connection, websocket
from glassflow.realtime.wire.connection import Connection
from glassflow.services.events.room_map import STATION_KEY, keyed_room
from messages import add_to_log, send_message
from waiting import wait_until

SMALL = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)
ROOM = keyed_room("station:s", STATION_KEY)


@pytest.fixture
def missed(log_tail, forget_recent):
    """Stores events that clients have missed; returns the number before the first."""

    def store(payloads, *, name="told", at=None):
        last = add_to_log(name, payloads, rooms=[ROOM], at=at)
        log_tail.wake()
        wait_until(lambda: log_tail.position >= last)
        forget_recent()
        return last - len(payloads)

    return store


def resume(client, after):
    """Resume; return the events that were sent meanwhile, and the acknowledgment."""
    client.send("427" + json.dumps(["resume", {"after": after}]))
    events = []
    while (text := client.packet()).startswith("42"):
        events.append(json.loads(text[2:]))
    return events, json.loads(text.removeprefix("437"))[0]


@pytest.fixture
def joined(raw):
    def connect(api, **options):
        client = raw(api, **options)
        assert client.call("join_station_room", "s")["ok"]
        return client

    return connect


@pytest.fixture
def blocked(monkeypatch):
    """Keeps resumes waiting for their clients until the list is emptied."""
    waiting = [True]
    monkeypatch.setattr(Connection, "has_room_for", lambda *_: not waiting)
    return waiting


def test_nine_events_of_3_mb_are_resumed_on_one_connection(admin, joined, missed):
    photo = "x" * 3_000_000
    after = missed([{"serial": n, "photo": photo} for n in range(9)])
    client = joined(admin, sockopt=SMALL, skip_utf8_validation=True)
    events, ack = resume(client, after)
    assert [(data["serial"], len(data["photo"])) for _, data, _ in events] == [
        (n, len(photo)) for n in range(9)
    ]
    assert ack == {"ok": True, "seq": after + 9}


def test_event_that_is_larger_than_the_backlog_limit_is_resumed(
    admin, joined, missed, monkeypatch
):
    monkeypatch.setattr(connection, "BACKLOG_BYTES", 1_000_000)
    large = "x" * 6_000_000  # more than the kernel keeps for a client
    after = missed([{"text": large}, {"text": large}, {"text": "small"}])
    client = joined(admin, sockopt=SMALL, skip_utf8_validation=True)
    events, ack = resume(client, after)
    assert [len(data["text"]) for _, data, _ in events] == [len(large), len(large), 5]
    assert ack == {"ok": True, "seq": after + 3}


def test_more_missed_events_than_the_backlog_holds_are_resumed(
    app, admin, joined, missed, monkeypatch
):
    eio = app.extensions["socketio"].server.eio
    monkeypatch.setattr(eio, "limits", type(eio.limits)(backlog=20))
    after = missed([{"serial": n} for n in range(200)])
    events, ack = resume(joined(admin, sockopt=SMALL), after)
    assert [data["serial"] for _, data, _ in events] == list(range(200))
    assert ack == {"ok": True, "seq": after + 200}


def test_resume_reads_no_further_pages_after_its_client_has_left(
    admin, joined, missed, sessions, monkeypatch
):
    monkeypatch.setattr(log_pages, "PAGE_EVENTS", 2)
    count = 80
    after = missed([{"text": "x" * 200_000}] * count)
    pages, read = [], event_log.after

    def read_and_count(position, last=None):
        pages.append(position)
        return read(position, last)

    client = joined(admin, sockopt=SMALL)  # it reads nothing
    monkeypatch.setattr(event_log, "after", read_and_count)
    client.send("427" + json.dumps(["resume", {"after": after}]))
    wait_until(sessions.resuming)
    client.ws.shutdown()
    wait_until(lambda: not sessions.resuming())
    assert len(pages) < count // 2


def test_resume_ends_when_its_socket_is_disconnected(
    app, admin, joined, missed, sessions
):
    after = missed([{"text": "x" * 200_000}] * 80)
    client = joined(admin, sockopt=SMALL)
    client.send("427" + json.dumps(["resume", {"after": after}]))
    wait_until(sessions.resuming)
    (sid,) = sessions.resuming()
    app.extensions["socketio"].server.disconnect(sid)
    wait_until(lambda: not sessions.resuming())


def test_second_resume_at_the_same_time_is_refused(
    admin, joined, missed, sessions, blocked
):
    after, client = missed([{"serial": 1}]), joined(admin)
    client.send("421" + json.dumps(["resume", {"after": after}]))
    wait_until(sessions.resuming)
    client.send("422" + json.dumps(["resume", {"after": after}]))
    assert client.packet() == '432[{"ok":false,"error":"Already resuming"}]'
    blocked.clear()
    assert client.event()[1] == {"serial": 1}
    ack = {"ok": True, "seq": after + 1}
    assert json.loads(client.packet().removeprefix("431")) == [ack]


def test_second_resume_is_refused_that_arrives_while_the_first_reads_the_store(
    admin, joined, missed, blocked, monkeypatch
):
    after, client = missed([{"serial": n} for n in range(3)]), joined(admin)
    require_kept, reading, may_go_on = LogPages.require_kept, [], Event()

    def require_slowly(*args):
        reading.append(args)
        may_go_on.wait()
        return require_kept(*args)

    monkeypatch.setattr(LogPages, "require_kept", require_slowly)
    for number in (1, 2):
        client.send(f"42{number}" + json.dumps(["resume", {"after": after}]))
    wait_until(lambda: len(reading) == 2)
    may_go_on.set()
    refusal = client.packet()
    assert json.loads(refusal[3:]) == [{"ok": False, "error": "Already resuming"}]
    blocked.clear()
    assert [client.event()[1]["serial"] for _ in range(3)] == [0, 1, 2]
    ack = client.packet()
    assert json.loads(ack[3:]) == [{"ok": True, "seq": after + 3}]
    assert {ack[:3], refusal[:3]} == {"431", "432"}


def rooms_of(app, sid):
    server = app.extensions["socketio"].server
    return {room for room in server.rooms(sid) if room != sid}


def test_client_is_in_no_room_of_the_server_during_its_resume(
    app, admin, joined, missed, sessions, blocked, log_tail
):
    """So clients that resume add nothing to the cost of a live event."""
    after, client = missed([{"serial": 1}]), joined(admin)
    client.send("421" + json.dumps(["resume", {"after": after}]))
    wait_until(sessions.resuming)
    (sid,) = sessions.resuming()
    assert rooms_of(app, sid) == set()
    send_message("notification", {"title": "live"}, stations=["s"])
    wait_until(lambda: log_tail.position >= after + 2)
    assert client_joins(client, "t")
    blocked.clear()
    assert client.event()[1] == {"serial": 1}
    assert client.event()[1] == {"title": "live"}
    assert client.packet().startswith("431")
    assert {ROOM, keyed_room("station:t", STATION_KEY)} < rooms_of(app, sid)


def client_joins(client, station):
    client.send("422" + json.dumps(["join_station_room", station]))
    return json.loads(client.packet().removeprefix("432"))[0]["ok"]


def test_client_that_loses_a_room_during_its_resume_does_not_get_it_back(
    app, admin, client_with_keys, joined, missed, sessions, blocked
):
    looker = client_with_keys("stations:view", "panes:view")
    after, client = missed([{"serial": 1}]), joined(looker)
    client.send("421" + json.dumps(["resume", {"after": after}]))
    wait_until(sessions.resuming)
    (sid,) = sessions.resuming()
    role = looker.worker.role
    no_keys = {"permissions": ["panes:view"]}
    assert admin.patch(f"/api/roles/{role}", no_keys).status == 200
    wait_until(lambda: not sessions.worker_of(sid).may("stations:view"))
    blocked.clear()
    assert client.event()[1] == {"serial": 1}  # it was being sent
    while not client.packet().startswith("431"):
        pass
    assert ROOM not in rooms_of(app, sid)


def test_resume_reports_events_that_expire_meanwhile(
    admin, joined, missed, expire_events, monkeypatch
):
    after = missed([{"serial": n} for n in range(3)])
    client = joined(admin)
    send = Resumption._send

    def send_and_expire(resumption, event, sid):
        send(resumption, event, sid)
        expire_events({"seq": {"$lte": after + 2}})

    monkeypatch.setattr(log_pages, "PAGE_EVENTS", 1)
    monkeypatch.setattr(Resumption, "_send", send_and_expire)
    events, ack = resume(client, after)
    assert [data["serial"] for _, data, _ in events] == [0]
    assert (ack["ok"], ack["error"]) == (False, "Event log starts later")
    assert ack["oldest"] == after + 3
    page = admin.get("/api/events", after=after + 1)
    assert (page.status, page.message) == (400, "Event log starts later")
    assert page.errors["oldest"] == after + 3


def test_resume_after_a_number_that_a_restored_log_has_left_out_is_refused(
    admin, joined, missed
):
    before = missed([{"serial": 1}])
    event_numbers.skip_to(before + 7)
    begin = missed([{"serial": 2}])
    assert begin == before + 7
    refused = {"ok": False, "error": "Event log starts later", "oldest": begin + 1}
    client = joined(admin)
    events, ack = resume(client, before)
    assert [data["serial"] for _, data, _ in events] == [1]
    assert ack == refused
    for left_out in range(before + 1, begin):
        assert resume(client, left_out) == ([], refused)
        page = admin.get("/api/events", after=left_out)
        assert (page.status, page.errors["oldest"]) == (400, begin + 1)
    events, ack = resume(client, begin)
    assert [data["serial"] for _, data, _ in events] == [2]
    assert ack == {"ok": True, "seq": begin + 1}


def test_gap_of_a_restored_log_is_not_skipped_together_with_another_gap(
    admin, joined, missed, expire_events
):
    before = missed([{"serial": 1}, {"serial": 2}, {"serial": 3}])
    event_numbers.skip_to(before + 7)
    begin = missed([{"serial": 4}])
    expire_events({"seq": {"$in": [before + 2, before + 3]}})
    events, ack = resume(joined(admin), before)
    assert [data["serial"] for _, data, _ in events] == [1]
    assert ack == {"ok": False, "error": "Event log starts later", "oldest": begin + 1}


def test_number_that_another_process_has_delivered_already_is_accepted(
    admin, joined, missed, log_tail, monkeypatch
):
    after = missed([{"serial": 1}])
    client = joined(admin)
    with monkeypatch.context() as lagging:
        lagging.setattr(log_tail, "_next_events", list)
        last = add_to_log("told", [{"serial": 2}], rooms=[ROOM])
        assert resume(client, last) == ([], {"ok": True, "seq": last})
    assert last == after + 2
    log_tail.wake()
    wait_until(lambda: log_tail.position == last)


LATER = now() + timedelta(days=400)


def test_event_of_a_process_whose_clock_is_ahead_is_resumed_listed_and_delivered(
    admin, joined, missed
):
    live = joined(admin)
    after = missed([{"serial": 1}, {"serial": 2}], at=LATER)
    events, ack = resume(joined(admin), after)
    assert ack == {"ok": True, "seq": after + 2}
    listed = admin.get("/api/events", after=after).data
    assert [live.event(), live.event()] == events
    for serial, (_, data, meta) in enumerate(events, 1):
        assert (data["serial"], meta["seq"]) == (serial, after + serial)
        assert listed[serial - 1]["at"] == meta["at"]
        assert meta["at"][:10] == LATER.isoformat()[:10]


@pytest.mark.undescribed
def test_check_in_of_a_process_whose_clock_is_ahead_is_not_replayed(admin, raw, missed):
    missed([{"worker": "Anan", "time": "x"}], name="scan-confirmed", at=LATER)
    client = raw(admin)
    assert client.call("join-station", "s")["ok"]
    client.send("421" + json.dumps(["join_me"]))
    assert client.packet().startswith("431")  # nothing came between


def test_stream_ends_where_the_next_event_has_expired(
    admin, missed, expire_events, monkeypatch
):
    after = missed([{"serial": n} for n in range(3)])
    chunk = event_streams._chunk

    def send_and_expire(event, rooms):
        expire_events({"seq": {"$lte": after + 2}})
        return chunk(event, rooms)

    monkeypatch.setattr(log_pages, "PAGE_EVENTS", 1)
    monkeypatch.setattr(event_streams, "_chunk", send_and_expire)
    headers = {"Accept": "text/event-stream"}
    answer = admin.call("GET", f"/api/events?after={after}", headers=headers)
    assert 'data: {"id":' in answer.text  # the first event, and then the end
    assert answer.text.count("event:") == 1


def test_polling_client_resumes_large_events(admin, screen, missed):
    after = missed([{"serial": n, "text": "x" * 1_000_000} for n in range(5)])
    mine = screen(admin, transports=("polling",)).join_station("s")
    assert mine.call("resume", {"after": after}) == {"ok": True, "seq": after + 5}
    assert [data["serial"] for data in mine.payloads("told")] == list(range(5))


def test_client_that_never_reads_is_disconnected_during_its_resume(
    app, admin, joined, missed, sessions, monkeypatch
):
    monkeypatch.setattr(websocket, "SEND_TIMEOUT_S", 0.3)
    after = missed([{"text": "x" * 200_000}] * 80)
    others = set(app.extensions["socketio"].server.eio.sockets)
    client = joined(admin, sockopt=SMALL)
    client.send("427" + json.dumps(["resume", {"after": after}]))
    wait_until(sessions.resuming)
    wait_until(lambda: not sessions.resuming())
    assert set(app.extensions["socketio"].server.eio.sockets) <= others
