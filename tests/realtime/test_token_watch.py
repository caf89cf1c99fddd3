"""Each token is looked up once for all its connections, and checked again in time."""

import time
from types import SimpleNamespace

import gevent
import pytest
from bson import ObjectId
from gevent.event import Event
from pymongo.errors import ConnectionFailure

from glassflow.core.identity import Identity
from glassflow.domain.errors import TooManyConnections, Unauthenticated
from glassflow.realtime import token_watch
from glassflow.realtime.limits import Limits
from glassflow.realtime.token_watch import TokenWatch
from greenlets import spawn
from waiting import WAIT_TIMEOUT_S, wait_until

ROLE = ObjectId()


class Connection:
    def __init__(self):
        self.worker, self.refused = None, False

    def renew(self, worker):
        self.worker = worker

    def refuse(self):
        self.refused = True


class Accounts:
    """The workers behind tokens, in place of the store."""

    def __init__(self):
        self.lookups, self.error, self.entered = [], None, Event()
        self.released = Event()
        self.released.set()
        self.identities = {}

    def add(self, token, worker=None, *, expires_at=float("inf")):
        worker = worker or ObjectId()
        self.identities[token] = Identity(
            worker, "A", ROLE, frozenset({"a:view"}), token, expires_at
        )
        return worker

    def identify(self, token):
        self.lookups.append(token)
        found = self.identities.get(token)
        self.entered.set()
        assert self.released.wait(WAIT_TIMEOUT_S)
        if self.error:
            raise self.error
        if found is None:
            raise Unauthenticated("Invalid or expired token")
        return found


@pytest.fixture
def accounts(monkeypatch):
    made = Accounts()
    monkeypatch.setattr(token_watch, "identify", made.identify)
    monkeypatch.setattr(token_watch, "WATCH_INTERVAL_S", 0.01)
    return made


@pytest.fixture
def watch(app, accounts):
    made = TokenWatch(Limits(connections=50))
    yield made
    made.stop()


def open_one(watch, token):
    connection = Connection()
    connection.worker = watch.open(token, connection)
    return connection


def test_revoked_token_opens_no_further_connection_while_others_are_open(
    watch, accounts
):
    """The event log may not have reported it yet."""
    accounts.add("a")
    assert open_one(watch, "a").worker is accounts.identities["a"]
    accounts.identities.clear()
    with pytest.raises(Unauthenticated):
        open_one(watch, "a")


def test_connections_that_open_at_once_share_a_lookup(watch, accounts):
    accounts.add("a")
    accounts.released.clear()
    opening = [spawn(open_one, watch, "a") for _ in range(5)]
    assert accounts.entered.wait(WAIT_TIMEOUT_S)
    gevent.sleep(0)
    accounts.released.set()
    gevent.joinall(opening, raise_error=True)
    assert accounts.lookups == ["a"]


def test_connections_that_open_at_once_hear_of_the_same_failure(watch, accounts):
    accounts.released.clear()
    accounts.error = ConnectionFailure("away")
    opening = [spawn(open_one, watch, "a") for _ in range(3)]
    assert accounts.entered.wait(WAIT_TIMEOUT_S)
    gevent.sleep(0)
    accounts.released.set()
    gevent.joinall(opening)
    assert [type(one.exception) for one in opening] == [ConnectionFailure] * 3
    accounts.error = None
    accounts.add("a")
    assert open_one(watch, "a").worker


def test_lookup_that_is_cancelled_leaves_nobody_waiting(watch, accounts):
    accounts.add("a")
    accounts.released.clear()
    first = spawn(open_one, watch, "a")
    assert accounts.entered.wait(WAIT_TIMEOUT_S)
    second = spawn(open_one, watch, "a")
    gevent.sleep(0)
    first.kill()
    second.join(WAIT_TIMEOUT_S)
    assert isinstance(second.exception, ConnectionFailure)


def test_last_connection_of_a_token_that_closes_is_forgotten(watch, accounts):
    accounts.add("a")
    opened = [open_one(watch, "a") for _ in range(2)]
    for connection in opened * 2:  # a second time changes nothing
        watch.close("a", connection)
    assert (watch._tokens, watch._open) == ({}, {})


def test_connections_of_all_tokens_of_a_worker_are_counted_together(watch, accounts):
    worker = accounts.add("a")
    accounts.add("b", worker)
    accounts.add("other")
    opened = [open_one(watch, token) for token in "ab" * 25]
    for token in "ab":
        with pytest.raises(TooManyConnections):
            open_one(watch, token)
    open_one(watch, "other")
    watch.close("a", opened[0])
    open_one(watch, "b")


def test_refused_first_connection_of_a_token_leaves_nothing(watch, accounts):
    worker = accounts.add("a")
    accounts.add("b", worker)
    for _ in range(50):
        open_one(watch, "a")
    with pytest.raises(TooManyConnections):
        open_one(watch, "b")
    assert list(watch._tokens) == ["a"]


@pytest.mark.parametrize("kind", ["Worker", "Role"])
def test_changed_worker_or_role_renews_its_connections_only(watch, accounts, kind):
    worker = accounts.add("a")
    one, two = open_one(watch, "a"), open_one(watch, "a")
    accounts.add("a", worker, expires_at=10**12)
    accounts.lookups.clear()
    watch.recheck(kind, ObjectId())
    assert accounts.lookups == []
    watch.recheck(kind, worker if kind == "Worker" else ROLE)
    assert accounts.lookups == ["a"]
    assert one.worker is two.worker is accounts.identities["a"]


def test_connections_are_refused_once_their_token_is_not_accepted(watch, accounts):
    worker = accounts.add("a")
    connection = open_one(watch, "a")
    accounts.identities.clear()
    watch.recheck("Worker", worker)
    assert connection.refused


def test_connections_are_refused_once_their_token_expires(watch, accounts):
    accounts.add("a", expires_at=0)
    connection = open_one(watch, "a")
    wait_until(lambda: connection.refused)


def test_check_that_failed_is_repeated(watch, accounts):
    worker = accounts.add("a")
    connection = open_one(watch, "a")
    accounts.identities.clear()
    accounts.error = ConnectionFailure("away")
    watch.recheck("Worker", worker)
    wait_until(lambda: len(accounts.lookups) > 3)
    assert not connection.refused
    accounts.error = None
    wait_until(lambda: connection.refused)


def test_all_tokens_are_checked_after_events_were_missed(watch, accounts):
    opened = []
    for token in ("a", "b"):
        accounts.add(token)
        opened.append(open_one(watch, token))
    accounts.identities.clear()
    watch.recheck_all()
    wait_until(lambda: all(one.refused for one in opened))


def test_change_during_a_lookup_leads_to_another_one(watch, accounts):
    worker = accounts.add("a")
    accounts.released.clear()
    opening = spawn(open_one, watch, "a")
    assert accounts.entered.wait(WAIT_TIMEOUT_S)
    watch.recheck("Worker", worker)  # it concerns no open connection yet
    accounts.identities.clear()
    accounts.released.set()
    connection = opening.get()
    wait_until(lambda: connection.refused)


def test_tokens_are_checked_again_after_the_interval(watch, accounts, monkeypatch):
    accounts.add("a")
    connection = open_one(watch, "a")
    accounts.identities.clear()
    monkeypatch.setattr(token_watch, "RECHECK_INTERVAL_S", 0.0)
    wait_until(lambda: connection.refused)


def test_tokens_are_checked_again_together_with_those_that_are_due_soon(
    watch, accounts, monkeypatch
):
    for token in "abc":
        accounts.add(token)
        open_one(watch, token)
    watch.stop()
    accounts.lookups.clear()
    now = time.monotonic()
    ages = (
        1,
        1 - token_watch.RECHECK_TOGETHER_S / 2,
        1 - 2 * token_watch.RECHECK_TOGETHER_S,
    )
    for token, age in zip("abc", ages, strict=True):
        watch._tokens[token].checked = now - token_watch.RECHECK_INTERVAL_S - age
    watch._check_all()
    assert accounts.lookups == ["a", "b"]
    watch._check_all()
    assert accounts.lookups == ["a", "b"]


def test_new_connection_of_a_token_that_is_due_looks_it_up_for_all(watch, accounts):
    worker = accounts.add("a")
    connection = open_one(watch, "a")
    watch.stop()
    watch._tokens["a"].checked = token_watch.UNCHECKED
    accounts.add("a", worker, expires_at=10**12)
    open_one(watch, "a")
    assert accounts.lookups == ["a", "a"]
    assert connection.worker is accounts.identities["a"]


def test_first_checks_of_many_tokens_are_not_repeated_at_once(watch, accounts):
    for serial in range(200):
        accounts.add(str(serial))
        open_one(watch, str(serial))
    times = sorted(one.checked for one in watch._tokens.values())
    spread = times[-1] - times[0]
    assert spread > token_watch.RECHECK_INTERVAL_S / 2


def test_events_without_a_worker_or_role_check_nothing(watch, accounts):
    accounts.add("a")
    open_one(watch, "a")
    watch.on_recheck(SimpleNamespace(recheck=None))
    assert accounts.lookups == ["a"]
