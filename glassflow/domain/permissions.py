"""The permission keys, the keys that each one implies, and the system roles."""

from collections.abc import Collection, Iterable, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from types import MappingProxyType

EVERYTHING = "*"

# Resource prefix -> keys, in the order of the specification.
CATALOGUE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        resource: tuple(f"{resource}:{action}" for action in actions.split())
        for resource, actions in {
            "workers": "view manage",
            "customers": "view manage",
            "materials": "view manage",
            "inventory": "view move manage",
            "material_logs": "view manage",
            "requests": "view manage",
            "orders": "view create manage",
            "claims": "view create approve manage",
            "panes": "view create scan manage",
            "pane_logs": "view",
            "production_logs": "view create manage",
            "stations": "view manage",
            "station_templates": "view manage",
            "sticker_templates": "view manage",
            "job_types": "view manage",
            "pricing": "view manage",
            "notifications": "view create manage",
            "withdrawals": "view create manage",
            "roles": "view manage",
        }.items()
    }
)
ALL_KEYS: tuple[str, ...] = tuple(key for keys in CATALOGUE.values() for key in keys)
# Shows the short names of customers, and nothing else of them. `GET /api/roles/permissions`
# lists the keys of the specification, which has no such key.
CUSTOMER_NAMES = "customers:names"

# `manage` implies all other keys of its resource: `view`, `create`, and inventory:move,
# panes:scan and claims:approve.
IMPLIED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        f"{resource}:manage": frozenset(keys) - {f"{resource}:manage"}
        for resource, keys in CATALOGUE.items()
        if f"{resource}:manage" in keys
    }
    | {
        "customers:view": frozenset({CUSTOMER_NAMES}),
        "customers:manage": frozenset({"customers:view", CUSTOMER_NAMES}),
    }
)
VIEW_KEYS: frozenset[str] = frozenset(
    {key for key in ALL_KEYS if key.endswith(":view")} | {CUSTOMER_NAMES}
)
# A workshop's own keys, or patterns of keys (`station:enter:*`), each with the keys of
# the catalogue that it grants besides.
PermissionSets = tuple[tuple[str, frozenset[str]], ...]

# What a key begins with that lets its holder enter one station.
STATION_KEY = "station:enter:"

_GRANTED_BY: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        key: frozenset({key, f"{resource}:manage", EVERYTHING})
        for resource, keys in CATALOGUE.items()
        for key in keys
    }
    | {
        CUSTOMER_NAMES: frozenset(
            {CUSTOMER_NAMES, "customers:view", "customers:manage", EVERYTHING}
        )
    }
)

_ALLOWED_TO_WORKER = frozenset(
    {
        "claims:create",
        "panes:scan",
        "production_logs:create",
        "inventory:move",
        "withdrawals:create",
    }
)
_DENIED_TO_MANAGER = frozenset({"workers:manage", "roles:manage"})

# The three seeded roles: slug -> keys.
SYSTEM_ROLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "admin": (EVERYTHING,),
        "manager": tuple(key for key in ALL_KEYS if key not in _DENIED_TO_MANAGER),
        "worker": tuple(
            key
            for resource, keys in CATALOGUE.items()
            for key in keys
            if key in _ALLOWED_TO_WORKER or key == f"{resource}:view"
        ),
    }
)
# The roles of accounts that are no persons: a wall screen, which reads the board, and a
# tablet that several workers share. The account of a tablet by itself only reads; who has
# identified there may do what both the tablet's role and their own allow.
SCREEN, DEVICE = "screen", "device"
_VIEWED_ON_DEVICE = [
    "materials",
    "inventory",
    "requests",
    "orders",
    "claims",
    "panes",
    "pane_logs",
    "production_logs",
    "stations",
    "station_templates",
    "sticker_templates",
    "job_types",
    "withdrawals",
]
ACCOUNT_ROLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        SCREEN: ("materials:view", "orders:view", "panes:view", "pane_logs:view",
                 "stations:view"),
        DEVICE: tuple(
            key
            for key in (*ALL_KEYS, CUSTOMER_NAMES)
            if key in _ALLOWED_TO_WORKER
            or key in {f"{resource}:view" for resource in _VIEWED_ON_DEVICE}
            or key == CUSTOMER_NAMES
        ),
    }
)  # fmt: skip
# The keys of seeded roles as earlier releases seeded them: slug -> sets of keys.
FORMER_ROLES: Mapping[str, tuple[frozenset[str], ...]] = MappingProxyType(
    {
        "worker": (
            frozenset(SYSTEM_ROLES["worker"])
            - {"workers:view", "roles:view", "pricing:view"},
        ),
        DEVICE: (frozenset(ACCOUNT_ROLES[DEVICE]) - {CUSTOMER_NAMES},),
    }
)


def expand(keys: Iterable[str], sets: PermissionSets = ()) -> frozenset[str]:
    """Return the keys and all keys they imply; `*` implies every key and is kept.

    What the `sets` of a key grant is implied too. A key that neither they nor
    `CATALOGUE` know is kept and implies nothing.
    """
    return _expand(frozenset(keys), sets)


@lru_cache(maxsize=1024)
def _expand(given: frozenset[str], sets: PermissionSets) -> frozenset[str]:
    # Cached: there are few roles, and every request expands one.
    if EVERYTHING in given:
        return given.union(_GRANTED_BY)
    own = _with_implied(given)
    granted = (keys for pattern, keys in sets if _any_matches(own, pattern))
    return _with_implied(own.union(*granted))


def _with_implied(keys: frozenset[str]) -> frozenset[str]:
    return keys.union(*(IMPLIED.get(key, frozenset()) for key in keys))


def _any_matches(keys: frozenset[str], pattern: str) -> bool:
    return any(fnmatchcase(key, pattern) for key in keys)


def scan_stations(
    given: Iterable[str], sets: PermissionSets = ()
) -> frozenset[str] | None:
    """Return the ids of the stations at which a role may scan; None for all stations.

    A role is limited to the stations of its keys `station:enter:<id>` where nothing else
    grants it `panes:scan`.
    """
    stations = frozenset(key for key in given if key.startswith(STATION_KEY))
    others = expand(frozenset(given) - stations, sets)
    if not stations or holds(others, "panes:scan") or f"{STATION_KEY}*" in stations:
        return None
    return frozenset(key.removeprefix(STATION_KEY) for key in stations)


def shared(keys: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """Return the expanded keys that two roles have in common; `*` is never one."""
    return (keys & others) - {EVERYTHING}


def is_known(key: str, sets: PermissionSets = ()) -> bool:
    """Return whether a key is `*`, in the catalogue, or one of the sets'."""
    return (
        key == EVERYTHING
        or key in _GRANTED_BY
        or any(fnmatchcase(key, pattern) for pattern, _ in sets)
    )


def holds(keys: Collection[str], key: str) -> bool:
    """Return whether `keys`, expanded or not, include or imply a key."""
    granting = _GRANTED_BY.get(key) or frozenset({key, EVERYTHING})
    return not granting.isdisjoint(keys)


def exceeds(
    granted: Iterable[str], held: Iterable[str], sets: PermissionSets = ()
) -> frozenset[str]:
    """Return those of the `granted` keys, and of what they imply, that `held` lacks.

    Only `*` covers `*`, and it covers everything.
    """
    own = expand(held, sets)
    return frozenset() if EVERYTHING in own else expand(granted, sets) - own


def view_key(resource: str) -> str:
    """Return the key for reading a resource.

    Raises `ValueError` for a resource that is not in `CATALOGUE`.
    """
    key = f"{resource}:view"
    if key not in _GRANTED_BY:
        raise ValueError(f"No permission keys for resource {resource!r}")
    return key
