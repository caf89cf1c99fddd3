"""A TCP proxy between clients and the service, to simulate network failures."""

import socket
from contextlib import suppress
from urllib.parse import urlsplit

from greenlets import spawn
from ports import free_port
from waiting import wait_until


class Network:
    """Forwards connections from its own address to a service."""

    def __init__(self, url):
        self._service = (urlsplit(url).hostname, urlsplit(url).port)
        self._listener, self._sockets = None, []
        self._port = free_port()  # that nothing else gets while the network is cut
        self.restore()
        self.url = f"http://127.0.0.1:{self._port}"

    def restore(self):
        """Accept connections (again), at the same address.

        The system may need a moment to release the port, after a cut a moment before.
        """
        wait_until(self._listens)
        spawn(self._accept, self._listener)

    def _listens(self):
        with suppress(OSError):
            address = ("127.0.0.1", self._port)
            self._listener = socket.create_server(address, backlog=128)
        return self._listener

    def cut(self):
        """Drop every connection and refuse new ones."""
        if self._listener:
            self._listener.close()
            self._listener = None
        self.drop()

    def drop(self):
        """Drop every connection, even in the middle of a message."""
        sockets, self._sockets = self._sockets, []
        for one in sockets:
            _close(one)

    def _accept(self, listener):
        while listener is self._listener:
            try:
                client, _ = listener.accept()
                service = socket.create_connection(self._service)
            except OSError:
                return  # the network is cut, or the service does not listen
            for end in (client, service):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if listener is not self._listener:
                _close(client)
                _close(service)
                return
            self._sockets += [client, service]
            spawn(_forward, client, service)
            spawn(_forward, service, client)


def _forward(source, target):
    try:
        while received := source.recv(65536):
            target.sendall(received)
    except OSError:
        pass  # one of the ends is closed
    finally:
        for end in (source, target):
            _close(end)


def _close(one):
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # the other end was closed first
    one.close()
