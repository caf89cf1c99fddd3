"""Seed a store with roles, prices, templates, workers, ready-made stations and the demo workshop.

The data is in `seeds/`, in wire names, with references by natural key. Every function
adds the records that are missing and does not change existing ones, edited or not, so a
second run changes nothing.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import calendar, texts
from glassflow.domain.errors import Conflict, FieldFault, Invalid, UnknownReference
from glassflow.domain.permissions import EVERYTHING, FORMER_ROLES, SYSTEM_ROLES
from glassflow.domain.stock import LedgerAction
from glassflow.domain.unicode_text import as_username, normalize
from glassflow.host.data_files import SEEDS
from glassflow.models import BY_NAME
from glassflow.models.base import Record
from glassflow.models.fields import Ref, element_field
from glassflow.models.inventory import Inventory
from glassflow.models.role import Role
from glassflow.models.working_hours import WorkingHours
from glassflow.models.workshop import Workshop
from glassflow.services import pricing, records
from glassflow.services.auth import passwords
from glassflow.services.records import singleton
from glassflow.services.stock import ledger

# The stored field by which a seeded record is recognized.
NATURAL_KEYS: Mapping[str, str] = {
    "Role": "slug",
    "Worker": "username",
    "StationTemplate": "name",
    "Station": "name",
    "Material": "code",
    "Inventory": "material",  # lots are added only to materials without any
    "Customer": "name",
    "PriceList": "name",
    "JobType": "code",
    "StickerTemplate": "name",
}
DEMO_HOURS_SINCE = timedelta(days=60)
# Files of `seeds/` and their models. Each list is in the order in which its records are
# added, because a record may refer to those before it.
Files = tuple[tuple[str, str], ...]
ROLES: Files = (("roles", "Role"),)
#: Of the demo workshop, with published passwords.
WORKERS: Files = (("demo/workers", "Worker"),)
PLAIN_STATION_TEMPLATE: Files = (("new_store/station_templates", "StationTemplate"),)
LABEL_TEMPLATES: Files = (("new_store/sticker_templates", "StickerTemplate"),)
#: What every new store has, so that the first station and the first label need no template.
NEW_STORE: Files = (*PLAIN_STATION_TEMPLATE, *LABEL_TEMPLATES)
#: The eight stations of a usual workshop, and the job types that pass them.
STATIONS: Files = (
    *PLAIN_STATION_TEMPLATE,
    ("ready_made/station_templates", "StationTemplate"),
    ("ready_made/stations", "Station"),
    ("ready_made/job_types", "JobType"),
)
DEMO: Files = (
    *LABEL_TEMPLATES,
    *STATIONS,
    ("demo/materials", "Material"),
    ("demo/inventories", "Inventory"),
    ("demo/price_lists", "PriceList"),
    ("demo/customers", "Customer"),
    ("demo/sticker_templates", "StickerTemplate"),
)


@dataclass(frozen=True, slots=True)
class Added:
    """How many records of a kind were added, and how many existed already.

    `extended` names those of them that got what this release seeds besides.
    """

    what: str
    added: int
    present: int
    extended: tuple[str, ...] = ()

    def __str__(self) -> str:
        line = f"{self.what}: {self.added} added, {self.present} already there"
        names = ", ".join(self.extended)
        return f"{line}; new keys for {names}" if names else line


def seed_roles() -> Added:
    """Add the system roles and those of accounts that are no persons, and the keys that are new to those that nobody has changed."""
    rows = [{**row, "isSystem": row["slug"] in SYSTEM_ROLES} for row in _read("roles")]
    extended = _extend_unchanged_roles(rows)
    return replace(_seed("roles", "Role", rows), extended=extended)


@unit_of_work
def _extend_unchanged_roles(rows: list[dict[str, Any]]) -> tuple[str, ...]:
    """Give roles that still have what an earlier release seeded the keys of this one."""
    extended = []
    for row in rows:
        former = FORMER_ROLES.get(row["slug"], ())
        role = Role.objects(slug=row["slug"]).first() if former else None
        if role is not None and frozenset(role.permissions) in former:
            role.permissions = row["permissions"]
            records.store(role)
            extended.append(row["slug"])
    return tuple(extended)


def seed_pricing() -> Added:
    """Add the prices of the workshop, unless they exist."""
    existed = BY_NAME["PricingSettings"].collection().find_one({}) is not None
    pricing.settings()
    return Added("pricing settings", int(not existed), int(existed))


@unit_of_work
def seed_workshop() -> Added:
    """Add the data of the demo workshop itself, unless it has some."""
    existed = singleton.find(Workshop) is not None
    if not existed:
        row = _read("demo/workshop")
        _create(Workshop, {"_id": singleton.ID, **row})
    return Added("workshop", int(not existed), int(existed))


@unit_of_work
def seed_working_hours() -> Added:
    """Add the working hours of the demo workshop, unless it has some.

    They are in force since before its work began.
    """
    existed = singleton.find(WorkingHours) is not None
    if not existed:
        since = calendar.day_start(
            clock.now() - DEMO_HOURS_SINCE, runtime.current().policy.timezone
        )
        row = _read("demo/working_hours")
        _create(WorkingHours, {"_id": singleton.ID, "since": since, **row})
    return Added("working hours", int(not existed), int(existed))


def seed_workers() -> Added:
    """Add the workers of the demo workshop, whose passwords are public."""
    seed_roles()
    rows = demo_workers()
    absent = _absent("Worker", rows)
    hashed = [_with_hash(row) for row in absent]  # slow, so outside the transaction
    added = _seed("workers", "Worker", hashed).added
    return Added("workers", added, len(rows) - added)


def seed_demo() -> tuple[Added, ...]:
    """Add all records of the demo workshop except its workers."""
    return (*seed_files(DEMO), seed_workshop(), seed_working_hours())


def seed_new_store() -> tuple[Added, ...]:
    """Add the templates of a new store; nothing to a store that has a worker.

    Templates that the workshop has deleted must not return at the next start.
    """
    if BY_NAME["Worker"].collection().find_one({}, {"_id": 1}) is not None:
        return ()
    return seed_files(NEW_STORE)


def seed_files(files: Files) -> tuple[Added, ...]:
    """Add the records of the files whose natural key is not in the store."""
    return tuple(
        _seed(name.rpartition("/")[2].replace("_", " "), model, _read(name))
        for name, model in files
    )


def natural_keys(name: str, model_name: str) -> list[str]:
    """Return the natural keys of the records of a file."""
    return [row[NATURAL_KEYS[model_name]] for row in _read(name)]


def demo_workers() -> list[dict[str, Any]]:
    """Return the workers of the demo workshop, with their passwords in plain text."""
    rows: list[dict[str, Any]] = _read("demo/workers")
    return rows


def create_worker(
    *,
    username: str,
    password: str,
    name: str,
    role_slug: str,
    position: str = "",
    one_time: bool = False,
) -> Added:
    """Add one worker. Raises `Invalid`, or `UnknownReference` for an unknown role.

    An existing worker of that username stays unchanged, password and role included. A
    `one_time` password opens nothing but its change.
    """
    row = {
        "username": as_username(username),
        "name": normalize(name),
        "password": password,
        "position": normalize(position),
        "role": role_slug,
    }
    _check(row)
    seed_roles()
    if not _absent("Worker", [row]):
        return Added("workers", 0, 1)
    state = {"passwordChangeRequired": True} if one_time else {}
    return _seed("workers", "Worker", [_with_hash(row) | state])


def seed_admin(password: str, *, one_time: bool = False) -> Added:
    """Add the worker `admin`, unless an active worker already holds `*`.

    Raises `Conflict` if a worker without `*` has the username.
    """
    seed_roles()
    if has_admin():
        return Added("admin", 0, 1)
    result = create_worker(
        username="admin",
        password=password,
        name="Admin",
        role_slug="admin",
        one_time=one_time,
    )
    if not result.added:
        raise Conflict(texts.ADMIN_NAME_TAKEN)
    return Added("admin", 1, 0)


def has_admin() -> bool:
    """Return whether an active worker holds `*`."""
    roles = BY_NAME["Role"].collection().find({"permissions": EVERYTHING})
    holders = {"role": {"$in": [role["_id"] for role in roles]}, "isActive": True}
    return BY_NAME["Worker"].collection().find_one(holders) is not None


def _read(name: str) -> Any:
    return json.loads((SEEDS / f"{name}.json").read_text(encoding="utf-8"))


@unit_of_work
def _seed(what: str, model_name: str, rows: list[dict[str, Any]]) -> Added:
    """Add the rows whose natural key is not in the store, all in one transaction."""
    absent = _absent(model_name, rows)
    model = BY_NAME[model_name]
    numbers = iter(_numbers(model, len(absent)))
    for row in absent:
        number = {model.numbered[0]: next(numbers)} if model.numbered else {}
        record = _create(model, _resolved(model, row), **number)
        if isinstance(record, Inventory):
            ledger.post(
                record, LedgerAction.IMPORT, record.material, record.quantity, None
            )
    return Added(what, len(absent), len(rows) - len(absent))


def _absent(model_name: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    model, key = BY_NAME[model_name], NATURAL_KEYS[model_name]
    wanted = [_resolved(model, {key: row[key]})[key] for row in rows]
    stored = model.collection().find({key: {"$in": wanted}}, {key: 1})
    known = {record[key] for record in stored}
    return [row for row, value in zip(rows, wanted, strict=True) if value not in known]


def _resolved(model: type[Record], row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with ids instead of the natural keys of its references."""
    targets = {
        field.db_field: inner.target
        for field in model._fields.values()
        if isinstance(inner := element_field(field), Ref)
    }

    def resolved(name: str, value: Any) -> Any:
        if name not in targets:
            return value
        if isinstance(value, list):
            return [_id_of(targets[name], one) for one in value]
        return _id_of(targets[name], value)

    return {name: resolved(name, value) for name, value in row.items()}


def _id_of(model_name: str, value: str) -> ObjectId:
    model, key = BY_NAME[model_name], NATURAL_KEYS[model_name]
    row = model.collection().find_one({key: value}, {"_id": 1})
    if row is None:
        raise UnknownReference(
            texts.NAME_NOT_FOUND.format(label=model.label, key=value)
        )
    record_id: ObjectId = row["_id"]
    return record_id


def _create(model: type[Record], row: Mapping[str, Any], **server_owned: str) -> Record:
    attribute: Mapping[str, str] = model._reverse_db_field_map
    values = {attribute[name]: value for name, value in row.items()}
    record = model(**values, **server_owned)
    records.store(record)
    return record


def _numbers(model: type[Record], count: int) -> Iterable[str]:
    return records.next_numbers(model, count) if model.numbered and count else ()


def _with_hash(row: Mapping[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in row.items() if name != "password"}
    return rest | {"passwordHash": passwords.hash_password(row["password"])}


def _check(row: Mapping[str, str]) -> None:
    faults: list[FieldFault] = [
        {"field": name, "message": texts.NOT_EMPTY}
        for name in ("username", "name")
        if not row[name]
    ]
    try:
        passwords.require_allowed(row["password"], row["username"])
    except Invalid as invalid:
        faults += invalid.faults
    if faults:
        raise Invalid(faults)
