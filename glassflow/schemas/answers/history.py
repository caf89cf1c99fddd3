"""Answers about the changes of records, and about records as they were."""

from glassflow.core.actor import Via
from glassflow.schemas.shapes import (
    ANYTHING,
    COUNT,
    ID,
    TEXT,
    TIME,
    any_of,
    array,
    choice,
    described,
    members,
    nullable,
)

CHANGED_FIELD = members(
    {
        "field": TEXT,
        "from": described(ANYTHING, "The value before; null if it was unset."),
        "to": described(ANYTHING, "The value after; null if it is unset."),
    },
    title="ChangedField",
)
WORKER = members(
    {"_id": ID, "name": TEXT, "username": TEXT, "position": TEXT}, title="ChangedBy"
)
BY = described(
    nullable(any_of(ID, WORKER)),
    "The worker, populated as other references; null for a command and the service.",
)
ENTRY = members(
    {
        "seq": described(COUNT, "The number of the change among those of all records."),
        "at": TIME,
        "version": COUNT,
        "action": described(
            TEXT, "`created`, `updated`, `deleted` or a named one, such as `scanned`."
        ),
        "by": BY,
        "via": choice(Via),
        "viaName": described(
            nullable(TEXT),
            "The begin of the login's id, the prefix of the API key, or the command.",
        ),
        "request": described(nullable(TEXT), "The `X-Request-ID`."),
        "changes": array(CHANGED_FIELD),
        "hidden": described(
            array(TEXT),
            "The names of changed fields that no record shows, for who may manage the "
            "record, and in one's own.",
        ),
    },
    title="HistoryEntry",
)
HISTORY = array(ENTRY)
