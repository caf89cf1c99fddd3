"""The permission catalogue, compared with the tables of the specification."""

import pytest

from glassflow.domain.permissions import (
    ALL_KEYS,
    CATALOGUE,
    CUSTOMER_NAMES,
    SYSTEM_ROLES,
    exceeds,
    expand,
    holds,
    is_known,
    view_key,
)

SPEC = """
workers:view, workers:manage
customers:view, customers:manage
materials:view, materials:manage
inventory:view, inventory:move, inventory:manage
material_logs:view, material_logs:manage
requests:view, requests:manage
orders:view, orders:create, orders:manage
claims:view, claims:create, claims:approve, claims:manage
panes:view, panes:create, panes:scan, panes:manage
pane_logs:view
production_logs:view, production_logs:create, production_logs:manage
stations:view, stations:manage
station_templates:view, station_templates:manage
sticker_templates:view, sticker_templates:manage
job_types:view, job_types:manage
pricing:view, pricing:manage
notifications:view, notifications:create, notifications:manage
withdrawals:view, withdrawals:create, withdrawals:manage
roles:view, roles:manage
"""
ROWS = [tuple(line.split(", ")) for line in SPEC.strip().splitlines()]

WORKER = {
    "workers:view",
    "roles:view",
    "pricing:view",
    "customers:view",
    "materials:view",
    "inventory:view",
    "material_logs:view",
    "requests:view",
    "orders:view",
    "claims:view",
    "panes:view",
    "pane_logs:view",
    "production_logs:view",
    "stations:view",
    "station_templates:view",
    "sticker_templates:view",
    "job_types:view",
    "notifications:view",
    "withdrawals:view",
    "claims:create",
    "panes:scan",
    "production_logs:create",
    "inventory:move",
    "withdrawals:create",
}


def test_catalogue_is_the_specification_in_its_order():
    assert list(CATALOGUE.values()) == ROWS
    assert tuple(key for row in ROWS for key in row) == ALL_KEYS
    assert len(ALL_KEYS) == len(set(ALL_KEYS)) == 46


def test_system_roles_have_the_keys_of_the_specification():
    assert SYSTEM_ROLES["admin"] == ("*",)
    assert set(SYSTEM_ROLES["manager"]) == set(ALL_KEYS) - {
        "workers:manage",
        "roles:manage",
    }
    assert set(SYSTEM_ROLES["worker"]) == WORKER
    assert list(SYSTEM_ROLES) == ["admin", "manager", "worker"]


@pytest.mark.parametrize(
    ("key", "implied"),
    [
        ("customers:manage", {"customers:view", CUSTOMER_NAMES}),
        ("customers:view", {CUSTOMER_NAMES}),
        ("inventory:manage", {"inventory:view", "inventory:move"}),
        ("orders:manage", {"orders:view", "orders:create"}),
        ("panes:manage", {"panes:view", "panes:create", "panes:scan"}),
        ("claims:manage", {"claims:view", "claims:create", "claims:approve"}),
        ("orders:create", set()),
        ("made_up:manage", set()),
    ],
)
def test_manage_implies_the_other_keys_of_its_resource(key, implied):
    assert expand([key]) == {key} | implied


def test_star_expands_to_itself_and_all_keys():
    assert expand(["*"]) == {"*", *ALL_KEYS, CUSTOMER_NAMES}


def test_holds_is_the_same_with_and_without_expansion():
    for keys in (["*"], ["panes:manage"], ["panes:view"], ["made_up:view"], []):
        for key in (*ALL_KEYS, "made_up:view", "made_up:manage"):
            if keys != ["*"] or not key.startswith("made_up"):
                assert holds(keys, key) == (key in expand(keys))
            assert holds(keys, key) == holds(expand(keys), key)


def test_star_holds_keys_that_the_catalogue_does_not_know():
    assert holds(["*"], "made_up:view")


def test_exceeds_lists_the_keys_beyond_those_of_the_granter():
    assert exceeds(["panes:view"], ["panes:manage"]) == set()
    assert exceeds(["panes:manage"], ["panes:view", "panes:scan"]) == {
        "panes:manage",
        "panes:create",
    }
    assert exceeds(["made_up:view"], ["panes:manage"]) == {"made_up:view"}


CLAIM_KEYS = {"claims:view", "claims:create", "claims:approve", "claims:manage"}
SETS = (
    ("station:enter:*", frozenset({"panes:scan", "claims:manage"})),
    ("orders:create", frozenset({"panes:create"})),
)


@pytest.mark.parametrize(
    ("keys", "granted"),
    [
        (["station:enter:a"], {"panes:scan", *CLAIM_KEYS}),
        (["orders:create"], {"panes:create"}),
        (["orders:manage"], {"orders:view", "orders:create", "panes:create"}),
        (["station:enter"], set()),
        (["claims:view"], set()),
    ],
)
def test_permission_sets_grant_their_keys_and_what_these_imply(keys, granted):
    assert expand(keys, SETS) == {*keys, *granted}


def test_permission_sets_count_in_comparisons():
    assert exceeds(["station:enter:a"], ["station:enter:a"], SETS) == set()
    assert exceeds(["panes:scan"], ["station:enter:a"], SETS) == set()
    beyond = exceeds(["station:enter:a"], ["panes:scan"], SETS)
    assert beyond == {"station:enter:a", *CLAIM_KEYS}


def test_keys_are_known_by_the_catalogue_or_by_a_set():
    assert is_known("*")
    assert is_known("panes:view")
    assert not is_known("station:enter:a")
    assert is_known("station:enter:a", SETS)


def test_star_can_be_granted_only_with_a_star():
    assert "*" in exceeds(["*"], ALL_KEYS)
    assert exceeds(["*", "made_up:view"], ["*"]) == set()


def test_every_resource_has_a_view_key():
    assert {view_key(resource) for resource in CATALOGUE} <= set(ALL_KEYS)
    with pytest.raises(ValueError, match="inventories"):
        view_key("inventories")
