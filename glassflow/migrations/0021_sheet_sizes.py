"""A material has the sizes of its stock sheets as numbers."""

from typing import Any

from pymongo import UpdateOne

from glassflow.domain.aliases import Raw
from glassflow.domain.cutting.sheet_sizes import read_sheet_size
from glassflow.models.material import Material

MATERIALS_PER_WRITE = 500
SIDES = ("width", "length", "dimensionUnit")
WITHOUT_SIZES: Raw = {"sheetSizes": {"$in": [None, []]}}


def up(db: Any) -> None:
    """Take over the width and length of specifications that can be read as a sheet.

    Materials keep their versions, and no event is sent. Those that have sizes already stay
    as they are.
    """
    rows = Material.collection().find(WITHOUT_SIZES, {"specDetails": 1})
    writes = []
    for row in rows:
        spec = row.get("specDetails") or {}
        size = read_sheet_size(*(str(spec.get(name) or "") for name in SIDES))
        if size:
            query = {"_id": row["_id"], **WITHOUT_SIZES}
            writes.append(UpdateOne(query, {"$set": {"sheetSizes": [size]}}))
        if len(writes) == MATERIALS_PER_WRITE:
            Material.collection().bulk_write(writes, ordered=False)
            writes = []
    if writes:
        Material.collection().bulk_write(writes, ordered=False)
