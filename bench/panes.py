"""Panes for load programs: requests with as many panes as a request may have."""

from __future__ import annotations

from typing import Any

import requests

from demo.client import Api

AT_ONCE, ATTEMPTS = 50, 20  # AT_ONCE: the panes of a request
GLASS = "กระจกนิรภัย ชั้นที่ ๒ สีเขียวตัดแสง 10 มม."
TIMEOUT_S = 120


def create_request(api: Api, station: str) -> dict[str, Any]:
    """Create a request with panes that wait at a station, and return it.

    A busy machine may need several attempts.
    """
    pane = {
        "routing": [station],
        "glassTypeLabel": GLASS,
        "dimensions": {"width": 1200, "height": 800, "thickness": 10},
    }
    body = {
        "customer": api.get("/api/customers", limit=1)[0]["_id"],
        "details": {"type": "bench", "quantity": AT_ONCE},
        "panes": [pane] * AT_ONCE,
    }
    headers = {"Authorization": f"Bearer {api.token}"}
    for _ in range(ATTEMPTS):
        answer = requests.post(
            f"{api.url}/api/requests", json=body, headers=headers, timeout=TIMEOUT_S
        )
        if answer.status_code == 201:
            created: dict[str, Any] = answer.json()["data"]
            return created
    raise RuntimeError(answer.text)
