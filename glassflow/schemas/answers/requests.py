"""Answers about requests."""

from glassflow.domain.agreed_prices import ChangeKind
from glassflow.domain.request_attachments import PDF, PICTURES
from glassflow.schemas.shapes import (
    ANYTHING,
    COUNT,
    NUMBER,
    TEXT,
    TIME,
    array,
    choice,
    described,
    members,
    nullable,
)

ATTACHED_FILE = members(
    {
        "number": described(COUNT, "By which it is removed; no other ever has it."),
        "name": TEXT,
        "type": choice((PDF, *sorted(PICTURES))),
        "size": described(COUNT, "In bytes."),
        "url": described(TEXT, "A signed link, which needs no token and expires."),
    },
    title="AttachedFile",
)
_BAHT = described(NUMBER, "In baht before VAT.")
REQUEST_CHANGE = members(
    {
        "number": described(COUNT, "From 1, in the order of the changes."),
        "at": TIME,
        "by": described(TEXT, "The name of the worker; empty for the service."),
        "reason": TEXT,
        "before": described(NUMBER, "The agreed price before, in baht before VAT."),
        "after": described(NUMBER, "The agreed price after, in baht before VAT."),
        "lines": array(
            members(
                {
                    "kind": choice(ChangeKind),
                    "panes": described(array(TEXT), "Their numbers."),
                    "fields": array(
                        members(
                            {"field": TEXT, "from": ANYTHING, "to": ANYTHING},
                            title="ChangedFieldOfPanes",
                        )
                    ),
                    "difference": _BAHT,
                },
                title="LineOfChange",
            )
        ),
        "begun": described(
            array(TEXT), "The numbers of those panes on which work had begun."
        ),
    },
    title="ChangeOfRequest",
)
CHANGE_PREVIEW = members(
    {
        "change": REQUEST_CHANGE,
        "deadline": nullable(TIME),
    },
    title="PreviewOfChange",
    description="What a change would be. New panes have no numbers yet: begin with `?`.",
)
