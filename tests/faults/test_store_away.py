"""The store is down or hangs: requests get 503 in time; the service recovers itself.

What was refused is sent again with its `Idempotency-Key` until it is stored, once. The
history has all of it, and a webhook gets its events in order.
"""

import os
import signal
import threading
import time
import uuid

import pytest
import requests

from demo.workshop import demo_passwords
from glassflow.core.process import deadlines
from history_replay import replay_history_of
from sizes import size
from suspended import suspended
from waiting import REQUEST_TIMEOUT_S, START_TIMEOUT_S, STOP_TIMEOUT_S, wait_until

ANSWER_LIMIT_S = 5.0
OUTAGE_TIMEOUT_S = 120.0
KILLS = size(3, long=8)
CLIENTS = 12
CUSTOMERS, MATERIALS = "/api/customers", "/api/materials"
SUCCESS = {200, 201}

pytestmark = [
    pytest.mark.long,
    pytest.mark.slow,
    pytest.mark.embedded_store,
    pytest.mark.timeout(400),
]


class Clients:
    """Threads that write and read continuously and record the result of each request.

    The first one writes materials, which have events, the others customers. Each write is
    sent again with its key until it is stored.
    """

    def __init__(self, service):
        self.url = service.url
        token = service.login(username="admin", password=demo_passwords()["admin"])
        self.headers = {"Authorization": f"Bearer {token}"}
        self.stored, self.unconfirmed = set(), set()
        self.answers = []  # client, time of the request, status, envelope
        self.stopped = threading.Event()
        self.threads = [
            threading.Thread(target=self._run, args=(n,), daemon=True)
            for n in range(CLIENTS)
        ]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        for thread in self.threads:
            thread.join(STOP_TIMEOUT_S)

    def _run(self, n):
        with requests.Session() as session:
            session.headers.update(self.headers)
            serial = 0
            while not self.stopped.is_set():
                serial += 1
                self._store(n, session, f"ลูกค้า {n}-{serial}")
                if serial % 4 == 0:
                    self._send(n, session, "GET", None)

    def _store(self, n, session, name):
        """Create a record, sent again until that is confirmed."""
        body = {"name": name} | ({} if n else {"unit": "kg", "reorderPoint": 0})
        key = {"Idempotency-Key": str(uuid.uuid4())}
        while not self.stopped.is_set():
            if self._send(n, session, "POST", body, key) == 201:
                self.stored.add(name)
                return
            self.unconfirmed.add(name)

    def _send(self, n, session, method, body, headers=None):
        begin = time.monotonic()
        try:
            answer = session.request(
                method,
                f"{self.url}{CUSTOMERS if n else MATERIALS}",
                json=body,
                headers=headers,
                timeout=REQUEST_TIMEOUT_S,
            )
            status, envelope = answer.status_code, answer.json()
        except (requests.RequestException, ValueError) as error:
            status, envelope = 0, {"message": repr(error)}
        self.answers.append((n, begin, status, envelope))
        return status

    def refused(self):
        return [answer for answer in self.answers if answer[2] not in SUCCESS]

    def wait_for_refusals(self, count):
        """Wait until every client has been refused `count` more times."""
        begin = len(self.answers)

        def fewest():
            refused = [n for n, _, status, _ in self.answers[begin:] if status == 503]
            return min(refused.count(n) for n in range(CLIENTS))

        wait_until(lambda: fewest() >= count, OUTAGE_TIMEOUT_S, self._describe)

    def wait_until_served(self):
        """Wait until every client has succeeded since the last refusal of any."""
        begin = time.monotonic()

        def all_served():
            last = begin
            served = set()
            for n, requested_at, status, _ in list(self.answers):
                if requested_at > begin and status not in SUCCESS:
                    last, served = requested_at, set()
                elif requested_at > last:
                    served.add(n)
            return len(served) == CLIENTS

        wait_until(all_served, OUTAGE_TIMEOUT_S, self._describe)

    def _describe(self):
        return f"the last answers: {self.answers[-3:]}"

    def own(self, path):
        """The names and ids of the records that the clients have created, in order."""
        sent, rows, page, pages = self.stored | self.unconfirmed, [], 1, 1
        while page <= pages:
            answer = requests.get(
                f"{self.url}{path}",
                params={"limit": 100, "page": page, "sort": "createdAt"},
                headers=self.headers,
                timeout=REQUEST_TIMEOUT_S,
            ).json()
            rows += [(row["name"], row["_id"]) for row in answer["data"]]
            pages, page = answer["pagination"]["totalPages"], page + 1
        return [row for row in rows if row[0] in sent]


def wait_for_changes(clients, count=CLIENTS):
    """Wait until `count` more changes are stored."""
    target = len(clients.stored) + count
    wait_until(lambda: len(clients.stored) >= target, OUTAGE_TIMEOUT_S)


def kill_repeatedly(service, clients):
    """Kill the store during its commits; the launcher starts another each time."""
    for _ in range(KILLS):
        old = service.store
        os.kill(old.pid, signal.SIGKILL)
        wait_until(lambda old=old: service.store not in (old, None), START_TIMEOUT_S)
        wait_for_changes(clients)


def kill_and_keep_down(service, clients):
    """Kill the store while its launcher cannot start another."""
    with suspended(service.process.pid):
        os.kill(service.store.pid, signal.SIGKILL)
        clients.wait_for_refusals(2)


def suspend(service, clients):
    """Suspend the store, so that it does not respond."""
    with suspended(service.store.pid):
        clients.wait_for_refusals(2)


def test_request_limits_leave_time_for_the_answer(production_deadlines):
    limits = (
        deadlines.REQUEST_TIMEOUT_S + deadlines.ABORT_GRACE_S,
        deadlines.STORE_SELECTION_TIMEOUT_MS / 1000,
        deadlines.UNIT_OF_WORK_TIMEOUT_S,
        deadlines.COUNTER_TIMEOUT_S,
    )
    assert max(limits) < ANSWER_LIMIT_S


@pytest.mark.parametrize("fault", [kill_repeatedly, kill_and_keep_down, suspend])
def test_requests_get_503_while_the_store_is_down_and_succeed_afterwards(
    service, receiver, fault, capsys
):
    """The outage ends after each client was refused twice, so no request waits for it."""
    hook = {"url": receiver.url, "events": ["material:updated"]}
    assert service.connect(service.login()).post("/api/webhooks", hook).data
    with Clients(service) as clients:
        wait_for_changes(clients)
        fault(service, clients)
        clients.wait_until_served()
    refused = clients.refused()
    materials = clients.own(MATERIALS)
    own = materials + clients.own(CUSTOMERS)
    names = [name for name, _ in own]
    with capsys.disabled():
        print(
            f"\n{fault.__name__}: {len(clients.answers)} requests, {len(refused)}"
            f" refused, {len(clients.stored)} acknowledged changes"
        )
    assert refused or fault is kill_repeatedly, "the store was never down"
    for _, _, status, envelope in refused:
        assert status == 503, f"{envelope}\n{service.output()[-6000:]}"
        assert envelope["success"] is False, envelope
        assert envelope["message"], envelope
    assert clients.stored
    assert clients.stored <= set(names)
    assert len(names) == len(set(names)), "something was stored twice"
    assert {id for _, id in own} <= replay_history_of(service)
    created = [name for name, _ in materials]
    wait_until(
        lambda: len(receiver.ids()) >= len(created), OUTAGE_TIMEOUT_S, receiver.describe
    )
    receiver.assert_in_order()
    assert list(dict.fromkeys(receiver.names())) == created
    assert len(receiver.ids()) == len(created)
