"""Price lists: none ends before it begins."""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import FieldFault, Invalid
from glassflow.models.price_list import PriceList
from glassflow.services import records


@unit_of_work
def create(
    *, model: type[PriceList], values: Mapping[str, Any], actor: Identity
) -> PriceList:
    """Create a price list. Raises `Invalid` for an end before the begin."""
    made = records.new(PriceList, values)
    _require_end_after_begin(made)
    records.store(made)
    return made


@unit_of_work
def update(
    *,
    model: type[PriceList],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> PriceList:
    """Change a price list; raises what `create` raises, and `NotFound`.

    A table in `values` replaces the stored one as a whole.
    """
    changed = records.load(PriceList, record_id)
    records.apply_changes(changed, values)
    _require_end_after_begin(changed)
    records.store(changed)
    return changed


def _require_end_after_begin(price_list: PriceList) -> None:
    begin, end = price_list.valid_from, price_list.valid_to
    if begin and end and end < begin:
        message = texts.BEFORE_BEGIN.format(begin="validFrom")
        fault: FieldFault = {"field": "validTo", "message": message}
        raise Invalid([fault])
