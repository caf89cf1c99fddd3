"""The photos of claims: pictures as files beside the claim, and URLs.

A claim stores a list of photos: a URL as a text, a picture as `{n, file, type, digest}`,
where `n` is its number in the claim and is never used again. Clients read a picture as a
signed link with this number. Files are written and deleted in the transaction of their
claim.

Earlier releases stored data URLs in the claim. These are shown as links too, and become
files when the claim is changed or `flask photos move` runs.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.store import files
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import photos as rules
from glassflow.domain import texts
from glassflow.domain.errors import FieldFault, Invalid
from glassflow.domain.photos import (
    UNKNOWN_TYPE,
    AttachmentId,
    Photo,
    PhotoLink,
    Picture,
    PictureFile,
)
from glassflow.models.claim import Claim
from glassflow.services import attachments, pictures, records
from glassflow.services.pictures import Stored

New = Picture | AttachmentId  # a photo that the claim does not have yet


def match(claim: Claim, given: Iterable[Photo]) -> list[Stored | New]:
    """Return photos as the claim has stored them; new ones stay as they are.

    A link, or a picture with the content of a stored one, keeps that one. Raises
    `Invalid` for a link to a picture that the claim does not have.
    """
    own, by_number, by_digest = str(claim.pk), {}, defaultdict(list)
    for stored in claim.photos:
        if isinstance(stored, Mapping):
            by_number[stored["n"]] = dict(stored)
            by_digest[stored["digest"]].append(dict(stored))
    matched: list[Stored | New] = []
    for index, photo in enumerate(given):
        if isinstance(photo, PhotoLink):
            if photo.claim != own or photo.number not in by_number:
                fault: FieldFault = {
                    "field": f"photos.{index}",
                    "message": texts.UNKNOWN_PHOTO,
                }
                raise Invalid([fault])
            matched.append(by_number[photo.number])
        elif isinstance(photo, Picture):
            same = by_digest[pictures.digest(photo)]
            matched.append(same.pop(0) if same else photo)
        else:
            matched.append(photo)
    return matched


def use_attachments(
    photos: Sequence[Stored | New], actor: Identity
) -> list[Stored | Picture | PictureFile]:
    """Replace the ids of attachments by their files; call it inside the unit of work.

    Raises `UnknownAttachment`.
    """
    ids = [ObjectId(one.text) for one in photos if isinstance(one, AttachmentId)]
    used = iter(attachments.use(ids, actor))
    return [next(used) if isinstance(one, AttachmentId) else one for one in photos]


def replace(claim: Claim, photos: Sequence[Stored | Picture | PictureFile]) -> None:
    """Set the photos of a claim that the caller saves, and store and delete their files.

    Call it inside the unit of work.
    """
    new: dict[ObjectId, bytes] = {}
    stored: list[Stored] = []
    for index, photo in enumerate(photos):
        if isinstance(photo, Picture):
            file = PictureFile(ObjectId(), photo.media_type, pictures.digest(photo))
            new[file.file] = photo.content
            stored.append(_new_entry(claim, file, index))
        elif isinstance(photo, PictureFile):
            stored.append(_new_entry(claim, photo, index))
        else:
            stored.append(photo)
    removed = pictures.file_ids(claim.photos) - pictures.file_ids(stored)
    claim.photos = stored
    files.insert(new)
    files.delete(removed)


def _new_entry(claim: Claim, picture: PictureFile, index: int) -> dict[str, Any]:
    """Return the stored form of a new picture at a place in the list of photos.

    Its number is the place, unless this has been another picture's number.
    """
    number = max(index, claim.next_photo)
    claim.next_photo = number + 1
    return pictures.stored_form(number, picture)


def move_to_files(claim: Claim) -> bool:
    """Store the data URLs inside a claim of an earlier release as files.

    Returns whether there were any; then the caller saves the claim.
    """
    if not any(rules.is_data_url(photo) for photo in claim.photos):
        return False
    replace(
        claim,
        [
            rules.decode_stored(photo) if rules.is_data_url(photo) else photo
            for photo in claim.photos
        ],
    )
    return True


def move_all_to_files() -> int:
    """Move the photos inside all claims to files, and return the number of claims.

    The claims show the same links before and after, so no event is sent.
    """
    query = {"photos": {"$regex": "^data:", "$options": "i"}}
    ids = [row["_id"] for row in Claim.collection().find(query, {"_id": 1})]
    return sum(_move(claim_id) for claim_id in ids)


@unit_of_work
def _move(claim_id: ObjectId) -> bool:
    claim = Claim.objects(pk=claim_id).first()
    if claim is None or not move_to_files(claim):
        return False
    records.write(claim)
    return True


def delete_files(claims: Iterable[Mapping[str, Any]]) -> None:
    """Delete the files of claims, in stored form, that are deleted."""
    files.delete(
        {one for row in claims for one in pictures.file_ids(row.get("photos", ()))}
    )


def inline(stored: Sequence[Stored], shown: Sequence[str]) -> list[str]:
    """Replace links in the photos of a claim, as they are shown, by data URLs.

    Content that is no picture stays a link: it could not be sent back as a data URL.
    """
    return [
        url
        if picture is None or picture.media_type == UNKNOWN_TYPE
        else picture.data_url
        for picture, url in zip(pictures.load(stored), shown, strict=True)
    ]
