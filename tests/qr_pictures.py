"""What a camera sees of a label with a QR code: turned, with noise, as video or photo."""

import math
import random
import struct
import zlib
from pathlib import Path

import segno

WIDTH, HEIGHT = 640, 480
QUIET_MODULES = 4
FRAMES_PER_SECOND = 5


def label_picture(
    text: str | None, *, module_px: float = 7, degrees: float = 33, noise: float = 25
) -> bytes:
    """Return the brightness of each pixel of a picture; without a text it is empty.

    `noise` is the standard deviation of the brightness, of 255.
    """
    dark = _dark_modules(text) if text else None
    chance = random.Random(1)
    grain = [round(chance.gauss(0, noise)) for _ in range(9973)]
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    pixels = bytearray(WIDTH * HEIGHT)
    for y in range(HEIGHT):
        for x in range(WIDTH):
            level = 70 + x // 8  # the table, lit from one side
            if dark:
                dx, dy = (x - WIDTH / 2) / module_px, (y - HEIGHT / 2) / module_px
                column = math.floor(dx * cosine + dy * sine + len(dark) / 2)
                row = math.floor(dy * cosine - dx * sine + len(dark) / 2)
                if 0 <= row < len(dark) and 0 <= column < len(dark):
                    level = 40 if dark[row][column] else 215
            i = y * WIDTH + x
            pixels[i] = max(0, min(255, level + grain[i % len(grain)]))
    return bytes(pixels)


def _dark_modules(text: str) -> list[list[bool]]:
    code = segno.make(text, error="q", micro=False)
    return [
        [bool(one) for one in row] for row in code.matrix_iter(border=QUIET_MODULES)
    ]


def write_video(path: Path, scenes: list[tuple[bytes, float]]) -> Path:
    """Write pictures, each shown for some seconds, as a video that a browser can play."""
    colourless = bytes([128]) * (WIDTH * HEIGHT // 2)
    with path.open("wb") as file:
        file.write(
            f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F{FRAMES_PER_SECOND}:1 Ip A1:1 C420\n".encode()
        )
        for picture, seconds in scenes:
            frame = b"FRAME\n" + picture + colourless
            file.write(frame * round(seconds * FRAMES_PER_SECOND))
    return path


def write_photo(path: Path, picture: bytes) -> Path:
    """Write a picture as a grey PNG."""
    rows = b"".join(
        b"\0" + picture[start : start + WIDTH]
        for start in range(0, len(picture), WIDTH)
    )
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts))
    return path


def _chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(kind + content)
    return (
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)
    )
