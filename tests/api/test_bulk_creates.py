"""Bulk creates: POST of `{items: [...]}` creates all records of the body, or none."""

from functools import partial

import pytest

from lookups import order_of
from scenarios import order_with_panes, order_with_units
from screens import Screen
from stock_api import assert_stock_matches_ledger, ledger_entries

KINDS = ("customers", "materials", "inventories", "panes")
UNKNOWN = "0123456789abcdef01234567"


@pytest.fixture
def bodies(workshop):
    """The body of one record of each kind that can be created in bulk."""
    material, station = str(workshop.material().pk), str(workshop.station().pk)
    return {
        "customers": {"name": "ร้านกระจก"},
        "materials": {"name": "กระจกใส", "unit": "แผ่น", "reorderPoint": 5},
        "inventories": {
            "material": material,
            "stockType": "Raw",
            "quantity": 2.5,
            "location": "A-01",
        },
        "panes": {"routing": [station], "notes": "ระวัง"},
    }


def total(api, kind):
    return api.get(f"/api/{kind}").body["pagination"]["total"]


@pytest.mark.parametrize("kind", KINDS)
def test_all_items_are_created_in_their_order(admin, bodies, kind):
    path = f"/api/{kind}"
    items = [{**bodies[kind], "notes": str(n), "code": str(n)} for n in range(3)]
    answer = admin.post(path, {"items": items})
    assert (answer.status, answer.message) == (201, "3 created")
    for item, made in zip(items, answer.data, strict=True):
        assert {**made, **{k: item[k] for k in made.keys() & item.keys()}} == made
        assert admin.get(f"{path}/{made['_id']}").data == made
    single = admin.post(path, items[0]).data
    assert single.keys() == answer.data[0].keys()


@pytest.mark.parametrize("kind", KINDS)
def test_one_bad_item_refuses_all_and_names_its_index(admin, bodies, kind):
    good = bodies[kind]
    bad, before = {**good, next(iter(good)): 7}, total(admin, kind)
    answer = admin.post(f"/api/{kind}", {"items": [good, bad, good, "x"]})
    assert answer.message == "Validation failed"
    assert set(answer.faults) == {f"items.1.{next(iter(good))}", "items.3"}
    assert total(admin, kind) == before


@pytest.mark.parametrize(
    ("kind", "field", "named"),
    [
        ("inventories", "material", "Material"),
        ("panes", "order", "Order"),
        ("panes", "currentStation", "Station (currentStation)"),
    ],
)
def test_every_unknown_reference_is_reported_with_its_index(
    admin, bodies, kind, field, named
):
    good, bad = bodies[kind], {**bodies[kind], field: UNKNOWN}
    answer = admin.post(f"/api/{kind}", {"items": [good, bad, good, bad]})
    message = f"{named} not found"
    assert answer.faults == {f"items.{n}.{field}": message for n in (1, 3)}
    assert total(admin, kind) == 0


@pytest.mark.parametrize("items", [[], None, {}, "x", [None], [[]]])
def test_items_must_be_a_list_of_objects_that_is_not_empty(admin, items):
    answer = admin.post("/api/customers", {"items": items})
    assert all(name.startswith("items") for name in answer.faults)
    assert total(admin, "customers") == 0


def test_number_of_items_is_limited(admin, setting):
    setting(MAX_ARRAY_LENGTH=3)
    items = [{"name": "a"}] * 4
    answer = admin.post("/api/customers", {"items": items})
    assert answer.faults == {"items": "More than 3 elements"}
    assert len(admin.post("/api/customers", {"items": items[:3]}).data) == 3


def test_unknown_fields_of_items_are_warnings_or_refused_if_strict(admin):
    items = [{"name": "a"}, {"name": "b", "rating": 5}]
    made = admin.post("/api/customers", {"items": items})
    assert [one["field"] for one in made.body["warnings"]] == ["items.1.rating"]
    strict = {"headers": {"Prefer": "handling=strict"}}
    answer = admin.post("/api/customers", {"items": items}, **strict)
    assert list(answer.faults) == ["items.1.rating"]


def test_bulk_create_needs_the_key_of_a_single_one(client_with_keys, bodies):
    viewer, creator = (
        client_with_keys("customers:view"),
        client_with_keys("customers:manage"),
    )
    body = {"items": [bodies["customers"]] * 2}
    assert viewer.post("/api/customers", body).status == 403
    assert creator.post("/api/customers", body).status == 201


@pytest.mark.parametrize("kind", KINDS)
def test_repeated_request_creates_its_items_once(admin, bodies, kind):
    body = {"items": [bodies[kind]] * 2}
    send = partial(admin.post, f"/api/{kind}", body, headers={"Idempotency-Key": "k1"})
    before = total(admin, kind)
    first, again = send(), send()
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.data == first.data
    assert total(admin, kind) == before + 2


def test_each_item_has_its_event(admin, bodies):
    screen = Screen(admin)
    try:
        screen.join("join_dashboard").catch_up(admin)
        body = {"items": [bodies["materials"]] * 3}
        events = screen.events_during(admin, lambda: admin.post("/api/materials", body))
    finally:
        screen.close()
    assert [(name, payload["action"]) for name, payload in events] == [
        ("material:updated", "created")
    ] * 3


def test_lots_of_a_bulk_create_are_in_the_ledger(admin, bodies):
    lot = bodies["inventories"]
    other = {**lot, "quantity": 4, "reason": "นับใหม่"}
    made = admin.post("/api/inventories", {"items": [lot, other]}).data
    assert len({one["inventoryNumber"] for one in made}) == 2
    assert all("reason" not in one for one in made)
    reasons = {
        one["inventory"]: one["reason"]
        for one in admin.get("/api/material-logs", populate="false").data
    }
    assert [reasons[one["_id"]] for one in made] == ["", "นับใหม่"]
    entries = ledger_entries(admin)
    assert sorted(entries) == [("import", 2.5), ("import", 4)]
    assert_stock_matches_ledger()


def test_panes_of_a_bulk_create_count_in_their_order(admin, workshop):
    job = order_with_panes(admin, workshop, panes=1)
    pane = {"order": job.order["_id"], "routing": job.stations}
    made = admin.post("/api/panes", {"items": [pane] * 3}).data
    assert len({one["paneNumber"] for one in made}) == 3
    assert order_of(admin, job.order)["paneCount"] == 4


def test_unit_of_a_bulk_create_is_a_parent_with_its_sheets(admin, workshop):
    stations = order_with_units(admin, workshop).stations
    unit = {"routing": stations, "rawGlass": {"sheetsPerPane": 2}}
    pane = {"routing": stations}
    made = admin.post("/api/panes", {"items": [pane, unit]}).data
    assert made[0]["laminateRole"] == "single"
    sheets = [sheet["_id"] for sheet in made[1]["sheets"]]
    assert made[1]["parent"]["childPanes"] == sheets
    assert len(sheets) == 2


def test_refusal_of_a_pane_names_the_index_of_its_item(admin, workshop):
    job, other = (order_with_panes(admin, workshop) for _ in range(2))
    admin.patch(f"/api/orders/{job.order['_id']}", {"status": "cancelled"})
    cancelled = admin.patch(
        f"/api/requests/{other.request['_id']}", {"status": "cancelled"}
    )
    assert cancelled.status == 200
    good = {"routing": job.stations}
    unlaminated = {**good, "rawGlass": {"sheetsPerPane": 2}}
    for bad, code in (
        ({**good, "order": job.order["_id"]}, "ORDER_CANCELLED"),
        ({**good, "request": other.request["_id"]}, "REQUEST_CANCELLED"),
        (unlaminated, "NO_LAMINATION_STATION"),
    ):
        before = total(admin, "panes")
        answer = admin.post("/api/panes", {"items": [good, good, bad]})
        assert answer.status in (400, 409)
        assert (answer.errors["code"], answer.errors["index"]) == (code, 2)
        assert total(admin, "panes") == before
        alone = admin.post("/api/panes", bad)
        assert (alone.status, "index" in alone.errors) == (answer.status, False)
