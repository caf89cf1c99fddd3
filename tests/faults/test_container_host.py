"""On a plain container host, by nothing but what the page about operations says."""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests

from glassflow.core.embedded_store import free_port
from screens import Screen
from several import ROOT, Caller, Redis, wait

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]
SHIPPED = ("glassflow", "config", "seeds", "wsgi.py", "Procfile", "setup.cfg")
ADMIN = {"username": "chief", "password": secrets.token_hex(8)}


@pytest.fixture
def image(tmp_path):
    """The files that a container has."""
    folder = tmp_path / "app"
    folder.mkdir()
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            leave = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=leave)
        else:
            shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture
def redis(tmp_path):
    running = Redis(tmp_path).start()
    yield running
    running.kill()


@pytest.fixture
def given(store, redis):
    """All that is set: what the page names, and where programs are."""
    return {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GLASSFLOW_CONFIG": "production",
        "MONGODB_URI": store,
        "MONGODB_DB": f"container_{secrets.token_hex(4)}",
        "JWT_SECRET": secrets.token_hex(32),
        "TRUSTED_PROXIES": "1",
        "REDIS_URL": redis.url,
    }


class Container:
    """One process of the command in the Procfile, on a port that the host gives."""

    def __init__(self, image, given):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = (image / "Procfile").read_text().removeprefix("web: ").strip()
        self.process = subprocess.Popen(
            ["sh", "-c", f"exec {command}"],
            cwd=image,
            env=given | {"PORT": str(port)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def healthy(self):
        try:
            return requests.get(self.url + "/api/health", timeout=5).ok
        except requests.ConnectionError:
            return False

    def login(self):
        answer = requests.post(self.url + "/api/auth/login", json=ADMIN, timeout=10)
        return answer.json()["data"]["token"]


def flask(image, given, *words):
    command = [sys.executable, "-m", "flask", "--app", "wsgi:app", *words]
    done = subprocess.run(
        command, cwd=image, env=given, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr


def test_two_containers_serve_as_the_page_says(image, given):
    shipped = sorted(os.listdir(image))
    for _ in range(2):  # both are repeatable
        flask(image, given, "indexes")
        flask(image, given, "seed", "roles")
    name = ["--username", ADMIN["username"], "--password", ADMIN["password"]]
    flask(image, given, "create-worker", *name, "--name", "Chief", "--role", "admin")
    containers = [Container(image, given) for _ in range(2)]
    try:
        for one in containers:
            wait(one.healthy, 30)
        token = containers[0].login()
        screens = [Screen(Caller(one.url, token)) for one in containers]
        for number, screen in enumerate(screens):
            assert screen.call("system_alert", {"message": f"from {number}"})["ok"]
        for screen in screens:
            screen.wait_for(lambda screen=screen: len(screen.heard) == 2)
        for one in containers:
            begun = time.monotonic()
            one.process.send_signal(signal.SIGTERM)
            assert one.process.wait(20) == 0
            assert time.monotonic() - begun < 5  # nobody was being served
        for screen in screens:
            screen.close()
    finally:
        for one in containers:
            one.process.kill()
            one.process.communicate()
    assert sorted(os.listdir(image)) == shipped


def test_a_host_that_wants_several_processes_has_to_have_redis(image, given):
    del given["REDIS_URL"]
    container = Container(image, given | {"WEB_CONCURRENCY": "2"})
    said, _ = container.process.communicate(timeout=20)
    assert container.process.returncode == 1
    assert "REDIS_URL" in said
