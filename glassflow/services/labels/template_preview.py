"""How a sticker template would be printed that is not stored, or not in this form."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from glassflow.domain import texts
from glassflow.domain.aliases import May
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import FieldFault, Forbidden, Invalid
from glassflow.labels.dialects import in_first_dialect, is_first_dialect
from glassflow.labels.printers import DPI
from glassflow.labels.template import read_template
from glassflow.labels.variables import ALIASES, EXAMPLES
from glassflow.services.labels.making import Paper, make, warning_rows
from glassflow.services.labels.pane_values import values_of_panes
from glassflow.services.labels.selection import Selected, Source, panes_by_name

# Each is decoded for every preview, which may be asked for with every key that is typed.
MAX_PICTURES = 10
# Each takes up to a quarter of a second, for which nobody else can make labels.
MAX_CODES = 20


def preview_template(
    *,
    name: str = "",
    width: float,
    height: float,
    elements: Sequence[Any] = (),
    values: Mapping[str, str],
    dpi: int | None = None,
) -> dict[str, Any]:
    """Return a template as a picture, its elements in the first dialect, and its faults.

    `values` are those of the variables, see `example_values`. A template that cannot be
    drawn has faults instead of the picture: whoever edits it still needs the elements.
    Raises `Busy` as `making.make` does.
    """
    plain = in_first_dialect(elements)
    image, warnings, faults = None, [], []
    try:
        _require_few(plain, "image", MAX_PICTURES, texts.TEMPLATE_PICTURES)
        _require_few(plain, "qr", MAX_CODES, texts.TEMPLATE_CODES)
        template = read_template(
            name=name, width=width, height=height, elements=elements
        )
        selected = Selected(template, [Source(name, dict(values))])
        made = make(selected, Paper(format="png", dpi=dpi or DPI[0]), ())
    except Invalid as refusal:
        faults = refusal.faults
    else:
        image = "data:image/png;base64," + b64encode(made.content).decode()
        warnings = warning_rows(made)
    return {
        "image": image,
        "elements": plain,
        "isConverted": not is_first_dialect(elements),
        "fields": [_field(field, values) for field in EXAMPLES],
        "faults": faults,
        "warnings": warnings,
    }


def example_values(pane: str, *, may: May) -> Mapping[str, str]:
    """Return the values of a pane by its id or number; without one, made-up ones.

    Raises `NotFound` for an unknown pane, `Forbidden` without the view key of panes.
    """
    if not pane:
        return EXAMPLES
    if not may("panes:view"):
        raise Forbidden()
    (values,) = values_of_panes(panes_by_name([pane]), may)
    return values


def _field(name: str, values: Mapping[str, str]) -> dict[str, Any]:
    aliases = [alias for alias, meant in ALIASES.items() if meant == name]
    return {"name": name, "value": values.get(name, ""), "aliases": aliases}


def _require_few(
    elements: Sequence[Any], kind: str, maximum: int, message: Bilingual
) -> None:
    kinds = [one.get("type") for one in elements if isinstance(one, Mapping)]
    if kinds.count(kind) > maximum:
        fault: FieldFault = {
            "field": "elements",
            "message": message.format(maximum=maximum),
        }
        raise Invalid([fault])
