"""How the photos of a record are stored, and the links by which its files are read.

A picture is stored as `{n, file, type, digest}`, where `n` is its number in the record,
which is never used again; clients read a signed link with this number.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from glassflow import runtime
from glassflow.domain.photos import is_data_url


def file_path(resource: str, record_id: Any, field: str, number: int) -> str:
    """Return the path of a file of a record, in the list that a field is."""
    return f"/api/{resource}/{record_id}/{field}/{number}"


def signed_link(path: str) -> str:
    """Return the link by which whoever has it can read a file for a while."""
    return f"{path}?signature={runtime.current().links.sign(path)}"


def photo_number(photo: Any, index: int) -> int | None:
    """Return the number of a stored photo at a place in its list; None for a URL.

    The data URLs that earlier releases stored have no number and take that of their
    place.
    """
    if isinstance(photo, Mapping):
        return int(photo["n"])
    return index if is_data_url(photo) else None


def without_content(photos: Sequence[Any]) -> list[Any]:
    """Return stored photos, but of the data URLs of earlier releases only their begin.

    For the history, which keeps no pictures.
    """
    return [
        photo.partition(",")[0] + "," if is_data_url(photo) else photo
        for photo in photos
    ]


def as_links(resource: str) -> Callable[[Mapping[str, Any]], list[str]]:
    """Return the function that shows the photos of a stored record as URLs.

    Pictures are shown as signed links.
    """

    def show(raw: Mapping[str, Any]) -> list[str]:
        shown = []
        for index, photo in enumerate(raw.get("photos", ())):
            number = photo_number(photo, index)
            if number is not None:
                photo = signed_link(file_path(resource, raw["_id"], "photos", number))
            shown.append(photo)
        return shown

    return show
