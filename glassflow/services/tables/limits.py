"""How large a file may be that somebody sends, and what is wrong with one."""

import math
from dataclasses import dataclass

from glassflow.domain import texts
from glassflow.domain.errors import Invalid, Refusal

MAX_COLUMNS = 500
# A compressed file becomes larger: texts that repeat, by a factor of hundreds.
UNPACKED_FACTOR = 10


# How files of other spreadsheets begin; a workbook with a password is one of the first kind.
OLD_WORKBOOK = bytes.fromhex("D0CF11E0A1B11AE1")
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument"


class Unreadable(Refusal):
    """The file is no table that can be read."""

    code = "UNREADABLE_TABLE"


def require_known_format(content: bytes) -> None:
    """Raise `Unreadable` for a workbook that is neither CSV nor XLSX, with what it is."""
    if content.startswith(OLD_WORKBOOK):
        if ENCRYPTED in content:
            raise Unreadable(texts.TABLE_ENCRYPTED)
        raise Unreadable(texts.TABLE_OTHER_WORKBOOK.format(kind=".xls"))
    if OPEN_DOCUMENT in content[:100]:
        raise Unreadable(texts.TABLE_OTHER_WORKBOOK.format(kind=".ods"))


@dataclass(frozen=True, slots=True)
class Limits:
    """The most rows of data that a file may have, its most bytes, and the time to read it."""

    rows: int
    bytes: int
    seconds: float = math.inf

    @property
    def cells(self) -> int:
        """The most cells that a file may have, its header included."""
        return (self.rows + 1) * MAX_COLUMNS

    def check(self, *, rows: int, columns: int = 0) -> None:
        """Raise `Invalid` for more rows, or more columns than any record has."""
        if rows > self.rows:
            message = texts.TABLE_TOO_LONG.format(rows=self.rows)
            raise Invalid([{"field": "file", "message": message}])
        if columns > MAX_COLUMNS:
            message = texts.TABLE_TOO_WIDE.format(columns=MAX_COLUMNS)
            raise Invalid([{"field": "file", "message": message}])

    def check_bytes(self, count: int) -> None:
        """Raise `Invalid` for a file that is too large."""
        if count > self.bytes:
            message = texts.TABLE_TOO_LARGE.format(bytes=self.bytes)
            raise Invalid([{"field": "file", "message": message}])

    def check_unpacked(self, count: int) -> None:
        """Raise `Invalid` for a compressed file whose content is too large."""
        if count > self.bytes * UNPACKED_FACTOR:
            most = self.bytes * UNPACKED_FACTOR
            message = texts.TABLE_TOO_LARGE.format(bytes=most)
            raise Invalid([{"field": "file", "message": message}])
