"""A page in a real browser loses its network, and misses nothing."""

import json
import shutil
import subprocess
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import gevent
import pytest

from network import Network
from several import Service, settings, wait
from wider import need

HERE = Path(__file__).parent
NODE = HERE.parent / "node"
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
SERVED = {
    "/": HERE / "page.html",
    "/glassflow.js": HERE.parents[1] / "clients" / "js" / "glassflow.js",
    "/socket.io.esm.min.js": NODE / "node_modules/socket.io-client/dist"
    "/socket.io.esm.min.js",
}
MATERIAL = {"name": "กระจกใส 6 มม.", "unit": "0", "reorderPoint": 1}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


class Pages(SimpleHTTPRequestHandler):
    """Serves the page and the two modules that it imports."""

    def translate_path(self, path):
        return str(SERVED.get(path.partition("?")[0], HERE / "missing"))

    def log_message(self, *_):
        pass


class Browser:
    """A page in Chromium; `told` is all that it said, in order."""

    def __init__(self, chromium, address):
        self.told = []
        self.process = subprocess.Popen(
            ["node", HERE / "run.mjs", chromium, address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._reader = gevent.spawn(self._read)

    def _read(self):
        for line in self.process.stdout:
            self.told.append(json.loads(line) if line.startswith("[") else [line])

    def do(self, what):
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()

    def wait_for(self, condition):
        wait(condition, 30, lambda: self.told[-20:])

    def states(self):
        return [said[1] for said in self.told if said[0] == "state"]

    def units(self):
        heard = [
            said for said in self.told if said[:2] == ["event", "material:updated"]
        ]
        numbers = [seq for *_, seq in heard]
        assert numbers == sorted(set(numbers))
        return [unit for _, _, unit, _ in heard]

    def shown(self):
        before = len(self.told)
        self.do("shown")
        self.wait_for(lambda: [said for said in self.told[before:] if "shown" in said])
        return next(said[1] for said in self.told[before:] if said[0] == "shown")

    def close(self):
        try:
            self.do("close")
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait(10)
        self._reader.join()
        self.process.stdin.close()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def chromium():
    found = next(filter(None, map(shutil.which, NAMES)), None)
    need(found, "chromium is not installed")
    need(shutil.which("node"), "node is not installed")
    packages = NODE / "node_modules"
    need(
        (packages / "playwright-core").is_dir(), "playwright-core is not there (npm ci)"
    )
    return found


@pytest.fixture(scope="module")
def origin():
    pages = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{pages.server_port}"
    pages.shutdown()
    pages.server_close()


@pytest.fixture(scope="module")
def service(chromium, origin, store, tmp_path_factory):
    given = settings(store, WEB_CONCURRENCY=1, CORS_ORIGINS=origin)
    running = Service(tmp_path_factory.mktemp("browser"), **given)
    yield running.start()
    running.stop()


@pytest.fixture
def network(service):
    made = Network(service.url)
    yield made
    made.cut()


@pytest.fixture
def page(chromium, origin, service, network):
    """A page that is live, from another origin than the service."""
    query = urlencode({"url": network.url, "token": service.login()})
    made = Browser(chromium, f"{origin}/?{query}")
    made.wait_for(lambda: "live" in made.states())
    yield made
    made.close()


@pytest.fixture
def changes(service):
    """Changes the unit of a material: `changes("a", "b")`."""
    line = service.line(service.login())
    made = line.post("/api/materials", MATERIAL)

    def change(*units):
        for unit in units:
            line.patch(f"/api/materials/{made['_id']}", {"unit": unit})

    return change


@pytest.fixture
def cut(request, network, page):
    """Ways to lose a network: the lines break, or the browser knows that it is away."""

    def broken():
        network.cut()
        page.wait_for(lambda: page.states()[-1] == "offline")

    def unplugged():
        page.do("offline")
        network.drop()  # an established websocket outlives what the browser knows
        page.wait_for(lambda: page.states()[-1] == "offline")

    def plugged_in():
        page.do("online")

    ways = {"broken": (broken, network.mend), "unplugged": (unplugged, plugged_in)}
    return ways[request.param]


@pytest.mark.parametrize("cut", ["broken", "unplugged"], indirect=True)
def test_a_page_that_lost_its_network_catches_up(cut, page, changes):
    lose, mend = cut
    changes("before")
    page.wait_for(lambda: "before" in page.units())
    lose()
    missed = [f"missed {serial}" for serial in range(20)]
    changes(*missed)
    mend()
    page.wait_for(lambda: page.states()[-1] == "live")
    changes("live")
    page.wait_for(lambda: "live" in page.units())
    units = page.units()
    assert units[units.index("before") :] == ["before", *missed, "live"]
    shown = page.shown()[-22:]
    assert shown == [f"material:updated {unit}" for unit in units[-22:]]


def test_a_page_that_is_loaded_again_goes_on_where_it_was(page, network, changes):
    changes("before")
    page.wait_for(lambda: "before" in page.units())
    network.cut()
    changes("missed")
    page.do("reload")
    network.mend()
    page.wait_for(lambda: page.states()[-1] == "live" and "missed" in page.units())
    changes("live")
    page.wait_for(lambda: "live" in page.units())
    assert page.units()[-3:] == ["before", "missed", "live"]
    assert page.shown() == ["material:updated missed", "material:updated live"]
