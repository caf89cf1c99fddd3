"""The nginx configuration of docs/operations.md, as it stands there, with real clients."""

import re
import shutil
import subprocess

import pytest
import requests
import socketio

from glassflow.core.embedded_store import free_port
from screens import Client
from several import ROOT, Redis, Service, settings, wait
from wider import need

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(120),
    # the library drops a websocket that ends before it has said its first word
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:Unverified HTTPS"),
]
PLAIN = """\
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 1000; }}
http {{
access_log off;
client_body_temp_path {folder}/b; proxy_temp_path {folder}/p;
fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
{text}
}}
"""


@pytest.fixture(autouse=True)
def nginx_is_here():
    need(shutil.which("nginx"), "nginx is not installed")
    need(shutil.which("openssl"), "openssl is not installed")


@pytest.fixture(autouse=True)
def no_other_certificates(monkeypatch):
    """With these set, requests would verify although it is told not to."""
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("nginx")


@pytest.fixture(scope="module")
def pair(store, folder):
    redis = Redis(folder).start()
    shared = settings(store, redis, TRUSTED_PROXIES=1)
    services = [Service(folder, **shared).start() for _ in range(2)]
    yield services
    for one in services:
        one.stop()
    redis.kill()


def front(folder, pair, change=lambda text: text):
    """Start nginx with the page's configuration; give its process and address."""
    page = (ROOT / "docs/operations.md").read_text("utf-8")
    text = re.search(r"```nginx\n(.*?)```", page, re.DOTALL)[1]
    port = free_port()
    for old, new in {
        "127.0.0.1:8001": f"127.0.0.1:{pair[0].port}",
        "127.0.0.1:8002": f"127.0.0.1:{pair[1].port}",
        "listen 443": f"listen 127.0.0.1:{port}",
        "/etc/ssl/glassflow": str(folder),
    }.items():
        assert old in text
        text = text.replace(old, new)
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    files = ["-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"]
    subprocess.run([*make, *files, "-subj", "/CN=x"], check=True, capture_output=True)
    path = folder / f"nginx.{port}.conf"
    path.write_text(PLAIN.format(folder=folder, text=change(text)))
    process = subprocess.Popen(["nginx", "-c", str(path)], stderr=subprocess.DEVNULL)
    url = f"https://127.0.0.1:{port}"
    wait(lambda: answers(url), 10, (folder / "error.log").read_text)
    return process, url


def answers(url):
    try:
        return requests.get(url + "/api/health", verify=False, timeout=5).ok
    except requests.ConnectionError:
        return False


@pytest.fixture(scope="module")
def proxy(folder, pair):
    process, url = front(folder, pair)
    yield url
    process.terminate()
    process.wait(10)


def client(url, token, transports, heard=None):
    """A client of python-socketio, which may come back by itself."""
    made = Client(
        ssl_verify=False, reconnection=heard is not None, reconnection_delay=0.1
    )
    made.on("system_alert", lambda said, meta: heard.append(said["message"]))
    made.connect(
        url,
        socketio_path="/api/socket-entry",
        auth={"token": token},
        transports=transports,
    )
    return made


def test_rest_goes_through_with_the_callers_address(proxy, pair):
    token = pair[0].login()
    mine = {"Authorization": f"Bearer {token}"}
    answer = requests.get(
        proxy + "/api/materials", headers=mine, verify=False, timeout=9
    )
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "transports", [["websocket"], ["polling"], ["polling", "websocket"]], ids="-".join
)
def test_live_events_come_through_from_either_process(proxy, pair, transports):
    token, heard = pair[0].login(), []
    mine = client(proxy, token, transports, heard)
    try:
        for number, service in enumerate(pair):
            direct = service.screen(token)
            assert direct.call("system_alert", {"message": f"{transports} {number}"})
            direct.close()
        wait(lambda: len(heard) == 2, 5)
        assert heard == [f"{transports} 0", f"{transports} 1"]
        assert mine.transport() == transports[-1]
    finally:
        mine.disconnect()


def test_an_event_stream_is_not_held_back(proxy, pair):
    token = pair[0].login()
    headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
    url = proxy + "/api/events"
    with requests.get(
        url, headers=headers, stream=True, verify=False, timeout=10
    ) as answer:
        lines = answer.iter_lines(chunk_size=1)
        assert next(lines) == b": listening"
        direct = pair[1].screen(token)
        assert direct.call("system_alert", {"message": "streamed"})
        direct.close()
        assert any(b"streamed" in line for line in lines)


def test_without_stickiness_polling_fails_and_websockets_do_not(folder, pair):
    process, url = front(folder, pair, lambda text: text.replace("ip_hash;", ""))
    token = pair[0].login()
    try:
        for _ in range(4):
            client(url, token, ["websocket"]).disconnect()
        refused = 0
        for _ in range(4):
            try:
                client(url, token, ["polling"]).disconnect()
            except socketio.exceptions.ConnectionError:
                refused += 1
        assert refused
    finally:
        process.terminate()
        process.wait(10)


def test_clients_of_a_stopped_process_come_back_to_the_other(proxy, pair):
    token, heard = pair[0].login(), []
    mine = client(proxy, token, ["websocket"], heard)
    try:
        for stopped, other in (pair, pair[::-1]):
            stopped.stop()
            wait(lambda: answers(proxy), 10)
            direct = other.screen(token)

            def reached(direct=direct):
                assert direct.call("system_alert", {"message": "still here"})["ok"]
                mine.sleep(0.2)
                return heard

            wait(reached, 15)
            direct.close()
            stopped.start()
            heard.clear()
    finally:
        mine.disconnect()


def test_the_certificate_is_really_used(proxy):
    with pytest.raises(requests.exceptions.SSLError):
        requests.get(proxy + "/api/health", timeout=5)
