"""Files that are no tables are refused with what they are."""

import pytest

from glassflow.services.tables.limits import Unreadable, require_known_format

OLD = bytes.fromhex("D0CF11E0A1B11AE1")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (OLD + bytes(512), "(.xls); save it as XLSX"),
        (OLD + "\0EncryptedPackage\0".encode("utf-16-le"), "protected with a password"),
        (
            b"PK\x03\x04"
            + bytes(26)
            + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
            "(.ods); save it as XLSX",
        ),
    ],
)
def test_workbook_of_another_kind_is_refused_with_its_kind(content, message):
    with pytest.raises(Unreadable) as refused:
        require_known_format(content)
    assert message in refused.value.message


@pytest.mark.parametrize("content", [b"", b"name\n", b"PK\x03\x04" + bytes(200)])
def test_other_files_are_left_to_who_reads_them(content):
    require_known_format(content)
