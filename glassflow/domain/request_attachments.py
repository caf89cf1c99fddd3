"""Attachments of requests: what customers have sent, such as their purchase order.

They are sent as data URLs. A PDF, PNG or JPEG is accepted, recognized by its content
whatever type its data URL names.
"""

import base64

from glassflow.domain import texts
from glassflow.domain.photos import Picture, detect_type, is_data_url, is_heic

MAX_ATTACHMENTS = 20  # of one request
MAX_BYTES = 5 * 1024 * 1024
MAX_NAME_LENGTH = 200  # characters
PDF = "application/pdf"
PICTURES = frozenset({"image/jpeg", "image/png"})
_PDF_END = b"%%EOF"
_TAIL_BYTES = 1024  # where readers of PDFs look for its end


def parse(text: str) -> Picture:
    """Parse the data URL of a file; raises `ValueError` with a text for clients."""
    header, _, payload = text.partition(",")
    if not is_data_url(text) or not header.lower().endswith(";base64"):
        raise ValueError(texts.NOT_A_DOCUMENT)
    try:
        content = base64.b64decode(payload, validate=True)
    except ValueError:  # not base64, or not even ASCII
        raise ValueError(texts.NOT_BASE64) from None
    if len(content) > MAX_BYTES:
        raise ValueError(texts.DOCUMENT_TOO_LARGE.format(maximum=MAX_BYTES))
    media_type = PDF if _is_pdf(content) else detect_type(content)
    if media_type not in {PDF, *PICTURES}:
        raise ValueError(
            texts.PICTURE_IS_HEIC if is_heic(content) else texts.NOT_A_DOCUMENT
        )
    return Picture(content, media_type or "")


def _is_pdf(content: bytes) -> bool:
    return content.startswith(b"%PDF-") and _PDF_END in content[-_TAIL_BYTES:]
