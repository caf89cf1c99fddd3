"""The prices of a customer, as a price list changes those of the workshop."""

from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.price_lists import RATES, is_valid, prices_for

NOW = datetime(2026, 11, 28, 9, 30)
DAY = timedelta(days=1)
BASE = {
    "glassPrices": {
        "Clear": {
            "6mm": {"pricePerSqFt": 44, "grindingRate": {"rough": 18, "polished": 45}},
            "8": {"pricePerSqFt": 68, "grindingRate": 22},
            "10mm": {"pricePerSqFt": 88.5},
        }
    },
    "edgeRates": {"arris": 15, "flat_polish": 60},
    "holePriceEach": 50,
    "notchPrice": 100,
    "temperingRates": {"6mm": 25},
    "laminationRates": {"perSheet": 30, "perFilm": 12.5},
    "processRates": {"sandblast": 40},
    "minimumArea": 2,
    "minimumEdge": 0.3,
    "minimumCharge": 150,
    "oversize": [{"fromSqFt": 30, "percent": 20}],
    "quantityBreaks": [{"fromQuantity": 10, "percent": -5}],
    "sideStepInch": 1,
    "areaStep": 0.5,
    "rushPercent": 25,
    "vatPercent": 7,
    "isExample": False,
}
CLEAR = BASE["glassPrices"]["Clear"]


def glass_of(price_list):
    return prices_for(BASE, price_list, NOW)["glassPrices"]


def amounts(value):
    """All numbers of a rate or of a table of rates, in order."""
    if isinstance(value, dict):
        return [one for inner in value.values() for one in amounts(inner)]
    return [Decimal(str(value))]


@given(st.decimals(-100, 1000, places=2))
def test_percent_changes_every_rate_exactly_and_nothing_else(percent):
    prices = prices_for(BASE, {"percent": float(percent)}, NOW)
    assert prices.keys() == BASE.keys()
    for name in RATES:
        exact = [one * (100 + percent) / 100 for one in amounts(BASE[name])]
        assert amounts(prices[name]) == exact
    others = BASE.keys() - set(RATES)
    assert {one: prices[one] for one in others} == {one: BASE[one] for one in others}


def test_own_tempering_and_processes_replace_those_that_mean_the_same():
    own = {
        "percent": 10,
        "temperingRates": {"6": 20, "8mm": 30},
        "processRates": {"Sandblast": 35},
    }
    prices = prices_for(BASE, own, NOW)
    assert prices["temperingRates"] == {"6mm": 20, "8mm": 30}
    assert prices["processRates"] == {"sandblast": 35}


@given(st.floats(0.0001, 1e15), st.floats(-100, 1000).filter(lambda x: abs(x) > 1e-9))
def test_rate_with_many_digits_is_not_rounded(rate, percent):
    prices = prices_for({"notchPrice": rate}, {"percent": percent}, NOW)
    # as whole numbers, which have no limit of digits
    rate, percent = Decimal(str(rate)), Decimal(str(percent))
    (top, bottom), (times, by) = rate.as_integer_ratio(), percent.as_integer_ratio()
    exact, whole = prices["notchPrice"].as_integer_ratio()
    assert exact * bottom * by * 100 == top * (100 * by + times) * whole


@pytest.mark.parametrize(
    ("begin", "end", "valid"),
    [
        (None, None, True),
        (NOW, NOW, True),
        (NOW - DAY, None, True),
        (NOW + DAY, None, False),
        (None, NOW + DAY, True),
        (None, NOW - DAY, False),
        (NOW - DAY, NOW + DAY, True),
    ],
)
def test_list_counts_from_its_begin_to_its_end(begin, end, valid):
    price_list = {"percent": -10, "validFrom": begin, "validTo": end}
    assert is_valid(price_list, NOW) is valid
    prices = prices_for(BASE, price_list, NOW)
    assert prices["holePriceEach"] == (45 if valid else 50)
    assert (prices is BASE) is not valid


def test_without_a_list_the_prices_are_those_of_the_workshop():
    assert prices_for(BASE, None, NOW) is BASE


def test_own_rates_are_not_changed_by_the_percent():
    own = {
        "edgeRates": {"arris": 11, "bevel": 90},
        "holePriceEach": 0,
        "notchPrice": 70,
    }
    prices = prices_for(BASE, {"percent": -50, **own}, NOW)
    assert prices["edgeRates"] == {"arris": 11, "flat_polish": 30, "bevel": 90}
    assert (prices["holePriceEach"], prices["notchPrice"]) == (0, 70)


@pytest.mark.parametrize("none", [None, {}])
def test_empty_tables_are_no_rates_of_its_own(none):
    tables = {"glassPrices": none, "edgeRates": none, "holePriceEach": None}
    assert prices_for(BASE, tables, NOW) == BASE


@pytest.mark.parametrize(
    ("glass", "thickness", "key"),
    [("Clear", "6mm", "6mm"), ("CLEAR", "6", "6mm"), ("clear", "8mm", "8")],
)
def test_own_row_of_glass_replaces_the_row_of_the_same_glass(glass, thickness, key):
    own = {glass: {thickness: {"pricePerSqFt": 40, "grindingRate": 9}}}
    rows = glass_of({"glassPrices": own, "percent": 100})
    assert list(rows) == ["Clear"]
    assert rows["Clear"].keys() == CLEAR.keys()
    assert rows["Clear"][key] == {"pricePerSqFt": 40, "grindingRate": 9}
    assert rows["Clear"]["10mm"] == {"pricePerSqFt": 177}


@pytest.mark.parametrize("row", [{}, {"grindingRate": None}])
def test_own_row_without_a_grinding_rate_leaves_that_to_the_workshop(row):
    own = {"Clear": {"8": {"pricePerSqFt": 60, **row}}}
    rows = glass_of({"glassPrices": own, "percent": -50})
    assert rows["Clear"]["8"] == {"pricePerSqFt": 60, "grindingRate": 11}


def test_own_row_of_other_glass_is_added():
    row = {"pricePerSqFt": 5}
    own = {"Bronze": {"6mm": row}, "Clear": {"12mm": row}}
    assert glass_of({"glassPrices": own}) == {
        "Clear": {**CLEAR, "12mm": row},
        "Bronze": {"6mm": row},
    }


def test_prices_of_the_workshop_are_not_changed_in_place():
    before = str(BASE)
    prices_for(BASE, {"percent": 5, "glassPrices": {"Clear": {"6": {"x": 1}}}}, NOW)
    assert str(BASE) == before
