"""Many at once: twenty clients whose requests go out in the same moment."""

import gevent
import pytest

from clients import Api
from glassflow import app
from glassflow.core import counters, unit_of_work
from glassflow.services import identity

CLIENTS = 20
ROUNDS = 20


def gather(server, workshop, slug="worker", count=CLIENTS):
    """Clients of as many different workers."""
    workers = [workshop.worker_with(slug) for _ in range(count)]
    return [Api(server, identity.issue(one.pk), one) for one in workers]


def at_once(calls):
    """Make calls at the same time, and give their answers in the same order.

    Meanwhile the application here has more patience than a real one, if less than the
    clients: who wins is to depend on the rules, not on what else the machine does. All
    have ended when the first error is raised: nobody is left in a transaction, at
    documents that the next test deletes.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unit_of_work, "PATIENCE", 12.0)
        patch.setattr(counters, "PATIENCE", 15.0)
        patch.setattr(app, "REQUEST_PATIENCE", 15.0)
        running = [gevent.spawn(call) for call in calls]
        gevent.joinall(running)
    return [one.get() for one in running]
