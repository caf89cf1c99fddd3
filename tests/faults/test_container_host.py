"""The service on a container host: the files, command and health check of the image."""

import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from databases import new_database
from deployment import health_check, image_command, shipped
from environment import RUN
from redis_server import RedisServer
from service import ROOT, Service
from waiting import START_TIMEOUT_S, STOP_TIMEOUT_S

pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.timeout(400)]
ADMIN = {"username": "chief", "password": secrets.token_hex(8)}


@pytest.fixture
def image(tmp_path):
    """The files that a container has."""
    folder = tmp_path / "app"
    folder.mkdir()
    for name in shipped():
        if (ROOT / name).is_dir():
            # compiled modules included: each process would compile them again
            # as COPY does: a link stays one, and may lead to what the image lacks
            shutil.copytree(ROOT / name, folder / name, symlinks=True)
        else:
            shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture
def redis(tmp_path):
    running = RedisServer(tmp_path).start()
    yield running
    running.kill()


@pytest.fixture
def environment(store, redis):
    """The whole environment: the settings that the document names, and the PATH."""
    return {
        RUN: os.environ[RUN],
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GLASSFLOW_CONFIG": "production",
        "MONGODB_URI": store,
        "MONGODB_DB": new_database(),
        "JWT_SECRET": secrets.token_hex(32),
        "TRUSTED_PROXIES": "1",
        "REDIS_URL": redis.url,
    }


@pytest.fixture
def container(tmp_path, image, environment):
    """Starts containers; each is one process that runs the Procfile's command."""
    started = []

    def start():
        command = image_command()
        made = Service(tmp_path, command=command, cwd=image, environment=environment)
        started.append(made.launch())
        return made

    yield start
    for one in started:
        one.process.kill()
        one.process.wait(STOP_TIMEOUT_S)


def flask(image, environment, *arguments):
    command = [sys.executable, "-m", "flask", "--app", "wsgi:app", *arguments]
    done = subprocess.run(
        command,
        cwd=image,
        env=environment,
        capture_output=True,
        text=True,
        timeout=START_TIMEOUT_S,
    )
    assert done.returncode == 0, done.stderr


def read(container, path):
    """Return what a container answers to a browser; raises `HTTPError` for a refusal."""
    with urlopen(container.url + path, timeout=START_TIMEOUT_S) as answer:
        return answer.read().decode(errors="replace")


def is_healthy(container):
    """Whether the health check of the image passes; its host asks in the container."""
    environment = container.environment | {"PORT": str(container.port)}
    command = [sys.executable, *health_check()[1:]]
    return subprocess.run(command, env=environment, capture_output=True).returncode == 0


def test_two_containers_started_as_documented_serve_clients(
    image, environment, container
):
    shipped = sorted(os.listdir(image))
    flask(image, environment, "indexes")
    flask(image, environment, "seed", "roles")
    name = ["--username", ADMIN["username"], "--password", ADMIN["password"]]
    role = ["--name", "Chief", "--role", "admin"]
    flask(image, environment, "create-worker", *name, *role)
    containers = [container() for _ in range(2)]
    for one in containers:
        one.wait_until_ready()
    assert all(map(is_healthy, containers))
    shell = read(containers[0], "/floor/")
    for path in re.findall(r'(?:src|href)="(/floor/static/[^"]+)"', shell):
        assert read(containers[0], path)
    token = containers[0].login(**ADMIN)
    screens = [one.screen(token) for one in containers]
    for number, screen in enumerate(screens):
        assert screen.call("system_alert", {"message": f"from {number}"})["ok"]
    for screen in screens:
        screen.wait_for(lambda screen=screen: len(screen.received) == 2)
    for one in containers:
        one.signal(signal.SIGTERM)
        assert one.process.wait(STOP_TIMEOUT_S) == 0
        assert "SIGKILL" not in one.output(), "a worker had to be killed"
        assert not is_healthy(one)
    for screen in screens:
        screen.close()
    assert sorted(os.listdir(image)) == shipped


def test_several_processes_start_without_redis_and_say_what_it_is_for(
    environment, container
):
    del environment["REDIS_URL"]
    environment["WEB_CONCURRENCY"] = "2"
    one = container()
    one.wait_until_ready()
    assert "REDIS_URL" in one.output()
    one.signal(signal.SIGTERM)
    assert one.process.wait(STOP_TIMEOUT_S) == 0
