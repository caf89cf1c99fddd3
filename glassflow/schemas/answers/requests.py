"""Answers about requests."""

from glassflow.domain.request_attachments import PDF, PICTURES
from glassflow.schemas.shapes import COUNT, TEXT, choice, described, members

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
