"""Reaching one particular process of a service that has several on one port."""

import contextlib
import os
from pathlib import Path

from waiting import wait_until


def connection_to(service, token, pid):
    """Return a REST client with one kept-alive connection, which `pid` serves."""

    def connect():
        http = (api := service.connect(token)).http
        assert api.get("/api/health").status == 200
        return api, http.idle[0].sock.getsockname()[1]

    return _open_at(service, pid, connect)


def screen_at(service, token, pid):
    """Open a websocket client that the process `pid` serves."""

    def connect():
        screen = service.screen(token)
        return screen, screen.socket.eio.ws.sock.getsockname()[1]

    return _open_at(service, pid, connect)


def _open_at(service, pid, connect):
    """Connect until it is the process `pid` that has accepted: the kernel chooses."""

    def attempt():
        client, local_port = connect()
        if pid == _serving_process(service, local_port):
            return client
        client.close()
        return None

    return wait_until(attempt, describe=lambda: f"process {pid} takes no connections")


def _serving_process(service, client_port):
    """The worker that has the other end of a connection; None if it is closed."""
    inode = _socket_inode(service.port, client_port)
    for pid in service.workers if inode else ():
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                if os.readlink(entry) == f"socket:[{inode}]":
                    return pid
    return None


def _socket_inode(server_port, client_port):
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        local, remote = (int(fields[i].rpartition(":")[2], 16) for i in (1, 2))
        if (local, remote) == (server_port, client_port):
            return fields[9]
    return None
