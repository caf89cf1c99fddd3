"""Labels for Zebra printers: the whole label as one compressed picture.

Printers have no Thai font. The format is ^GFA with Z64 data: zlib, then base64, then the
CRC-16 (CCITT, begin 0) of the base64 text.
"""

import zlib
from base64 import b64encode
from binascii import crc_hqx

from PIL import Image, ImageChops


def label(picture: Image.Image, *, copies: int = 1) -> bytes:
    """Return the ZPL that prints a two-colour picture (mode "1")."""
    width, height = picture.size
    row_bytes = (width + 7) // 8
    # in ZPL a set bit is black; Pillow fills the last byte of a row with zeros
    data = ImageChops.invert(picture).tobytes()
    text = b64encode(zlib.compress(data, 9))
    graphic = b"%d,%d,%d,:Z64:%s:%04X" % (
        len(data),
        len(data),
        row_bytes,
        text,
        crc_hqx(text, 0),
    )
    return (
        b"^XA^PW%d^LL%d^LH0,0^PQ%d^FO0,0^GFA," % (width, height, copies)
        + graphic
        + b"^FS^XZ\n"
    )
