"""Pages of a PDF as pictures: what is previewed and printed is the same drawing."""

import io
from collections.abc import Iterable, Iterator

import pypdfium2
from PIL import Image
from pypdfium2 import raw

DARK_BELOW = 140  # of 255; glyphs are smoothed, and at 128 thin strokes break


def gray(pdf: bytes, sizes: Iterable[tuple[int, int]]) -> Iterator[Image.Image]:
    """Yield the pages of a PDF as gray pictures of these widths and heights in pixels."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for number, (width, height) in enumerate(sizes):
            yield _page(document[number], width, height)
    finally:
        document.close()


def _page(page: pypdfium2.PdfPage, width: int, height: int) -> Image.Image:
    bitmap = pypdfium2.PdfBitmap.new_native(width, height, raw.FPDFBitmap_Gray)
    raw.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
    # the whole page on exactly these pixels, so that dots stay dots
    place = (0, 0, width, height, 0, raw.FPDF_PRINTING)
    raw.FPDF_RenderPageBitmap(bitmap, page, *place)
    picture: Image.Image = bitmap.to_pil()
    return picture.convert("L")


def black_and_white(picture: Image.Image) -> Image.Image:
    """Return a gray picture in two colours, as a thermal printer has."""
    return picture.point([0] * DARK_BELOW + [255] * (256 - DARK_BELOW), mode="1")


def png(picture: Image.Image, *, dpi: float) -> bytes:
    """Return a picture as a PNG file, with its resolution."""
    out = io.BytesIO()
    picture.save(out, "PNG", dpi=(dpi, dpi))
    return out.getvalue()
