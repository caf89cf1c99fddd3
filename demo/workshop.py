"""What the day needs to find in the workshop: people, stations, customers, stock.

A store with the demo data has all of it. In any other store what is missing is made
through the API first, as an admin would make it.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from demo.client import Api, Refused
from demo.plan import JOBS, POSTS, STATIONS

WORKERS = Path(__file__).resolve().parent.parent / "seeds" / "demo" / "workers.json"


def demo_passwords() -> dict[str, str]:
    """The logins of the demo workshop, which are no secret: username -> password."""
    rows = json.loads(WORKERS.read_text(encoding="utf-8"))
    return {row["username"]: row["password"] for row in rows}


def gather_crew(admin: Api) -> tuple[dict[str, Api], list[str]]:
    """Log everybody in: username -> login, and the ids of those hired for today."""
    crew, hired = {"admin": admin}, []
    known = demo_passwords()
    for username in dict.fromkeys(["manager", *POSTS.values()]):
        try:
            crew[username] = Api.login(admin.url, username, known[username], admin.line)
        except Refused:
            crew[username] = _hire(admin, username)
            hired.append(crew[username].id)
    return crew, hired


def dismiss(admin: Api, hired: list[str]) -> None:
    """End the logins that were made for the day only."""
    for worker in hired:
        admin.patch(f"/api/workers/{worker}", isActive=False)


def _hire(admin: Api, username: str) -> Api:
    slug = "manager" if username == "manager" else "worker"
    role = next(r for r in admin.all("/api/roles") if r["slug"] == slug)
    login, password = f"{username}-{secrets.token_hex(3)}", secrets.token_urlsafe(16)
    body = {"name": login, "username": login, "position": "พนักงานรายวัน"}
    admin.post("/api/workers", **body, password=password, role=role["_id"])
    return Api.login(admin.url, login, password, admin.line)


def find_stations(admin: Api) -> dict[str, str]:
    """The stations of the day: short name -> id. A closed one is opened."""
    found = {station["name"]: station for station in admin.all("/api/stations")}
    return {
        short: _open_station(admin, found.get(name), name, short == "lamination")
        for short, name in STATIONS.items()
    }


def _open_station(
    admin: Api, station: Mapping[str, Any] | None, name: str, laminates: bool
) -> str:
    if station is None:
        template = _any(admin, "/api/station-templates", {"name": "สแกนกระจก"})
        station = admin.post(
            "/api/stations",
            name=name,
            templateId=template,
            status="online",
            isLaminateStation=laminates,
        )
    elif station["status"] == "maintenance" or station["isLaminateStation"] < laminates:
        admin.patch(
            f"/api/stations/{station['_id']}",
            status="online",
            isLaminateStation=laminates,
        )
    return str(station["_id"])


def find_customers(admin: Api) -> list[str]:
    """The ids of the customers who order today."""
    rows = admin.all("/api/customers", sort="name")
    return [row["_id"] for row in rows] or [
        admin.post("/api/customers", name="ลูกค้าหน้าร้าน")["_id"]
    ]


def find_materials(admin: Api) -> dict[str, str]:
    """The materials of the jobs: code -> id."""
    found = {str(row["code"]): str(row["_id"]) for row in admin.all("/api/materials")}
    for job in JOBS:
        if job.material not in found:
            body = {"code": job.material, "name": f"กระจก {job.material}"}
            made = admin.post("/api/materials", **body, unit="แผ่น", reorderPoint=5)
            found[job.material] = made["_id"]
    return found


def _any(admin: Api, path: str, make: dict[str, Any]) -> str:
    rows = admin.get(path, limit=1)
    return str(rows[0]["_id"] if rows else admin.post(path, **make)["_id"])
