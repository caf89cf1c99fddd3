"""QR codes as modules."""

from functools import lru_cache

import segno
from segno.encoder import DataOverflowError

from glassflow.domain import texts
from glassflow.domain.errors import FieldFault, Invalid

QUIET_MODULES = 4  # the empty margin that the standard asks for, on each side
# Of the eight masks any is valid. To try all takes seven times as long as the code itself.
MASK = 2


@lru_cache(maxsize=4096)
def modules(payload: str) -> tuple[bytes, ...]:
    """Return the rows of a QR code without its quiet zone; 1 is dark.

    The smallest version that has the payload at level M, then the highest level that
    this version has room for. Raises `Invalid` for a payload that no code can hold.
    """
    try:
        code = segno.make_qr(payload, error="m", mask=MASK)
    except (DataOverflowError, ValueError):
        fault: FieldFault = {"field": "content", "message": texts.LABEL_CODE_TOO_LONG}
        raise Invalid([fault]) from None
    return tuple(bytes(row) for row in code.matrix)
