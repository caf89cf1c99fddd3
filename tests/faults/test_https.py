"""HTTPS_PORT: the service over https beside http, with a certificate of the workshop."""

import contextlib
import socket
import ssl
import sys

import pytest
import requests
import websocket

from ports import free_port
from service import COMMAND, DEMO_ADMIN, PROCFILE_COMMAND, Service
from waiting import REQUEST_TIMEOUT_S, START_TIMEOUT_S

GUNICORN = [sys.executable, *f"-m {PROCFILE_COMMAND}".split()]

pytestmark = [
    pytest.mark.embedded_store,
    pytest.mark.slow,
    pytest.mark.timeout(300),
]


@pytest.fixture(scope="module")
def service(tmp_path_factory, demo_workshop):
    running = Service(tmp_path_factory.mktemp("https"), HTTPS_PORT=free_port())
    demo_workshop.copy_files(running.data_dir)
    made = running.flask("floor", "certificate", "localhost", "127.0.0.1")
    assert made.returncode == 0, made.stderr
    yield running.start()
    running.stop()


@pytest.fixture
def authority(service):
    return str(service.data_dir / "tls" / "ca.crt")


@pytest.fixture
def secure(service, authority):
    """A session of a client that trusts the workshop's authority, and its address."""
    with requests.Session() as session:
        session.trust_env, session.verify = False, authority
        yield session, f"https://localhost:{service.environment['HTTPS_PORT']}"


def test_pages_and_api_are_served_over_both(service, secure, authority):
    session, url = secure
    for client, address in ((requests, service.url), (session, url)):
        answer = client.get(f"{address}/floor/", timeout=REQUEST_TIMEOUT_S)
        assert answer.ok
        assert "glassflow" in answer.text
    own = {"X-Floor": "1", "Origin": url}
    answer = session.post(
        f"{url}/floor/session", json=DEMO_ADMIN, headers=own, timeout=REQUEST_TIMEOUT_S
    )
    assert answer.ok, answer.text
    assert "Secure" in answer.headers["Set-Cookie"]
    token = answer.json()["data"]["token"]
    photo = {"name": "x" * 300_000}  # many records of TLS; refused, and received whole
    headers = {"Authorization": f"Bearer {token}"}
    answer = session.post(
        f"{url}/api/customers", json=photo, headers=headers, timeout=REQUEST_TIMEOUT_S
    )
    assert answer.status_code in (201, 400)


def test_live_events_arrive_over_tls(service, secure, authority):
    session, url = secure
    token = service.login()
    connection = websocket.create_connection(
        f"{url.replace('https', 'wss')}/api/socket-entry/?EIO=4&transport=websocket",
        sslopt={"ca_certs": authority},
        timeout=REQUEST_TIMEOUT_S,
    )
    with contextlib.closing(connection):
        assert connection.recv().startswith("0{")
        connection.send(f'40{{"token":"{token}"}}')
        assert connection.recv().startswith("40{")
        connection.send('421["join_dashboard"]')
        headers = {"Authorization": f"Bearer {token}"}
        for n in range(3):
            body = {"name": f"glass {n}", "unit": "s", "reorderPoint": 1}
            answer = session.post(
                f"{url}/api/materials",
                json=body,
                headers=headers,
                timeout=REQUEST_TIMEOUT_S,
            )
            assert answer.status_code == 201, answer.text
        received = []
        while sum("material:updated" in one for one in received) < 3:
            received.append(connection.recv())


def test_client_that_does_not_trust_the_certificate_leaves_no_traceback(
    service, secure
):
    _, url = secure
    port = int(service.environment["HTTPS_PORT"])
    with pytest.raises(requests.exceptions.SSLError):
        requests.get(f"{url}/api/health", timeout=REQUEST_TIMEOUT_S)
    for sent in (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"\x16\x03\x01", b""):
        with socket.create_connection(("127.0.0.1", port), REQUEST_TIMEOUT_S) as client:
            client.sendall(sent)
            with contextlib.suppress(OSError):  # it may have hung up already
                client.shutdown(socket.SHUT_WR)
                while client.recv(4096):
                    pass
    session, _ = secure
    assert session.get(f"{url}/api/health", timeout=REQUEST_TIMEOUT_S).ok
    for sign in ("Traceback", "ssl.", "SSLError"):
        assert sign not in service.log.read_text("utf-8")


@pytest.mark.long
def test_authority_is_downloaded_without_https_and_is_that_of_the_certificate(
    service, authority
):
    answer = requests.get(f"{service.url}/floor/ca.crt", timeout=REQUEST_TIMEOUT_S)
    assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
    assert "PRIVATE" not in answer.text
    with open(authority, "rb") as file:
        assert answer.content == ssl.PEM_cert_to_DER_cert(file.read().decode())


@pytest.mark.parametrize("command", [COMMAND, GUNICORN])
def test_service_without_a_certificate_says_what_to_do(tmp_path, command):
    made = Service(tmp_path, command=command, HTTPS_PORT=free_port())
    made.launch(MONGODB_URI="mongodb://127.0.0.1:9/")
    assert made.process.wait(START_TIMEOUT_S) == 1
    assert "flask floor certificate" in made.output()
    assert "Traceback" not in made.output()
