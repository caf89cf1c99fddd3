"""Two processes with one store are one service to their clients, without Redis too."""

from functools import partial
from uuid import uuid4

import pytest

from concurrency import run_concurrently
from multi_process import connection_to, screen_at
from screens import material_units
from service import Service, shared_settings
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]
CLIENTS, CHANGES = 20, 40
STATION = "cutting-1"
PASSWORD = "password-1"


@pytest.fixture(scope="module")
def service(store, demo_workshop, tmp_path_factory):
    settings = shared_settings(store, demo_workshop, WEB_CONCURRENCY=2)
    running = Service(tmp_path_factory.mktemp("two"), **settings)
    yield running.start()
    running.stop()


@pytest.fixture(scope="module")
def token(service):
    return service.login()


@pytest.fixture
def open_screen(service, token):
    """Opens screens: `open_screen(pid, "join_dashboard")`; closed afterwards."""
    opened = []

    def open_one(pid, *joins, token=token):
        opened.append(screen_at(service, token, pid))
        return opened[-1].join(*joins)

    yield open_one
    for one in opened:
        one.close()


@pytest.fixture
def connections(service, token):
    """A REST connection to each of the two processes."""
    return [connection_to(service, token, pid) for pid in service.workers]


@pytest.fixture
def publish_marker(service, token, open_screen):
    """Sends an event to every screen and waits until these have received it.

    A screen receives events in the order of their numbers, so it has received all
    earlier ones by then. Each marker has its own text: a process that is late still
    delivers those of earlier tests.
    """
    sender = open_screen(service.workers[0])

    def publish(*screens):
        message = f"marker {uuid4()}"
        assert sender.call("system_alert", {"message": message})["ok"]
        for screen in screens:
            screen.wait_for(lambda screen=screen: message in alerts(screen))

    return publish


def check_ins(screen):
    return screen.payloads("scan-confirmed")


def alerts(screen):
    return [data["message"] for data in screen.payloads("system_alert")]


def create_material(connection, name):
    body = {"name": name, "unit": "none", "reorderPoint": 0}
    return "/api/materials/" + connection.post("/api/materials", body).data["_id"]


def create_role(connection, name, *keys):
    body = {"name": name, "slug": name, "permissions": list(keys)}
    return connection.post("/api/roles", body).data["_id"]


def create_worker(connection, name, role):
    body = {"name": name, "username": name, "password": PASSWORD, "role": role}
    return connection.post("/api/workers", {**body, "position": "cutter"}).data


def test_web_concurrency_sets_the_number_of_processes(service):
    assert len(service.workers) == 2


def test_start_says_what_the_processes_lack_without_redis(service):
    assert "2 processes without REDIS_URL: " in service.log.read_text()


def test_every_client_receives_every_change_once_and_in_order(
    service, open_screen, connections, publish_marker
):
    pids = service.workers
    screens = [open_screen(pids[n % 2], "join_inventory") for n in range(CLIENTS)]
    path = create_material(connections[0], "float")
    for number in range(CHANGES):  # sequentially, in alternating processes
        assert connections[number % 2].patch(path, {"unit": str(number)}).data
    publish_marker(*screens)
    for screen in screens:
        received = material_units(screen, "float")
        assert [unit for unit, _ in received] == ["none", *map(str, range(CHANGES))]
        numbers = [seq for _, seq in received]
        assert numbers == sorted(set(numbers))
    for connection in connections:  # the history is one for both, in the same order
        entries = connection.get(f"{path}/history?limit=200").data
        assert units_in(entries) == ["none", *map(str, range(CHANGES))]


def units_in(entries):
    """The values that the field `unit` has had, the first one first."""
    return [
        change["to"]
        for entry in reversed(entries)
        for change in entry["changes"]
        if change["field"] == "unit"
    ]


@pytest.mark.long
def test_changes_of_one_record_by_both_processes_are_published_in_order(
    service, open_screen, token, publish_marker
):
    screen = open_screen(service.workers[0], "join_inventory")

    def change(name):
        both = [connection_to(service, token, pid) for pid in service.workers]
        path = create_material(both[0], name)
        for number in range(CHANGES):  # each after the response to the previous one
            assert both[number % 2].patch(path, {"unit": str(number)}).data

    names = [f"order {serial}" for serial in range(5)]
    run_concurrently(partial(change, name) for name in names)
    publish_marker(screen)
    for name in names:
        units = [unit for unit, _ in material_units(screen, name)]
        assert units == ["none", *map(str, range(CHANGES))]


def test_check_in_is_replayed_to_a_screen_of_the_other_process(
    service, open_screen, publish_marker
):
    first, second = service.workers
    early = open_screen(second).join_station(STATION)
    phone = open_screen(first).join_station(STATION)
    assert phone.call("mobile-scan", {"stationId": STATION})["ok"]
    for screen in (early, phone):  # both processes have delivered it
        screen.wait_for(lambda screen=screen: check_ins(screen))
    for pid in (first, second):
        late = open_screen(pid)
        assert late.call("join-station", STATION)["ok"]
        late.wait_for(lambda late=late: check_ins(late))
        publish_marker(late)
        assert len(check_ins(late)) == 1


@pytest.mark.long
def test_deactivated_worker_is_disconnected_from_the_other_process(
    service, open_screen, connections
):
    role = create_role(connections[0], "leaver", "inventory:view")
    worker = create_worker(connections[0], "leaver", role)
    token = service.login(username="leaver", password=PASSWORD)
    screen = open_screen(service.workers[1], "join_inventory", token=token)
    path = f"/api/workers/{worker['_id']}"
    assert connections[0].patch(path, {"isActive": False}).data
    wait_until(lambda: not screen.socket.connected)


@pytest.mark.long
def test_logout_in_one_process_closes_the_sockets_of_that_token_in_the_other(
    service, open_screen, connections
):
    role = create_role(connections[0], "out", "inventory:view")
    create_worker(connections[0], "out", role)

    def login():
        return service.login(username="out", password=PASSWORD)

    ended = login()
    other = wait_until(lambda: (new := login()) != ended and new)
    screen = open_screen(service.workers[1], token=ended)
    screen_of_other = open_screen(service.workers[1], token=other)
    connection = connection_to(service, ended, service.workers[0])
    assert connection.post("/api/auth/logout").status == 200
    wait_until(lambda: not screen.socket.connected)
    assert screen_of_other.socket.connected


@pytest.mark.long
def test_changed_role_removes_its_workers_from_rooms_in_the_other_process(
    service, open_screen, connections, publish_marker
):
    role = create_role(connections[0], "looker", "inventory:view", "materials:view")
    create_worker(connections[0], "looker", role)
    token = service.login(username="looker", password=PASSWORD)
    screen = open_screen(service.workers[1], "join_inventory", token=token)
    path = create_material(connections[0], "seen")
    wait_until(lambda: material_units(screen, "seen"))
    fewer = {"permissions": ["orders:view"]}
    assert connections[0].patch(f"/api/roles/{role}", fewer).data
    wait_until(lambda: not screen.call("join_inventory")["ok"])
    assert connections[0].patch(path, {"unit": "after"}).data
    publish_marker(screen)
    assert [unit for unit, _ in material_units(screen, "seen")] == ["none"]
    assert screen.socket.connected


@pytest.mark.long
def test_announcement_reaches_the_screens_of_both_processes_once(
    service, open_screen, publish_marker
):
    screens = [open_screen(pid) for pid in service.workers]
    done = service.flask("announce", "The power goes off at six")
    assert done.returncode == 0, done.stderr
    assert "Announced" in done.stdout
    for screen in screens:
        wait_until(lambda screen=screen: alerts(screen))
    publish_marker(*screens)
    for screen in screens:
        assert alerts(screen).count("The power goes off at six") == 1
