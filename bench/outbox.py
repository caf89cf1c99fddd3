"""The store of a service under load: the outbox, and how much is in it."""

from __future__ import annotations

import time
from typing import Any

from pymongo import MongoClient

PUBLISH_TIMEOUT_S = 60
POLL_INTERVAL_S = 0.01


class Outbox:
    """The outbox in the store of a service."""

    def __init__(self, uri: str) -> None:
        self._client: MongoClient[dict[str, Any]] = MongoClient(uri)
        self._database = self._client["glassflow"]
        self._batches = self._database["outbox"]

    def close(self) -> None:
        """Close the connections to the store."""
        self._client.close()

    def panes(self) -> int:
        """Return how many panes there are."""
        return self._database["panes"].estimated_document_count()

    def wait_until_published(self) -> None:
        """Wait until it is empty: publishing is part of what a request costs.

        Raises `RuntimeError` after `PUBLISH_TIMEOUT_S`.
        """
        deadline = time.monotonic() + PUBLISH_TIMEOUT_S
        while self._batches.find_one({}, {"_id": 1}):
            if time.monotonic() > deadline:
                raise RuntimeError("the outbox does not become empty")
            time.sleep(POLL_INTERVAL_S)
