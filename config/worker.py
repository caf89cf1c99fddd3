"""gunicorn's gevent worker, which closes idle connections as soon as it has to stop.

The stock worker waits for every open connection, idle keep-alive connections and
websockets included: clients would hang until the graceful timeout at each restart. And
it answers requests that it cannot parse in HTML, where clients expect the envelope.
"""

import gc
import json
import ssl
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gevent
from gunicorn import util
from gunicorn.http.errors import NoMoreData
from gunicorn.workers.ggevent import GeventWorker

from glassflow.host.common_headers import COMMON_HEADERS
from glassflow.host.tls_files import TlsFiles

STOP_POLL_S = 0.05
QUIT_GRACE_S = 0.1  # what a request gets at SIGINT, as in the stock worker
CLOSE_INTERVAL_S = 0.2
TLS_HANDSHAKE_TIMEOUT_S = 10
# How long a thread that computes may go on while the event loop waits for the interpreter.
# A request asks for it again after each call to the system, so ten such times are added to
# it; with Python's own 5 ms, 50 ms.
THREAD_SWITCH_S = 0.0005
# Before what is new is searched for garbage, as many more objects have to be created than
# deleted. With Python's 700, requests that wait at the gate are searched again and again.
GC_THRESHOLD = 10_000
# The messages of what never reaches the application, by status; else gunicorn's own.
MESSAGES = {
    400: "Malformed request",
    414: "Request line too long",
    431: "Request headers too large",
    500: "Internal server error",
}


class EnvelopeSocket:
    """Sends the envelope to a client in place of gunicorn's HTML page."""

    def __init__(self, client: Any, request_id: str, *, any_origin: bool) -> None:
        self._client = client
        self._request_id = request_id
        self._any_origin = any_origin

    def gettimeout(self) -> float:
        """Say that nothing here blocks: gunicorn then does not change it."""
        return 0.0

    def sendall(self, page: bytes) -> None:
        """Replace all of the page but its status line."""
        status_line = page.partition(b"\r\n")[0].decode("latin-1")
        _, status, reason = status_line.split(" ", 2)
        message = MESSAGES.get(int(status), reason)
        body = json.dumps({"success": False, "message": message})
        lines = [
            status_line,
            "Connection: close",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            f"X-Request-ID: {self._request_id}",
            *(f"{name}: {value}" for name, value in COMMON_HEADERS.items()),
        ]
        if self._any_origin:
            lines.append("Access-Control-Allow-Origin: *")
        answer = "\r\n".join([*lines, "", body])
        util.write_nonblock(self._client, answer.encode("latin-1"))


class Worker(GeventWorker):  # type: ignore[misc]  # gunicorn has no types
    """A gevent worker that closes idle connections and sockets when it stops.

    The connections to the port `https_port` (0: none) are encrypted. gunicorn itself has
    either all its ports encrypted or none.
    """

    https_port = 0
    tls_files: TlsFiles

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.idle: set[gevent.Greenlet] = set()
        self.quitting = False
        self.serving = True

    @contextmanager
    def timeout_ctx(self) -> Iterator[None]:
        """Wait for the next request of a keep-alive connection, marked as idle."""
        current = gevent.getcurrent()
        with super().timeout_ctx():
            self.idle.add(current)
            try:
                yield
            finally:
                self.idle.discard(current)

    def run(self) -> None:
        """Serve until stopped; a second greenlet closes connections then.

        The application is asked first whether it may serve: its `begin` may raise
        `SystemExit`.
        """
        self._call("begin")
        _shorten_pauses()
        gevent.spawn(self._close_when_stopped)
        gevent.spawn(self._call, "warm_up")  # what its first requests would wait for
        self.tls = self.tls_files.server_context() if self.https_port else None
        try:
            super().run()
        finally:
            self.serving = False
        realtime = self._realtime()
        if realtime:  # publishes what the last requests changed; else the sweep does
            realtime.stop()
        self._call("end")
        self._call("end_transactions")

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Serve a connection, after the handshake where it is encrypted."""
        if self.tls and listener.getsockname()[1] == self.https_port:
            try:
                with gevent.Timeout(TLS_HANDSHAKE_TIMEOUT_S, TimeoutError("handshake")):
                    client = self.tls.wrap_socket(client, server_side=True)
            except OSError as error:
                # a device that does not trust the certificate, for example
                self.log.debug("no TLS connection with %s: %s", addr, error)
                client.close()
                return
        super().handle(listener, client, addr)

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Stop at once. Ctrl-C arrives twice: from the terminal and from the master."""
        if not self.quitting:
            self.quitting = True
            gevent.spawn(self._quit)  # a signal handler must not block

    def handle_error(
        self, req: Any, client: Any, addr: Any, exc: BaseException
    ) -> None:
        """Answer what does not reach the application, in the envelope."""
        request_id = uuid.uuid4().hex
        self.log.warning("request %s is answered by gunicorn: %s", request_id, exc)
        origins = getattr(self.wsgi, "config", {}).get("CORS_ORIGINS", ())
        envelope = EnvelopeSocket(client, request_id, any_origin="*" in origins)
        super().handle_error(req, envelope, addr, exc)

    def handle_request(
        self, listener_name: Any, req: Any, sock: Any, addr: Any
    ) -> None:
        """Serve a request, whose scheme gunicorn knows only for its own TLS."""
        if isinstance(sock, ssl.SSLSocket):
            req.scheme = "https"
        super().handle_request(listener_name, req, sock, addr)

    def _quit(self) -> None:
        """End the process, unless it is ending: its exit must not be interrupted."""
        self.alive = False
        self.cfg.worker_int(self)
        gevent.sleep(QUIT_GRACE_S)
        if self.serving:
            self._call("end_transactions")
        if self.serving:
            sys.exit(0)

    def _close_when_stopped(self) -> None:
        while self.alive:
            gevent.sleep(STOP_POLL_S)
        realtime = self._realtime()
        if realtime:
            realtime.end_streams()
        while True:  # keep closing: clients reconnect until the listener is closed
            if realtime:
                realtime.close_sockets()
            gevent.get_hub().loop.run_callback(self._close_idle)
            gevent.sleep(CLOSE_INTERVAL_S)

    def _close_idle(self) -> None:
        """End idle connections; in the hub, so that no request arrives in between."""
        for greenlet in list(self.idle):
            if greenlet in self.idle:
                greenlet.throw(NoMoreData())

    def _call(self, name: str) -> None:
        """Call what the application has for a moment in the life of its process."""
        function = self._extension(name)
        if function:
            function()

    def _realtime(self) -> Any:
        """Return the application's `Realtime`; None for any other application."""
        return self._extension("realtime")

    def _extension(self, name: str) -> Any:
        return getattr(self.wsgi, "extensions", {}).get(name)


def _shorten_pauses() -> None:
    """Let neither threads nor the garbage collector keep the event loop waiting.

    What is loaded stays to the end. Searching all of it for garbage takes a tenth of a
    second, in which nobody is served, so the collector must not look at it again.
    """
    sys.setswitchinterval(THREAD_SWITCH_S)
    gc.set_threshold(GC_THRESHOLD, *gc.get_threshold()[1:])
    gc.collect()
    gc.freeze()
