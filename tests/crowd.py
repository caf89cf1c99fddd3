"""Many at once: twenty clients whose requests go out in the same moment."""

import gevent

from clients import Api
from glassflow.services import identity

CLIENTS = 20
ROUNDS = 20


def gather(server, workshop, slug="worker", count=CLIENTS):
    """Clients of as many different workers."""
    workers = [workshop.worker_with(slug) for _ in range(count)]
    return [Api(server, identity.issue(one.pk), one) for one in workers]


def at_once(calls):
    """Make calls at the same time, and give their answers in the same order."""
    running = [gevent.spawn(call) for call in calls]
    gevent.joinall(running, raise_error=True)
    return [one.value for one in running]


def settled(call, tries=20):
    """Repeat a call that only lost the patience of a crowd, as clients do."""
    for _ in range(tries):
        answer = call()
        if not (answer.status == 409 and answer.errors is None):
            return answer
    return answer
