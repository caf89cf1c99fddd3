"""The price list: one document, seeded by the first read."""

import json

import pytest

from glassflow.models.pricing_settings import PricingSettings
from glassflow.services.pricing import SEED

PATH = "/api/pricing-settings"
SEEDED = json.loads(SEED.read_text(encoding="utf-8"))
CHANGED = {
    "glassPrices": {"Clear": {"6mm": {"pricePerSqFt": 50, "grindingRate": 9}}},
    "holePriceEach": 70,
    "notchPrice": 1,
    "minimumArea": 2,
    "edgeRates": {"arris": 3},
    "temperingRates": {"6mm": 20},
    "laminationRates": {"perSheet": 1, "perFilm": 2},
    "processRates": {"พ่นสี": 40},
    "oversize": [{"fromSqFt": 30, "percent": 10}],
    "quantityBreaks": [{"fromQuantity": 10, "percent": -5}],
    "minimumEdge": 0.3,
    "minimumCharge": 300,
    "sideStepInch": 0.5,
    "areaStep": 0.01,
    "rushPercent": 25,
    "vatPercent": 0,
    "isExample": False,
}


def part(prices, names=SEEDED):
    return {name: prices[name] for name in names}


def test_first_read_creates_the_seeded_list_once(admin):
    first = admin.get(PATH).data
    assert part(first) == SEEDED
    assert first["updatedBy"] is None
    assert admin.get(PATH).data == first
    assert PricingSettings.objects.count() == 1


def test_parts_that_are_not_named_are_kept_and_named_ones_replaced_whole(admin):
    admin.put(PATH, CHANGED)
    changed = admin.put(PATH, {"edgeRates": {"ogee": 5}, "notchPrice": 0}).data
    assert part(changed) == {**CHANGED, "edgeRates": {"ogee": 5}, "notchPrice": 0}
    assert changed["updatedBy"] == admin.id


@pytest.mark.parametrize("name", SEEDED)
def test_null_restores_the_seeded_value(admin, name):
    admin.put(PATH, CHANGED)
    restored = admin.put(PATH, {name: None}).data
    assert part(restored) == {**CHANGED, name: SEEDED[name]}
    assert admin.get(PATH).data == restored


def test_put_that_changes_nothing_stores_nothing(admin, manager):
    stored = admin.put(PATH, CHANGED).data
    for body in ({}, CHANGED, stored):
        assert manager.put(PATH, body).data == stored


def test_list_is_an_example_until_somebody_changes_it_or_says_that_it_is_right(admin):
    seeded = admin.get(PATH).data
    assert seeded["isExample"] is True
    assert admin.put(PATH, seeded).data == seeded  # sent back as it was read
    own = admin.put(PATH, {"notchPrice": 120}).data
    assert (own["isExample"], own["updatedBy"]) == (False, admin.id)
    restored = admin.put(PATH, dict.fromkeys(SEEDED)).data
    assert restored["isExample"] is False  # it was restored on purpose
    again = admin.put(PATH, {"isExample": None}).data
    assert again["isExample"] is True
    right = admin.put(PATH, {"isExample": False}).data
    assert part(right) == {**SEEDED, "isExample": False}


def test_price_says_whether_it_is_made_with_the_example(admin):
    body = {"panes": [{"width": 600, "height": 400}]}
    price = "/api/requests/price"
    assert admin.post(price, body).data["isExample"] is True
    admin.put(PATH, {"isExample": False})
    assert admin.post(price, body).data["isExample"] is False


def test_null_inside_a_table_is_refused(admin):
    table = {"Clear": {"6mm": {"pricePerSqFt": None}}}
    for body in ({"glassPrices": table}, {"edgeRates": {"arris": None}}):
        assert admin.put(PATH, body).status == 400


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"temperingRates": {"6mm": -1}}, "temperingRates.6mm"),
        ({"laminationRates": {"perGlue": 1}}, "laminationRates.perGlue"),
        ({"oversize": [{"fromSqFt": 30}]}, "oversize.0.percent"),
        ({"quantityBreaks": [{"fromQuantity": 0, "percent": 1}]}, "quantityBreaks.0.fromQuantity"),
        ({"quantityBreaks": [{"fromQuantity": 5, "percent": -101}]}, "quantityBreaks.0.percent"),
        ({"oversize": 2 * [{"fromSqFt": 30, "percent": 1}]}, "oversize"),
        ({"vatPercent": 101}, "vatPercent"),
        ({"sideStepInch": -1}, "sideStepInch"),
    ],
)  # fmt: skip
def test_rate_that_cannot_be_is_refused_at_its_place(admin, body, field):
    answer = admin.put(PATH, body)
    assert (answer.status, list(answer.faults)) == (400, [field])


def test_list_of_an_earlier_release_charges_what_it_charged(admin):
    """Its new rates are none, but VAT, which is said beside the price."""
    kept = ("glassPrices", "holePriceEach", "notchPrice", "minimumArea", "edgeRates")
    admin.put(PATH, CHANGED)
    prices = PricingSettings.collection()
    newer = {name: 1 for name in CHANGED if name not in kept}
    prices.update_one({}, {"$unset": newer})
    pane = {"dimensions": {"width": 1524, "height": 3048}, "jobType": "TEMPERED",
            "rawGlass": {"glassType": "Clear", "thickness": 6, "sheetsPerPane": 2},
            "processes": ["พ่นสี"], "quantity": 10}  # fmt: skip
    data = admin.post("/api/requests/price", {"panes": [pane]}).data
    assert (data["total"], data["vat"]) == ("50000.00", "3500.00")


def test_prices_of_another_store_at_the_same_version_are_not_what_a_browser_has(admin):
    assert admin.put(PATH, {"holePriceEach": 50}).status == 200
    kept = {"If-None-Match": admin.get(PATH).headers["ETag"]}
    assert admin.call("GET", PATH, headers=kept).status == 304
    PricingSettings.collection().update_one({}, {"$set": {"holePriceEach": 60}})
    answer = admin.call("GET", PATH, headers=kept)
    assert (answer.status, answer.data["holePriceEach"]) == (200, 60)
    current = {"If-Match": answer.headers["ETag"]}
    assert admin.put(PATH, {"holePriceEach": 70}, headers=current).status == 200
    assert admin.put(PATH, {"holePriceEach": 80}, headers=current).status == 412
