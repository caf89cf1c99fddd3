"""Greenlets that tests start, and that end with the test that started them.

One that goes on would change records, or wait for locks, during the tests after it.
"""

import gevent

_running = []


def spawn(function, *arguments, **named):
    """Run a function in a greenlet until it returns or the test ends; return the greenlet."""
    greenlet = gevent.spawn(function, *arguments, **named)
    _running.append(greenlet)
    return greenlet


def end_all():
    """End the greenlets that still run; return how many there were."""
    left = [one for one in _running if not one.ready()]
    _running.clear()
    gevent.killall(left)
    return len(left)
