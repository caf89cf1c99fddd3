"""Sticker templates: one that is made without a name gets a free one."""

import re
from collections.abc import Mapping
from itertools import count
from typing import Any

from pymongo.errors import DuplicateKeyError

from glassflow.core.identity import Identity
from glassflow.models.sticker_template import StickerTemplate
from glassflow.services import records
from glassflow.services.labels.selection import DEFAULT_TEMPLATE


def create(
    *, model: type[StickerTemplate], values: Mapping[str, Any], actor: Identity
) -> StickerTemplate:
    """Create a template; without a name it is `default`, `default 2` and so on.

    Raises the store's error for a name that another template has.
    """
    if values.get("name"):
        return records.create(model=model, values=values, actor=actor)
    while True:
        named = {**values, "name": _free_name()}
        try:
            return records.create(model=model, values=named, actor=actor)
        except DuplicateKeyError:
            pass  # another caller has just taken the name


def _free_name() -> str:
    alike = {"name": re.compile(rf"^{DEFAULT_TEMPLATE}( \d+)?$")}
    rows = StickerTemplate.collection().find(alike, {"name": 1})
    taken = {row["name"] for row in rows}
    if DEFAULT_TEMPLATE not in taken:
        return DEFAULT_TEMPLATE
    numbered = (f"{DEFAULT_TEMPLATE} {number}" for number in count(2))
    return next(name for name in numbered if name not in taken)
