"""The rules of cutting of the workshop: one document, read and changed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from glassflow.core.identity import Identity
from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.errors import FieldFault, Invalid
from glassflow.models.cutting_settings import (
    CuttingSettings,
    default_rules,
    row_shape,
    rules_of,
)
from glassflow.services.records import crud, singleton


def settings() -> CuttingSettings:
    """Return the rules. A transaction is opened only to create them."""
    return singleton.read(CuttingSettings, first=_first)


def update(*, values: Mapping[str, Any], actor: Identity) -> CuttingSettings:
    """Change the common rules that are given, and replace those by thickness.

    Raises `Invalid` for a thickness that is there twice, and for remnants whose long side
    would be shorter than the short one; `Stale` if the caller expects another version.
    """
    return singleton.update(CuttingSettings, values, actor, first=_first, apply=_apply)


def _first() -> dict[str, Any]:
    return {"common": default_rules()}


def _apply(record: CuttingSettings, values: Mapping[str, Any]) -> None:
    given = dict(values)
    if "common" in given and given["common"] is None:
        given["common"] = default_rules()
    if "by_thickness" in given:
        given["by_thickness"] = [
            {**row_shape(), **one} for one in given["by_thickness"] or ()
        ]
    crud.apply_changes(record, given)
    faults = list(_faults(record.common, record.by_thickness))
    if faults:
        raise Invalid(faults)
    ordered = sorted(record.by_thickness, key=lambda one: one["thickness"])
    if ordered != record.by_thickness:
        record.by_thickness = ordered


def _faults(common: Raw, rows: Sequence[Raw]) -> Iterator[FieldFault]:
    if common["remnantShort"] > common["remnantLong"]:
        yield {"field": "common.remnantLong", "message": texts.REMNANT_SIDES}
    seen = set()
    for index, row in enumerate(rows):
        rules = rules_of(common, [row], row["thickness"])
        if row["thickness"] in seen:
            field = f"byThickness.{index}.thickness"
            yield {"field": field, "message": texts.THICKNESS_TWICE}
        if rules.remnant_short > rules.remnant_long:
            field = f"byThickness.{index}.remnantLong"
            yield {"field": field, "message": texts.REMNANT_SIDES}
        seen.add(row["thickness"])
