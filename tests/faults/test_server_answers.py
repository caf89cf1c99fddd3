"""Responses of gunicorn itself have the envelope, a request id and CORS headers too."""

import json
import socket

import pytest
import requests

from glassflow.host.common_headers import COMMON_HEADERS
from service import Service
from waiting import REQUEST_TIMEOUT_S, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.embedded_store,
    pytest.mark.timeout(300),
]


@pytest.fixture(scope="module")
def service(tmp_path_factory, demo_workshop):
    running = Service(
        tmp_path_factory.mktemp("service"),
        CORS_ORIGINS="*",
        # how long half a head is waited for
        GUNICORN_CMD_ARGS="--keep-alive 2",
    )
    demo_workshop.copy_files(running.data_dir)
    yield running.start()
    running.stop()


def connect(service):
    return socket.create_connection(("127.0.0.1", service.port), REQUEST_TIMEOUT_S)


def response_to(service, request):
    """Send bytes; return status, headers and body of the response."""
    with connect(service) as connection:
        connection.sendall(request)
        return rest_of(connection)


def rest_of(connection):
    """Read until the connection ends; return status, headers and body."""
    received = b""
    while chunk := connection.recv(65536):
        received += chunk
    head, _, body = received.partition(b"\r\n\r\n")
    status_line, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    return int(status_line.split()[1]), headers, json.loads(body)


def get(path, *headers):
    lines = [f"GET {path} HTTP/1.1", "Host: a", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


@pytest.mark.parametrize(
    ("request_bytes", "status", "message"),
    [
        (get("/api/panes?_id=" + "6" * 9000), 414, "Request line too long"),
        (get("/api/health", "bad header: x"), 400, "Malformed request"),
        (get("/api/health", f"X-Long: {'x' * 9000}"), 431, "Request headers too large"),
        (b"no request at all\r\n\r\n", 400, "Malformed request"),
        (b"GET /api/health HTTP/9.9\r\n\r\n", 400, "Malformed request"),
        (get("//customers"), 404, "Not found"),
        (get("/api//customers"), 308, "The path has a doubled slash"),
    ],
)
def test_refused_request_gets_the_envelope(service, request_bytes, status, message):
    found, headers, body = response_to(service, request_bytes)
    assert (found, body) == (status, {"success": False, "message": message})
    assert len(headers["X-Request-ID"]) == 32
    assert headers["Content-Type"] == "application/json"
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert COMMON_HEADERS.items() <= headers.items()


def test_request_line_may_be_as_long_as_a_list_by_many_ids(service):
    ids = ",".join(["6" * 24] * 300)
    status, _, body = response_to(service, get(f"/api/panes?_id={ids}"))
    assert (status, body["message"]) == (401, "Not authenticated")


def test_client_that_sends_half_a_head_is_disconnected_without_an_answer(service):
    with connect(service) as connection:
        connection.sendall(b"GET /api/health HTTP/1.1\r\nHost: a\r\n")
        assert connection.recv(1) == b""


def test_clients_that_send_slowly_keep_nobody_waiting(service):
    """More than REQUESTS_AT_ONCE requests, each without the end of its body."""
    token = f"Authorization: Bearer {service.login()}"
    head = get("/api/customers", token, "Content-Length: 50").replace(b"GET", b"POST")
    slow = [connect(service) for _ in range(20)]
    for connection in slow:
        connection.sendall(head + b'{"name": ')
    headers = dict([token.split(": ")])
    url = service.url + "/api/customers"
    wait_until(lambda: requests.get(url, headers=headers, timeout=60).ok)
    answers = [rest_of(connection) for connection in slow]
    for connection in slow:
        connection.close()
    found = {(status, body["message"]) for status, _, body in answers}
    assert (408, "The request did not arrive in time") in found
    assert {status for status, _ in found} <= {408, 503}
    assert all(COMMON_HEADERS.items() <= headers.items() for _, headers, _ in answers)
