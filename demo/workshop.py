"""The records that the day needs: workers, stations, customers, materials.

A store with the demo seeds has all of them. Whatever is missing in another store is
created through the API first, with the admin's login.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from demo.client import Api, RequestRefused
from demo.plan import JOBS, STATION_WORKERS, STATIONS

WORKERS = Path(__file__).resolve().parent.parent / "seeds" / "demo" / "workers.json"


def demo_passwords() -> dict[str, str]:
    """The public logins of the demo seeds: username -> password."""
    rows = json.loads(WORKERS.read_text(encoding="utf-8"))
    return {row["username"]: row["password"] for row in rows}


def log_in_workers(admin: Api) -> tuple[dict[str, Api], list[str]]:
    """Log all workers in: username -> login, and the ids of temporary workers."""
    logins, temporary = {"admin": admin}, []
    passwords = demo_passwords()
    for username in dict.fromkeys(["manager", *STATION_WORKERS.values()]):
        password = passwords[username]
        try:
            login = Api.login(admin.url, username, password, admin.http)
        except RequestRefused:
            login = _create_worker(admin, username)
            temporary.append(login.id)
        logins[username] = login
    return logins, temporary


def deactivate_workers(admin: Api, workers: list[str]) -> None:
    """Deactivate the temporary workers at the end of the day."""
    for worker in workers:
        admin.patch(f"/api/workers/{worker}", isActive=False)


def _create_worker(admin: Api, username: str) -> Api:
    slug = "manager" if username == "manager" else "worker"
    role = next(role for role in admin.list_all("/api/roles") if role["slug"] == slug)
    name, password = f"{username}-{secrets.token_hex(3)}", secrets.token_urlsafe(16)
    body = {"name": name, "username": name, "position": "พนักงานรายวัน"}
    admin.post("/api/workers", **body, password=password, role=role["_id"])
    return Api.login(admin.url, name, password, admin.http)


def find_stations(admin: Api) -> dict[str, str]:
    """The stations of the day: short name -> id. A closed station is put online."""
    found = {station["name"]: station for station in admin.list_all("/api/stations")}
    return {
        short: _open_station(admin, found.get(name), name, short == "lamination")
        for short, name in STATIONS.items()
    }


def _open_station(
    admin: Api, station: Mapping[str, Any] | None, name: str, laminates: bool
) -> str:
    fields = {"status": "online", "isLaminateStation": laminates}
    if station is None:
        template = _find_or_create_template(admin)
        station = admin.post("/api/stations", name=name, templateId=template, **fields)
    elif station["status"] == "maintenance" or station["isLaminateStation"] < laminates:
        admin.patch(f"/api/stations/{station['_id']}", **fields)
    return str(station["_id"])


def _find_or_create_template(admin: Api) -> str:
    path = "/api/station-templates"
    rows = admin.get(path, limit=1)
    return str((rows[0] if rows else admin.post(path, name="สแกนกระจก"))["_id"])


def find_customers(admin: Api) -> list[str]:
    """The ids of the customers of the day's orders."""
    rows = admin.list_all("/api/customers", sort="name")
    return [row["_id"] for row in rows] or [
        admin.post("/api/customers", name="ลูกค้าหน้าร้าน")["_id"]
    ]


def find_materials(admin: Api) -> dict[str, str]:
    """The materials of the jobs: code -> id."""
    rows = admin.list_all("/api/materials")
    found = {str(row["code"]): str(row["_id"]) for row in rows}
    for job in JOBS:
        if job.material not in found:
            body = {"code": job.material, "name": f"กระจก {job.material}"}
            created = admin.post("/api/materials", **body, unit="แผ่น", reorderPoint=5)
            found[job.material] = created["_id"]
    return found
