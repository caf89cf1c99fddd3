"""A page in a real browser loses its network and misses no event."""

import json
import subprocess
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import pytest

from greenlets import spawn
from network import Network
from optional_tools import NODE_DIRECTORY, require_chromium, require_node
from service import Service, shared_settings
from waiting import STOP_TIMEOUT_S, wait_until

HERE = Path(__file__).parent
SERVED = {
    "/": HERE / "page.html",
    "/glassflow.js": HERE.parents[1] / "clients" / "js" / "glassflow.js",
    "/socket.io.esm.min.js": NODE_DIRECTORY / "node_modules/socket.io-client/dist"
    "/socket.io.esm.min.js",
}
MATERIAL = {"name": "กระจกใส 6 มม.", "unit": "0", "reorderPoint": 1}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


class Pages(SimpleHTTPRequestHandler):
    """Serves the page and the two modules that it imports."""

    def translate_path(self, path):
        return str(SERVED.get(path.partition("?")[0], HERE / "missing"))

    def log_message(self, *_):
        pass


class Browser:
    """A page in Chromium; `reports` are the JSON lines that it has printed, in order."""

    def __init__(self, chromium, address):
        self.reports = []
        self.process = subprocess.Popen(
            ["node", HERE / "run.mjs", chromium, address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._reader = spawn(self._read)

    def _read(self):
        for line in self.process.stdout:
            self.reports.append(json.loads(line) if line.startswith("[") else [line])

    def send(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()

    def wait_for(self, condition):
        wait_until(condition, describe=lambda: self.reports[-20:])

    def states(self):
        return [report[1] for report in self.reports if report[0] == "state"]

    def units(self):
        changes = [
            report
            for report in self.reports
            if report[:2] == ["event", "material:updated"]
        ]
        numbers = [seq for *_, seq in changes]
        assert numbers == sorted(set(numbers))
        return [unit for _, _, unit, _ in changes]

    def shown(self):
        before = len(self.reports)
        self.send("shown")
        self.wait_for(lambda: [one for one in self.reports[before:] if "shown" in one])
        return next(one[1] for one in self.reports[before:] if one[0] == "shown")

    def close(self):
        try:
            self.send("close")
            self.process.wait(STOP_TIMEOUT_S)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait(STOP_TIMEOUT_S)
        self._reader.join()
        self.process.stdin.close()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def chromium():
    path = require_chromium()
    require_node("playwright-core")
    return path


@pytest.fixture(scope="module")
def origin():
    pages = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{pages.server_port}"
    pages.shutdown()
    pages.server_close()


@pytest.fixture(scope="module")
def service(chromium, origin, store, demo_workshop, tmp_path_factory):
    more = {"WEB_CONCURRENCY": 1, "CORS_ORIGINS": origin}
    settings = shared_settings(store, demo_workshop, **more)
    running = Service(tmp_path_factory.mktemp("browser"), **settings)
    yield running.start()
    running.stop()


@pytest.fixture
def network(service):
    proxy = Network(service.url)
    yield proxy
    proxy.cut()


@pytest.fixture
def page(chromium, origin, service, network):
    """A page that has caught up, served from another origin than the service."""
    query = urlencode({"url": network.url, "token": service.login()})
    browser = Browser(chromium, f"{origin}/?{query}")
    browser.wait_for(lambda: "live" in browser.states())
    yield browser
    browser.close()


@pytest.fixture
def changes(service):
    """Changes the unit of a material: `changes("a", "b")`."""
    connection = service.connect(service.login())
    material = connection.post("/api/materials", MATERIAL).data

    def change(*units):
        for unit in units:
            assert connection.patch(
                f"/api/materials/{material['_id']}", {"unit": unit}
            ).data

    return change


@pytest.fixture
def outage(request, network, page):
    """The functions that begin and end an outage, of the network or of the browser."""

    def cut_network():
        network.cut()
        page.wait_for(lambda: page.states()[-1] == "offline")

    def go_offline():
        page.send("offline")
        network.drop()  # the browser itself leaves an established websocket open
        page.wait_for(lambda: page.states()[-1] == "offline")

    def go_online():
        page.send("online")

    outages = {
        "network cut": (cut_network, network.restore),
        "browser offline": (go_offline, go_online),
    }
    return outages[request.param]


@pytest.mark.parametrize("outage", ["network cut", "browser offline"], indirect=True)
def test_page_catches_up_after_an_outage(outage, page, changes):
    begin, end = outage
    changes("before")
    page.wait_for(lambda: "before" in page.units())
    begin()
    missed = [f"missed {serial}" for serial in range(20)]
    changes(*missed)
    end()
    page.wait_for(lambda: page.states()[-1] == "live")
    changes("live")
    page.wait_for(lambda: "live" in page.units())
    units = page.units()
    assert units[units.index("before") :] == ["before", *missed, "live"]
    shown = page.shown()[-22:]
    assert shown == [f"material:updated {unit}" for unit in units[-22:]]


def test_reloaded_page_resumes_after_its_last_event(page, network, changes):
    changes("before")
    page.wait_for(lambda: "before" in page.units())
    network.cut()
    changes("missed")
    page.send("reload")
    page.wait_for(lambda: ["reloaded"] in page.reports)  # else the old page catches up
    network.restore()
    page.wait_for(lambda: page.states()[-1] == "live" and "missed" in page.units())
    changes("live")
    page.wait_for(lambda: "live" in page.units())
    assert page.units()[-3:] == ["before", "missed", "live"]
    assert page.shown() == ["material:updated missed", "material:updated live"]
