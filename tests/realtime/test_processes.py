"""Two processes on one store and one Redis: to the clients they are one service."""

import subprocess
import time
from functools import partial

import pytest

from crowd import at_once
from several import GUNICORN, ROOT, Redis, Service, settings, units, wait

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]
CLIENTS, CHANGES = 40, 100
STATION = "cutting-1"


@pytest.fixture(scope="module")
def redis(tmp_path_factory):
    running = Redis(tmp_path_factory.mktemp("redis")).start()
    yield running
    running.kill()


@pytest.fixture(scope="module")
def given(store, redis):
    return settings(store, redis, WEB_CONCURRENCY=2)


@pytest.fixture(scope="module")
def service(given, tmp_path_factory):
    running = Service(tmp_path_factory.mktemp("two"), **given)
    yield running.start()
    running.stop()


@pytest.fixture(scope="module")
def token(service):
    return service.login()


@pytest.fixture
def screens(service, token):
    """Opens screens: `screens(pid, "join_dashboard")`; closed afterwards."""
    opened = []

    def begin(pid=None, *joins, token=token):
        opened.append(service.screen(token, pid))
        return opened[-1].join(*joins)

    yield begin
    for one in opened:
        one.close()


@pytest.fixture
def lines(service, token):
    """A REST line to each of the two processes."""
    return [service.line(token, pid) for pid in service.workers]


def greetings(screen):
    return [said["worker"] for event, said in screen.heard if event == "scan-confirmed"]


def alerts(screen):
    return [said["message"] for event, said in screen.heard if event == "system_alert"]


def test_web_concurrency_sets_the_number_of_processes(service):
    assert len(service.workers) == 2


def test_several_processes_without_redis_are_refused(service):
    env = {name: text for name, text in service.env.items() if name != "REDIS_URL"}
    done = subprocess.run(
        GUNICORN, cwd=ROOT, env=env | {"PORT": "0"}, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "2 workers need REDIS_URL" in done.stderr.splitlines()[-1]


def test_every_client_hears_every_change_once_and_in_order(service, screens, lines):
    places = service.workers
    everybody = [screens(places[n % 2], "join_inventory") for n in range(CLIENTS)]
    made = lines[0].post(
        "/api/materials", {"name": "float", "unit": "none", "reorderPoint": 0}
    )
    for number in range(CHANGES):  # one after the other, each by the other process
        changed = {"unit": str(number)}
        lines[number % 2].patch(f"/api/materials/{made['_id']}", changed)
    for screen in everybody:
        wait(lambda one=screen: len(units(one)) > CHANGES, 10)
    time.sleep(0.7)  # nothing comes twice
    for screen in everybody:
        heard = units(screen)
        assert [unit for unit, _ in heard] == ["none", *map(str, range(CHANGES))]
        numbers = [seq for _, seq in heard]
        assert numbers == sorted(set(numbers))


def test_changes_are_told_in_their_order_though_both_processes_make_them(
    service, screens, token
):
    mine = screens(service.workers[0], "join_inventory")

    def change(name):
        both = [service.line(token, pid) for pid in service.workers]
        given = {"name": name, "unit": "none", "reorderPoint": 0}
        path = "/api/materials/" + both[0].post("/api/materials", given)["_id"]
        for number in range(CHANGES):  # each has seen the answer to the one before
            both[number % 2].patch(path, {"unit": str(number)})

    names = [f"order {serial}" for serial in range(5)]  # at once: both are busy
    at_once(partial(change, name) for name in names)
    wait(lambda: len(units(mine)) == len(names) * (CHANGES + 1), 10)
    heard = [said["data"] for event, said in mine.heard if event == "material:updated"]
    for name in names:
        told = [one["unit"] for one in heard if one["name"] == name]
        assert told == ["none", *map(str, range(CHANGES))]


def test_a_check_in_is_replayed_to_a_screen_in_the_other_process(service, screens):
    one, other = service.workers
    assert screens(one).call("mobile-scan", {"stationId": STATION})["ok"]
    time.sleep(0.6)
    for place in (one, other):
        late = screens(place)
        assert late.call("join-station", STATION)["ok"]
        wait(lambda late=late: greetings(late), 2)
        time.sleep(0.2)
        assert len(greetings(late)) == 1


def worker(line, name, role):
    given = {"name": name, "username": name, "password": "password-1", "role": role}
    return line.post("/api/workers", {**given, "position": "cutter"})


def role(line, name, *keys):
    given = {"name": name, "slug": name, "permissions": list(keys)}
    return line.post("/api/roles", given)["_id"]


def test_a_deactivated_worker_is_out_in_the_other_process_too(service, screens, lines):
    key = role(lines[0], "leaver", "inventory:view")
    made = worker(lines[0], "leaver", key)
    token = service.login(username="leaver", password="password-1")
    theirs = screens(service.workers[1], "join_inventory", token=token)
    lines[0].patch(f"/api/workers/{made['_id']}", {"isActive": False})
    wait(lambda: not theirs.socket.connected, 2)


def test_a_logout_in_one_process_ends_the_sockets_in_the_other(service, screens, lines):
    worker(lines[0], "out", role(lines[0], "out", "inventory:view"))
    login = {"username": "out", "password": "password-1"}
    ended, kept = service.login(**login), None
    time.sleep(1.1)  # a token of its own second is another one
    kept = service.login(**login)
    theirs = screens(service.workers[1], token=ended)
    others = screens(service.workers[1], token=kept)
    service.line(ended, service.workers[0]).post("/api/auth/logout")
    wait(lambda: not theirs.socket.connected, 2)
    assert others.socket.connected


def test_a_changed_role_takes_its_rooms_in_the_other_process(service, screens, lines):
    key = role(lines[0], "looker", "inventory:view", "materials:view")
    worker(lines[0], "looker", key)
    token = service.login(username="looker", password="password-1")
    theirs = screens(service.workers[1], "join_inventory", token=token)
    made = lines[0].post(
        "/api/materials", {"name": "seen", "unit": "before", "reorderPoint": 0}
    )
    wait(lambda: units(theirs), 2)
    lines[0].patch(f"/api/roles/{key}", {"permissions": ["orders:view"]})
    wait(lambda: not theirs.call("join_inventory")["ok"], 2)
    lines[0].patch(f"/api/materials/{made['_id']}", {"unit": "after"})
    time.sleep(1)
    assert [unit for unit, _ in units(theirs)] == ["before"]
    assert theirs.socket.connected


def test_an_announcement_is_heard_on_the_screens_of_both_processes(service, screens):
    everybody = [screens(place) for place in service.workers]
    begin = time.monotonic()
    done = service.flask("announce", "The power goes off at six")
    assert done.returncode == 0, done.stderr
    assert "Announced" in done.stdout
    ended = time.monotonic()
    for screen in everybody:
        wait(lambda one=screen: alerts(one), 3)
    print(f"heard {time.monotonic() - ended:.2f} s after it, {ended - begin:.2f} s")
    time.sleep(0.7)
    assert all(alerts(one) == ["The power goes off at six"] for one in everybody)
