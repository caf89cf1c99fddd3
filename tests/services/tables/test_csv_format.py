"""CSV files as spreadsheets in Thailand write them: encodings, separators, blank cells."""

import pytest

from glassflow.services.tables import csv_format
from glassflow.services.tables.limits import Limits, Unreadable

LIMITS = Limits(rows=3, bytes=10**7)
TABLE = "ชื่อ\tphone\r\nน้ำใส\t081\r\n"
ROWS = [["ชื่อ", "phone"], ["น้ำใส", "081"]]


def decode(content, charset=""):
    return list(csv_format.decode(content, LIMITS, charset))


@pytest.mark.parametrize(
    ("encoding", "charset"),
    [
        ("utf-8", ""),
        ("utf-8-sig", "windows-874"),  # the mark is right
        ("utf-16", ""),  # of this machine, with its mark
        ("utf-16", "utf-16"),
        ("cp874", "Windows-874"),
        ("cp874", "cp874"),
        ("cp874", "TIS-620"),
    ],
)
def test_file_is_read_in_the_encoding_of_its_mark_or_charset(encoding, charset):
    assert decode(TABLE.encode(encoding), charset) == ROWS
    if encoding == "utf-16":
        assert decode(b"\xfe\xff" + TABLE.encode("utf-16-be"), charset) == ROWS


@pytest.mark.parametrize(
    ("content", "charset"),
    [
        (TABLE.encode("cp874"), ""),
        ("name\tphone\n".encode("utf-16-le"), ""),
        ("name\tphone\n".encode("utf-16-be"), ""),
        (b"name\n\xff\n", "windows-874"),
        (b"\xff\xfen", ""),  # half of a character
    ],
)
def test_file_whose_encoding_is_not_certain_is_refused(content, charset):
    with pytest.raises(Unreadable):
        decode(content, charset)


@pytest.mark.parametrize("line", ["sep=;", '"sep=;"', "SEP=;"])
def test_line_that_names_the_separator_is_no_row(line):
    rows = [["a,b,c,d", "phone"], ["น้ำ", "1"]]
    assert decode(f"{line}\r\na,b,c,d;phone\r\nน้ำ;1\r\n".encode()) == rows
    assert decode(b"sep=x\n1\n") == [["sep=x"], ["1"]]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ('"=""0812345678"""', "0812345678"),
        ('"=""say """"hi"""""""', 'say "hi"'),
        ('"=""a""&""b"""', '="a"&"b"'),
        ('"\'=""0812345678"""', '="0812345678"'),  # as an export writes this text
    ],
)
def test_formula_that_is_only_a_text_is_that_text(cell, text):
    assert decode(f"{cell}\n".encode()) == [[text]]


def test_rows_and_cells_of_blanks_are_empty_and_count_for_no_limit():
    content = "\r\nname;;\r\nAek; ;\r\n" + " ;;\r\n" * 5
    assert decode(content.encode()) == [[], ["name"], ["Aek"]]
