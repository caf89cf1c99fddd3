"""The nginx configuration of deploy/nginx, unchanged, with real clients."""

import re
import subprocess
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
import requests
from glassflow_client import Socket

from deployment import DEPLOY
from glassflow.host.common_headers import COMMON_HEADERS
from optional_tools import require_nginx
from ports import free_port
from redis_server import RedisServer
from service import Service, shared_settings
from waiting import REQUEST_TIMEOUT_S, STOP_TIMEOUT_S, wait_until

pytestmark = [
    pytest.mark.long,
    pytest.mark.slow,
    pytest.mark.timeout(400),
    # the library leaves a websocket open that ends before its first packet
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:Unverified HTTPS"),
]
MAIN_CONFIGURATION = """\
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 1000; }}
http {{
access_log off;
client_body_temp_path {folder}/b; proxy_temp_path {folder}/p;
fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
{text}
}}
"""


@pytest.fixture(scope="module", autouse=True)
def _nginx_installed():
    require_nginx()


@pytest.fixture(autouse=True)
def _no_certificate_bundles(monkeypatch):
    """If these are set, requests verifies certificates despite `verify=False`."""
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def folder(_nginx_installed, tmp_path_factory):
    return tmp_path_factory.mktemp("nginx")


@pytest.fixture(scope="module")
def pair(store, demo_workshop, folder):
    redis = RedisServer(folder).start()
    shared = shared_settings(store, demo_workshop, redis, TRUSTED_PROXIES=1)
    services = [Service(folder, **shared).start() for _ in range(2)]
    yield services
    for one in services:
        one.stop()
    redis.kill()


FORGED = {"X-Request-ID": "chosen-by-the-client"}


def configuration(folder, upstream, servers, port):
    """Return what is delivered, with addresses and a certificate of this machine.

    `servers` replace those of the file `upstream`, in their order.
    """
    parts = [
        (DEPLOY / "nginx" / name).read_text("utf-8")
        for name in ("glassflow.conf", upstream)
    ]
    found = re.findall(r"server (\S+:\d+);", parts[1])
    changes = dict(zip(found, servers, strict=True)) | {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "/etc/ssl/glassflow": str(folder),
        "/var/log/nginx/access.log": str(folder / "access.log"),
    }
    text = "\n".join(parts)
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return MAIN_CONFIGURATION.format(folder=folder, text=text)


@pytest.fixture(scope="module")
def certificate(folder):
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    files = ["-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"]
    subprocess.run([*make, *files, "-subj", "/CN=x"], check=True, capture_output=True)


@contextmanager
def running_nginx(folder, ports, change=lambda text: text):
    """Run nginx in front of these ports, with the configuration for one machine."""
    port = free_port()
    servers = [f"127.0.0.1:{one}" for one in ports]
    text = configuration(folder, "upstream.conf", servers, port)
    path = folder / f"nginx.{port}.conf"
    path.write_text(change(text))
    process = subprocess.Popen(["nginx", "-c", str(path)], stderr=subprocess.DEVNULL)
    url = f"https://127.0.0.1:{port}"
    try:
        wait_until(lambda: get(url) is not None, describe=error_log(folder))
        yield url
    finally:
        process.terminate()
        process.wait(STOP_TIMEOUT_S)


def error_log(folder):
    return (folder / "error.log").read_text


def get(url, **options):
    """Return the answer about the health; None where nobody listens."""
    try:
        return requests.get(
            url + "/api/health", verify=False, timeout=REQUEST_TIMEOUT_S, **options
        )
    except requests.ConnectionError:
        return None


@pytest.fixture(scope="module")
def proxy(folder, certificate, pair):
    with running_nginx(folder, [one.port for one in pair]) as url:
        wait_until(lambda: get(url).ok, describe=error_log(folder))
        yield url


def connect(url, token, transports, messages=None):
    """Connect a python-socketio client; it reconnects if `messages` is given."""
    made = Socket(
        timeout_s=REQUEST_TIMEOUT_S,
        ssl_verify=False,
        reconnection=messages is not None,
        reconnection_delay=0.1,
    )
    made.on("system_alert", lambda data, meta: messages.append(data["message"]))
    made.connect(url, auth={"token": token}, transports=transports)
    return made


def test_rest_request_passes_the_proxy(proxy, pair):
    token = pair[0].login()
    headers = {"Authorization": f"Bearer {token}"}
    answer = requests.get(
        proxy + "/api/materials",
        headers=headers,
        verify=False,
        timeout=REQUEST_TIMEOUT_S,
    )
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "transports", [["websocket"], ["polling"], ["polling", "websocket"]], ids="-".join
)
def test_client_receives_events_of_both_processes_through_the_proxy(
    proxy, pair, transports
):
    token, messages = pair[0].login(), []
    client = connect(proxy, token, transports, messages)
    try:
        for number, service in enumerate(pair):
            direct = service.screen(token)
            assert direct.call("system_alert", {"message": f"{transports} {number}"})
            direct.close()
        wait_until(lambda: len(messages) == 2)
        assert messages == [f"{transports} 0", f"{transports} 1"]
        assert client.transport() == transports[-1]
    finally:
        client.disconnect()


def test_proxy_does_not_buffer_an_event_stream(proxy, pair):
    token = pair[0].login()
    headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
    url = proxy + "/api/events"
    with requests.get(
        url, headers=headers, stream=True, verify=False, timeout=REQUEST_TIMEOUT_S
    ) as answer:
        lines = answer.iter_lines(chunk_size=1)
        assert next(lines) == b": listening"
        direct = pair[1].screen(token)
        assert direct.call("system_alert", {"message": "streamed"})
        direct.close()
        assert any(b"streamed" in line for line in lines)


def is_refused(url, token):
    """Whether a process refuses the session of a polling client, which it does not know.

    The client then sends nothing more, but says so only at the end of its timeout.
    """
    statuses = []
    with requests.Session() as session:
        keep = lambda answer, **_: statuses.append(answer.status_code)  # noqa: E731
        session.hooks["response"].append(keep)
        client = Socket(http_session=session, ssl_verify=False, reconnection=False)
        auth = {"token": token}
        client.connect(url, auth=auth, transports=["polling"], wait=False)
        wait_until(lambda: client.namespaces or 400 in statuses)
        client.eio.disconnect(abort=True)
    return 400 in statuses


def test_polling_fails_without_sticky_connections_and_websockets_do_not(
    folder, certificate, pair
):
    token, ports = pair[0].login(), [one.port for one in pair]
    without = lambda text: text.replace("ip_hash;", "")  # noqa: E731
    with running_nginx(folder, ports, without) as url:
        for _ in range(4):
            connect(url, token, ["websocket"]).disconnect()
        assert any(is_refused(url, token) for _ in range(4))


def test_client_of_a_stopped_process_reconnects_to_the_other(proxy, pair):
    token, messages = pair[0].login(), []
    client = connect(proxy, token, ["websocket"], messages)
    try:
        for stopped, other in (pair, pair[::-1]):
            stopped.stop()
            wait_until(lambda: get(proxy).ok)
            direct, message = other.screen(token), f"from port {other.port}"

            def is_reached(direct=direct, message=message):
                assert direct.call("system_alert", {"message": message})["ok"]
                client.sleep(0.2)
                return message in messages

            wait_until(is_reached)
            direct.close()
            stopped.start()
    finally:
        client.disconnect()


def test_client_that_verifies_refuses_the_certificate(proxy):
    with pytest.raises(requests.exceptions.SSLError):
        requests.get(proxy + "/api/health", timeout=REQUEST_TIMEOUT_S)


def test_what_nginx_answers_itself_has_the_envelope_and_the_headers(
    folder, certificate, proxy
):
    large = get(proxy, data=b"x" * (11 * 1024 * 1024))
    long = get(proxy, headers={"X-Long": "x" * 40_000})
    with running_nginx(folder, [free_port(), free_port()]) as away:
        answers = [large, long, get(away)]
    assert [(one.status_code, one.json()["message"]) for one in answers] == [
        (413, "Request body too large"),
        (431, "Request headers too large"),
        (503, "The service is not available"),
    ]
    for answer in answers:
        assert answer.headers["Content-Type"] == "application/json"
        assert len(answer.headers["X-Request-ID"]) == 32
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
        assert COMMON_HEADERS.items() <= answer.headers.items()


def test_id_of_each_answer_stands_in_the_log_of_nginx(folder, proxy):
    refused = get(proxy, data=b"x" * (11 * 1024 * 1024), headers=FORGED)
    answered = get(proxy, headers=FORGED)
    redirected = requests.get(
        http_of(folder, proxy), allow_redirects=False, timeout=REQUEST_TIMEOUT_S
    )
    log = folder / "access.log"
    for answer, status in ((refused, 413), (answered, 200), (redirected, 308)):
        assert answer.status_code == status
        found = f"[{answer.headers['X-Request-ID']}] GET "
        wait_until(lambda found=found: found in log.read_text(), describe=log.read_text)


def http_of(folder, url):
    """Return the address of the same nginx that redirects to https."""
    text = (folder / f"nginx.{urlsplit(url).port}.conf").read_text()
    (address,) = re.findall(r"listen (127\.0\.0\.1:\d+);", text)
    return f"http://{address}"


def test_http_is_redirected_with_the_headers_whatever_is_sent(folder, proxy):
    url = http_of(folder, proxy) + "/api/health?a=1"
    for method, body in (("GET", b""), ("POST", b"x" * 2_000_000)):
        answer = requests.request(
            method, url, data=body, allow_redirects=False, timeout=REQUEST_TIMEOUT_S
        )
        assert answer.status_code == 308
        assert answer.headers["Location"] == "https://127.0.0.1/api/health?a=1"
        assert len(answer.headers["X-Request-ID"]) == 32
        assert COMMON_HEADERS.items() <= answer.headers.items()
        assert "Strict-Transport-Security" not in answer.headers, "not over http"


@pytest.mark.parametrize("spoken", ["https", "http", "http to https"])
def test_requests_that_nginx_refuses_get_the_envelope_and_the_headers(
    folder, proxy, spoken
):
    url = {
        "https": proxy,
        "http": http_of(folder, proxy),
        "http to https": proxy.replace("https", "http"),
    }[spoken]

    def ask(method="GET", path="/", **headers):
        answer = requests.request(
            method,
            url + path,
            headers=headers,
            verify=False,
            allow_redirects=False,
            timeout=REQUEST_TIMEOUT_S,
        )
        assert answer.headers["Content-Type"] == "application/json"
        assert COMMON_HEADERS.items() <= answer.headers.items()
        kept = "Strict-Transport-Security" in answer.headers
        assert kept == (spoken == "https")
        body = answer.json()
        assert body["success"] is False
        return answer.status_code, body["message"]

    assert ask(Host="a b") == (400, "Malformed request")
    assert ask("TRACE") == (405, "Method not allowed")
    # more than nginx reads (8 KB), and sent at once: it closes the connection meanwhile
    assert ask(path="/" + "x" * 12_000) == (414, "Request line too long")
    assert ask(Long="x" * 12_000) == (431, "Request headers too large")
    # where nginx has an answer of its own, nobody can ask for it
    own = (400, "Malformed request") if "to" in spoken else (404, "Not found")
    assert ask(path="/nginx-own-answer") == own


def test_service_s_own_answers_pass_nginx_with_its_header(proxy):
    answer = requests.get(
        proxy + "/api/materials", verify=False, timeout=REQUEST_TIMEOUT_S
    )
    assert (answer.status_code, answer.json()["message"]) == (401, "Not authenticated")
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_configuration_for_containers_is_valid(folder, certificate):
    servers = ["127.0.0.1:8001", "127.0.0.1:8002"]
    text = configuration(folder, "upstream.compose.conf", servers, free_port())
    path = folder / "compose.conf"
    path.write_text(text)
    done = subprocess.run(["nginx", "-t", "-c", str(path)], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
