"""What a new store is given: roles, prices, workers, and the demo workshop.

The data stands in `seeds/`, in wire names, with references by natural key. Every
function adds what is missing and leaves alone what is there, edited or not, so a
second run changes nothing.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import Conflict, Invalid, UnknownReference
from glassflow.domain.permissions import EVERYTHING
from glassflow.models import BY_NAME
from glassflow.models.base import Record, Ref
from glassflow.models.inventory import Inventory
from glassflow.services import passwords, pricing, records, stock

SEEDS = Path(__file__).resolve().parents[2] / "seeds"

# What people call a record by: the stored field that tells it from others of its kind.
NATURAL_KEYS: Mapping[str, str] = {
    "Role": "slug",
    "Worker": "username",
    "StationTemplate": "name",
    "Station": "name",
    "Material": "code",
    "Inventory": "material",  # lots are added only to materials that have none at all
    "Customer": "name",
    "JobType": "code",
    "StickerTemplate": "name",
}
# In this order: each may point at those before it.
DEMO: tuple[tuple[str, str], ...] = (
    ("station_templates", "StationTemplate"),
    ("stations", "Station"),
    ("materials", "Material"),
    ("inventories", "Inventory"),
    ("customers", "Customer"),
    ("job_types", "JobType"),
    ("sticker_templates", "StickerTemplate"),
)
PASSWORD_LENGTH = range(6, 129)


@dataclass(frozen=True, slots=True)
class Added:
    """How many records of a kind were added, and how many were there before."""

    what: str
    added: int
    present: int

    def __str__(self) -> str:
        return f"{self.what}: {self.added} added, {self.present} already there"


def seed_roles() -> Added:
    """Add the system roles; the permissions of those that exist stay as they are."""
    rows = [{**row, "isSystem": True} for row in _read("roles")]
    return _seed("roles", "Role", rows)


def seed_pricing() -> Added:
    """Add the price table, unless there is one."""
    there = BY_NAME["PricingSettings"]._get_collection().find_one({}) is not None
    pricing.settings()
    return Added("pricing settings", int(not there), int(there))


def seed_workers() -> Added:
    """Add the workers of the demo workshop, whose passwords are no secret."""
    seed_roles()
    rows = demo_workers()
    absent = _absent("Worker", rows)
    hashed = [_with_hash(row) for row in absent]  # slow on purpose, so before the work
    added = _seed("workers", "Worker", hashed).added
    return Added("workers", added, len(rows) - added)


def seed_demo() -> tuple[Added, ...]:
    """Add all records of the demo workshop but its workers."""
    return tuple(
        _seed(name.replace("_", " "), model, _read(f"demo/{name}"))
        for name, model in DEMO
    )


def demo_workers() -> list[dict[str, Any]]:
    """Give the workers of the demo workshop, with their passwords in the clear."""
    rows: list[dict[str, Any]] = _read("demo/workers")
    return rows


def create_worker(
    *, username: str, password: str, name: str, role_slug: str, position: str = ""
) -> Added:
    """Add one worker. Raises `Invalid`, or `UnknownReference` for an unknown role.

    A worker of that username stays as they are, password and role included.
    """
    row = {
        "username": username.strip().lower(),
        "name": name.strip(),
        "password": password,
        "position": position.strip(),
        "role": role_slug,
    }
    _check(row)
    seed_roles()
    if not _absent("Worker", [row]):
        return Added("workers", 0, 1)
    return _seed("workers", "Worker", [_with_hash(row)])


def seed_admin(password: str) -> Added:
    """Add the worker `admin`, unless an active worker may do everything already.

    Raises `Conflict` if the name is taken by somebody who may not.
    """
    seed_roles()
    if has_admin():
        return Added("admin", 0, 1)
    made = create_worker(
        username="admin", password=password, name="Admin", role_slug="admin"
    )
    if not made.added:
        raise Conflict("The username admin belongs to a worker who is not an admin")
    return Added("admin", 1, 0)


def has_admin() -> bool:
    """Tell whether some active worker may do everything."""
    roles = BY_NAME["Role"]._get_collection().find({"permissions": EVERYTHING})
    holders = {"role": {"$in": [role["_id"] for role in roles]}, "isActive": True}
    return BY_NAME["Worker"]._get_collection().find_one(holders) is not None


def _read(name: str) -> Any:
    return json.loads((SEEDS / f"{name}.json").read_text(encoding="utf-8"))


@unit_of_work
def _seed(what: str, model_name: str, rows: list[dict[str, Any]]) -> Added:
    """Add the rows whose natural key is not in the store, all or none."""
    absent = _absent(model_name, rows)
    model = BY_NAME[model_name]
    numbers = iter(_numbers(model, len(absent)))
    for row in absent:
        number = {model.numbered[0]: next(numbers)} if model.numbered else {}
        made = _make(model, _resolved(model, row), **number)
        if isinstance(made, Inventory):
            stock.enter(made, "import", made.material, made.quantity, None)
    return Added(what, len(absent), len(rows) - len(absent))


def _absent(model_name: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    model, key = BY_NAME[model_name], NATURAL_KEYS[model_name]
    wanted = [_resolved(model, {key: row[key]})[key] for row in rows]
    stored = model._get_collection().find({key: {"$in": wanted}}, {key: 1})
    there = {record[key] for record in stored}
    return [row for row, value in zip(rows, wanted, strict=True) if value not in there]


def _resolved(model: type[Record], row: Mapping[str, Any]) -> dict[str, Any]:
    """Give a row with ids in place of the natural keys that it refers by."""
    refs = {f.db_field: f.target for f in model._fields.values() if isinstance(f, Ref)}
    return {
        name: _id_of(refs[name], value) if name in refs else value
        for name, value in row.items()
    }


def _id_of(model_name: str, value: str) -> ObjectId:
    model, key = BY_NAME[model_name], NATURAL_KEYS[model_name]
    found = model._get_collection().find_one({key: value}, {"_id": 1})
    if found is None:
        raise UnknownReference(f"{model.label} {value!r} not found")
    record_id: ObjectId = found["_id"]
    return record_id


def _make(model: type[Record], row: Mapping[str, Any], **server_owned: str) -> Record:
    attribute: Mapping[str, str] = model._reverse_db_field_map
    values = {attribute[name]: value for name, value in row.items()}
    made: Record = model(**values, **server_owned).save()
    return made


def _numbers(model: type[Record], count: int) -> Iterable[str]:
    return records.next_numbers(model, count) if model.numbered and count else ()


def _with_hash(row: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in row.items() if name != "password"}
    return kept | {"passwordHash": passwords.hashed(row["password"])}


def _check(row: Mapping[str, str]) -> None:
    faults = [
        {"field": name, "message": "must not be empty"}
        for name in ("username", "name")
        if not row[name]
    ]
    if len(row["password"]) not in PASSWORD_LENGTH:
        faults.append({"field": "password", "message": "must be 6 to 128 characters"})
    if faults:
        raise Invalid(faults)
