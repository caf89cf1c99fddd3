"""The elements of label templates have what designers of other programs read."""

from typing import Any

from glassflow.labels.dialects import in_both_forms, is_first_dialect
from glassflow.models.sticker_template import StickerTemplate


def up(db: Any) -> None:
    """Add `text`, `value` and `points` to the elements of templates in the first dialect.

    The templates are printed as before, keep their version, and no event is sent.
    """
    collection = StickerTemplate.collection()
    for row in collection.find({}, {"elements": 1}):
        elements = row.get("elements")
        if isinstance(elements, list) and elements and is_first_dialect(elements):
            change = {"$set": {"elements": in_both_forms(elements)}}
            unchanged = {"_id": row["_id"], "elements": elements}
            collection.update_one(unchanged, change)
