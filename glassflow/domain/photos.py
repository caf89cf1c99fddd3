"""Photos of claims: what clients may send, and the pictures that are accepted.

A photo is sent as a data URL, as an http(s) URL, or as the link by which the service
itself shows a stored picture. Only content that begins as a JPEG, PNG, WebP or GIF is
accepted, whatever type its data URL names: a browser would run an SVG or HTML file.
"""

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import Conflict, Refusal

MAX_URL_LENGTH = 2048  # characters
MAX_ATTACHMENT_BYTES = 2 * 1024 * 1024
MAX_PHOTOS_OF_CHECK = 3
UNKNOWN_TYPE = "application/octet-stream"

_URL = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
_LINK = re.compile(
    r"(?:https?://[^\s?#]*)?/api/claims/([0-9a-f]{24})/photos/(\d{1,9})(?:[?#]\S*)?",
    re.IGNORECASE | re.ASCII,
)
_ATTACHMENT = re.compile(r"[0-9a-f]{24}", re.IGNORECASE | re.ASCII)
_IMAGE_HEADER = re.compile(
    r"data:image/(?:jpe?g|png|webp|gif)(?:;[^;,\s]+)*;base64", re.IGNORECASE
)
_HEIC_HEADER = re.compile(r"data:image/hei[cf]\b", re.IGNORECASE)
_HEIC_BRANDS = frozenset(
    {b"heic", b"heim", b"heis", b"heix", b"hevc", b"mif1", b"msf1"}
)
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


@dataclass(frozen=True, slots=True)
class Picture:
    """The content of a photo, and the media type that its first bytes show."""

    content: bytes
    media_type: str

    @property
    def data_url(self) -> str:
        """The picture as a data URL."""
        encoded = base64.b64encode(self.content).decode()
        return f"data:{self.media_type};base64,{encoded}"


@dataclass(frozen=True, slots=True)
class PhotoLink:
    """A link to a stored picture: the id of its claim, and its number there."""

    claim: str
    number: int


@dataclass(frozen=True, slots=True)
class AttachmentId:
    """The id of a picture that has been uploaded before."""

    text: str


@dataclass(frozen=True, slots=True)
class PictureFile:
    """The file of a picture, and facts about its content."""

    file: Any
    media_type: str
    digest: str


Photo = str | Picture | PhotoLink | AttachmentId  # a text is a URL


class NotAPicture(Refusal):
    """The content cannot be decoded as a JPEG, PNG or WebP."""

    code = "NOT_A_PICTURE"

    def __init__(self) -> None:
        super().__init__(texts.NOT_AN_ATTACHMENT)


class PictureTooLarge(Refusal):
    """The picture has too many bytes."""

    code = "PICTURE_TOO_LARGE"

    def __init__(self, size: int) -> None:
        super().__init__(
            texts.PICTURE_TOO_LARGE,
            details={"maximum": MAX_ATTACHMENT_BYTES, "size": size},
        )


class TooManyPixels(PictureTooLarge):
    """The picture has more pixels than are decoded."""

    def __init__(self, maximum: int) -> None:
        Refusal.__init__(
            self,
            texts.TOO_MANY_PIXELS.format(maximum=f"{maximum:,}"),
            details={"maximumPixels": maximum},
        )


class AttachmentExists(Conflict):
    """The id that a client has chosen is that of another file."""

    code = "ATTACHMENT_EXISTS"

    def __init__(self) -> None:
        super().__init__(texts.ATTACHMENT_EXISTS)


class UnknownAttachment(Refusal):
    """Attachments do not exist (any more), or the worker has no right to them."""

    code = "UNKNOWN_ATTACHMENT"

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(
            texts.UNKNOWN_ATTACHMENT.format(ids=", ".join(ids)),
            details={"photos": list(ids)},
        )


def parse(text: str) -> Photo:
    """Parse a photo as clients send it; raises `ValueError` with a text for them."""
    if is_data_url(text):
        return parse_picture(text)
    if _ATTACHMENT.fullmatch(text):
        return AttachmentId(text)
    link = _LINK.fullmatch(text)
    if link:
        return PhotoLink(link[1].lower(), int(link[2]))
    if not _URL.fullmatch(text):
        raise ValueError(texts.NOT_A_PHOTO)
    if len(text) > MAX_URL_LENGTH:
        raise ValueError(texts.PHOTO_URL_TOO_LONG.format(maximum=MAX_URL_LENGTH))
    return text


def is_data_url(value: Any) -> bool:
    """Return whether a value is a text with the scheme of data URLs."""
    return isinstance(value, str) and value[:5].lower() == "data:"


def parse_picture(text: str, *, refusal: Bilingual = texts.NOT_A_PICTURE) -> Picture:
    """Parse a data URL; raises `ValueError` with a text for clients.

    `refusal` is the text for what is no picture of an accepted type.
    """
    header, _, payload = text.partition(",")
    if _HEIC_HEADER.match(header):
        raise ValueError(texts.PICTURE_IS_HEIC)
    if not _IMAGE_HEADER.fullmatch(header):
        raise ValueError(refusal)
    try:
        content = base64.b64decode(payload, validate=True)
    except ValueError:  # not base64, or not even ASCII
        raise ValueError(texts.NOT_BASE64) from None
    media_type = detect_type(content)
    if media_type is None:
        raise ValueError(texts.PICTURE_IS_HEIC if is_heic(content) else refusal)
    return Picture(content, media_type)


def detect_type(content: bytes) -> str | None:
    """Return the media type of a JPEG, PNG, WebP or GIF, and None for anything else."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for magic, kind in _MAGIC if content.startswith(magic)), None)


def is_heic(content: bytes) -> bool:
    """Return whether content begins as a HEIC picture, as iPhones take them."""
    return content[4:8] == b"ftyp" and content[8:12] in _HEIC_BRANDS


def decode_stored(data_url: str) -> Picture:
    """Decode a data URL that an earlier release has stored unchecked.

    Content that is no picture keeps its bytes and gets the type `UNKNOWN_TYPE`.
    """
    header, _, payload = data_url.partition(",")
    content = unquote_to_bytes(payload)
    if header.lower().endswith(";base64"):
        try:
            content = base64.b64decode(content, validate=True)
        except binascii.Error:
            pass
    return Picture(content, detect_type(content) or UNKNOWN_TYPE)
