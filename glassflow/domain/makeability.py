"""What can be made of glass: the limits of cutting, drilling and tempering.

Lengths are in mm and weights in kg, cut-outs as in `domain.panes.cut_outs`. The default
limits are those that glass trades publish; a workshop confirms them or sets its own.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, floor, hypot
from typing import Any, NamedTuple, Self

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.panes.cut_outs import Box, CutOut, box
from glassflow.domain.tempering import is_tempered

GLASS_DENSITY = 2.5  # kg of a square metre of 1 mm
MOST_JUDGED = 50  # holes, and notches: every hole is compared with every other one
TOLERANCE = 1e-6  # mm: sums of decimal fractions are not exact
# The values of a pane that its findings depend on.
JUDGED = ("dimensions", "rawGlass", "glassType", "jobType", "holes", "notches")


class Level(StrEnum):
    """Whether a pane cannot be made, or only with a risk."""

    REFUSAL = "refusal"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a workshop, in mm.

    Those that end in `_factor` are multiplied by the thickness, those that end in
    `_divisor` divide a side. Glass up to `thin_glass` has the largest size of thin glass in
    the oven. `heaviest` is in kg; `aspect_ratio` and `most_holes` have no unit.
    """

    oven_short: float = 2440
    oven_long: float = 4200
    oven_thinnest: float = 4
    oven_thickest: float = 19
    oven_least_side: float = 180
    oven_least_diagonal: float = 254
    thin_glass: float = 5
    thin_short: float = 1016
    thin_long: float = 2032
    aspect_ratio: float = 10
    hole_diameter_factor: float = 1
    hole_diameter: float = 5
    hole_side_divisor: float = 3
    hole_edge_factor: float = 2
    hole_edge: float = 6
    hole_corner_factor: float = 6
    hole_gap_factor: float = 2
    hole_gap: float = 10
    narrow_side_factor: float = 8
    most_holes: float = 10
    notch_radius_factor: float = 1
    notch_radius: float = 12.7
    notch_side_divisor: float = 3
    sheet_short: float = 2440
    sheet_long: float = 3660
    heaviest: float = 50


class Finding(NamedTuple):
    """What a limit says about a pane: `at` is the path of the field on the wire.

    Either `least` or `most` is the limit. `actual` is None for what is not known.
    """

    code: str
    level: str
    at: str
    least: float | None
    most: float | None
    actual: float | None

    @property
    def message(self) -> Bilingual:
        """What is wrong, with the limit and the actual value."""
        return message(self._asdict())


def message(finding: Mapping[str, Any]) -> Bilingual:
    """Return the text of a finding, which has the members of `Finding`."""
    code, least, actual = finding["code"], finding["least"], finding["actual"]
    limit = finding["most"] if least is None else least
    if actual is None:
        text = texts.MAKEABILITY_NOT_GIVEN
    else:
        text = texts.MAKEABILITY_MOST if least is None else texts.MAKEABILITY_LEAST
    return text.format(
        subject=texts.MAKEABILITY_SUBJECTS[code].format(place=_place(finding["at"])),
        actual=f"{actual or 0:.10g}",
        limit=f"{limit:.10g}",
        unit=texts.MAKEABILITY_UNITS.get(code, texts.MAKEABILITY_MM),
    )


def _place(at: str) -> Bilingual | str:
    name, *inside = at.split(".")
    if inside and inside[0].isdecimal():
        return texts.MAKEABILITY_PLACES[name].format(number=int(inside[0]) + 1)
    return texts.MAKEABILITY_PLACES.get(at.rpartition(".")[2], "")


class _Measure(NamedTuple):
    """A value beyond its limit; `is_special` chooses the second levels of the rule."""

    at: str
    actual: float | None
    least: float | None = None
    most: float | None = None
    is_special: bool = False


class _Shape(NamedTuple):
    """A cut-out as all points within `radius` of the box `core`; `rim` is around it."""

    at: str
    cut: CutOut
    rim: Box
    core: Box
    radius: float

    @property
    def size(self) -> tuple[float, float]:
        """The width and the height."""
        return self.rim.right - self.rim.left, self.rim.top - self.rim.bottom


@dataclass(frozen=True, slots=True)
class _Subject:
    """A pane as the rules see it: sides and thickness are 0 where they are not known."""

    limits: Limits
    width: float
    height: float
    thickness: float
    thickness_at: str
    sheets: int
    holes: Sequence[_Shape]
    notches: Sequence[_Shape]
    hole_count: int

    @classmethod
    def of(cls, pane: Mapping[str, Any], limits: Limits) -> Self:
        sides, raw = pane.get("dimensions") or {}, pane.get("rawGlass") or {}
        of_raw = raw.get("thickness") or 0
        return cls(
            limits,
            sides.get("width") or 0,
            sides.get("height") or 0,
            of_raw or sides.get("thickness") or 0,
            "rawGlass.thickness" if of_raw else "dimensions.thickness",
            raw.get("sheetsPerPane") or 1,
            list(_shapes(pane, "holes")),
            list(_shapes(pane, "notches")),
            len(pane.get("holes") or ()),
        )

    @property
    def sides(self) -> tuple[tuple[float, str], tuple[float, str]]:
        """The shorter and the longer side, each with its path."""
        width = self.width, "dimensions.width"
        height = self.height, "dimensions.height"
        return (width, height) if self.width < self.height else (height, width)


def _shapes(pane: Mapping[str, Any], name: str) -> Iterator[_Shape]:
    for index, cut in enumerate((pane.get(name) or ())[:MOST_JUDGED]):
        rim, kind = box(cut), cut.get("type")
        wide, high = rim.right - rim.left, rim.top - rim.bottom
        radius = 0 if kind in ("rectangle", "custom") else min(wide, high) / 2
        core = Box(
            rim.left + radius,
            rim.bottom + radius,
            rim.right - radius,
            rim.top - radius,
        )
        if wide > 0 and high > 0:  # another one is not measured yet
            yield _Shape(f"{name}.{index}", cut, rim, core, radius)


def _under(at: str, actual: float, least: float) -> Iterator[_Measure]:
    if actual < least - TOLERANCE:
        yield _Measure(at, actual, least=least)


def _over(at: str, actual: float, most: float) -> Iterator[_Measure]:
    if actual > most + TOLERANCE:
        yield _Measure(at, actual, most=most)


def _oven_sides(pane: _Subject) -> Iterator[_Measure]:
    limits, (short, long) = pane.limits, pane.sides
    is_thin = 0 < pane.thickness <= limits.thin_glass
    yield from _under(short[1], short[0], limits.oven_least_side)
    yield from _under(long[1], long[0], limits.oven_least_side)
    most_short = limits.thin_short if is_thin else limits.oven_short
    yield from _over(short[1], short[0], most_short)
    most_long = limits.thin_long if is_thin else limits.oven_long
    yield from _over(long[1], long[0], most_long)


def _oven_thickness(pane: _Subject) -> Iterator[_Measure]:
    limits = pane.limits
    yield from _under(pane.thickness_at, pane.thickness, limits.oven_thinnest)
    yield from _over(pane.thickness_at, pane.thickness, limits.oven_thickest)


def _oven_diagonal(pane: _Subject) -> Iterator[_Measure]:
    diagonal = hypot(pane.width, pane.height)
    yield from _under("dimensions", diagonal, pane.limits.oven_least_diagonal)


def _aspect_ratio(pane: _Subject) -> Iterator[_Measure]:
    (short, _), (long, _) = pane.sides
    yield from _over("dimensions", long / short, pane.limits.aspect_ratio)


def _hole_size(pane: _Subject) -> Iterator[_Measure]:
    limits = pane.limits
    least = max(limits.hole_diameter_factor * pane.thickness, limits.hole_diameter)
    for hole in pane.holes:
        yield from _under(_at_size(hole), min(hole.size), least)


def _hole_large(pane: _Subject) -> Iterator[_Measure]:
    most = pane.sides[0][0] / pane.limits.hole_side_divisor
    for hole in pane.holes:
        yield from _over(_at_size(hole), max(hole.size), most)


def _at_size(hole: _Shape) -> str:
    return f"{hole.at}.diameter" if hole.cut.get("diameter") else hole.at


def _hole_edge(pane: _Subject) -> Iterator[_Measure]:
    limits, thickness = pane.limits, pane.thickness
    least = max(limits.hole_edge_factor * thickness, limits.hole_edge)
    for hole in pane.holes:
        left, bottom, right, top = hole.rim
        x, y = min(left, pane.width - right), min(bottom, pane.height - top)
        axis, distance = ("x", x) if x <= y else ("y", y)
        for found in _under(f"{hole.at}.{axis}", distance, least):
            yield found._replace(is_special=distance < thickness - TOLERANCE)


def _hole_corner(pane: _Subject) -> Iterator[_Measure]:
    least = pane.limits.hole_corner_factor * pane.thickness
    for hole in pane.holes:
        left, bottom, right, top = hole.core
        x = max(min(left, pane.width - right), 0)
        y = max(min(bottom, pane.height - top), 0)
        yield from _under(hole.at, hypot(x, y) - hole.radius, least)


def _hole_gap(pane: _Subject) -> Iterator[_Measure]:
    limits = pane.limits
    least = max(limits.hole_gap_factor * pane.thickness, limits.hole_gap)
    for index, hole in enumerate(pane.holes):
        others = (*pane.holes[:index], *pane.holes[index + 1 :])
        gap = min((_gap(hole, one) for one in others), default=least)
        for found in _under(hole.at, gap, least):
            yield found._replace(is_special=gap <= TOLERANCE)


def _gap(one: _Shape, other: _Shape) -> float:
    """Return the distance of two rims, below 0 where the cut-outs overlap."""
    a, b = one.core, other.core
    x = max(b.left - a.right, a.left - b.right, 0)
    y = max(b.bottom - a.top, a.bottom - b.top, 0)
    return hypot(x, y) - one.radius - other.radius


def _holes_narrow(pane: _Subject) -> Iterator[_Measure]:
    if pane.holes:
        side, at = pane.sides[0]
        yield from _under(at, side, pane.limits.narrow_side_factor * pane.thickness)


def _holes_many(pane: _Subject) -> Iterator[_Measure]:
    yield from _over("holes", pane.hole_count, pane.limits.most_holes)


def _notch_radius(pane: _Subject) -> Iterator[_Measure]:
    limits = pane.limits
    least = max(limits.notch_radius_factor * pane.thickness, limits.notch_radius)
    for notch in pane.notches:
        if notch.radius:
            yield from _under(notch.at, notch.radius, least)
        else:
            yield _Measure(notch.at, None, least=least, is_special=True)


def _notch_large(pane: _Subject) -> Iterator[_Measure]:
    divisor = pane.limits.notch_side_divisor
    for notch in pane.notches:
        left, bottom, right, top = notch.rim
        wide = min(right, pane.width) - max(left, 0)
        high = min(top, pane.height) - max(bottom, 0)
        yield from _over(notch.at, wide, pane.width / divisor)
        yield from _over(notch.at, high, pane.height / divisor)


def _sheet_fit(pane: _Subject) -> Iterator[_Measure]:
    (short, at_short), (long, at_long) = pane.sides
    yield from _over(at_short, short, pane.limits.sheet_short)
    yield from _over(at_long, long, pane.limits.sheet_long)


def weight_kg(pane: Mapping[str, Any]) -> float:
    """Return the weight in kg of a pane in stored form, with all its sheets.

    It is 0 where a side or the thickness is not known.
    """
    return _weight_kg(_Subject.of(pane, Limits()))


def _weight_kg(pane: _Subject) -> float:
    square_metres = pane.width * pane.height / 1_000_000
    return GLASS_DENSITY * square_metres * pane.thickness * pane.sheets


def _weight(pane: _Subject) -> Iterator[_Measure]:
    yield from _over("dimensions", _weight_kg(pane), pane.limits.heaviest)


# What a rule cannot judge a pane without.
NOTHING: frozenset[str] = frozenset()
SIDES = frozenset({"sides"})
THICKNESS = frozenset({"thickness"})
BOTH = SIDES | THICKNESS

Levels = tuple[Level | None, Level | None]  # of tempered panes, and of others

REFUSED: Levels = (Level.REFUSAL, Level.REFUSAL)
DOUBTFUL: Levels = (Level.WARNING, Level.WARNING)
REFUSED_TEMPERED: Levels = (Level.REFUSAL, Level.WARNING)
ONLY_REFUSED_TEMPERED: Levels = (Level.REFUSAL, None)
ONLY_DOUBTFUL_TEMPERED: Levels = (Level.WARNING, None)


class Rule(NamedTuple):
    """A limit: its code, what it measures, and the levels of what is beyond it.

    The second levels are for a hole nearer to the edge than the thickness, for holes that
    touch, and for a notch whose radius is not known.
    """

    code: str
    measure: Callable[[_Subject], Iterator[_Measure]]
    needs: frozenset[str]
    levels: Levels
    special_levels: Levels = (None, None)


RULES: Sequence[Rule] = (
    Rule("TEMPER_SIZE", _oven_sides, SIDES, ONLY_REFUSED_TEMPERED),
    Rule("TEMPER_SIZE", _oven_thickness, THICKNESS, ONLY_REFUSED_TEMPERED),
    Rule("TEMPER_DIAGONAL", _oven_diagonal, SIDES, ONLY_REFUSED_TEMPERED),
    Rule("ASPECT_RATIO", _aspect_ratio, SIDES, ONLY_DOUBTFUL_TEMPERED),
    Rule("HOLE_SIZE", _hole_size, THICKNESS, REFUSED_TEMPERED),
    Rule("HOLE_LARGE", _hole_large, SIDES, DOUBTFUL),
    Rule("HOLE_EDGE", _hole_edge, BOTH, DOUBTFUL, REFUSED_TEMPERED),
    Rule("HOLE_CORNER", _hole_corner, BOTH, ONLY_DOUBTFUL_TEMPERED),
    Rule("HOLE_GAP", _hole_gap, THICKNESS, DOUBTFUL, REFUSED),
    Rule("HOLES_NARROW", _holes_narrow, BOTH, ONLY_DOUBTFUL_TEMPERED),
    Rule("HOLES_MANY", _holes_many, NOTHING, ONLY_DOUBTFUL_TEMPERED),
    Rule(
        "NOTCH_RADIUS",
        _notch_radius,
        THICKNESS,
        REFUSED_TEMPERED,
        ONLY_DOUBTFUL_TEMPERED,
    ),
    Rule("NOTCH_LARGE", _notch_large, SIDES, DOUBTFUL),
    Rule("SHEET_FIT", _sheet_fit, SIDES, REFUSED),
    Rule("WEIGHT", _weight, BOTH, DOUBTFUL),
)


def findings(
    pane: Mapping[str, Any], limits: Limits, tempered_job_types: Collection[str]
) -> Iterator[Finding]:
    """Yield what speaks against making a pane, which is in wire form.

    A rule is left out where the pane lacks what the rule needs: both sides, or the
    thickness, which is that of the raw glass or else of the dimensions.
    """
    subject = _Subject.of(pane, limits)
    which = 0 if is_tempered(pane, tempered_job_types) else 1
    known = SIDES if subject.width and subject.height else NOTHING
    if subject.thickness:
        known |= THICKNESS
    for rule in RULES:
        if rule.levels[which] is None or not rule.needs <= known:
            continue
        for found in rule.measure(subject):
            levels = rule.special_levels if found.is_special else rule.levels
            level = levels[which]
            if level is not None:
                yield _finding(rule.code, level, found)


def _finding(code: str, level: Level, found: _Measure) -> Finding:
    """Round limits and value to 0.1 so that the value stays beyond the limit."""
    if found.least is not None:
        return Finding(
            code,
            str(level),
            found.at,
            _up(found.least),
            None,
            None if found.actual is None else max(_down(found.actual), 0),
        )
    assert found.most is not None
    assert found.actual is not None
    return Finding(
        code, str(level), found.at, None, _down(found.most), _up(found.actual)
    )


def _down(value: float) -> float:
    return floor(round(value * 10, 5)) / 10


def _up(value: float) -> float:
    return ceil(round(value * 10, 5)) / 10
