"""Stored texts have no invisible characters (`domain.unicode_text.INVISIBLE`).

An earlier release stored them as they were pasted. Imports, filters and searches leave
them out now, and would not find such records.
"""

from typing import Any

from pymongo.errors import DuplicateKeyError

from glassflow import models
from glassflow.core.store import retry_queue
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain.unicode_text import INVISIBLE, normalize
from glassflow.models import derived
from glassflow.models.base import Record


def up(db: Any) -> None:
    """Normalize the texts that have some, and derive again what searches read.

    Records keep their versions, and no event is sent: they look as before. A text of
    which there may be only one, as a username, stays if another record has it normalized.
    """
    for model in models.ALL:
        names = [model._fields[name].db_field for name in model.searched_texts]
        found = [{name: {"$regex": INVISIBLE}} for name in ("searchText", *names)]
        for row in list(model.collection().find({"$or": found}, {"_id": 1})):
            try:
                _mend(model, row["_id"], model.searched_texts)
            except DuplicateKeyError:
                _mend(model, row["_id"], ())


@unit_of_work
def _mend(model: type[Record], record_id: Any, names: tuple[str, ...]) -> None:
    """Normalize these texts of a record, and set its derived fields."""
    collection = model.collection()
    raw = collection.find_one({"_id": record_id})
    if raw is None:
        return
    record = model.from_stored(raw)
    written = set(derived.NAMES)
    for name in names:
        if isinstance(record[name], str):
            record[name] = normalize(record[name])
            written.add(model._fields[name].db_field)
    record.derive()
    stored = record.to_mongo()
    values = {name: stored[name] for name in written if name in stored}
    retry_queue.writing(collection.name, record_id)
    collection.update_one({"_id": record_id}, {"$set": values})
