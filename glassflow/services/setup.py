"""What a workshop needs before its first order, and ready-made records for it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from glassflow.core.store import locks
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.aliases import May
from glassflow.domain.errors import Conflict
from glassflow.domain.permissions import ACCOUNT_ROLES
from glassflow.models.base import Record
from glassflow.models.customer import Customer
from glassflow.models.inventory import Inventory
from glassflow.models.material import Material
from glassflow.models.request import Request
from glassflow.models.role import Role
from glassflow.models.station import Station
from glassflow.models.sticker_template import StickerTemplate
from glassflow.models.worker import Worker
from glassflow.services import pricing, seeding, working_hours, workshop
from glassflow.services.seeding import Added


@dataclass(frozen=True, slots=True)
class State:
    """The state of a step: how many records it has; None where there is one for all."""

    is_done: bool
    count: int | None = None


def steps(*, may: May) -> Mapping[str, State]:
    """Return the steps of the set-up that the caller may carry out, in order of need.

    `may` tells whether the caller holds a key. The state is read from the records.
    """
    return {name: read() for name, (key, read) in _STEPS.items() if may(key)}


@unit_of_work
def add_stations() -> Sequence[Added]:
    """Add eight stations with their templates, and job types with routes over them.

    Raises `Conflict` in a workshop with stations, whose routes are its own.
    """
    locks.touch_named(locks.READY_MADE_STATIONS)  # of two callers the second one waits
    if _count(Station):
        raise Conflict(texts.STATIONS_EXIST)
    return seeding.seed_files(seeding.STATIONS)


def add_label_templates() -> Sequence[Added]:
    """Add those of the label templates of every new store that are missing by name."""
    return seeding.seed_files(seeding.LABEL_TEMPLATES)


def _count(model: type[Record], query: Mapping[str, Any] | None = None) -> int:
    return int(model.collection().count_documents(query or {}))


def _any(model: type[Record]) -> State:
    count = _count(model)
    return State(count > 0, count)


def _workshop() -> State:
    return State(workshop.is_entered())


def _hours() -> State:
    return State(working_hours.is_set())


def _prices() -> State:
    return State(not pricing.settings().is_example)


def _materials() -> State:
    """A material without a lot is no stock."""
    count = _count(Material)
    return State(count > 0 and _count(Inventory) > 0, count)


def _people() -> State:
    """Count the active workers, without the accounts of screens and shared devices."""
    accounts = Role.collection().find({"slug": {"$in": [*ACCOUNT_ROLES]}})
    of_persons = {"$nin": [role["_id"] for role in accounts]}
    count = _count(Worker, {"isActive": True, "role": of_persons})
    return State(count > 1, count)  # one of them is the caller


_STEPS: Mapping[str, tuple[str, Callable[[], State]]] = {
    "workshop": ("pricing:manage", _workshop),
    "stations": ("stations:manage", partial(_any, Station)),
    "hours": ("stations:manage", _hours),
    "prices": ("pricing:manage", _prices),
    "materials": ("materials:manage", _materials),
    "labels": ("sticker_templates:manage", partial(_any, StickerTemplate)),
    "people": ("workers:manage", _people),
    "customers": ("customers:manage", partial(_any, Customer)),
    "requests": ("requests:manage", partial(_any, Request)),
}
