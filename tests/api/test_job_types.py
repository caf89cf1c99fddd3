"""Job types: kinds of glass work."""

import pytest

PATH = "/api/job-types"
LAMINATED = {"name": "ลามิเนต 2 ชั้น", "code": "LAM2"}


def test_job_type_is_created_with_defaults(admin):
    made = admin.post(PATH, LAMINATED).data
    assert (made["sheetsPerPane"], made["isActive"]) == (1, True)
    assert made["defaultRawGlassTypes"] == []
    assert admin.get(f"{PATH}/{made['_id']}").data == made


def test_code_is_unique(admin):
    admin.post(PATH, LAMINATED)
    answer = admin.post(PATH, {**LAMINATED, "name": "another"})
    assert (answer.status, answer.message) == (409, "code already exists")


def test_active_job_types_can_be_listed(admin):
    admin.post(PATH, LAMINATED)
    admin.post(PATH, {**LAMINATED, "code": "OLD", "isActive": False})
    found = admin.get(PATH, isActive="true").data
    assert [row["code"] for row in found] == ["LAM2"]


def test_job_type_is_changed_and_deleted(admin):
    made = admin.post(PATH, LAMINATED).data
    path = f"{PATH}/{made['_id']}"
    change = {"sheetsPerPane": 2, "defaultRawGlassTypes": ["Clear", "Clear"]}
    changed = admin.patch(path, change).data
    assert {name: changed[name] for name in change} == change
    assert admin.delete(path).status == 200
    assert admin.get(path).status == 404


def test_job_type_names_the_route_and_the_raw_glass_of_its_panes(admin, workshop):
    stations = [str(workshop.station().pk) for _ in range(3)]
    material = str(workshop.material().pk)
    first, second, third = stations
    route = [first, second, first, third]  # a station may occur twice
    body = {**LAMINATED, "defaultRouting": route, "defaultMaterial": material}
    path = f"{PATH}/{admin.post(PATH, body).data['_id']}"
    shown = admin.get(path, populate="defaultRouting,defaultMaterial").data
    assert [one["_id"] for one in shown["defaultRouting"]] == route
    assert shown["defaultMaterial"]["_id"] == material
    unknown = admin.patch(path, {"defaultRouting": ["0" * 24]})
    assert (unknown.status, unknown.message) == (
        400,
        "Station (defaultRouting) not found",
    )

    assert admin.delete(f"/api/stations/{first}").status == 200
    assert admin.delete(f"/api/materials/{material}").status == 200
    left = admin.get(path).data
    assert (left["defaultRouting"], left["defaultMaterial"]) == ([second, third], None)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"code": ""}, "code"),
        ({"code": None}, "code"),
        ({"sheetsPerPane": 0}, "sheetsPerPane"),
        ({"sheetsPerPane": 1.5}, "sheetsPerPane"),
        ({"sheetsPerPane": "2"}, "sheetsPerPane"),
        ({"defaultRawGlassTypes": "Clear"}, "defaultRawGlassTypes"),
        ({"defaultRawGlassTypes": [5]}, "defaultRawGlassTypes.0"),
    ],
)
def test_bad_input_is_refused(admin, change, field):
    assert list(admin.post(PATH, {**LAMINATED, **change}).faults) == [field]
