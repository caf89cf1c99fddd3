"""The price of a pane by the price list."""

from decimal import Decimal

import pytest

from glassflow.domain.pricing import Missing, after_discount, price_of

PRICES = {
    "glassPrices": {
        "Clear": {
            "6mm": {
                "pricePerSqFt": 44,
                "grindingRate": {"rough": 18, "polished": 45},
            },
            "8": {"pricePerSqFt": 68, "grindingRate": 22},
            "10mm": {"pricePerSqFt": 88},
        }
    },
    "holePriceEach": 50,
    "notchPrice": 100,
    "minimumArea": 2,
    "edgeRates": {"rough": 20, "flat_polish": 60},
}
FT = 304.8  # mm


def pane(**more):
    sides = {"width": 2 * FT, "height": 5 * FT}
    glass = {"glassType": "Clear", "thickness": 6}
    return {"dimensions": sides, "rawGlass": glass, **more}


def edges(*tasks):
    return [{"side": side, "edgeProfile": profile} for side, profile in tasks]


def test_glass_costs_its_area_in_square_feet():
    price = price_of(pane(), PRICES)
    assert (price.area, price.glass, price.total) == (10, 440, 440)


@pytest.mark.parametrize("name", ["clear", "CLEAR", " Clear "])
def test_glass_type_is_found_in_any_letter_case(name):
    glass = {"glassType": name, "thickness": 6}
    assert price_of(pane(rawGlass=glass), PRICES) == price_of(pane(), PRICES)


def test_small_pane_costs_the_minimum_area():
    price = price_of(pane(dimensions={"width": 300, "height": 200}), PRICES)
    assert (price.area, price.total) == (2, 88)


def test_holes_and_notches_cost_their_price_each():
    price = price_of(pane(holes=[{}, {}, {}], notches=[{}]), PRICES)
    assert (price.holes, price.notches, price.total) == (150, 100, 690)


@pytest.mark.parametrize(
    ("thickness", "profile", "per_metre"),
    [
        (6, "flat_polish", 60),
        (6, "rough", 18),
        (6, "polished", 45),
        (8, "polished", 22),  # one rate for both
        (10, "rough", 20),  # the glass has no rate of its own
    ],
)
def test_edge_costs_its_length_at_the_rate_of_its_profile(
    thickness, profile, per_metre
):
    given = pane(
        dimensions={"width": 1500, "height": 2000},
        rawGlass={"glassType": "Clear", "thickness": thickness},
        edgeTasks=edges(("top", profile), ("LEFT", profile), ("right", "")),
    )
    assert price_of(given, PRICES).edges == Decimal("3.5") * per_metre


def test_unit_costs_all_that_once_for_each_sheet():
    sides = {"width": 500, "height": 100}  # charged as the minimum area
    one = pane(dimensions=sides, holes=[{}], edgeTasks=edges(("top", "rough")))
    two = {**one, "rawGlass": {**one["rawGlass"], "sheetsPerPane": 2}}
    assert price_of(two, PRICES).total == 2 * price_of(one, PRICES).total


def test_thickness_and_glass_type_of_the_pane_are_used_without_raw_glass():
    given = {
        "dimensions": {"width": FT, "height": 4 * FT, "thickness": 8.0},
        "glassType": "Clear",
        "rawGlass": {"glassType": "", "thickness": 0},
    }
    assert price_of(given, PRICES).total == 4 * 68


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ({"dimensions": {"width": 500}}, Missing.SIZE),
        ({"dimensions": {"width": 0, "height": 900}}, Missing.SIZE),
        ({"dimensions": None}, Missing.SIZE),
        ({"rawGlass": None}, Missing.GLASS),
        ({"rawGlass": {"glassType": "Gold", "thickness": 6}}, Missing.GLASS),
        ({"rawGlass": {"glassType": "Clear"}}, Missing.THICKNESS),
        ({"rawGlass": {"glassType": "Clear", "thickness": 7}}, Missing.THICKNESS),
        ({"edgeTasks": edges(("top", "wavy"))}, Missing.EDGE),
        ({"edgeTasks": edges(("inside", "rough"))}, Missing.EDGE),
    ],
)
def test_pane_without_a_price_says_what_is_missing(change, missing):
    assert price_of(pane(**change), PRICES) is missing


def test_amounts_are_rounded_to_satang_half_up():
    given = pane(dimensions={"width": 1000, "height": 1000})  # 10.7639 ft²
    assert price_of(given, PRICES).glass == Decimal("473.61")
    assert after_discount(Decimal("0.05"), 50) == Decimal("0.03")


def test_discount_is_at_most_all_of_it():
    amounts = [after_discount(Decimal(200), percent) for percent in (-5, 0, 7.5, 120)]
    assert amounts == [200, 200, 185, 0]


def test_absurd_sizes_have_a_price_too():
    huge = 2**62
    given = pane(dimensions={"width": huge, "height": huge})
    assert price_of(given, {**PRICES, "minimumArea": huge}).total > huge
