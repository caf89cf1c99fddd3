"""The answer about the activity of the workshop."""

from glassflow.core.actor import Via
from glassflow.schemas.answers.history import BY, CHANGED_FIELD
from glassflow.schemas.shapes import (
    BOOLEAN,
    COUNT,
    ID,
    TEXT,
    TIME,
    array,
    choice,
    described,
    members,
    nullable,
)

_RECORD = members(
    {
        "_id": ID,
        "name": described(nullable(TEXT), "Its number or its name."),
        "exists": BOOLEAN,
        "isRestorable": described(
            BOOLEAN, "Whether it was deleted and the caller may restore it."
        ),
    },
    title="ActivityRecord",
)
_ENTRY = members(
    {
        "seq": described(COUNT, "The number of its newest change."),
        "at": TIME,
        "kind": described(TEXT, "The resource, such as `customers`."),
        "action": described(
            TEXT,
            "`created`, `updated`, `deleted`, `restored`, or a named one, such as "
            "`scanned`.",
        ),
        "by": BY,
        "via": choice(Via),
        "viaName": nullable(TEXT),
        "request": described(nullable(TEXT), "The `X-Request-ID`."),
        "count": described(COUNT, "Of how many records; `records` names some of them."),
        "records": array(_RECORD),
        "changes": described(
            array(CHANGED_FIELD), "The changed fields of a single change, else none."
        ),
        "hidden": array(TEXT),
    },
    title="ActivityEntry",
    description="What one request has done to records of one kind.",
)
ACTIVITY = members(
    {
        "entries": array(_ENTRY),
        "next": described(
            nullable(COUNT),
            "The `before` of the next answer; null where there is none.",
        ),
    },
    title="Activity",
)
