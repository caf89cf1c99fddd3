"""The application on a real port, in the test process: HTTP and websockets."""

import socket

from gevent.pywsgi import WSGIHandler, WSGIServer

from waiting import wait_until

#: Those that last as long as their clients like: sockets, and streams of events.
LASTING = "/api/socket-entry", "/api/events"
_in_progress = []


class Handler(WSGIHandler):
    """Passes its socket on to the websocket code, which gevent's own handler does not."""

    def get_environ(self):
        environ = super().get_environ()
        environ["werkzeug.socket"] = self.socket
        return environ

    def run_application(self):
        begun = self.requestline
        _in_progress.append(begun)
        try:
            super().run_application()
        except ConnectionError:
            # the websocket library ends a connection so: there is nothing to answer
            self.close_connection = True
        finally:
            _in_progress.remove(begun)


def await_requests(timeout_s):
    """Wait until no request is in progress; raise `AssertionError` with those that are.

    A client that a test has ended leaves its last request: it is carried out all the same.
    """

    def left():
        return [
            one for one in _in_progress if not one.split(" ")[1].startswith(LASTING)
        ]

    wait_until(lambda: not left(), timeout_s, describe=lambda: str(left()))


def serve(app):
    """Serve on a free loopback port; return the address and a function that stops it."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.setblocking(False)
    server = WSGIServer(listener, app, handler_class=Handler, log=None)
    server.start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}", lambda: server.stop(1)
