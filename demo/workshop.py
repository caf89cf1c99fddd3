"""The demo workshop as the day finds it: logins, stations, customers, materials."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from demo.client import Api
from demo.plan import STATION_WORKERS, STATIONS
from demo.report import Report

WORKERS = Path(__file__).resolve().parent.parent / "seeds" / "demo" / "workers.json"


@dataclass(frozen=True)
class Workshop:
    """What the stories of the day need.

    `logins` is username -> login, `stations` short name -> id, `materials` code -> id;
    `run_id` marks the records of this day.
    """

    admin: Api
    run_id: str
    report: Report
    logins: dict[str, Api]
    stations: dict[str, str]
    materials: dict[str, str]
    customers: list[str]

    @property
    def manager(self) -> Api:
        """The login that takes orders and decides claims."""
        return self.logins["manager"]


def demo_passwords() -> dict[str, str]:
    """The public logins of the demo workshop: username -> password."""
    rows = json.loads(WORKERS.read_text(encoding="utf-8"))
    return {row["username"]: row["password"] for row in rows}


def enter(admin: Api, run_id: str, report: Report) -> Workshop:
    """Log in all workers and look up what the day needs.

    Raises `RequestRefused` if a worker of the demo workshop cannot log in, and
    `LookupError` if a station of it is missing.
    """
    passwords = demo_passwords()
    logins = {"admin": admin}
    for username in {"manager", *STATION_WORKERS.values()}:
        logins[username] = Api.login(
            admin.url, username, passwords[username], admin.http
        )
    found = {row["name"]: row["_id"] for row in admin.list_all("/api/stations")}
    missing = set(STATIONS.values()) - found.keys()
    if missing:
        raise LookupError(f"the demo workshop lacks {sorted(missing)} (flask seed all)")
    return Workshop(
        admin=admin,
        run_id=run_id,
        report=report,
        logins=logins,
        stations={short: found[name] for short, name in STATIONS.items()},
        materials={row["code"]: row["_id"] for row in admin.list_all("/api/materials")},
        customers=[row["_id"] for row in admin.list_all("/api/customers", sort="name")],
    )
