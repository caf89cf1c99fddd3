"""What the log tail asks the store for, and how it shares the event loop."""

import time

import gevent
import pytest

from glassflow.core.events import event_log
from glassflow.core.process import cooperative
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.jobs import publisher as publisher_module
from glassflow.services.events.room_map import STATION_KEY, keyed_room
from messages import add_to_log, send_message
from store_commands import record_commands
from waiting import wait_until

ROOM = keyed_room("station:s", STATION_KEY)


@pytest.fixture
def commands(app, monkeypatch):
    """All commands to the store from now on."""
    return record_commands(monkeypatch, of_all=True)


@pytest.fixture
def log_reads(monkeypatch):
    """The numbers after which the event log was read from the store."""
    reads, after = [], event_log.after

    def read(position, upto=None):
        reads.append(position)
        return after(position, upto)

    monkeypatch.setattr(event_log, "after", read)
    return reads


def send(title):
    send_message("notification", {"title": title}, stations=["s"])


def titles(screen):
    return [data["title"] for data in screen.payloads("notification")]


def test_events_of_this_process_are_delivered_resumed_and_streamed_unread(
    admin, screen, log_reads
):
    mine = screen(admin).join_station("s").catch_up(admin)
    after = mine.metas[-1]["seq"]
    log_reads.clear()
    for serial in range(3):
        send(str(serial))
    mine.catch_up(admin)
    late = screen(admin).join_station("s")
    ack = late.call("resume", {"after": after})
    assert ack == {"ok": True, "seq": mine.metas[-1]["seq"]}
    assert titles(late)[:3] == ["0", "1", "2"]
    headers = {"Accept": "text/event-stream"}
    stream = admin.session.get(
        f"{admin.url}/api/events?after={after}", headers=headers, stream=True
    )
    with stream:
        lines = stream.iter_lines(chunk_size=1, decode_unicode=True)
        ids = [next(line for line in lines if line[:3] == "id:") for _ in range(3)]
    assert ids == [f"id: {after + n}" for n in (1, 2, 3)]
    assert log_reads == []


def test_events_of_another_process_between_own_ones_are_read_from_the_store(
    admin, raw, log_tail, log_reads
):
    client = raw(admin)
    assert client.call("join_station_room", "s")["ok"]
    position = add_to_log("told", [{"serial": 0}, {"serial": 1}], rooms=[ROOM]) - 2
    send("own")
    received = [client.event() for _ in range(3)]
    assert [meta["seq"] for _, _, meta in received] == [
        position + 1,
        position + 2,
        position + 3,
    ]
    assert received[2][1] == {"title": "own"}
    assert log_reads == [position]


def test_events_that_expired_unread_let_all_sockets_be_checked(
    app, admin, raw, log_tail, expire_events
):
    client = raw(admin)
    assert client.call("join_station_room", "s")["ok"]
    tokens, checked = app.extensions["realtime"]._tokens, []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tokens, "recheck_all", lambda: checked.append(1))
        last = add_to_log("told", [{"serial": n} for n in range(4)], rooms=[ROOM])
        expire_events({"seq": {"$in": [last - 3, last - 1]}})
        log_tail.wake()
        received = [client.event() for _ in range(2)]
    assert [data["serial"] for _, data, _ in received] == [1, 3]
    assert checked


def test_log_that_lags_behind_after_a_failover_loses_no_event(
    admin, raw, log_tail, monkeypatch
):
    client = raw(admin)
    assert client.call("join_station_room", "s")["ok"]
    last, after = event_log.last(), event_log.after
    lagging = [True]

    def lag(read, behind):
        return lambda *args: behind if lagging else read(*args)

    monkeypatch.setattr(event_log, "after", lag(after, []))
    monkeypatch.setattr(event_log, "last", lag(event_log.last, last))
    assert add_to_log("told", [{"serial": 1}], rooms=[ROOM]) == last + 1
    log_tail._report_end(last + 1)
    wait_until(lambda: log_tail._end == last)
    lagging.clear()
    log_tail._report_end(last + 1)
    assert client.event()[1] == {"serial": 1}


@pytest.mark.parametrize("step", ["built", "delivered"])
def test_other_greenlets_run_between_two_events_of_a_burst(
    app, admin, raw, log_tail, monkeypatch, turns, step
):
    client, count, seen = raw(admin), 30, []
    assert client.call("join_station_room", "s")["ok"]
    builder = app.extensions["realtime"].publisher._groups._builder
    part, name = {
        "built": (builder, "build"),
        "delivered": (log_tail, "_deliver"),
    }[step]
    act = getattr(part, name)

    def record(*args):
        seen.append(turns[0])
        return act(*args)

    monkeypatch.setattr(part, name, record)
    monkeypatch.setattr(cooperative, "SLICE_S", 0.0)

    @unit_of_work
    def send_all():
        for serial in range(count):
            send(str(serial))

    send_all()
    titles = [client.event()[1]["title"] for _ in range(count)]
    assert titles == [str(serial) for serial in range(count)]
    # a group whose publishing took too long is built again
    assert len(set(seen)) == len(seen) >= count


@pytest.mark.parametrize("holder", [True, False], ids=["holder", "other"])
def test_idle_process_asks_the_store_at_most_three_times_in_an_interval(
    app, admin, worker, raw, monkeypatch, commands, holder
):
    """For the log, the lease and the outbox, whatever the number of sockets.

    The interval is half a second in production.
    """
    assert publisher_module.POLL_INTERVAL_S == 0.5
    interval_s = 0.05
    publisher = app.extensions["realtime"].publisher
    clients = [raw(account) for account in (admin, worker) * 10]
    wait_until(lambda: publisher.is_holder)
    if not holder:
        monkeypatch.setattr(publisher._lease, "_may_take", lambda row: False)
        publisher._lease._end_session()
    monkeypatch.setattr(publisher_module, "POLL_INTERVAL_S", interval_s)
    gevent.sleep(1)  # the interval that has begun

    def too_many():
        commands.sent.clear()
        begin = time.monotonic()
        gevent.sleep(16 * interval_s)
        sent, elapsed_s = commands.names, time.monotonic() - begin
        assert sent
        # the lease is renewed once a second
        return sent if len(sent) > 3 * (elapsed_s / interval_s + 1) else None

    # what is done once a minute, as the removal of expired documents, falls into one at most
    assert not (too_many() and too_many())
    assert all(client.call("join_me")["ok"] for client in clients)
