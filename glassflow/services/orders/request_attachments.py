"""The files that are attached to a request: stored beside it, and deleted with it.

A request stores a list of `{n, file, type, name, size}`, where `n` is the number of the
attachment in the request and is never used again. Clients read it by a signed link.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from bson import ObjectId

from glassflow.core.process import images
from glassflow.core.store import files
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import Invalid, NotFound, Refusal
from glassflow.domain.photos import Picture
from glassflow.domain.request_attachments import (
    MAX_ATTACHMENTS,
    MAX_BYTES,
    PICTURES,
)
from glassflow.models.request import Request
from glassflow.services import pictures, records


class TooManyAttachments(Refusal):
    """The request has as many attachments as it can have."""

    code = "TOO_MANY_ATTACHMENTS"

    def __init__(self) -> None:
        super().__init__(
            texts.TOO_MANY_ATTACHMENTS.format(maximum=MAX_ATTACHMENTS),
            details={"maximum": MAX_ATTACHMENTS},
        )


def attach(*, record_id: ObjectId, name: str, document: Picture) -> Request:
    """Attach a file to a request; a picture is stored without its metadata.

    Raises `NotFound`, `TooManyAttachments`, and `Invalid` for a picture that cannot be
    decoded.
    """
    if document.media_type in PICTURES:
        document = _clean(document)
    return _attach(record_id, name, document)


def _clean(picture: Picture) -> Picture:
    try:
        cleaned = Picture(*images.clean(picture.content))
    except images.HugeImage:
        message = texts.TOO_MANY_PIXELS.format(maximum=f"{images.MAX_PIXELS:,}")
        raise Invalid([{"field": "file", "message": message}]) from None
    except images.BrokenImage:
        raise Invalid([{"field": "file", "message": texts.NOT_A_DOCUMENT}]) from None
    if len(cleaned.content) > MAX_BYTES:
        message = texts.DOCUMENT_TOO_LARGE.format(maximum=MAX_BYTES)
        raise Invalid([{"field": "file", "message": message}])
    return cleaned


@unit_of_work
def _attach(record_id: ObjectId, name: str, document: Picture) -> Request:
    request = records.load(Request, record_id)
    if len(request.attachments) >= MAX_ATTACHMENTS:
        raise TooManyAttachments
    file_id = ObjectId()
    files.insert({file_id: document.content})
    entry = {
        "n": request.next_attachment,
        "file": file_id,
        "type": document.media_type,
        "name": name,
        "size": len(document.content),
    }
    request.next_attachment += 1
    request.attachments = [*request.attachments, entry]
    records.store(request)
    return request


@unit_of_work
def detach(*, record_id: ObjectId, number: int) -> Request:
    """Remove an attachment of a request and its file; raises `NotFound`."""
    request = records.load(Request, record_id)
    kept = [one for one in request.attachments if one["n"] != number]
    removed = [one for one in request.attachments if one["n"] == number]
    if not removed:
        raise NotFound(texts.ATTACHMENT_NOT_FOUND)
    files.delete(pictures.file_ids(removed))
    request.attachments = kept
    records.store(request)
    return request


def open_link(record_id: str, number: int, signature: str) -> tuple[str, Picture, int]:
    """Return the name and the content of a signed link, and how many seconds it lasts.

    Raises as `pictures.files_of_link` does.
    """
    (stored,), remaining_s = pictures.files_of_link(
        Request, "requests", record_id, number, signature, field="attachments"
    )
    (document,) = pictures.load([stored])
    if document is None:
        raise NotFound(texts.ATTACHMENT_NOT_FOUND)
    return stored["name"], document, remaining_s


def delete_files(requests: Iterable[Mapping[str, Any]]) -> None:
    """Delete the files of requests, in stored form, that are deleted."""
    files.delete(
        {
            one
            for row in requests
            for one in pictures.file_ids(row.get("attachments", ()))
        }
    )
