"""Answers about what can be made."""

from glassflow.domain.makeability import Level
from glassflow.schemas.shapes import (
    NUMBER,
    TEXT,
    array,
    choice,
    described,
    members,
    nullable,
)

_STORED = {
    "code": described(TEXT, "The rule."),
    "level": choice(Level),
    "at": described(TEXT, "The path of the field: `holes.0.x`."),
    "least": nullable(NUMBER),
    "most": nullable(NUMBER),
    "actual": described(nullable(NUMBER), "Null for a value that is not known."),
}
STORED_FINDING = members(_STORED, title="StoredFinding")
_FINDING = members(
    {
        **_STORED,
        "message": TEXT,
        "localMessage": described(TEXT, "In the language of `Accept-Language`."),
    },
    optional=["localMessage"],
    title="Finding",
    description="A limit that a pane is beyond, in mm; a weight is in kg.",
)
CHECKED = members(
    {"panes": array(members({"findings": array(_FINDING)}, title="CheckedPane"))},
    title="Checked",
)
