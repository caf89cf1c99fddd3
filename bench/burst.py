"""Whether other requests wait while much happens at once.

Times `GET /api/health` and `GET /api/customers/{id}` during bursts of events, a request
with many panes, many event streams, and clients that resume. The health passes beside the
gate and reads nothing; the customer is a request as screens send them.
"""

from __future__ import annotations

import json
import selectors
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import NamedTuple

import pymongo
import requests

from bench.burst_rows import Row, faults, lines
from bench.fanout.client_process import PATH
from bench.fanout.servers import ClientProcess
from bench.health_probe import HealthProbe
from bench.processes import Service, running_service
from bench.section import Measured
from bench.websocket_client import WebsocketClient
from demo.client import Api


class Size(NamedTuple):
    """How much happens; `connections` is the limit of an account."""

    screens: int
    events: int
    bursts: int
    panes: int
    requests: int
    streams: int
    connections: int
    resumes: int


WHOLE = Size(
    screens=300,
    events=300,
    bursts=5,
    panes=500,
    requests=5,
    streams=600,
    connections=300,
    resumes=100,
)
QUICK = Size(
    screens=20,
    events=20,
    bursts=1,
    panes=20,
    requests=1,
    streams=40,
    connections=20,
    resumes=5,
)
NOTHING = "nothing"  # happens, for comparison
IDLE_S, SETTLE_S, RETRY_S = 5.0, 1.0, 1.0
DELIVERY_TIMEOUT_S = 120.0
OPENED_AT_ONCE = 50  # streams
RESUME = '421["resume",{"after":0}]'
EVENT_STREAM = {"Accept": "text/event-stream"}


class Bursts:
    """The bursts, on one service."""

    def __init__(self, service: Service, api: Api, size: Size) -> None:
        self._service = service
        self._size = size
        self._api = api
        self._headers = {"Authorization": f"Bearer {api.token}"}
        self._published = 0

    def idle(self) -> None:
        """Wait, for comparison."""
        time.sleep(IDLE_S)

    def events(self) -> None:
        """Let many screens receive many events, again and again."""
        size = self._size
        screens = ClientProcess()
        ports = [self._service.port]
        screens.call("open", ports=ports, count=size.screens, token=self._api.token)
        try:
            for _ in range(size.bursts):
                first = self.publish(size.events)
                expected = {"first": first, "times": size.events, "count": size.screens}
                answer = screens.call("wait", **expected, seconds=DELIVERY_TIMEOUT_S)
                received = sum(row[1] for row in answer["events"].values())
                assert received == size.events * size.screens, received
        finally:
            screens.kill()

    def publish(self, count: int) -> int:
        """Publish numbered events for everybody at once; return the first number."""
        first, self._published = self._published, self._published + count
        entries = [
            {
                "is": "Message",
                "event": "system_alert",
                "data": {"message": f"bench-{number}", "text": "x" * 500},
                "stations": [],
                "workers": [],
            }
            for number in range(first, first + count)
        ]
        with pymongo.MongoClient(self._service.store) as client:
            outbox = client["glassflow"]["outbox"]
            outbox.insert_many(
                {"at": datetime.now(UTC), "entries": [entry]} for entry in entries
            )
        return first

    def requests(self) -> None:
        """Create requests with many panes each; a slow machine may refuse some."""
        size = self._size
        customer = self._api.get("/api/customers", limit=1)[0]["_id"]
        station = self._api.get("/api/stations", limit=1)[0]["_id"]
        body = {
            "customer": customer,
            "details": {"type": "bench", "quantity": size.panes},
            "panes": [{"routing": [station]}] * size.panes,
        }
        url, headers = f"{self._service.url}/api/requests", self._headers
        for _ in range(size.requests):
            answer = requests.post(url, json=body, headers=headers, timeout=60)
            assert answer.status_code in (201, 503), answer.text

    def streams(self) -> None:
        """Open more streams than an account may have, many at once; publish events."""
        size = self._size
        with ThreadPoolExecutor(OPENED_AT_ONCE) as threads:
            opened = list(threads.map(self._open_stream, range(size.streams)))
        refused = sum(answer.status_code == 429 for answer in opened)
        assert refused == size.streams - size.connections, refused
        self.publish(size.events)
        time.sleep(IDLE_S)
        for answer in opened:
            answer.close()

    def _open_stream(self, _: int) -> requests.Response:
        url, headers = f"{self._service.url}/api/events", self._headers | EVENT_STREAM
        return requests.get(url, headers=headers, stream=True, timeout=60)

    def resumes(self) -> None:
        """Let many clients resume all events that the bursts before have published."""
        size = self._size
        with selectors.DefaultSelector() as selector:
            clients = [
                WebsocketClient(self._service.port, PATH) for _ in range(size.resumes)
            ]
            for client in clients:
                selector.register(client, selectors.EVENT_WRITE)
            left = set(clients)
            while left:
                for key, mask in selector.select():
                    client = key.fileobj
                    assert isinstance(client, WebsocketClient)
                    if mask & selectors.EVENT_WRITE:
                        client.request_upgrade()
                        selector.modify(client, selectors.EVENT_READ)
                    elif self._has_resumed(client):
                        left.discard(client)
            for client in clients:
                client.close()

    def _has_resumed(self, client: WebsocketClient) -> bool:
        for packet in client.read():
            if packet[:1] == b"0":
                client.send("40" + json.dumps({"token": self._api.token}))
            elif packet[:2] == b"40":
                client.send(RESUME)
            elif packet[:3] == b"431":
                if json.loads(packet[3:])[0]["ok"]:
                    return True
                time.sleep(RETRY_S)  # the store was too slow
                client.send(RESUME)
        return False


def measure(service: Service, size: Size) -> Iterator[Row]:
    """Yield what others felt during each burst; first while nothing happens."""
    api = service.admin()
    path = f"/api/customers/{api.get('/api/customers', limit=1)[0]['_id']}"
    bursts = Bursts(service, api, size)
    resumes, streams = f"{size.resumes} clients resume", f"{size.streams} event streams"
    rows: dict[str, Callable[[], None]] = {
        NOTHING: bursts.idle,
        f"{size.events} events for {size.screens} screens": bursts.events,
        f"requests of {size.panes} panes": bursts.requests,
        resumes: bursts.resumes,
        # the last one: closed streams count until the service has noticed
        f"{streams} of one account": bursts.streams,
    }
    for name, act in rows.items():
        time.sleep(SETTLE_S)
        with (
            HealthProbe(service.port) as health,
            HealthProbe(service.port, path, api.token) as customer,
        ):
            act()
        is_quiet = name.startswith((resumes, streams))
        yield Row(name, health.times, customer.times, customer.refused, is_quiet)


def section(quick: bool) -> Measured:
    """Measure all bursts on one service."""
    size = QUICK if quick else WHOLE
    with running_service({"SOCKETS_PER_WORKER": size.connections}) as service:
        rows = list(measure(service, size))
    return Measured(list(lines(rows)), faults=list(faults(rows)))
