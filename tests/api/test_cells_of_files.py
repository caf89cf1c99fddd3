"""The cells of a file with panes: read for the grid of a quote or a request."""

import io
from datetime import datetime

import openpyxl
import pytest
from mongoengine.connection import get_db

from tables_api import MEDIA_TYPES

PATH = "/api/requests/cells"
CSV = MEDIA_TYPES["csv"]
HEADS = ["ลำดับ", "ตำแหน่ง", "กว้าง", "สูง", "จำนวน"]


def send(api, content, type=CSV):
    return api.call("POST", PATH, data=content, headers={"Content-Type": type})


def workbook(rows, **sheets):
    """An XLSX file of rows, with further sheets by their names."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for name, state in sheets.items():
        book.create_sheet(name).sheet_state = state
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_cells_of_a_workbook_are_texts_as_a_person_reads_them(admin):
    rows = [
        ["บ้านคุณสมชาย"],
        [],
        HEADS,
        [1, "W01", 1850.0, "6 มม.", "=1/0"],
        [2, "0081", 120.5, datetime(2026, 1, 31), True],
    ]
    before = get_db()["requests"].count_documents({})
    answer = send(admin, workbook(rows), MEDIA_TYPES["xlsx"])
    assert answer.data == {
        "rows": [
            ["บ้านคุณสมชาย"],
            [],
            HEADS,
            ["1", "W01", "1850", "6 มม.", "=1/0"],
            ["2", "0081", "120.5", "2026-01-31T00:00:00.000+07:00", "true"],
        ]
    }
    several = send(admin, workbook(rows, สรุป="visible"), MEDIA_TYPES["xlsx"])
    assert several.data["sheet"] == "Sheet"
    assert get_db()["requests"].count_documents({}) == before


@pytest.mark.parametrize(
    ("separator", "encoding", "type"),
    [
        (",", "utf-8-sig", CSV),
        (";", "utf-16", CSV),
        ("\t", "cp874", f"{CSV}; charset=windows-874"),
    ],
)
def test_cells_of_a_csv_file_are_read_in_its_encoding(admin, separator, encoding, type):
    lines = [HEADS, ["1", "W01", '"1,850"', "900", "2 แผ่น"], [], ["", "รวม"]]
    text = "\r\n".join(separator.join(line) for line in lines)
    answer = send(admin, text.encode(encoding), type)
    expected = [HEADS, ["1", "W01", "1,850", "900", "2 แผ่น"], [], ["", "รวม"]]
    assert answer.data == {"rows": expected}


def test_file_that_is_no_table_is_refused_in_words(admin, setting):
    broken = send(admin, b"PK\x03\x04 no workbook", MEDIA_TYPES["xlsx"])
    assert (broken.status, broken.errors) == (400, {"code": "UNREADABLE_TABLE"})
    old = send(admin, bytes.fromhex("D0CF11E0A1B11AE1"), MEDIA_TYPES["xlsx"])
    assert (old.status, old.errors) == (400, {"code": "UNREADABLE_TABLE"})
    thai = send(admin, "กว้าง".encode("cp874"))
    assert (thai.status, thai.errors) == (400, {"code": "UNREADABLE_TABLE"})
    assert send(admin, b"%PDF-1.7", "application/pdf").status == 415
    assert send(admin, b"").data == {"rows": []}
    setting(MAX_IMPORT_ROWS=3)
    assert send(admin, b"a\nb\nc\nd\n").status == 200
    long = send(admin, b"a\nb\nc\nd\ne\n")
    assert (long.status, long.errors[0]["field"]) == (400, "file")
    setting(MAX_IMPORT_BYTES=10)
    assert send(admin, b"abcdef,12345\n").status in {400, 413}


def test_cells_are_read_for_those_who_make_panes_only(anonymous, client_with_keys):
    assert send(anonymous, b"a").status == 401
    assert send(client_with_keys("requests:view", "panes:view"), b"a").status == 403
    for key in ("requests:manage", "panes:create"):
        assert send(client_with_keys(key), b"a").data == {"rows": [["a"]]}
