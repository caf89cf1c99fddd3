"""The socket.io-client of Node, with the options of the front end, on each transport."""

import json
import subprocess

import gevent
import pytest

from optional_tools import NODE_DIRECTORY, require_node
from screens import Joined
from waiting import WAIT_TIMEOUT_S


class NodeClient:
    """A Node process with one client; it reports each of its events as a JSON line."""

    def __init__(self, url, token, transports):
        self.process = subprocess.Popen(
            ["node", "client.mjs", url, token, transports],
            cwd=NODE_DIRECTORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def next(self, kind):
        """Return the next report of this kind; skip others."""
        with gevent.Timeout(WAIT_TIMEOUT_S):
            while True:
                line = self.process.stdout.readline()
                assert line, f"the client ended without a report of {kind}"
                reported, *rest = json.loads(line)
                if reported == kind:
                    return rest

    def send(self, *command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def call(self, event, *args):
        self.send("emit", event, *args)
        return self.next("ack")[1]

    def close(self):
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def node_client(server):
    require_node()
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
def test_node_client_joins_rooms_and_receives_events(
    node_client, admin, workshop, transports, first, upgraded
):
    client = node_client(admin.token, transports)
    assert client.next("created") == [first]
    if upgraded:  # may come before or after `connect`
        assert client.next("upgrade") == [upgraded]
    else:
        assert client.next("connect") == [first]
    assert client.call("join_me") == Joined(f"user:{admin.id}")
    assert client.call("join_inventory") == Joined("inventory")
    assert client.call("join_dashboard", None) == Joined("dashboard")
    missing = {"ok": False, "error": "stationId is required"}
    assert client.call("join_station_room", {}) == missing
    material = admin.post("/api/materials", MATERIAL).data
    event, payload, meta = client.next("event")
    change = {"action": "created", "data": material}
    assert (event, payload) == ("material:updated", change)
    assert set(meta) == {"id", "seq", "at"}
    station = str(workshop.station().pk)
    assert client.call("join-station", station)["room"] == f"station:{station}"
    client.send("emit", "mobile-scan", {"stationId": station})
    event, payload, _ = client.next("event")
    assert (event, payload["worker"]) == ("scan-confirmed", admin.worker.name)


def test_second_connect_packet_keeps_the_rooms(node_client, admin):
    client = node_client(admin.token, "websocket")
    client.next("connect")
    assert client.call("join_inventory")["ok"]
    client.send("connect")
    assert client.call("join_dashboard")["ok"]
    admin.post("/api/materials", MATERIAL)
    assert client.next("event")[0] == "material:updated"


def test_node_client_receives_the_reason_of_a_refusal(node_client):
    refused = node_client("invalid", "websocket").next("connect_error")
    assert refused == ["Invalid or expired token"]


@pytest.mark.parametrize("transports", ["websocket", "polling,websocket", "polling"])
def test_node_client_may_send_many_events_at_once(node_client, admin, transports):
    client = node_client(admin.token, transports)
    client.next("created")
    for serial in range(60):  # before it is connected, so that all are sent together
        client.send("emit", "join_station_room", f"s{serial}")
    for serial in range(60):
        ack = client.next("ack")[1]
        assert ack == Joined(f"station:s{serial}")
