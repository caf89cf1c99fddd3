"""Job types: kinds of glass work."""

import pytest

PATH = "/api/job-types"
LAMINATED = {"name": "ลามิเนต 2 ชั้น", "code": "LAM2"}


def test_a_job_type_is_made_with_its_defaults(admin):
    made = admin.post(PATH, LAMINATED).data
    assert (made["sheetsPerPane"], made["isActive"]) == (1, True)
    assert made["defaultRawGlassTypes"] == []
    assert admin.get(f"{PATH}/{made['_id']}").data == made


def test_a_code_is_given_once(admin):
    admin.post(PATH, LAMINATED)
    answer = admin.post(PATH, {**LAMINATED, "name": "another"})
    assert (answer.status, answer.message) == (409, "code already exists")


def test_those_in_use_can_be_asked_for(admin):
    admin.post(PATH, LAMINATED)
    admin.post(PATH, {**LAMINATED, "code": "OLD", "isActive": False})
    found = admin.get(PATH, isActive="true").data
    assert [row["code"] for row in found] == ["LAM2"]


def test_a_job_type_is_changed_and_deleted(admin):
    made = admin.post(PATH, LAMINATED).data
    path = f"{PATH}/{made['_id']}"
    change = {"sheetsPerPane": 2, "defaultRawGlassTypes": ["Clear", "Clear"]}
    changed = admin.patch(path, change).data
    assert {name: changed[name] for name in change} == change
    assert admin.delete(path).status == 200
    assert admin.get(path).status == 404


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
