"""Conditions under gevent: to notify does not run other greenlets."""

import threading

import gevent
import pytest

from greenlets import spawn


def test_notifying_a_condition_runs_no_other_greenlet():
    condition, ran = threading.Condition(threading.Lock()), []
    other = spawn(ran.append, True)
    with condition:
        condition.notify()
    assert not ran
    other.join()
    assert ran


def test_condition_still_refuses_to_notify_without_its_lock():
    with pytest.raises(RuntimeError):
        threading.Condition(threading.Lock()).notify()


def test_waiting_greenlet_is_notified():
    condition, seen = threading.Condition(threading.Lock()), []

    def wait():
        with condition:
            seen.append("waits")
            seen.append(condition.wait(timeout=30))

    waiting = spawn(wait)
    gevent.sleep(0)
    with condition:
        condition.notify()
    waiting.join()
    assert seen == ["waits", True]
