"""The real socket.io-client from Node, as the front end uses it, on each transport."""

import json
import shutil
import subprocess
from pathlib import Path

import gevent
import pytest

from screens import Joined
from wider import need

NODE = Path(__file__).parents[1] / "node"
PATIENCE = 10  # seconds


class NodeClient:
    """A Node process with one client; what it says is read line by line."""

    def __init__(self, url, token, transports):
        self.process = subprocess.Popen(
            ["node", "client.mjs", url, token, transports],
            cwd=NODE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def next(self, kind):
        """Give the next thing of a kind that happens; others are passed over."""
        with gevent.Timeout(PATIENCE):
            while True:
                line = self.process.stdout.readline()
                assert line, f"the client ended before any {kind}"
                what, *rest = json.loads(line)
                if what == kind:
                    return rest

    def do(self, *what):
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def call(self, event, *args):
        self.do("emit", event, *args)
        return self.next("ack")[1]

    def close(self):
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def node_client(server):
    need(shutil.which("node"), "node is not installed")
    need((NODE / "node_modules").is_dir(), "tests/node has no node_modules (npm ci)")
    opened = []

    def connect(token, transports):
        opened.append(NodeClient(server, token, transports))
        return opened[-1]

    yield connect
    for client in opened:
        client.close()


MATERIAL = {"name": "กระจกใส 6 มม.", "unit": "sheet", "reorderPoint": 1}


@pytest.mark.parametrize(
    ("transports", "first", "upgraded"),
    [
        ("websocket", "websocket", None),
        ("polling,websocket", "polling", "websocket"),
        ("polling", "polling", None),
    ],
)
def test_a_node_client_joins_and_hears(
    node_client, admin, workshop, transports, first, upgraded
):
    client = node_client(admin.token, transports)
    assert client.next("begun") == [first]
    if upgraded:  # before or after it is connected
        assert client.next("upgrade") == [upgraded]
    else:
        assert client.next("connect") == [first]
    assert client.call("join_me") == Joined(f"user:{admin.id}")
    assert client.call("join_inventory") == Joined("inventory")
    assert client.call("join_dashboard", None) == Joined("dashboard")
    missing = {"ok": False, "error": "stationId is required"}
    assert client.call("join_station_room", {}) == missing
    made = admin.post("/api/materials", MATERIAL).data
    event, said, meta = client.next("event")
    assert (event, said) == ("material:updated", {"action": "created", "data": made})
    assert set(meta) == {"id", "seq", "at"}
    station = str(workshop.station().pk)
    assert client.call("join-station", station)["room"] == f"station:{station}"
    client.do("emit", "mobile-scan", {"stationId": station})
    event, said, _ = client.next("event")
    assert (event, said["worker"]) == ("scan-confirmed", admin.worker.name)


def test_a_second_connect_from_a_browser_leaves_it_hearing(node_client, admin):
    client = node_client(admin.token, "websocket")
    client.next("connect")
    assert client.call("join_inventory")["ok"]
    client.do("connect")
    assert client.call("join_dashboard")["ok"]
    admin.post("/api/materials", MATERIAL)
    assert client.next("event")[0] == "material:updated"


def test_a_node_client_is_told_why_it_is_refused(node_client):
    refused = node_client("senseless", "websocket").next("connect_error")
    assert refused == ["Invalid or expired token"]


@pytest.mark.parametrize("transports", ["websocket", "polling,websocket", "polling"])
def test_a_node_client_may_say_much_at_once(node_client, admin, transports):
    client = node_client(admin.token, transports)
    client.next("begun")
    for serial in range(60):  # before it is connected: all of it goes out together
        client.do("emit", "join_station_room", f"s{serial}")
    for serial in range(60):
        ack = client.next("ack")[1]
        assert ack == Joined(f"station:s{serial}")
