"""Each program that a test starts has a port of its own, also across test processes."""

import os
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import ports


def test_port_is_reserved_although_nothing_listens_yet():
    mine = {ports.free_port() for _ in range(20)}
    assert len(mine) == 20
    # another process tries the same ports first
    script = f"""
import ports
ports.PORTS = {sorted(mine)} + list(range(30_000, 30_100))
ports.random.SystemRandom.shuffle = lambda self, candidates: None
print(ports.free_port())
"""
    other = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(other.stdout) not in mine


def test_port_that_is_listened_at_is_not_chosen(monkeypatch):
    taken, free = ports.free_port(), ports.free_port()
    for lock in (ports._reserved.pop(), ports._reserved.pop()):
        os.close(lock)
    monkeypatch.setattr(ports, "PORTS", [taken, free])
    with socket.create_server(("127.0.0.1", taken)):
        assert ports.free_port() == free


def test_network_that_is_cut_keeps_its_port_from_outgoing_connections(network):
    port = urlsplit(network.url).port
    network.cut()
    assert port in ports.PORTS
    network.restore()
    socket.create_connection(("127.0.0.1", port)).close()
