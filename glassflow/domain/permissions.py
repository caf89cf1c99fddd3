"""Who may do what: the catalogue of permission keys and what each key implies."""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

EVERYTHING = "*"

# The specification's table, in its order: resource prefix -> keys.
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

# `manage` implies `view` and `create`, and besides inventory:move, panes:scan and
# claims:approve. Those are all the other keys there are, so the rule needs no list.
IMPLIED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        f"{resource}:manage": frozenset(keys) - {f"{resource}:manage"}
        for resource, keys in CATALOGUE.items()
        if f"{resource}:manage" in keys
    }
)
_GRANTED_BY: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        key: frozenset({key, f"{resource}:manage", EVERYTHING})
        for resource, keys in CATALOGUE.items()
        for key in keys
    }
)

_WORKER_SEES_NOT = frozenset({"workers", "roles", "pricing"})
_WORKER_DOES = frozenset(
    {
        "claims:create",
        "panes:scan",
        "pane_logs:view",
        "production_logs:create",
        "inventory:move",
        "withdrawals:create",
    }
)
_MANAGER_LACKS = frozenset({"workers:manage", "roles:manage"})

# The three pre-seeded roles: slug -> permissions.
SYSTEM_ROLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "admin": (EVERYTHING,),
        "manager": tuple(key for key in ALL_KEYS if key not in _MANAGER_LACKS),
        "worker": tuple(
            key
            for resource, keys in CATALOGUE.items()
            for key in keys
            if key in _WORKER_DOES
            or (key == f"{resource}:view" and resource not in _WORKER_SEES_NOT)
        ),
    }
)


def expand(keys: Iterable[str]) -> frozenset[str]:
    """Return the keys with all that they imply; ``*`` stays and brings every key.

    Keys that the catalogue does not know are kept as they are and imply nothing.
    """
    return _expand(frozenset(keys))


@lru_cache(maxsize=1024)
def _expand(given: frozenset[str]) -> frozenset[str]:
    # roles are few: all who have one share what it comes to
    if EVERYTHING in given:
        return given.union(ALL_KEYS)
    return given.union(*(IMPLIED.get(key, frozenset()) for key in given))


def holds(keys: Collection[str], key: str) -> bool:
    """Tell whether a holder of ``keys`` (expanded or not) may do what ``key`` names."""
    granting = _GRANTED_BY.get(key) or frozenset({key, EVERYTHING})
    return not granting.isdisjoint(keys)


def exceeds(granted: Iterable[str], held: Iterable[str]) -> frozenset[str]:
    """Return the keys that somebody who holds ``held`` cannot give to another.

    ``*`` can be given by a holder of ``*`` only, who can give anything.
    """
    own = expand(held)
    return frozenset() if EVERYTHING in own else expand(granted) - own


def view_key(resource: str) -> str:
    """Return the key that reading a resource needs; the prefix must be a known one."""
    key = f"{resource}:view"
    if key not in _GRANTED_BY:
        raise ValueError(f"No permission keys for resource {resource!r}")
    return key
