"""Live events of a glassflow service: in order, each exactly once, whatever the network
does. Needs python-socketio and websocket-client; works with threads and under gevent.

As a program it prints one JSON line an event (README.md beside this folder tells more):

    python glassflow_client.py [--after SEQ] [--retry S] URL TOKEN ROOM...
"""

import argparse
import json
import queue
import sys
import threading

import engineio
import socketio

PATH = "/api/socket-entry"
# A refused handshake with one of these is final: asking again is no use.
REFUSALS = ("Not authenticated", "Invalid or expired token")
# Failures that pass: what was asked is asked again.
PASSING = ("Internal server error", "Service unavailable", "Too many")
TOO_OLD = "Event log starts later"
STATION = "station:"
PATIENCE = 30  # seconds without a word before a question is given up


class Refused(Exception):
    """The service does not accept the token; the message is its reason."""


class Lost(Exception):
    """The connection ended; the message tells why."""


class _Ordered(engineio.Client):
    """Hands each message over where it was read: the stock client starts a thread for
    each, and threads overtake each other."""

    def _trigger_event(self, event, *args, run_async=False, **options):
        return super()._trigger_event(event, *args, run_async=False, **options)

    def _reset(self):
        if self.ws:
            self.ws.shutdown()  # the stock client leaves it open if the server hangs up
        super()._reset()


class _Socket(socketio.Client):
    def _engineio_client_class(self):
        return _Ordered

    def _handle_disconnect(self, namespace):
        # it waits for the thread that reads, which is where it would run
        self.start_background_task(super()._handle_disconnect, namespace)


class Live:
    """Joins rooms and hears their events, in the order of their numbers.

    `token` is what login gave, or a function that gives it; `rooms` are names such as
    "dashboard", "pane" or "station:<id>"; `after` is the `last_seq` of an earlier run.
    All callbacks are called by `run`, one after the other:

    - `on_event(event, payload, meta)`: meta is {id, seq, at}, or None where an event is
      sent to this client only, outside of the log;
    - `on_reset(after, oldest)`: what was missed is not kept any more; fetch again;
    - `on_state(state, detail)`: "joining", "live" (detail: seq, and denied rooms with
      their errors), "offline" (it comes back by itself), "refused" or "closed".
    """

    def __init__(self, url, token, *, rooms=(), stations=(), after=None, on_event=None,
                 on_reset=None, on_state=None, retry=1.0, retry_max=5.0):  # fmt: skip
        self.url, self.token = url, token
        self.rooms = dict.fromkeys([*rooms, *(f"{STATION}{one}" for one in stations)])
        self.last_seq = after
        self._on_event, self._on_reset, self._on_state = on_event, on_reset, on_state
        self._retry, self._retry_max = retry, retry_max
        self._closed = threading.Event()
        self.socket = None  # the present socketio.Client, to emit with

    def run(self):
        """Hear until `close` is called; raises `Refused`."""
        delay = self._retry
        while not self._closed.is_set():
            try:
                self._connect()
                self._say("live", **self._catch_up())
                delay = self._retry
                while True:
                    self._deliver(*self._next("event"))
            except Refused as refusal:
                self._say("refused", reason=str(refusal))
                raise
            except Lost as loss:
                if not self._closed.is_set():
                    self._say("offline", reason=str(loss))
            finally:
                self.socket.disconnect()
            self._closed.wait(delay)
            delay = min(2 * delay, self._retry_max)
        self._say("closed")

    def close(self):
        """Let `run` end, from wherever it is called."""
        self._closed.set()
        if self.socket:
            self.socket.disconnect()
            self._inbox.put(("lost", "closed"))

    def _say(self, state, **detail):
        if self._on_state:
            self._on_state(state, detail)

    def _connect(self):
        inbox = self._inbox = queue.Queue()  # what happens on this connection, in order
        self._held, reasons = [], []
        self.socket = _Socket(reconnection=False, handle_sigint=False)
        self.socket.on("*", lambda *event: inbox.put(("event", event)))
        self.socket.on("disconnect", lambda reason="": inbox.put(("lost", reason)))
        self.socket.on("connect_error", reasons.append)
        token = self.token() if callable(self.token) else self.token
        try:
            self.socket.connect(self.url, auth={"token": token}, socketio_path=PATH,
                                transports=["websocket"], wait_timeout=10)  # fmt: skip
        except socketio.exceptions.ConnectionError as error:
            said = reasons[-1] if reasons else str(error)
            reason = said.get("message") if isinstance(said, dict) else str(said)
            raise (Refused if reason in REFUSALS else Lost)(reason) from None

    def _catch_up(self):
        self._say("joining")
        denied, base = {}, None  # from base on all rooms can be heard without a gap
        for room in list(self.rooms):
            ack = self._ask(*_door(room))
            if not ack["ok"]:
                denied[room] = ack["error"]
            elif base is None:
                base = ack["seq"]
        if base is None:
            base = self._ask("join_me")["seq"]
        if self.last_seq is None:  # at first, what came before the first ack counts too
            self.last_seq = min([base, *(meta["seq"] - 1 for *_, meta in self._held)])
        after = self.last_seq
        ack = self._ask("resume", {"after": after})
        if ack.get("error") == TOO_OLD:
            self.last_seq = base
            if self._on_reset:
                self._on_reset(after, ack.get("oldest"))
            ack = self._ask("resume", {"after": base})
        if not ack["ok"]:
            raise Lost(ack["error"])
        for event in sorted(self._held, key=lambda event: event[2]["seq"]):
            self._deliver(*event)
        self.last_seq = max(self.last_seq, ack["seq"])
        return {"seq": self.last_seq, "denied": denied}

    def _ask(self, event, *payload):
        while True:
            try:
                self.socket.emit(event, payload or None, callback=self._answered)
            except socketio.exceptions.SocketIOError as error:
                raise Lost(str(error)) from None
            ack = self._next("ack")
            if not str(ack.get("error", "")).startswith(PASSING):
                return ack
            self._closed.wait(self._retry)

    def _answered(self, ack=None):
        self._inbox.put(("ack", ack or {"ok": False, "error": "no answer"}))

    def _next(self, kind):
        """Wait for an event, or for an ack and hold events meanwhile; raises `Lost`."""
        while True:
            try:
                what, said = self._inbox.get(timeout=PATIENCE)
            except queue.Empty:
                if kind == "ack" or self.socket.eio.state != "connected":
                    raise Lost("no answer") from None
                continue
            if what == "lost":
                raise Lost(said)
            if what == "event":
                event, payload, meta = (*said, None, None)[:3]
                numbered = isinstance(meta, dict) and "seq" in meta
                if not numbered and self._on_event:
                    self._on_event(event, payload, None)
                elif numbered and kind == "ack":
                    self._held.append((event, payload, meta))
                    continue
                said = event, payload, meta
            if what == kind and (kind == "ack" or said[2]):
                return said

    def _deliver(self, event, payload, meta):
        if meta["seq"] > self.last_seq:  # else it was heard before
            self.last_seq = meta["seq"]
            if self._on_event:
                self._on_event(event, payload, meta)


def _door(room):
    if room.startswith(STATION):
        return "join_station_room", {"stationId": room.removeprefix(STATION)}
    return (f"join_{room}",)


def main():
    """Print events as JSON lines; states go to the standard error."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--after", type=int, help="the last seq seen before")
    parser.add_argument("--retry", type=float, default=1.0, help="seconds")
    parser.add_argument("url")
    parser.add_argument("token")
    parser.add_argument("rooms", nargs="*", metavar="room")
    given = parser.parse_args()

    def say(**line):
        print(json.dumps(line, ensure_ascii=False), flush=True)

    def state(name, detail):
        print(name, json.dumps(detail, ensure_ascii=False), file=sys.stderr, flush=True)

    live = Live(
        given.url, given.token, rooms=given.rooms, after=given.after,
        retry=given.retry, on_state=state,
        on_event=lambda event, data, meta: say(event=event, data=data, **(meta or {})),
        on_reset=lambda after, oldest: say(reset={"after": after, "oldest": oldest}),
    )  # fmt: skip
    try:
        live.run()
    except Refused:
        sys.exit(1)
    except KeyboardInterrupt:
        live.close()


if __name__ == "__main__":
    main()
