"""Pictures as clients send them in claims and failed checks."""

import base64
import io
import os

import requests
from PIL import Image

from waiting import REQUEST_TIMEOUT_S

MAGIC = {
    "image/jpeg": b"\xff\xd8\xff\xe0",
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/webp": b"RIFF\x24\x00\x00\x00WEBP",
    "image/gif": b"GIF89a",
}


def to_data_url(content, media_type="image/png"):
    """The data URL of a content."""
    return f"data:{media_type};base64,{base64.b64encode(content).decode()}"


def picture(size=20, media_type="image/png"):
    """The data URL and the content of what begins as a picture, unlike any other."""
    content = MAGIC[media_type] + os.urandom(size)
    return to_data_url(content, media_type), content


def photo(media_type="image/jpeg", side=32):
    """The data URL of a picture that can be opened, and that no other test has."""
    image = Image.frombytes("RGB", (side, side), os.urandom(3 * side * side))
    written = io.BytesIO()
    image.save(written, media_type.removeprefix("image/").upper())
    return to_data_url(written.getvalue(), media_type)


def load(api, link, **headers):
    """Load a link of the service as an `<img>` does, without a token."""
    return requests.get(api.url + link, headers=headers, timeout=REQUEST_TIMEOUT_S)
