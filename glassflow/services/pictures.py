"""Pictures as records store them, beside which their files are, and their links."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.store import files
from glassflow.domain import photos as rules
from glassflow.domain import texts
from glassflow.domain.errors import Forbidden, NotFound
from glassflow.domain.photos import Picture, PictureFile
from glassflow.models.base import Record
from glassflow.models.photos import file_path, photo_number
from glassflow.services import records

Stored = str | dict[str, Any]  # a photo as a record stores it, see `models.photos`
StoredIn = Callable[[Mapping[str, Any], str], Sequence[Any]]


def field_of(record: Mapping[str, Any], field: str) -> Sequence[Any]:
    """Return the list of a stored record that a field is."""
    found: Sequence[Any] = record.get(field, ())
    return found


def digest(picture: Picture) -> str:
    """Return a hash of the content of a picture."""
    return hashlib.sha256(picture.content).hexdigest()


def stored_form(number: int, picture: PictureFile) -> dict[str, Any]:
    """Return a picture as a record stores it, under its number in the record."""
    return {
        "n": number,
        "file": picture.file,
        "type": picture.media_type,
        "digest": picture.digest,
    }


def file_ids(photos: Iterable[Stored]) -> set[ObjectId]:
    """Return the files of stored photos."""
    return {photo["file"] for photo in photos if isinstance(photo, Mapping)}


def load(stored: Sequence[Stored]) -> list[Picture | None]:
    """Return the pictures of stored photos; None for a URL and for a missing file."""
    contents = files.read_files(file_ids(stored))
    return [_picture(photo, contents) for photo in stored]


def _picture(photo: Stored, contents: Mapping[ObjectId, bytes]) -> Picture | None:
    if isinstance(photo, str):
        return rules.decode_stored(photo) if rules.is_data_url(photo) else None
    content = contents.get(photo["file"])
    return None if content is None else Picture(content, photo["type"])


def open_link(
    model: type[Record],
    resource: str,
    record_id: str,
    number: int,
    signature: str,
    *,
    field: str = "photos",
    stored_in: StoredIn = field_of,
) -> tuple[Picture, int]:
    """Return the picture of a signed link, and for how many seconds the link lasts.

    `stored_in` returns the pictures of a field from a stored record. Raises as
    `files_of_link` does.
    """
    stored, remaining_s = files_of_link(
        model, resource, record_id, number, signature, field=field, stored_in=stored_in
    )
    for picture in load(stored):
        if picture is not None:
            return picture, remaining_s
    raise NotFound(texts.PHOTO_NOT_FOUND)


def files_of_link(
    model: type[Record],
    resource: str,
    record_id: str,
    number: int,
    signature: str,
    *,
    field: str = "photos",
    stored_in: StoredIn = field_of,
) -> tuple[list[Any], int]:
    """Return what a signed link names in a list of a record, and for how many seconds.

    Raises `Forbidden` for a signature that is not valid or has expired, and `NotFound`
    for what has been replaced, or whose record is deleted.
    """
    path = file_path(resource, record_id, field, number)
    remaining_s = runtime.current().links.remaining_s(path, signature)
    if remaining_s <= 0:
        raise Forbidden(texts.PHOTO_LINK_EXPIRED)
    stored = stored_in(records.read_by_path(model, record_id), field)
    wanted = [one for n, one in enumerate(stored) if photo_number(one, n) == number]
    if not wanted:
        raise NotFound(texts.PHOTO_NOT_FOUND)
    return wanted, remaining_s
