"""The rules of cutting: one document, with rules of their own for some thicknesses."""

import pytest

from glassflow.models.cutting_settings import (
    CuttingSettings,
    default_rules,
    row_shape,
    rules_of,
)

PATH = "/api/cutting-rules"


def row(thickness, **rules):
    return {**row_shape(), "thickness": thickness, **rules}


def test_first_read_creates_the_default_rules_once(admin):
    first = admin.get(PATH).data
    assert (first["common"], first["byThickness"]) == (default_rules(), [])
    assert (first["common"]["scrapAfterDays"], first["updatedBy"]) == (180, None)
    assert admin.get(PATH).data == first
    assert CuttingSettings.objects.count() == 1


def test_common_rules_that_are_not_named_are_kept_and_null_restores_the_default(admin):
    admin.put(PATH, {"common": {"edgeTrim": 20, "kerf": 1, "scrapAfterDays": 30}})
    changed = admin.put(PATH, {"common": {"kerf": None}}).data
    own = {"edgeTrim": 20, "scrapAfterDays": 30}
    assert changed["common"] == {**default_rules(), **own}
    assert changed["updatedBy"] == admin.id
    restored = admin.put(PATH, {"common": None}).data
    assert restored["common"] == default_rules()


def test_remnants_without_a_time_are_never_scrap(admin):
    changed = admin.put(PATH, {"common": {"scrapAfterDays": None}}).data
    assert changed["common"]["scrapAfterDays"] is None
    later = admin.put(PATH, {"common": {"kerf": 1}}).data
    assert later["common"] == {**default_rules(), "kerf": 1, "scrapAfterDays": None}
    assert rules_of(later["common"], [], 6).scrap_after_days is None


def test_rows_are_replaced_and_answered_in_the_order_of_thickness(admin):
    thick, thin = {"thickness": 10, "edgeTrim": 25}, {"thickness": 4, "kerf": 0}
    first = admin.put(PATH, {"byThickness": [thick, thin]}).data
    assert first["byThickness"] == [row(4, kerf=0), row(10, edgeTrim=25)]
    again = admin.put(PATH, {"byThickness": [thin, thick]}).data
    assert again["version"] == first["version"]
    assert admin.put(PATH, {"common": {"kerf": 2}}).data["byThickness"] == [
        row(4, kerf=0),
        row(10, edgeTrim=25),
    ]
    assert admin.put(PATH, {"byThickness": [thick]}).data["byThickness"] == [
        row(10, edgeTrim=25)
    ]
    assert admin.put(PATH, {"byThickness": None}).data["byThickness"] == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"common": {"edgeTrim": -1}}, "common.edgeTrim"),
        ({"common": {"leastDistance": 1001}}, "common.leastDistance"),
        ({"common": {"kerf": "1"}}, "common.kerf"),
        ({"common": {"remnantShort": 0}}, "common.remnantShort"),
        ({"common": {"remnantShort": 601}}, "common.remnantLong"),
        ({"common": {"remnantLong": 20_001}}, "common.remnantLong"),
        ({"common": {"leastUsePercent": 101}}, "common.leastUsePercent"),
        ({"common": {"scrapAfterDays": 0}}, "common.scrapAfterDays"),
        ({"common": {"scrapAfterDays": 1.5}}, "common.scrapAfterDays"),
        ({"common": {"scrapAfterDays": 3651}}, "common.scrapAfterDays"),
        ({"byThickness": [{"kerf": 1}]}, "byThickness.0.thickness"),
        ({"byThickness": [{"thickness": 0}]}, "byThickness.0.thickness"),
        ({"byThickness": [{"thickness": 4}, {"thickness": 4.0}]},
         "byThickness.1.thickness"),
        ({"byThickness": [{"thickness": 4, "remnantShort": 700}]},
         "byThickness.0.remnantLong"),
        ({"byThickness": [{"thickness": n + 1} for n in range(31)]}, "byThickness"),
    ],
)  # fmt: skip
def test_rules_that_cannot_be_are_refused_and_change_nothing(admin, body, field):
    before = admin.get(PATH).data
    assert list(admin.put(PATH, body).faults) == [field]
    assert admin.get(PATH).data == before


def test_common_rule_is_judged_with_the_rows_that_it_stands_in(admin):
    rows = [{"thickness": 4, "remnantShort": 500}]
    assert admin.put(PATH, {"byThickness": rows}).status == 200
    shorter = admin.put(PATH, {"common": {"remnantLong": 400}})
    assert list(shorter.faults) == ["byThickness.0.remnantLong"]


def test_rules_need_the_keys_of_lots(client_with_keys):
    reader = client_with_keys("inventory:view")
    assert reader.get(PATH).status == 200
    assert reader.put(PATH, {"common": {"kerf": 1}}).status == 403
    assert client_with_keys("materials:view").get(PATH).status == 403
    keeper = client_with_keys("inventory:manage")
    assert keeper.put(PATH, {"common": {"kerf": 1}}).status == 200
    changed, *_ = reader.get(f"{PATH}/history").data  # others are of earlier tests
    assert [one["field"] for one in changed["changes"]] == ["common", "updatedBy"]
