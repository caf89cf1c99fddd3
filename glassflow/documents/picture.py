"""A picture file, such as a logo or a signature, as documents have it."""

import io

from PIL import Image, ImageOps

from glassflow.drawing.items import Picture

FORMATS = ("JPEG", "PNG", "WEBP")  # those of the other pictures of the service
MAX_PIXELS = 40_000_000  # a larger picture takes seconds to read
DRAWN_PIXELS = (900, 300)  # at most; in the room of a logo that is more than 250 dpi


def read_picture(
    content: bytes | None, *, at: tuple[float, float], room: tuple[float, float]
) -> Picture | None:
    """Return a picture as large as it fits a room in mm; None for what is no picture."""
    if not content:
        return None
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as opened:
            if opened.width * opened.height > MAX_PIXELS:
                return None
            picture = ImageOps.exif_transpose(opened).convert("RGBA")
    except Exception:  # decoders raise errors of many kinds
        return None
    scale = min(room[0] / picture.width, room[1] / picture.height)
    size = picture.width * scale, picture.height * scale
    picture.thumbnail(DRAWN_PIXELS)
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=1)
    return Picture(*at, *size, out.getvalue())
