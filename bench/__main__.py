"""`make bench`: every load program but the soak, each on a service of its own."""

from __future__ import annotations

import shutil

from bench import requests
from bench.fanout.__main__ import tables
from bench.fanout.sides import set_up_node
from demo.client import Api
from demo.service import own_service

ADMIN = ("admin", "admin1234")  # of the demo workshop that the service starts with
SIZES = [50, 200, 500, 1000]  # clients in one room


def main() -> None:
    """Measure, and print the tables."""
    with own_service() as service:
        rows = list(requests.measure(Api.login(service.url, *ADMIN)))
    print("\n".join(requests.table(rows)), flush=True)
    missing = [
        name for name in ("node", "npm", "redis-server") if not shutil.which(name)
    ]
    if missing:
        print(f"The fan-out needs {', '.join(missing)} besides; left out.")
        return
    set_up_node()
    print("\n" + "\n".join(tables(SIZES)))


if __name__ == "__main__":
    main()
