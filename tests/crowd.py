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
    """Make calls at the same time, and give their answers in the same order.

    All have ended when the first error is raised: nobody is left in a transaction, at
    documents that the next test deletes.
    """
    running = [gevent.spawn(call) for call in calls]
    gevent.joinall(running)
    return [one.get() for one in running]
