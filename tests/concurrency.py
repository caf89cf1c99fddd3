"""Concurrent requests: twenty clients that send at the same moment."""

import time
from collections import Counter

import gevent

from clients import Api
from glassflow.core.store import retry_queue
from glassflow.services.auth import identity
from greenlets import spawn
from sizes import size
from waiting import WAIT_TIMEOUT_S, wait_until

CLIENTS = 20
ROUNDS = size(3, long=20)
FEW_ROUNDS = size(2, long=10)  # of races that take longer


def create_clients(server, workshop, role="worker", count=CLIENTS):
    """Create clients of as many different workers."""
    workers = [workshop.worker_with(role) for _ in range(count)]
    return [Api(server, identity.issue(one.pk), one) for one in workers]


def run_concurrently(calls):
    """Run the calls at the same time and return their results in the same order.

    All have ended before the first error is raised: none is left in a transaction on
    documents that the next test deletes.
    """
    running = [spawn(call) for call in calls]
    gevent.joinall(running)
    return [one.get() for one in running]


def run_in_queue(document, calls):
    """Run the calls as `run_concurrently` does, from when all of them wait for a document.

    Otherwise one that has read before the commit of another, and reserves the document after
    its end, finds no queue and conflicts. The document is (collection's name, id as text).
    """
    with retry_queue.hold([document], time.monotonic() + WAIT_TIMEOUT_S):
        running = spawn(run_concurrently, calls)
        holders = len(calls) + 1
        wait_until(lambda: len(retry_queue._queues[document]) == holders)
    return running.get()


def successes(answers):
    """The answers that report a success."""
    return [one for one in answers if one.status in (200, 201)]


def count_refusals(answers):
    """Count the other answers by status and code."""
    return Counter(
        (one.status, (one.errors or {}).get("code"))
        for one in answers
        if one.status not in (200, 201)
    )
