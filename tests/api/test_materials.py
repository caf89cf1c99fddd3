"""Materials: kinds of stock."""

import pytest

PATH = "/api/materials"
CLEAR = {"name": "กระจกใส 5 มม.", "unit": "แผ่น", "reorderPoint": 30}


def test_material_is_created_and_read(admin):
    spec = {"thickness": "5", "color": "ใส", "glassType": "Clear", "sqft": "70.01"}
    made = admin.post(PATH, {**CLEAR, "code": "GLS-5", "specDetails": spec}).data
    unset = {"width": "", "length": "", "dimensionUnit": ""}
    assert made["specDetails"] == spec | unset
    assert made["isActive"] is True
    assert made["brand"] == ""
    assert admin.get(f"{PATH}/{made['_id']}").data == made


def test_changed_details_are_merged(admin):
    made = admin.post(PATH, {**CLEAR, "specDetails": {"thickness": "5"}}).data
    path = f"{PATH}/{made['_id']}"
    admin.patch(path, {"specDetails": {"color": "ใส"}})
    given = {"thickness": "5", "color": "ใส"}
    assert admin.get(path).data["specDetails"] == made["specDetails"] | given


def test_sizes_of_sheets_are_replaced_and_kept_apart_from_the_specification(admin):
    spec = {"width": "84 นิ้ว", "length": "120 นิ้ว"}
    sizes = [{"width": 2134, "height": 3048}, {"width": 3048, "height": 2134}]
    body = {"specDetails": spec, "sheetSizes": sizes, "isPatterned": True}
    made = admin.post(PATH, {**CLEAR, **body}).data
    assert made["sheetSizes"] == sizes
    assert (made["isPatterned"], made["isCoated"]) == (True, False)
    path = f"{PATH}/{made['_id']}"
    one = admin.patch(path, {"sheetSizes": sizes[:1], "isCoated": True}).data
    assert (one["sheetSizes"], one["isCoated"]) == (sizes[:1], True)
    assert one["specDetails"] == made["specDetails"]
    assert admin.patch(path, {"sheetSizes": None}).data["sheetSizes"] == []


def test_materials_are_filtered_by_active_state(admin):
    for name, active in (("a", True), ("b", False)):
        admin.post(PATH, {**CLEAR, "name": name, "isActive": active})
    found = admin.get(PATH, isActive="false").data
    assert [row["name"] for row in found] == ["b"]


def test_material_with_a_lot_cannot_be_deleted(admin):
    made = admin.post(PATH, CLEAR).data
    lot = {"stockType": "Raw", "quantity": 0, "location": "A-01"}
    admin.post("/api/inventories", {**lot, "material": made["_id"]})
    answer = admin.delete(f"{PATH}/{made['_id']}")
    assert (answer.status, answer.message) == (409, "Material has 1 lot")


def test_unused_material_can_be_deleted(admin):
    made = admin.post(PATH, CLEAR).data
    assert admin.delete(f"{PATH}/{made['_id']}").status == 200
    assert admin.get(PATH).data == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"unit": ""}, "unit"),
        ({"unit": None}, "unit"),
        ({"reorderPoint": -1}, "reorderPoint"),
        ({"reorderPoint": None}, "reorderPoint"),
        ({"isActive": "yes"}, "isActive"),
        ({"specDetails": []}, "specDetails"),
        ({"specDetails": {"thickness": 5}}, "specDetails.thickness"),
        ({"isPatterned": "yes"}, "isPatterned"),
        ({"sheetSizes": [{"width": 2134}]}, "sheetSizes.0.height"),
        ({"sheetSizes": [{"width": 0, "height": 9}]}, "sheetSizes.0.width"),
        ({"sheetSizes": [{"width": 9, "height": 20_001}]}, "sheetSizes.0.height"),
        ({"sheetSizes": [{"width": 9, "height": 8}] * 2}, "sheetSizes"),
        (
            {"sheetSizes": [{"width": n + 1, "height": 9} for n in range(21)]},
            "sheetSizes",
        ),
    ],
)
def test_bad_input_is_refused(admin, change, field):
    assert list(admin.post(PATH, {**CLEAR, **change}).faults) == [field]


def test_worker_can_read_materials_and_cannot_change_them(worker, workshop):
    material = workshop.material()
    assert worker.get(PATH).status == 200
    assert worker.post(PATH, CLEAR).status == 403
    assert worker.patch(f"{PATH}/{material.pk}", {"name": "x"}).status == 403
    assert worker.delete(f"{PATH}/{material.pk}").status == 403
