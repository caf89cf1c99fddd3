"""gunicorn's gevent worker, made to stop at once when nobody is being served.

The stock one waits for every open connection, and counts idle keep-alive ones and
websockets as busy: clients would hang until the graceful timeout at each restart.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gevent
from gunicorn.http.errors import NoMoreData
from gunicorn.workers.ggevent import GeventWorker


class Worker(GeventWorker):
    """A gevent worker that hangs up on idle connections and on sockets when it stops."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.idle: set[gevent.Greenlet] = set()
        self.quitting = False

    @contextmanager
    def timeout_ctx(self) -> Iterator[None]:
        """Wait for the next request of a kept-alive connection, marked as idle."""
        me = gevent.getcurrent()
        self.idle.add(me)
        try:
            with super().timeout_ctx():
                yield
        finally:
            self.idle.discard(me)

    def run(self) -> None:
        """Serve; a second greenlet watches for the order to stop."""
        gevent.spawn(self._hang_up_when_told)
        super().run()
        publisher = self._part("publisher")
        if publisher:  # what the last requests have changed; else the sweep finds it
            publisher.flush()

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Leave at once. Ctrl-C comes twice: from the terminal and from the master."""
        if not self.quitting:
            self.quitting = True
            super().handle_quit(sig, frame)

    def _hang_up_when_told(self) -> None:
        while self.alive:
            gevent.sleep(0.05)
        walker = self._part("walker")
        if walker:
            walker.end()  # streams of events end, and their clients ask again
        while True:  # until the listening sockets are closed, some come back
            for sock in self._live_sockets():
                # without a goodbye: after one, Python's client would not come back
                sock.close(wait=False, abort=True)
            gevent.get_hub().loop.run_callback(self._hang_up_on_idle)
            gevent.sleep(0.2)

    def _hang_up_on_idle(self) -> None:
        """Run by the hub: nobody gets a request between the look and the throw."""
        for greenlet in list(self.idle):
            if greenlet in self.idle:
                greenlet.throw(NoMoreData())

    def _part(self, name: str) -> Any:
        return getattr(self.wsgi, "extensions", {}).get(name)

    def _live_sockets(self) -> list[Any]:
        """The engine.io sockets of the application, which reconnect by themselves."""
        socketio = self._part("socketio")
        server = getattr(socketio, "server", None)
        return list(server.eio.sockets.values()) if server else []
