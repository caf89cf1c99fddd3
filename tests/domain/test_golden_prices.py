"""Thirty quotes that were worked out by hand, each with its working."""

from decimal import Decimal

import pytest

from glassflow.domain.pricing import Missing, price_of, total_of

# Per ft²: Clear 6 mm 44, 10 mm 88; Green 8 mm 78.50; Laminated 6.38 mm 118. VAT 7 %.
PRICES = {
    "glassPrices": {
        "Clear": {
            "6mm": {
                "pricePerSqFt": 44,
                "grindingRate": {"rough": 18, "polished": 45},
            },
            "10mm": {"pricePerSqFt": 88, "grindingRate": 30},
        },
        "Green": {"8mm": {"pricePerSqFt": 78.5}},
        "Laminated": {"6.38mm": {"pricePerSqFt": 118}},
    },
    "edgeRates": {"flat_polish": 60, "bevel_20": 130, "arris": 10},
    "holePriceEach": 50,
    "notchPrice": 100,
    "temperingRates": {"6mm": 24, "8mm": 32.5, "10mm": 40},
    "laminationRates": {"perSheet": 6, "perFilm": 40},
    "processRates": {"painting": 45, "sandblasting": 35.25},
    "vatPercent": 7,
}
FT = 304.8  # mm
SIDES = ("top", "right", "bottom", "left")


def clear(width, height, **more):
    return glass("Clear", 6, width, height, **more)


def glass(name, thickness, width, height, *, sheets=1, edge="", quantity=1, **more):
    raw = {"glassType": name, "thickness": thickness, "sheetsPerPane": sheets}
    sides, _, profile = edge.partition(" ")
    named = SIDES if sides == "all" else filter(None, sides.split("+"))
    tasks = [{"side": side, "edgeProfile": profile} for side in named]
    return {
        "dimensions": {"width": width, "height": height},
        "rawGlass": raw,
        "edgeTasks": tasks,
        "quantity": quantity,
        **more,
    }


HOLE = [{"diameter": 20}]
TEMPERED = {"jobType": "TEMPERED"}
GOLDEN = {
    # 2 × 5 ft = 10 ft² × 44 = 440; VAT 30.80
    "one pane": ([clear(2 * FT, 5 * FT)], {}, [440], 440, "30.80", "470.80"),
    # 440 × 3 = 1,320; VAT 92.40
    "three panes": (
        [clear(2 * FT, 5 * FT, quantity=3)], {}, [440], 1320, "92.40", "1412.40",
    ),
    # 1,000,000 / 92,903.04 = 10.763910 ft² × 44 = 473.612 → 473.61; VAT 33.1527 → 33.15
    "a square metre": ([clear(1000, 1000)], {}, ["473.61"], "473.61", "33.15", "506.76"),
    # 0.25 × 0.25 m = 0.672744 ft²: charged as 2 ft² × 44 = 88; VAT 6.16
    "minimum area": ([clear(250, 250)], {"minimumArea": 2}, [88], 88, "6.16", "94.16"),
    # 610 mm = 24.0157 → 25 in, 1,525 = 60.0394 → 61 in; 1,525 / 144 = 10.590278 × 44
    # = 465.972 → 465.97; VAT 32.6179 → 32.62
    "sides in whole inches": (
        [clear(610, 1525)], {"sideStepInch": 1}, ["465.97"], "465.97", "32.62", "498.59",
    ),
    # 610 → 24.0157 → 24.5 in, 1,525 → 60.0394 → 60.5 in; 1,482.25 / 144 = 10.293403
    # → 10.30 ft² × 44 = 453.20; VAT 31.724 → 31.72
    "half inches, area in hundredths": (
        [clear(610, 1525)], {"sideStepInch": 0.5, "areaStep": 0.01},
        ["453.20"], "453.20", "31.72", "484.92",
    ),
    # 5 × 9 ft = 45 ft² × 44 = 1,980, + 15 % of it = 297; 2,277; VAT 159.39
    "oversize": (
        [clear(5 * FT, 9 * FT)], {"oversize": [{"fromSqFt": 40, "percent": 15}]},
        [2277], 2277, "159.39", "2436.39",
    ),
    # 440 glass; 4 sides: 2 × 0.6096 + 2 × 1.524 = 4.2672 m × 45 = 192.024 → 192.02;
    # 632.02; VAT 44.2414 → 44.24
    "all edges polished": (
        [clear(2 * FT, 5 * FT, edge="all polished")], {},
        ["632.02"], "632.02", "44.24", "676.26",
    ),
    # 440; top and bottom 2 × 0.6096 = 1.2192 m × 60 = 73.152 → 73.15; 513.15;
    # VAT 35.9205 → 35.92
    "two edges of a profile": (
        [clear(2 * FT, 5 * FT, edge="top+bottom flat_polish")], {},
        ["513.15"], "513.15", "35.92", "549.07",
    ),
    # 10 ft² × 88 = 880; left 1.524 m × 30 = 45.72; 925.72; VAT 64.8004 → 64.80
    "one grinding rate for both finishes": (
        [glass("Clear", 10, 2 * FT, 5 * FT, edge="left rough")], {},
        ["925.72"], "925.72", "64.80", "990.52",
    ),
    # 0.2 × 0.2 m = 0.430556 ft² × 44 = 18.944 → 18.94; 4 sides at least 0.3 m
    # = 1.2 m × 10 = 12; 30.94; VAT 2.1658 → 2.17
    "minimum length of an edge": (
        [clear(200, 200, edge="all arris")], {"minimumEdge": 0.3},
        ["30.94"], "30.94", "2.17", "33.11",
    ),
    # 440 + 2 holes 100 + 1 notch 100 = 640; VAT 44.80
    "holes and a notch": (
        [clear(2 * FT, 5 * FT, holes=HOLE * 2, notches=HOLE)], {},
        [640], 640, "44.80", "684.80",
    ),
    # 440 + 10 ft² × 24 = 680; VAT 47.60
    "tempered": ([clear(2 * FT, 5 * FT, **TEMPERED)], {}, [680], 680, "47.60", "727.60"),
    # Green 12 ft² × 78.50 = 942, + 12 × 32.50 = 390; 1,332; VAT 93.24
    "tempered, a rate with satang": (
        [glass("Green", 8, 3 * FT, 4 * FT, **TEMPERED)], {},
        [1332], 1332, "93.24", "1425.24",
    ),
    # 2 × 440 = 880; lamination 2 × 10 × 6 = 120; film 10 × 40 = 400; 1,400; VAT 98
    "two sheets": ([clear(2 * FT, 5 * FT, sheets=2)], {}, [1400], 1400, 98, 1498),
    # 3 × 440 = 1,320; 3 × 10 × 6 = 180; 2 films 800; 2,300; VAT 161
    "three sheets": ([clear(2 * FT, 5 * FT, sheets=3)], {}, [2300], 2300, 161, 2461),
    # 880 + tempering 2 × 10 × 24 = 480 + 120 + 400, holes 2 × 50 = 100; 1,980; VAT 138.60
    "two tempered sheets with a hole": (
        [clear(2 * FT, 5 * FT, sheets=2, holes=HOLE, **TEMPERED)], {},
        [1980], 1980, "138.60", "2118.60",
    ),
    # bought laminated: 10 × 118 = 1,180; VAT 82.60
    "glass that comes laminated": (
        [glass("Laminated", 6.38, 2 * FT, 5 * FT)], {}, [1180], 1180, "82.60", "1262.60",
    ),
    # 440 + painting 10 × 45 = 450; 890; VAT 62.30
    "painted": (
        [clear(2 * FT, 5 * FT, processes=["painting"])], {},
        [890], 890, "62.30", "952.30",
    ),
    # 473.61 + 10.763910 × 35.25 = 379.428 → 379.43; 853.04; VAT 59.7128 → 59.71
    "sandblasted, washing has no rate": (
        [clear(1000, 1000, processes=["washing", "sandblasting"])], {},
        ["853.04"], "853.04", "59.71", "912.75",
    ),
    # 440 − 5 % of 440 = 22: 418 × 10 = 4,180; VAT 292.60
    "ten equal panes": (
        [clear(2 * FT, 5 * FT, quantity=10)],
        {"quantityBreaks": [{"fromQuantity": 10, "percent": -5}]},
        [418], 4180, "292.60", "4472.60",
    ),
    # 440 × 9 = 3,960: one pane too few; VAT 277.20
    "nine equal panes": (
        [clear(2 * FT, 5 * FT, quantity=9)],
        {"quantityBreaks": [{"fromQuantity": 10, "percent": -5}]},
        [440], 3960, "277.20", "4237.20",
    ),
    # 473.61 − 7.5 % = 35.52075 → 35.52: 438.09 × 12 = 5,257.08; VAT 367.9956 → 368
    "a percentage that is rounded on each pane": (
        [clear(1000, 1000, quantity=12)],
        {"quantityBreaks": [{"fromQuantity": 12, "percent": -7.5}]},
        ["438.09"], "5257.08", 368, "5625.08",
    ),
    # 1,320 − 10 % = 1,188; VAT 83.16
    "discount": (
        [clear(2 * FT, 5 * FT, quantity=3)], {"discount": 10},
        [440], 1188, "83.16", "1271.16",
    ),
    # 473.61 × 2.5 % off: 473.61 × 0.975 = 461.76975 → 461.77; VAT 32.3239 → 32.32
    "discount that is rounded": (
        [clear(1000, 1000)], {"discount": 2.5},
        ["473.61"], "461.77", "32.32", "494.09",
    ),
    # 440 + 20 % = 528; VAT 36.96
    "urgent": (
        [clear(2 * FT, 5 * FT)], {"rushPercent": 20, "is_rush": True},
        [440], 528, "36.96", "564.96",
    ),
    # 440 + 88 = 528; 528 × 0.85 = 448.80; VAT 31.416 → 31.42
    "urgent, with a discount": (
        [clear(2 * FT, 5 * FT)], {"rushPercent": 20, "is_rush": True, "discount": 15},
        [440], "448.80", "31.42", "480.22",
    ),
    # 88 is less than 300; VAT 21
    "minimum charge": (
        [clear(250, 250)], {"minimumArea": 2, "minimumCharge": 300}, [88], 300, 21, 321,
    ),
    # 440 + 880 + (473.61 × 2 = 947.22) = 2,267.22; VAT 158.7054 → 158.71
    "three kinds of panes": (
        [clear(2 * FT, 5 * FT), glass("Clear", 10, 2 * FT, 5 * FT),
         clear(1000, 1000, quantity=2)],
        {}, [440, 880, "473.61"], "2267.22", "158.71", "2425.93",
    ),
    # 440; the other has no price: Gold is not listed; no VAT
    "a pane without a price, no VAT": (
        [clear(2 * FT, 5 * FT), glass("Gold", 6, 2 * FT, 5 * FT)],
        {"vatPercent": 0}, [440, Missing.GLASS], 440, 0, 440,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GOLDEN)
def test_quote_is_what_was_worked_out_by_hand(name):
    panes, changes, each, net, vat, gross = GOLDEN[name]
    prices = {**PRICES, **changes}
    found = [
        price_of(one, prices, quantity=one["quantity"], tempered=["TEMPERED"])
        for one in panes
    ]
    shown = [one if isinstance(one, Missing) else one.total for one in found]
    assert shown == [one if isinstance(one, Missing) else Decimal(one) for one in each]
    subtotal = sum(
        price * pane["quantity"]
        for price, pane in zip(shown, panes, strict=True)
        if isinstance(price, Decimal)
    )
    given = {name: prices[name] for name in ("discount", "is_rush") if name in prices}
    total = total_of(subtotal, prices, **given)
    worked = tuple(Decimal(one) for one in (net, vat, gross))
    assert (total.net, total.vat, total.gross) == worked
