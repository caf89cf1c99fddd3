"""Attachments: pictures that are uploaded before the record that will show them.

A failed check or a claim names them by id. Only the worker who uploaded one can use it,
once and within `KEPT_FOR`; then it is the picture of that record.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import images
from glassflow.core.store import unused_files
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain.panes.scan_times import OLDEST_SCAN
from glassflow.domain.photos import (
    MAX_ATTACHMENT_BYTES,
    AttachmentExists,
    NotAPicture,
    Picture,
    PictureFile,
    PictureTooLarge,
    TooManyPixels,
    UnknownAttachment,
)
from glassflow.services import pictures

# A device may lose its network between the photos of a failed check and its scan.
KEPT_FOR = OLDEST_SCAN + timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Attachment:
    """An uploaded picture as it is stored; `size` is in bytes."""

    id: ObjectId
    type: str
    size: int


def store(
    *, picture: Picture, actor: Identity, attachment_id: ObjectId | None
) -> Attachment:
    """Store a picture without its metadata, under the given id or a new one.

    Raises `PictureTooLarge`, `TooManyPixels`, `NotAPicture`, and `AttachmentExists` for
    the id of another file; the same picture may be stored again under its id.
    """
    if len(picture.content) > MAX_ATTACHMENT_BYTES:
        raise PictureTooLarge(len(picture.content))
    try:
        content, media_type = images.clean(picture.content)
    except images.HugeImage:
        raise TooManyPixels(images.MAX_PIXELS) from None
    except images.BrokenImage:
        raise NotAPicture from None
    return _store(Picture(content, media_type), actor, attachment_id)


@unit_of_work
def _store(
    picture: Picture, actor: Identity, attachment_id: ObjectId | None
) -> Attachment:
    unused_files.delete_expired(KEPT_FOR)
    stored = Attachment(
        attachment_id or ObjectId(), picture.media_type, len(picture.content)
    )
    facts = {"type": picture.media_type, "digest": pictures.digest(picture)}
    known = unused_files.find(stored.id) if attachment_id else None
    if known is None:
        unused_files.insert(stored.id, picture.content, actor.worker_id, facts)
    elif known.get("owner") != actor.worker_id or facts.items() - known.items():
        raise AttachmentExists
    return stored


def use(ids: Sequence[ObjectId], actor: Identity) -> list[PictureFile]:
    """Use attachments of the actor in a record, which stores their files as its own.

    Call it inside the unit of work that stores the record. Raises `UnknownAttachment`
    with the ids that do not exist, are another worker's or older than `KEPT_FOR`, have been
    used, or are named twice.
    """
    if not ids:
        return []
    found = unused_files.use(ids, actor.worker_id, KEPT_FOR)
    unknown = [one for n, one in enumerate(ids) if one not in found or one in ids[:n]]
    if unknown:
        raise UnknownAttachment([str(one) for one in unknown])
    return [PictureFile(one, found[one]["type"], found[one]["digest"]) for one in ids]
