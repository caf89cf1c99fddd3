"""Live events of a glassflow service: in order and each exactly once, also after a lost
connection. Needs python-socketio and websocket-client; works with threads and gevent.

As a program it prints one JSON line for each event (see clients/README.md):

    python glassflow_client.py [--after SEQ] [--retry S] URL TOKEN ROOM...
"""

import argparse
import json
import queue
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

import engineio
import socketio

PATH = "/api/socket-entry"
# Handshake errors that are final: the same token would be refused again.
FINAL_ERRORS = ("Not authenticated", "Invalid or expired token")
# Acknowledgements with these errors are temporary: the request is repeated.
TEMPORARY_ERRORS = ("Internal server error", "Service unavailable", "Too many")
TOO_OLD = "Event log starts later"
STATION_PREFIX = "station:"
CONNECT_TIMEOUT_S = 10
ACK_TIMEOUT_S = 30

Meta = dict[str, Any]
NumberedEvent = tuple[str, Any, Meta]  # event, payload, {id, seq, at}


class Refused(Exception):
    """The service does not accept the token; the message is its reason."""


class Lost(Exception):
    """The connection ended; the message is the reason."""


class _OrderedEngine(engineio.Client):
    """Handles each message in the reading thread: the library starts a thread for each
    message, and these threads can overtake each other."""

    def _trigger_event(self, event, *args, run_async=False, **options):
        return super()._trigger_event(event, *args, run_async=False, **options)

    def disconnect(self, abort=False, reason=None):
        # Not waiting for the reading thread: the library waits in two threads for the
        # server's last frame, and the one that does not get it waits for 45 seconds.
        super().disconnect(abort=True, reason=reason)

    def _reset(self):
        if self.ws:
            self.ws.shutdown()  # the library leaks it if the server closes it
        super()._reset()


class Socket(socketio.Client):
    """python-socketio's client, which handles messages in their order.

    It waits `timeout_s` for a connection (the library one second, too little for a busy
    service), and connects by websocket by default."""

    def __init__(self, *, timeout_s: float = CONNECT_TIMEOUT_S, **options: Any) -> None:
        super().__init__(request_timeout=timeout_s, handle_sigint=False, **options)
        self._defaults = {
            "socketio_path": PATH,
            "transports": ["websocket"],
            "wait_timeout": timeout_s,
        }

    def connect(self, url: str, **options: Any) -> None:
        super().connect(url, **(self._defaults | options))

    def _engineio_client_class(self):
        return _OrderedEngine

    def _handle_disconnect(self, namespace):
        # It joins the reading thread, so it must not run in that thread.
        self.start_background_task(super()._handle_disconnect, namespace)


class Live:
    """Joins rooms and receives their events in the order of their numbers.

    `token` is the token of a login, or a function that returns it; `rooms` are names
    such as "dashboard", "pane" or "station:<id>", `stations` ids of stations whose rooms
    are joined as well; `after` is the `last_seq` of an earlier run. `retry` and
    `retry_max` are the first and the longest delay before a new try, in seconds.
    `run` calls all callbacks, one after the other:

    - `on_event(event, payload, meta)`: meta is {id, seq, at}; None for an event that is
      sent to this client only and is not in the event log;
    - `on_reset(after, oldest)`: the missed events are no longer stored; fetch again;
    - `on_state(state, detail)`: "joining", "live" (detail: seq, and the denied rooms with
      their errors), "offline" (it reconnects by itself), "refused" or "closed".
    """

    def __init__(
        self,
        url: str,
        token: str | Callable[[], str],
        *,
        rooms: Iterable[str] = (),
        stations: Iterable[str] = (),
        after: int | None = None,
        on_event: Callable[[str, Any, Meta | None], Any] | None = None,
        on_reset: Callable[[int, int | None], Any] | None = None,
        on_state: Callable[[str, dict[str, Any]], Any] | None = None,
        retry: float = 1.0,
        retry_max: float = 5.0,
    ) -> None:
        self.url, self.token = url, token
        station_rooms = (f"{STATION_PREFIX}{station}" for station in stations)
        self.rooms = dict.fromkeys([*rooms, *station_rooms])
        self.last_seq = after
        self._on_event, self._on_reset, self._on_state = on_event, on_reset, on_state
        self._retry, self._retry_max = retry, retry_max
        self._closed = threading.Event()
        self.socket: Socket | None = None  # the present one, to emit with

    def run(self) -> None:
        """Receive events until `close` is called; raises `Refused`."""
        delay = self._retry
        while not self._closed.is_set():
            try:
                self._connect()
                self._set_state("live", **self._catch_up())
                delay = self._retry
                while True:
                    self._deliver(*self._next("event"))
            except Refused as refusal:
                self._set_state("refused", reason=str(refusal))
                raise
            except Lost as loss:
                if not self._closed.is_set():
                    self._set_state("offline", reason=str(loss))
            finally:
                self.socket.disconnect()
            self._closed.wait(delay)
            delay = min(2 * delay, self._retry_max)
        self._set_state("closed")

    def close(self) -> None:
        """Make `run` return; may be called from any thread."""
        self._closed.set()
        if self.socket:
            self.socket.disconnect()
            self._inbox.put(("lost", "closed"))

    def _set_state(self, state: str, **detail: Any) -> None:
        if self._on_state:
            self._on_state(state, detail)

    def _connect(self) -> None:
        inbox = self._inbox = queue.Queue()  # what this connection receives, in order
        self._held: list[NumberedEvent] = []  # events before the missed ones
        self._replay_end = -1  # events up to it arrive by `resume` only, in their order
        errors: list[Any] = []
        self.socket = Socket(reconnection=False)
        self.socket.on("*", lambda *event: inbox.put(("event", event)))
        self.socket.on("disconnect", lambda reason="": inbox.put(("lost", reason)))
        self.socket.on("connect_error", errors.append)
        token = self.token() if callable(self.token) else self.token
        try:
            self.socket.connect(self.url, auth={"token": token})
        except socketio.exceptions.ConnectionError as error:
            cause = errors[-1] if errors else str(error)
            reason = cause.get("message") if isinstance(cause, dict) else str(cause)
            raise (Refused if reason in FINAL_ERRORS else Lost)(reason) from None

    def _catch_up(self) -> dict[str, Any]:
        """Join the rooms and fetch the missed events; returns the detail of "live"."""
        self._set_state("joining")
        denied, base = {}, None  # the `seq` of the first join; all joins are after it
        for room in list(self.rooms):
            ack = self._request(*_join_event(room))
            if not ack["ok"]:
                denied[room] = ack["error"]
            elif base is None:
                base = ack["seq"]
        if base is None:
            base = self._request("join_me")["seq"]
        if self.last_seq is None:  # first run: events before the first ack are new
            self.last_seq = min([base, *(meta["seq"] - 1 for *_, meta in self._held)])
        # All live events up to `base` arrived before the ack of the join that returned it.
        self._replay_end = base
        ack = self._resume(base)
        for event in sorted(self._held, key=lambda event: event[2]["seq"]):
            self._deliver(*event)
        self.last_seq = max(self.last_seq, ack["seq"])
        return {"seq": self.last_seq, "denied": denied}

    def _resume(self, base: int) -> dict[str, Any]:
        """Request the missed events; from `base` on if older ones are not stored."""
        after = self.last_seq
        ack = self._request("resume", {"after": after})
        if ack.get("error") == TOO_OLD:
            self.last_seq = base
            if self._on_reset:
                self._on_reset(after, ack.get("oldest"))
            ack = self._request("resume", {"after": base})
        if not ack["ok"]:
            raise Lost(ack["error"])
        return ack

    def _request(self, event: str, *payload: Any) -> dict[str, Any]:
        """Emit until the ack is no temporary error; raises `Lost`."""
        while True:
            try:
                self.socket.emit(event, payload or None, callback=self._on_ack)
            except socketio.exceptions.SocketIOError as error:
                raise Lost(str(error)) from None
            ack = self._next("ack")
            if not str(ack.get("error", "")).startswith(TEMPORARY_ERRORS):
                return ack
            self._closed.wait(self._retry)

    def _on_ack(self, ack: dict[str, Any] | None = None) -> None:
        self._inbox.put(("ack", ack or {"ok": False, "error": "no answer"}))

    def _next(self, kind: str) -> Any:
        """Wait for a numbered event or an ack ("event", "ack"); raises `Lost`.

        While it waits for an ack, numbered events are held, but for replayed ones, which
        are delivered, so that a connection lost during a long replay costs no progress.
        """
        while True:
            try:
                received, value = self._inbox.get(timeout=ACK_TIMEOUT_S)
            except queue.Empty:
                if kind == "ack" or self.socket.eio.state != "connected":
                    raise Lost("no answer") from None
                continue
            if received == "lost":
                raise Lost(value)
            if received == "ack":
                if kind == "ack":
                    return value
                continue
            event, payload, meta = (*value, None, None)[:3]
            if not (isinstance(meta, dict) and "seq" in meta):
                if self._on_event:
                    self._on_event(event, payload, None)
            elif kind == "ack" and meta["seq"] > self._replay_end:
                self._held.append((event, payload, meta))
            elif kind == "ack":
                self._deliver(event, payload, meta)
            else:
                return event, payload, meta

    def _deliver(self, event: str, payload: Any, meta: Meta) -> None:
        if meta["seq"] > self.last_seq:  # else it is a duplicate
            self.last_seq = meta["seq"]
            if self._on_event:
                self._on_event(event, payload, meta)


def _join_event(room: str) -> tuple[Any, ...]:
    if room.startswith(STATION_PREFIX):
        return "join_station_room", {"stationId": room.removeprefix(STATION_PREFIX)}
    return (f"join_{room}",)


def main() -> None:
    """Print events as JSON lines; states go to standard error."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--after", type=int, help="the last seq received before")
    parser.add_argument("--retry", type=float, default=1.0, help="seconds")
    parser.add_argument("url")
    parser.add_argument("token")
    parser.add_argument("rooms", nargs="*", metavar="room")
    options = parser.parse_args()

    def print_line(**line: Any) -> None:
        print(json.dumps(line, ensure_ascii=False), flush=True)

    def print_event(event: str, payload: Any, meta: Meta | None) -> None:
        print_line(event=event, data=payload, **(meta or {}))

    def print_state(name: str, detail: dict[str, Any]) -> None:
        print(name, json.dumps(detail, ensure_ascii=False), file=sys.stderr, flush=True)

    live = Live(
        options.url,
        options.token,
        rooms=options.rooms,
        after=options.after,
        retry=options.retry,
        on_event=print_event,
        on_state=print_state,
        on_reset=lambda after, oldest: print_line(
            reset={"after": after, "oldest": oldest}
        ),
    )
    try:
        live.run()
    except Refused:
        sys.exit(1)
    except KeyboardInterrupt:
        live.close()


if __name__ == "__main__":
    main()
