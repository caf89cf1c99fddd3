"""Code 128 as bars, for scanners that read no QR codes."""

from functools import lru_cache

from reportlab.graphics.barcode.code128 import Code128

QUIET_MODULES = 10  # the empty margin that the standard asks for, on both sides
MAX_TEXT = 80  # characters; longer ones are wider than any label


@lru_cache(maxsize=4096)
def bars(text: str) -> bytes | None:
    """Return the modules of a text without the quiet zone; 1 is dark.

    None for what has no code: an empty or too long text, or one in other than ASCII.
    """
    if not text.isascii() or not text.isprintable() or not 0 < len(text) <= MAX_TEXT:
        return None
    code = Code128(text, quiet=False)
    code.validate()
    code.encode()
    code.decompose()
    # bars are written A to D, gaps a to d: one to four modules
    return b"".join(
        bytes([one.isupper()]) * (ord(one.lower()) - ord("a") + 1)
        for one in code.decomposed
    )
