"""The two dialects of sticker templates: the second is read as the first.

The first has positions in mm, texts in `content` and font sizes in points. The second is
that of editors for the web: CSS pixels, texts in `text` or `value`, variables named by
`dynamic`, lines with `points`, elements inside of a `group`, web fonts. Which one a
template has follows from the words that its elements use.

Designers of the second dialect fail on elements without `text`, `value` or `points`. A
template of the first one therefore has these, too, in mm (`in_both_forms`). What such a
designer changes are these, so they are read where they differ from `content`.
"""

import cmath
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

MM_PER_PX = 25.4 / 96
PT_PER_PX = 0.75
MAX_DEPTH = 5  # groups inside of groups

_FIRST = frozenset({"content"})
_SECOND = frozenset(
    {
        "text", "value", "dynamic", "points", "children", "fontFamily", "fontWeight",
        "fontStyle", "textAlign", "strokeWidth", "src", "scaleX", "scaleY",
    }
)  # fmt: skip
# Where the second dialect has the content of an element.
_SECOND_NAMES = {"text": "text", "qr": "value", "barcode": "value"}
TOLERANCE_MM = 0.02  # of points that were rounded
_TYPES = {
    "rectangle": "rect",
    "box": "rect",
    "qrcode": "qr",
    "qr-code": "qr",
    "qr_code": "qr",
    "code128": "barcode",
    "img": "image",
    "label": "text",
    "i-text": "text",
    "textbox": "text",
    "static": "text",
    "dynamic": "text",
}


def is_first_dialect(elements: Sequence[Any]) -> bool:
    """Return whether the elements are read as they are, by the words that they use."""
    plain = [one for one in _walk(elements) if isinstance(one, Mapping)]
    words = frozenset(word for one in plain for word in one if isinstance(word, str))
    return bool(words & _FIRST) or not words & _SECOND


def in_first_dialect(elements: Sequence[Any]) -> list[Any]:
    """Return the elements in the first dialect; what is no object stays as it is."""
    if is_first_dialect(elements):
        return [_in_one_form(_with_known_type(one)) for one in elements]
    return list(_converted(elements, 0.0, 0.0, 0))


def in_both_forms(elements: Sequence[Any]) -> list[Any]:
    """Return elements of the first dialect with what designers of the second one read.

    `stored` in the designer of the pages (office/labels/elements.js) does the same.
    """
    return [_in_both_forms(one) for one in in_first_dialect(elements)]


def _in_both_forms(one: Any) -> Any:
    if not isinstance(one, Mapping):
        return one
    name = _SECOND_NAMES.get(str(one.get("type")))
    if not name and one.get("type") != "line":
        return one
    content = one.get("content", "")
    found = {**one, "content": content}
    if name and (isinstance(content, str) or _is_number(content)):
        found[name] = content if isinstance(content, str) else f"{content:g}"
    if one.get("type") == "line" and _are_pairs(one.get("points") or []):
        found["points"] = _flat_points(one)
    return found


def _are_pairs(points: Any) -> bool:
    return isinstance(points, list) and all(
        isinstance(one, list) and len(one) == 2 and all(map(_is_number, one))
        for one in points
    )


def _in_one_form(one: Any) -> Any:
    """Return an element without its second form, whose values are the newer ones."""
    if not isinstance(one, Mapping):
        return one
    found, points = dict(one), one.get("points")
    name = _SECOND_NAMES.get(str(one.get("type")))
    if name and "content" not in one and one.keys() & {"text", "value", "dynamic"}:
        found["content"] = _content(one)  # the other program has added the element
    elif name and isinstance(one.get(name), str):
        found["content"] = found.pop(name)
    if one.get("type") != "line" or not isinstance(points, list) or len(points) < 4:
        return found
    if not all(map(_is_number, points)):
        return found
    del found["points"]
    drawn = _flat_points(found)
    if len(points) == len(drawn) and all(
        math.isclose(*pair, abs_tol=TOLERANCE_MM)
        for pair in zip(points, drawn, strict=True)
    ):
        return found  # the line that width and height are
    left, top = _number(one.get("x")), _number(one.get("y"))
    pairs = zip(points[::2], points[1::2], strict=False)
    found["points"] = [[left + x, top + y] for x, y in pairs]
    thickness = min(_sides(one))
    return {"thickness": thickness, **found} if thickness else found


def _flat_points(line: Mapping[str, Any]) -> list[Any]:
    """Return the points of a line as `[x, y, x, y]` from its corner, in mm."""
    left, top = _number(line.get("x")), _number(line.get("y"))
    if points := line.get("points"):
        return [round(number, 2) for x, y in points for number in (x - left, y - top)]
    width, height = _sides(line)
    if width >= height:
        return [0, round(height / 2, 2), width, round(height / 2, 2)]
    return [round(width / 2, 2), 0, round(width / 2, 2), height]


def _sides(one: Mapping[str, Any]) -> tuple[float, float]:
    return _number(one.get("width")), _number(one.get("height"))


def _walk(elements: Sequence[Any], depth: int = 0) -> Iterator[Any]:
    for one in elements:
        yield one
        if isinstance(one, Mapping) and depth < MAX_DEPTH:
            yield from _walk(_children(one), depth + 1)


def _children(element: Mapping[str, Any]) -> Sequence[Any]:
    inner = element.get("children", element.get("elements", ()))
    return inner if isinstance(inner, list) else ()


def _with_known_type(element: Any) -> Any:
    if not isinstance(element, Mapping) or not isinstance(element.get("type"), str):
        return element
    kind = element["type"].lower()
    return {**element, "type": _TYPES.get(kind, kind)}


def _converted(
    elements: Sequence[Any], left: float, top: float, depth: int
) -> Iterator[Any]:
    """Yield elements in mm; those of a group are placed by its corner."""
    for raw in elements:
        one = _with_known_type(raw)
        if not isinstance(one, Mapping):
            yield one
        elif one.get("type") == "group" and depth < MAX_DEPTH:
            x, y = _number(one.get("x")), _number(one.get("y"))
            inner = _converted(_children(one), left + x, top + y, depth + 1)
            for each in inner:
                yield _turned(each, one, complex(left + x, top + y))
        else:
            yield _element(one, left, top)


def _turned(one: Any, group: Mapping[str, Any], corner: complex) -> Any:
    """Return an element in mm as it stands in its group, turned about its corner in px."""
    angle = _number(_angle(group))
    if not angle or not isinstance(one, dict):
        return one
    before = complex(_number(one.get("x")), _number(one.get("y")))
    pivot = corner * MM_PER_PX
    after = pivot + (before - pivot) * cmath.rect(1, math.radians(angle))
    by = after - before
    points = [
        [_shifted(x, by.real), _shifted(y, by.imag)] for x, y in one.get("points", ())
    ]
    rotation = _number(one.get("rotation")) + angle
    moved = {**one, "x": after.real, "y": after.imag, "rotation": rotation}
    return {**moved, "points": points} if points else moved


def _shifted(value: Any, by: float) -> Any:
    return value + by if _is_number(value) else value


def _angle(one: Mapping[str, Any]) -> Any:
    return one.get("rotation", one.get("angle", 0))


def _element(one: Mapping[str, Any], left: float, top: float) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": one.get("id", one.get("name", "")),
        "type": one.get("type"),
        "x": _mm(one.get("x", 0), left),
        "y": _mm(one.get("y", 0), top),
    }
    for axis, name in (("scaleX", "width"), ("scaleY", "height")):
        if name in one:
            found[name] = _mm(one[name], 0.0, _number(one.get(axis), 1.0))
    if "size" in one and "width" not in one:
        found["width"] = found["height"] = _mm(one["size"], 0.0)
    if "fontSize" in one:
        size = one["fontSize"]
        found["fontSize"] = size * PT_PER_PX if _is_number(size) else size
    if isinstance(one.get("points"), list):
        found["points"] = _points(one["points"], found["x"], found["y"])
    for name in ("stroke", "strokeWidth"):
        if _is_number(one.get(name)):
            found["thickness"] = one[name] * MM_PER_PX
    found |= {
        "content": _content(one),
        "bold": _is_bold(one),
        "align": one.get("textAlign", one.get("align", "left")),
        "wrap": one.get("wrap") in (True, "word", "char"),
        "color": one.get("fill" if one.get("type") == "text" else "stroke"),
        "fill": one.get("fill") if one.get("type") == "rect" else None,
        "fontFamily": one.get("fontFamily"),
        "rotation": _angle(one),
    }
    if one.get("type") == "image":
        found["content"] = one.get("src", found["content"])
    return {key: value for key, value in found.items() if value is not None}


def _content(one: Mapping[str, Any]) -> Any:
    """Return the text of an element, with its variable in braces."""
    text = one.get("text", one.get("value", ""))
    dynamic = one.get("dynamic")
    if isinstance(dynamic, str) and dynamic:
        return _in_braces(dynamic)
    if dynamic is True:
        name = one.get("variable", one.get("field", one.get("value", text)))
        return _in_braces(name) if isinstance(name, str) else name
    return text


def _in_braces(name: str) -> str:
    return name if "{{" in name else "{{" + name + "}}"


def _is_bold(one: Mapping[str, Any]) -> bool:
    weight = one.get(
        "fontWeight", one.get("fontStyle", "bold" if one.get("bold") else "")
    )
    if isinstance(weight, str):
        return "bold" in weight or (
            weight.isdigit() and len(weight) < 5 and int(weight) >= 600
        )
    return _is_number(weight) and weight >= 600


def _points(flat: list[Any], left: Any, top: Any) -> list[Any]:
    """Return `[x, y, x, y]` or `[{x, y}]` in px as a list of `[x, y]` in mm."""
    if flat and all(isinstance(one, Mapping) for one in flat):
        flat = [value for one in flat for value in (one.get("x"), one.get("y"))]
    pairs = zip(flat[::2], flat[1::2], strict=False)
    return [[_mm(x, _base(left)), _mm(y, _base(top))] for x, y in pairs]


def _base(value: Any) -> float:
    return value / MM_PER_PX if _is_number(value) else 0.0


def _mm(value: Any, offset: float, scale: float = 1.0) -> Any:
    """Return px as mm; what is no number stays, and is reported where it is read."""
    return (value * scale + offset) * MM_PER_PX if _is_number(value) else value


def _number(value: Any, default: float = 0.0) -> float:
    return float(value) if _is_number(value) else default


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and abs(value) < 1e6  # also neither infinite nor not-a-number
    )
