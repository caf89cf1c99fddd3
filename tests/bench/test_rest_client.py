"""The REST client repeats a request with its key until it is answered."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from demo import client
from demo.client import Api, HttpClient, NoResponse

LOST, GATEWAY, BUSY = "lost", (502, {}), (409, {"Retry-After": "1"})
MADE, GONE, REFUSED = (201, {}), (404, {}), (400, {})


class Handler(BaseHTTPRequestHandler):
    """Answers as the test has planned; `closes` ends a connection after its answer."""

    protocol_version = "HTTP/1.1"

    def answer(self):
        server = self.server
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length).decode()
        server.received.append((self.command, self.headers["Idempotency-Key"], body))
        server.ports.add(self.client_address[1])
        step = server.plan.pop(0) if server.plan else (200, {})
        self.close_connection = server.closes or step == LOST
        if step == LOST:
            return
        status, headers = step
        content = json.dumps({"data": {"name": "stored"}}).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": len(content)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PATCH = do_DELETE = answer

    def log_message(self, *_):
        pass


@pytest.fixture
def stub(monkeypatch):
    """A server that answers as `stub.plan` says, then with 200."""
    monkeypatch.setattr(client, "RETRY_PAUSE_S", 0)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.plan, server.received, server.ports = [], [], set()
        server.closes, server.daemon_threads = False, True
        serving = threading.Thread(target=server.serve_forever, args=(0.01,))
        serving.start()
        yield server
        server.shutdown()
        serving.join()


@pytest.fixture
def api(stub):
    http = HttpClient(f"http://127.0.0.1:{stub.server_port}")
    yield Api(http)
    http.close()


def test_post_is_sent_with_one_key_until_it_is_answered(api, stub):
    stub.plan = [LOST, GATEWAY, BUSY, MADE]
    answer = api.send("POST", "/api/customers", {"name": "ก"})
    assert (answer.status, answer.was_lost, api.http.sent_again) == (201, True, 1)
    [(method, key, body)] = set(stub.received)
    assert (method, json.loads(body)) == ("POST", {"name": "ก"})
    api.post("/api/customers", name="ก")
    assert stub.received[-1][1] not in (None, key)  # another request has another key


def test_request_without_repetition_shows_every_refusal(api, stub):
    stub.plan = [GATEWAY, BUSY, LOST]
    assert [api.send_once("POST", "/").status for _ in range(2)] == [502, 409]
    with pytest.raises(NoResponse):
        api.send_once("POST", "/")
    assert {key for _, key, _ in stub.received} == {None}


def test_change_whose_answer_was_lost_is_made(api, stub):
    stub.plan = [LOST, REFUSED]
    assert api.patch("/api/claims/1", status="approved") == {"name": "stored"}
    stub.plan = [LOST, GONE]
    api.delete("/api/claims/1")
    for change, status in ((api.patch, REFUSED), (api.delete, GONE)):
        stub.plan = [status]
        with pytest.raises(client.RequestRefused):
            change("/api/claims/1")


def test_patience_ends(stub):
    http = HttpClient(f"http://127.0.0.1:{stub.server_port}", patience_s=0)
    stub.plan = [LOST] * 9
    with pytest.raises(NoResponse):
        http.send("GET", "/")
    stub.plan = [BUSY] * 9
    assert http.send("GET", "/").status == 409


@pytest.mark.parametrize("closes", [False, True])
def test_connection_is_kept_and_opened_again_if_the_service_closes_it(
    api, stub, closes
):
    stub.closes = closes
    for _ in range(3):
        assert api.send_once("GET", "/").ok
        if closes:
            api.http.idle[0].sock.recv(1)  # the end has arrived
    assert len(stub.ports) == (3 if closes else 1)
