"""The price of panes by a price list."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain import texts
from glassflow.domain.pricing import Missing, Part, price_of, total_of

PRICES = {
    "glassPrices": {
        "Clear": {
            "6mm": {
                "pricePerSqFt": 44,
                "grindingRate": {"rough": 18, "polished": 45},
            },
            "8": {"pricePerSqFt": 68, "grindingRate": 22},
            "10mm": {"pricePerSqFt": 88},
        },
        "Tempered": {"6mm": {"pricePerSqFt": 78}},
        "Laminated": {"6mm": {"pricePerSqFt": 118}},
    },
    "holePriceEach": 50,
    "notchPrice": 100,
    "minimumArea": 2,
    "edgeRates": {"rough": 20, "flat_polish": 60},
    "temperingRates": {"6mm": 24, "8": 32.5},
    "laminationRates": {"perSheet": 5, "perFilm": 40},
    "processRates": {"Painting": 45},
}
FT = 304.8  # mm
TEMPERED = ("TMP",)
HOLE = {"type": "circle", "diameter": 20}


def pane(**more):
    sides = {"width": 2 * FT, "height": 5 * FT}
    glass = {"glassType": "Clear", "thickness": 6}
    return {"dimensions": sides, "rawGlass": glass, **more}


def edges(*tasks):
    return [{"side": side, "edgeProfile": profile} for side, profile in tasks]


def price(given_pane, quantity=1, **changes):
    prices = {**PRICES, **changes}
    return price_of(given_pane, prices, quantity=quantity, tempered=TEMPERED)


def amounts(given_pane, **more):
    return {line.part: line.amount for line in price(given_pane, **more).lines}


def glass_cost(given_pane, **more):
    return amounts(given_pane, **more)[Part.GLASS]


@pytest.mark.parametrize("name", ["Clear", "clear", "CLEAR", " Clear "])
def test_glass_costs_its_area_whatever_the_letter_case_of_its_type(name):
    found = price(pane(rawGlass={"glassType": name, "thickness": 6}))
    assert (found.area, found.total) == (10, 440)


@pytest.mark.parametrize(
    ("size", "steps", "area"),
    [
        ((300, 200), {}, 2),  # the minimum
        ((FT, 5 * FT), {}, 5),
        ((FT + 1, 5 * FT), {"sideStepInch": 1}, "5.42"),  # 13 by 60 inches
        ((FT + 1, 5 * FT), {"sideStepInch": 6}, "7.5"),  # 18 by 60 inches
        ((FT, 5 * FT), {"sideStepInch": 1}, 5),
        ((1000, 1000), {"areaStep": 0.5}, 11),
        ((FT, 5 * FT), {"areaStep": 0.5}, 5),
    ],
)
def test_sides_and_areas_are_charged_in_steps(size, steps, area):
    sides = dict(zip(("width", "height"), size, strict=True))
    assert price(pane(dimensions=sides), **steps).area == Decimal(area)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], None),
        ([{"fromSqFt": 11, "percent": 10}], None),
        ([{"fromSqFt": 10, "percent": 10}], 44),
        ([{"fromSqFt": 9, "percent": 25}, {"fromSqFt": 5, "percent": 10}], 110),
    ],
)
def test_large_pane_costs_a_percentage_of_its_glass_more(rows, expected):
    assert amounts(pane(), oversize=rows).get(Part.OVERSIZE) == expected


@pytest.mark.parametrize(
    ("change", "rates", "expected"),
    [
        ({"jobType": "tmp"}, {}, 240),
        ({"jobType": "CUT"}, {}, None),
        ({"jobType": "TMP"}, {"temperingRates": {}}, None),  # in the price of the glass
        ({"rawGlass": {"glassType": "Tempered", "thickness": 6}}, {}, None),
        (
            {"jobType": "TMP", "rawGlass": {"glassType": "Clear", "thickness": 8}},
            {},
            325,
        ),
    ],
)
def test_tempering_is_charged_by_the_area_unless_the_glass_comes_tempered(
    change, rates, expected
):
    assert amounts(pane(**change), **rates).get(Part.TEMPERING) == expected


def test_lamination_is_charged_by_the_sheet_and_by_the_film():
    def unit(glass_type, sheets):
        glass = {"glassType": glass_type, "thickness": 6, "sheetsPerPane": sheets}
        found = amounts(pane(rawGlass=glass))
        return found[Part.GLASS], found.get(Part.LAMINATION), found.get(Part.FILM)

    assert unit("Clear", 1) == (440, None, None)
    assert unit("Clear", 2) == (880, 100, 400)
    assert unit("Clear", 3) == (1320, 150, 800)
    assert unit("Laminated", 2) == (2360, None, None)  # in the price of the glass


def test_process_with_a_rate_is_charged_once_for_a_unit():
    glass = {"glassType": "Clear", "thickness": 6, "sheetsPerPane": 2}
    found = price(pane(rawGlass=glass, processes=["washing", "painting"]))
    charged = [line for line in found.lines if line.part is Part.PROCESS]
    assert [(line.name, line.amount) for line in charged] == [("painting", 450)]


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
    given_pane = pane(
        dimensions={"width": 1500, "height": 2000},
        rawGlass={"glassType": "Clear", "thickness": thickness},
        edgeTasks=edges(("top", profile), ("LEFT", profile), ("right", "")),
    )
    (line,) = (one for one in price(given_pane).lines if one.part is Part.EDGE)
    assert (line.name, line.quantity) == (profile, Decimal("3.5"))
    assert line.amount == Decimal("3.5") * per_metre


def test_short_edge_is_charged_as_the_minimum_length_of_each():
    work = edges(("top", "rough"), ("left", "rough"))
    sides = {"width": 200, "height": 700}
    found = amounts(pane(dimensions=sides, edgeTasks=work), minimumEdge=0.5)
    assert found[Part.EDGE] == Decimal("1.2") * 18


def test_holes_and_notches_cost_their_price_each():
    found = amounts(pane(holes=[HOLE] * 3, notches=[HOLE]))
    assert (found[Part.HOLES], found[Part.NOTCHES]) == (150, 100)


def test_unit_costs_glass_and_work_once_for_each_sheet():
    sides = {"width": 500, "height": 100}  # charged as the minimum area
    one = pane(dimensions=sides, holes=[HOLE], edgeTasks=edges(("top", "rough")))
    two = {**one, "rawGlass": {**one["rawGlass"], "sheetsPerPane": 2}}
    apart = {"laminationRates": {}}
    assert price(two, **apart).total == 2 * price(one, **apart).total


@pytest.mark.parametrize(
    ("quantity", "expected"), [(1, 440), (9, 440), (10, 418), (50, 396)]
)
def test_many_equal_panes_cost_a_percentage_less_each(quantity, expected):
    breaks = [{"fromQuantity": 50, "percent": -10}, {"fromQuantity": 10, "percent": -5}]
    assert price(pane(), quantity, quantityBreaks=breaks).total == expected


def test_thickness_and_glass_type_of_the_pane_are_used_without_raw_glass():
    given_pane = {
        "dimensions": {"width": FT, "height": 4 * FT, "thickness": 8.0},
        "glassType": "Clear",
        "rawGlass": {"glassType": "", "thickness": 0},
    }
    assert price(given_pane).total == 4 * 68


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ({"dimensions": {"width": 500}}, Missing.SIZE),
        ({"dimensions": {"width": 0, "height": 900}}, Missing.SIZE),
        ({"dimensions": None}, Missing.SIZE),
        ({"holes": [HOLE, {}]}, Missing.CUT_OUT),
        ({"holes": [{}], "dimensions": None}, Missing.SIZE),
        ({"notches": [{"type": "rectangle", "width": 50}]}, Missing.CUT_OUT),
        ({"notches": [{"type": "custom"}], "unitPrice": 5}, Missing.CUT_OUT),
        ({"rawGlass": None}, Missing.GLASS),
        ({"rawGlass": {"glassType": "Gold", "thickness": 6}}, Missing.GLASS),
        ({"rawGlass": {"glassType": "Clear"}}, Missing.THICKNESS),
        ({"rawGlass": {"glassType": "Clear", "thickness": 7}}, Missing.THICKNESS),
        ({"edgeTasks": edges(("top", "wavy"))}, Missing.EDGE),
        ({"edgeTasks": edges(("inside", "rough"))}, Missing.EDGE),
        (
            {"jobType": "TMP", "rawGlass": {"glassType": "Clear", "thickness": 10}},
            Missing.TEMPERING,
        ),
    ],
)
def test_pane_without_a_price_says_what_is_missing(change, missing):
    assert price(pane(**change)) is missing


def test_each_reason_of_a_missing_price_has_a_text():
    assert texts.PRICE_LACKS.keys() == set(Missing)


def test_amounts_are_rounded_to_satang_half_up():
    given_pane = pane(dimensions={"width": 1000, "height": 1000})  # 10.7639 ft²
    assert glass_cost(given_pane) == Decimal("473.61")
    assert total_of(Decimal("0.05"), {}, discount=50).net == Decimal("0.03")


def test_absurd_sizes_have_a_price_too():
    huge = 2**62
    given_pane = pane(dimensions={"width": huge, "height": huge})
    assert price(given_pane, minimumArea=huge).total > huge


# --- the total --------------------------------------------------------------


def test_total_is_the_sum_with_rush_without_discount_and_with_vat_once():
    prices = {"rushPercent": 20, "vatPercent": 7}
    total = total_of(Decimal("1000.10"), prices, discount=10, is_rush=True)
    assert (total.rush, total.discount) == (Decimal("200.02"), Decimal("120.01"))
    assert (total.net, total.vat) == (Decimal("1080.11"), Decimal("75.61"))
    assert total.gross == Decimal("1155.72")
    assert total_of(Decimal(1000), prices).rush == 0


@pytest.mark.parametrize(
    ("subtotal", "discount", "net", "minimum"),
    [(500, 0, 500, 0), (250, 10, 300, 75), (0, 0, 0, 0)],
)
def test_minimum_charge_fills_up_what_remains_after_the_discount(
    subtotal, discount, net, minimum
):
    total = total_of(Decimal(subtotal), {"minimumCharge": 300}, discount=discount)
    assert (total.net, total.minimum) == (net, minimum)


def test_discount_is_at_most_all_of_it():
    nets = [
        total_of(Decimal(200), {}, discount=percent).net
        for percent in (-5, 0, 7.5, 120)
    ]
    assert nets == [200, 200, 185, 0]


# --- what holds for all ------------------------------------------------------

MM = st.integers(1, 6000)
RATE = st.decimals(0, 500, places=2).map(float)
WORK = st.lists(
    st.tuples(st.sampled_from(["top", "bottom", "left", "right"]),
              st.sampled_from(["rough", "flat_polish"])), max_size=4,
)  # fmt: skip


@given(MM, MM, st.integers(0, 900), st.integers(0, 900), WORK, RATE, st.booleans())
def test_larger_pane_is_never_cheaper(width, height, wider, higher, work, rate, steps):
    changes = {
        "oversize": [{"fromSqFt": 20, "percent": 15}],
        "sideStepInch": 1 if steps else 0,
        "areaStep": 0.01 if steps else 0,
        "minimumEdge": 0.3,
        "processRates": {"painting": rate},
    }

    def total(one, other):
        sides = {"width": one, "height": other}
        given_pane = pane(
            dimensions=sides, edgeTasks=edges(*work), processes=["painting"]
        )
        return price(given_pane, **changes).total

    assert total(width + wider, height + higher) >= total(width, height)


@given(MM, MM, st.integers(1, 60), st.lists(RATE, min_size=3, max_size=3), WORK)
def test_lines_add_up_and_each_is_its_quantity_times_its_rate(
    width, height, quantity, rates, work
):
    glass = {"glassType": "Clear", "thickness": 6, "sheetsPerPane": 2}
    given_pane = pane(
        dimensions={"width": width, "height": height},
        rawGlass=glass, jobType="TMP", holes=[HOLE], edgeTasks=edges(*work),
    )  # fmt: skip
    found = price(
        given_pane, quantity,
        temperingRates={"6mm": rates[0]}, holePriceEach=rates[1], notchPrice=rates[2],
        quantityBreaks=[{"fromQuantity": 10, "percent": -7.5}],
    )  # fmt: skip
    assert found.total == sum(line.amount for line in found.lines)
    for line in found.lines:
        share = 100 if line.unit == "percent" else 1
        exact = line.quantity * line.rate / share
        assert abs(line.amount - exact) <= Decimal("0.005")


@given(
    st.decimals(0, 10**7, places=2),
    st.decimals(0, 100, places=1).map(float),
    st.booleans(),
)
def test_total_is_what_its_parts_say(subtotal, discount, is_rush):
    prices = {"rushPercent": 12.5, "vatPercent": 7, "minimumCharge": 350}
    total = total_of(subtotal, prices, discount=discount, is_rush=is_rush)
    parts = subtotal + total.rush - total.discount + total.minimum
    assert total.net == parts
    assert total.net >= (350 if subtotal else 0)
    assert abs(total.vat - total.net * 7 / 100) <= Decimal("0.005")
