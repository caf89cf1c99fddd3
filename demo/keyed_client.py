"""A REST client whose POSTs have one effect, however often they have to be sent."""

from __future__ import annotations

import time
import uuid
from typing import Any

from demo.client import (
    OUTAGE_TIMEOUT_S,
    OUTCOME_UNKNOWN,
    RETRY_PAUSE_S,
    HttpClient,
    NoResponse,
    Response,
)

KEY = "Idempotency-Key"


class KeyedClient(HttpClient):
    """Sends each POST with an `Idempotency-Key`, and again with it until it is answered.

    `sent_again` counts the POSTs whose first answer was lost; after `patience_s` seconds
    without an answer it gives up.
    """

    sent_again = 0
    patience_s: float = OUTAGE_TIMEOUT_S

    def request(
        self, method: str, url: str, body: Any, query: dict[str, Any], token: str
    ) -> Response:
        """Send one request; raises `NoResponse`, for a POST when it gives up."""
        if method != "POST":
            return super().request(method, url, body, query, token)
        headers, lost = self._session().headers, False
        deadline = time.monotonic() + self.patience_s
        headers[KEY] = str(uuid.uuid4())
        try:
            while True:
                answer = self._attempt(url, body, query, token)
                if answer is not None:
                    return answer
                if time.monotonic() > deadline:
                    raise NoResponse(f"POST {url} is not answered")
                self.sent_again += not lost
                lost = True
                time.sleep(RETRY_PAUSE_S)
        finally:
            del headers[KEY]

    def _attempt(
        self, url: str, body: Any, query: dict[str, Any], token: str
    ) -> Response | None:
        """Send a POST once; return None if its outcome is unknown."""
        try:
            answer = super().request("POST", url, body, query, token)
        except NoResponse:
            return None
        return None if answer.status in OUTCOME_UNKNOWN else answer
