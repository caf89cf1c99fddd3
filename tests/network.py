"""A network between clients and the service that can be cut off and mended."""

import socket
from urllib.parse import urlsplit

import gevent


class Network:
    """Passes connections on to a service, from an address of its own."""

    def __init__(self, url):
        self._service = (urlsplit(url).hostname, urlsplit(url).port)
        self._listener, self._lines, self._port = None, [], 0
        self.mend()
        self.url = f"http://127.0.0.1:{self._port}"

    def mend(self):
        """Accept connections (again), at the same address."""
        self._listener = socket.create_server(("127.0.0.1", self._port), backlog=128)
        self._port = self._listener.getsockname()[1]
        gevent.spawn(self._accept, self._listener)

    def cut(self):
        """Drop every connection, and refuse new ones."""
        if self._listener:
            self._listener.close()
            self._listener = None
        self.drop()

    def drop(self):
        """Drop every connection as it stands, whatever is under way in it."""
        lines, self._lines = self._lines, []
        for end in lines:
            _end(end)

    def _accept(self, listener):
        while listener is self._listener:
            try:
                near, _ = listener.accept()
                far = socket.create_connection(self._service)
            except OSError:
                return  # cut
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if listener is not self._listener:
                _end(near)
                _end(far)
                return
            self._lines += [near, far]
            gevent.spawn(_pass_on, near, far)
            gevent.spawn(_pass_on, far, near)


def _pass_on(one, other):
    try:
        while said := one.recv(65536):
            other.sendall(said)
    except OSError:
        pass  # one of the ends is gone
    finally:
        for end in (one, other):
            _end(end)


def _end(line):
    try:
        line.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # its other end was faster
    line.close()
