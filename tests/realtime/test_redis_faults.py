"""Redis slow, hung, killed and started again: nobody waits for it, nothing is missed."""

import statistics
import subprocess
import time
from contextlib import contextmanager

import gevent
import pytest
import requests

from several import LOGIN, Redis, Service, settings, units, wait

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]
BEFORE, DURING, AFTER = 60, 120, 30  # changes
PACE = 0.03  # seconds between two changes


@pytest.fixture(scope="module")
def redis(tmp_path_factory):
    running = Redis(tmp_path_factory.mktemp("redis")).start()
    yield running
    running.go_on()
    running.kill()


@pytest.fixture(scope="module")
def service(store, redis, tmp_path_factory):
    running = Service(
        tmp_path_factory.mktemp("faults"), **settings(store, redis, WORKERS=2)
    )
    yield running.start()
    running.stop()


@contextmanager
def hung(redis):
    redis.hang()
    try:
        yield
    finally:
        redis.go_on()


@contextmanager
def killed(redis):
    redis.kill()
    try:
        yield
    finally:
        redis.start()


@contextmanager
def slow(redis):
    """Redis rests for 0.4 s again and again."""

    def rest():
        while True:
            said = ["redis-cli", "-p", str(redis.port), "client", "pause", "400"]
            subprocess.run(said, capture_output=True)
            gevent.sleep(0.45)

    resting = gevent.spawn(rest)
    try:
        yield
    finally:
        resting.kill()


def tail(times):
    return statistics.quantiles(times, n=20)[18]


@pytest.mark.parametrize("fault", [slow, hung, killed])
def test_all_is_heard_and_rest_answers_as_ever(service, redis, fault):
    token = service.login()
    lines = [service.line(token, pid) for pid in service.workers]
    screens = [service.screen(token, service.workers[n % 2]) for n in range(6)]
    for screen in screens:
        screen.join("join_inventory")
    given = {"name": fault.__name__, "unit": "none", "reorderPoint": 0}
    path = "/api/materials/" + lines[0].post("/api/materials", given)["_id"]
    said, done = len(service.log.read_text()), 0

    def change(times):
        nonlocal done
        took = []
        for _ in range(times):
            begin = time.perf_counter()
            lines[done % 2].patch(path, {"unit": str(done)})
            took.append(time.perf_counter() - begin)
            done += 1
            gevent.sleep(PACE)
        return took

    try:
        before = change(BEFORE)
        with fault(redis):
            during = change(DURING)
            for screen in screens:  # the fault is still there
                wait(lambda one=screen: len(units(one)) > done, 3)
            logins = []
            for _ in range(3):
                begin = time.perf_counter()
                answer = requests.post(
                    service.url + "/api/auth/login", json=LOGIN, timeout=10
                )
                logins.append(time.perf_counter() - begin)
                assert answer.ok, answer.text
        change(AFTER)
        time.sleep(1.5)
        for screen in screens:
            heard = units(screen)
            assert [unit for unit, _ in heard] == ["none", *map(str, range(done))]
            numbers = [seq for _, seq in heard]
            assert numbers == sorted(set(numbers))
    finally:
        for one in screens:
            one.close()
    words = [line for line in service.log.read_text()[said:].splitlines() if line]
    print(
        f"\n{fault.__name__}: p50 {statistics.median(before) * 1000:.1f} -> "
        f"{statistics.median(during) * 1000:.1f} ms, p95 {tail(before) * 1000:.1f} -> "
        f"{tail(during) * 1000:.1f} ms, logins {max(logins):.2f} s, "
        f"{len(words)} lines logged",
        *words[:20],
        sep="\n",
    )
    assert tail(during) < 3 * tail(before) + 0.05
    assert max(logins) < 2
    assert len(words) < 20
    assert "Traceback" not in "\n".join(words)


def test_too_many_logins_are_refused_with_and_without_redis(
    store, redis, tmp_path_factory
):
    given = settings(store, redis, LOGIN_ATTEMPTS_PER_MINUTE=3)
    running = Service(tmp_path_factory.mktemp("logins"), **given).start()
    wrong = {"username": "nobody", "password": "wrong-password"}

    def tries(count):
        url = running.url + "/api/auth/login"
        return [
            requests.post(url, json=wrong, timeout=5).status_code for _ in range(count)
        ]

    try:
        assert tries(4) == [401, 401, 401, 429]
        with hung(redis):
            begin = time.monotonic()
            assert tries(5) == [401, 401, 401, 429, 429]
            assert time.monotonic() - begin < 3
    finally:
        running.stop()
