"""What a test starts ends with it."""

import gevent

import greenlets


def test_greenlets_that_still_run_are_ended():
    ended = greenlets.spawn(gevent.sleep, 0)
    running = [greenlets.spawn(gevent.sleep, 3600) for _ in range(2)]
    gevent.joinall([ended])
    assert greenlets.end_all() == 2
    assert all(one.dead for one in running)
    assert greenlets.end_all() == 0
