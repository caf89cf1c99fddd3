"""Seeds: what a new store contains; a second run changes nothing."""

import json
import re

import pytest

from factories import save
from glassflow.domain.cutting.sheet_sizes import read_sheet_size
from glassflow.domain.errors import Conflict, Invalid, UnknownReference
from glassflow.domain.permissions import (
    ACCOUNT_ROLES,
    ALL_KEYS,
    CUSTOMER_NAMES,
    FORMER_ROLES,
    SYSTEM_ROLES,
)
from glassflow.models import ALL, BY_NAME
from glassflow.services import seeding
from glassflow.services.auth import passwords

# What the demo workshop has, by the model's name.
DEMO_COUNTS = {
    "StationTemplate": 7,
    "Station": 8,
    "Material": 25,
    "Inventory": 32,
    "PriceList": 1,
    "Customer": 15,
    "JobType": 8,
    "StickerTemplate": 5,
    "Workshop": 1,
    "WorkingHours": 1,
}

pytestmark = pytest.mark.usefixtures("app")


def count(name):
    return BY_NAME[name].collection().count_documents({})


def one(model, /, **query):
    return BY_NAME[model].collection().find_one(query)


def everything_stored():
    return {m.__name__: list(m.collection().find().sort("_id")) for m in ALL}


def test_seeded_roles_are_the_system_roles():
    assert seeding.seed_roles() == seeding.Added("roles", 5, 0)
    for slug, keys in {**SYSTEM_ROLES, **ACCOUNT_ROLES}.items():
        role = one("Role", slug=slug)
        assert sorted(role["permissions"]) == sorted(keys)
        assert role["isSystem"] is (slug in SYSTEM_ROLES)


def test_changed_permissions_of_a_system_role_are_kept():
    seeding.seed_roles()
    role = BY_NAME["Role"].objects(slug="worker").first()
    role.permissions = ["panes:view"]
    save(role)
    assert seeding.seed_roles() == seeding.Added("roles", 0, 5)
    assert one("Role", slug="worker")["permissions"] == ["panes:view"]


@pytest.mark.parametrize("slug", FORMER_ROLES)
def test_unchanged_role_gets_the_keys_that_are_new(slug):
    seeding.seed_roles()
    role = BY_NAME["Role"].objects(slug=slug).first()
    (former,) = FORMER_ROLES[slug]
    role.permissions = sorted(former)
    save(role)
    extended = seeding.seed_roles()
    assert str(extended) == f"roles: 0 added, 5 already there; new keys for {slug}"
    seeded = {**SYSTEM_ROLES, **ACCOUNT_ROLES}[slug]
    assert set(one("Role", slug=slug)["permissions"]) == set(seeded)
    assert seeding.seed_roles() == seeding.Added("roles", 0, 5)


def test_demo_seed_has_all_records_of_a_glass_workshop():
    added = seeding.seed_demo()
    assert sum(line.added for line in added) == sum(DEMO_COUNTS.values())
    assert {name: count(name) for name in DEMO_COUNTS} == DEMO_COUNTS


@pytest.mark.slow
def test_second_run_changes_nothing():
    seeding.seed_workers()
    seeding.seed_demo()
    seeding.seed_pricing()
    before = everything_stored()
    again = [seeding.seed_workers(), *seeding.seed_demo(), seeding.seed_pricing()]
    assert {line.added for line in again} == {0}
    assert everything_stored() == before


@pytest.mark.slow
def test_second_run_keeps_edited_records():
    seeding.seed_demo()
    material = BY_NAME["Material"].objects(code="GLS-CLR-5").first()
    material.name = "เปลี่ยนชื่อแล้ว"
    save(material)
    seeding.seed_demo()
    assert one("Material", code="GLS-CLR-5")["name"] == "เปลี่ยนชื่อแล้ว"


def test_references_by_natural_key_become_ids():
    seeding.seed_demo()
    station = one("Station", name="ตัดกระจก (Cutting)")
    assert one("StationTemplate", _id=station["templateId"])["name"] == "Cutting"
    lots = BY_NAME["Inventory"].collection()
    material = one("Material", code="GLS-CLR-5")["_id"]
    assert lots.count_documents({"material": material}) == 3


def test_every_lot_has_its_ledger_entry():
    seeding.seed_demo()
    logs = list(BY_NAME["MaterialLog"].collection().find())
    lots = list(BY_NAME["Inventory"].collection().find())
    booked = {log["inventory"]: log["quantityChanged"] for log in logs}
    assert booked == {lot["_id"]: lot["quantity"] for lot in lots}
    assert {log["actionType"] for log in logs} == {"import"}


def test_every_lot_has_a_unique_number():
    seeding.seed_demo()
    numbers = BY_NAME["Inventory"].collection().distinct("inventoryNumber")
    assert len(numbers) == DEMO_COUNTS["Inventory"]
    assert all(number.startswith("INV-") for number in numbers)


def test_only_the_lamination_station_laminates():
    seeding.seed_demo()
    found = BY_NAME["Station"].collection().find({"isLaminateStation": True})
    assert [station["name"] for station in found] == ["ลามิเนต (Lamination)"]


def test_only_the_station_of_quality_control_is_a_check_station():
    seeding.seed_demo()
    (template,) = BY_NAME["StationTemplate"].collection().find({"isCheckStation": True})
    (station,) = BY_NAME["Station"].collection().find({"isCheckStation": True})
    assert template["name"] == "Quality control"
    assert station["templateId"] == template["_id"]


def test_only_the_station_of_cutting_is_a_cutting_station():
    seeding.seed_demo()
    marked = {"isCuttingStation": True}
    (template,) = BY_NAME["StationTemplate"].collection().find(marked)
    (station,) = BY_NAME["Station"].collection().find(marked)
    assert template["name"] == "Cutting"
    assert station["templateId"] == template["_id"]


def test_every_material_has_thickness_colour_and_sheet_size():
    rows = json.loads((seeding.SEEDS / "demo/materials.json").read_text("utf-8"))
    for row in rows:
        spec = row["specDetails"]
        assert all(spec[name] for name in ("thickness", "color", "width", "length"))


def test_sheets_of_the_demo_have_the_sizes_of_their_specification():
    rows = json.loads((seeding.SEEDS / "demo/materials.json").read_text("utf-8"))
    for row in rows:
        spec = row["specDetails"]
        size = read_sheet_size(spec["width"], spec["length"], spec["dimensionUnit"])
        assert row.get("sheetSizes", []) == ([size] if size else []), row["code"]
        is_patterned = spec["glassType"] == "Patterned"
        assert row.get("isPatterned", False) == is_patterned


def test_price_table_contains_every_glass_in_stock():
    prices = json.loads((seeding.SEEDS / "pricing.json").read_text("utf-8"))
    rows = json.loads((seeding.SEEDS / "demo/materials.json").read_text("utf-8"))
    specs = [row["specDetails"] for row in rows if row["unit"] == "แผ่น"]
    for spec in specs:
        assert f"{spec['thickness']}mm" in prices["glassPrices"][spec["glassType"]]


def test_price_table_has_the_glass_types_and_thicknesses_of_screens():
    prices = json.loads((seeding.SEEDS / "pricing.json").read_text("utf-8"))
    table = prices["glassPrices"]
    assert {
        "Clear",
        "Tinted",
        "Tempered",
        "Laminated",
        "Frosted",
        "Reflective",
        "Low-E",
    } <= table.keys()
    assert {"3mm", "6mm"} <= table["Clear"].keys()
    thicknesses = [name for glass in table.values() for name in glass]
    assert all(name.endswith("mm") and float(name[:-2]) > 0 for name in thicknesses)


def test_six_workers_over_three_roles_can_log_in():
    assert seeding.seed_workers() == seeding.Added("workers", 6, 0)
    slugs = {role["_id"]: role["slug"] for role in BY_NAME["Role"].collection().find()}
    for row in seeding.demo_workers():
        stored = one("Worker", username=row["username"])
        assert slugs[stored["role"]] == row["role"]
        assert passwords.matches(row["password"], stored["passwordHash"])
        assert row["password"] not in repr(stored)
    assert {row["role"] for row in seeding.demo_workers()} == set(SYSTEM_ROLES)


def test_worker_is_created_once():
    made = {"username": " Nida ", "password": "secret1", "name": "Nida"}
    assert seeding.create_worker(**made, role_slug="manager").added == 1
    first = one("Worker", username="nida")
    assert first["position"] == ""
    assert seeding.create_worker(**made, role_slug="admin").added == 0
    assert one("Worker", username="nida") == first


@pytest.mark.parametrize(
    "fault", [{"password": "short"}, {"name": " "}, {"username": ""}]
)
def test_invalid_worker_is_refused(fault):
    good = {"username": "nida", "password": "secret1", "name": "Nida"}
    with pytest.raises(Invalid):
        seeding.create_worker(**{**good, **fault}, role_slug="worker")
    assert count("Worker") == 0


def test_worker_with_an_unknown_role_is_refused():
    with pytest.raises(UnknownReference, match="chief"):
        seeding.create_worker(
            username="nida", password="secret1", name="Nida", role_slug="chief"
        )


def test_admin_is_added_only_where_there_is_none():
    assert seeding.seed_admin("secret1").added == 1
    assert seeding.seed_admin("secret2").added == 0
    assert count("Worker") == 1


def test_existing_worker_is_not_made_an_admin():
    seeding.create_worker(
        username="admin", password="secret1", name="Nobody", role_slug="worker"
    )
    with pytest.raises(Conflict):
        seeding.seed_admin("secret2")


def test_seeded_keys_are_all_in_the_catalogue():
    rows = json.loads((seeding.SEEDS / "roles.json").read_text("utf-8"))
    for row in rows:
        assert set(row["permissions"]) <= {*ALL_KEYS, CUSTOMER_NAMES, "*"}
        assert len(row["permissions"]) == len(set(row["permissions"]))


def test_holidays_are_listed_by_date_and_named_in_both_languages():
    listed = json.loads((seeding.SEEDS / "holidays-th.json").read_text("utf-8"))
    rows = {one["date"]: one["name"] for one in listed["holidays"]}
    assert list(rows) == sorted(one["date"] for one in listed["holidays"])
    for name in rows.values():
        assert re.search("[\u0e00-\u0e7f]", name["th"]), name
        assert re.fullmatch(r"[A-Za-z][\x20-\x7e’]+", name["en"]), name
    years = sorted({date[:4] for date in rows})
    assert len(years) == 6
    assert listed["until"] == f"{years[-1]}-12-31"
    for year in years:
        assert {f"{year}-04-{day}" for day in (13, 14, 15)} <= rows.keys()
