"""`make bench`: every load program, on a service of its own."""

from __future__ import annotations

from bench import requests
from demo.client import Api
from demo.service import own_service

ADMIN = ("admin", "admin1234")  # of the demo workshop that the service starts with


def main() -> None:
    """Measure, and print the tables."""
    with own_service() as url:
        rows = list(requests.measure(Api.login(url, *ADMIN)))
    print("\n".join(requests.table(rows)))


if __name__ == "__main__":
    main()
