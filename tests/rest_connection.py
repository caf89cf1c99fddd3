"""One persistent HTTP connection, so that a test knows which process serves it."""

import http.client
import json

from described_service import assert_as_described
from waiting import REQUEST_TIMEOUT_S


class RestConnection:
    """`get`, `post` and `patch` on one connection, with the token of one worker.

    Each answer has to be as the API's description says.
    """

    def __init__(self, port, token):
        self._http = http.client.HTTPConnection(
            "127.0.0.1", port, timeout=REQUEST_TIMEOUT_S
        )
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    @property
    def local_port(self):
        return self._http.sock.getsockname()[1]

    def request(self, method, path, body=None, **headers):
        """Return the status and the body of the response."""
        payload = None if body is None else json.dumps(body)
        self._http.request(method, path, payload, self._headers | headers)
        response = self._http.getresponse()
        answer = json.loads(response.read())
        assert_as_described(method, path, response.status, answer)
        return response.status, answer

    def get(self, path):
        return self.request("GET", path)

    def post(self, path, body=None, key=None):
        """Return the `data` of the response, which must be a success.

        `key` is an `Idempotency-Key`.
        """
        headers = {"Idempotency-Key": key} if key else {}
        status, response = self.request("POST", path, body, **headers)
        assert status in (200, 201), response
        return response["data"]

    def patch(self, path, body):
        """Return the `data` of the response, which must be a success."""
        status, response = self.request("PATCH", path, body)
        assert status == 200, response
        return response["data"]

    def close(self):
        self._http.close()
