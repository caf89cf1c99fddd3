"""Pictures without what cameras add: where and when they were taken, and with what.

Decoding runs on gevent's pool of native threads, where it does not block other requests.
"""

import io
from typing import Any

from PIL import ExifTags, Image, ImageOps, MpoImagePlugin, WebPImagePlugin

from glassflow.core.process import native_threads

MAX_PIXELS = 50_000_000  # a small file can hold a picture that fills the memory
JPEG_QUALITY = 90
# By the format that the decoder names: how pictures of this format are written.
_SAVED: dict[str, dict[str, Any]] = {
    "JPEG": {"quality": JPEG_QUALITY, "comment": b""},
    "PNG": {},
    "WEBP": {"quality": JPEG_QUALITY},
}
# All decoders are loaded now: the first picture would import them on a thread of the pool.
Image.preinit()
assert WebPImagePlugin.SUPPORTED
# A JPEG with further pictures behind the first one, as many phones write.
_MULTI_PICTURE = MpoImagePlugin.MpoImageFile.format
# What belongs to the picture itself: its colours, and its transparent colour.
_KEPT = frozenset({"icc_profile", "transparency"})
MEDIA_TYPES = {name: f"image/{name.lower()}" for name in _SAVED}


class BrokenImage(ValueError):
    """The content cannot be decoded as a JPEG, PNG or WebP."""


class HugeImage(ValueError):
    """The picture has more than `MAX_PIXELS` pixels."""


def clean(content: bytes) -> tuple[bytes, str]:
    """Return a picture without its metadata, upright, and its media type.

    An animation becomes its first picture. Raises `BrokenImage` and `HugeImage`.
    """
    return native_threads.run(_clean, content)


def _clean(content: bytes) -> tuple[bytes, str]:
    try:
        with Image.open(io.BytesIO(content), formats=tuple(_SAVED)) as image:
            if image.width * image.height > MAX_PIXELS:
                raise HugeImage
            name = "JPEG" if image.format == _MULTI_PICTURE else image.format or ""
            return _encode(image, name), MEDIA_TYPES[name]
    except (HugeImage, Image.DecompressionBombError):
        raise HugeImage from None
    except Exception as error:  # decoders raise errors of many kinds
        raise BrokenImage from error


def _encode(image: Image.Image, name: str) -> bytes:
    options = dict(_SAVED[name])
    turned = image.getexif().get(ExifTags.Base.Orientation, 1) != 1
    if turned:
        image = ImageOps.exif_transpose(image)
    elif image.format == "JPEG":
        options["quality"] = "keep"
    image.load()
    image.info = {key: image.info[key] for key in _KEPT & image.info.keys()}
    written = io.BytesIO()
    image.save(written, name, **options)
    return written.getvalue()
