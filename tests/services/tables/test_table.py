"""The header of a table is found and read as people write it."""

import pytest

from glassflow.services.tables.table import read_table

KNOWN = ["name", "phone", "customer", "customer.name"]
TITLES = {"ชื่อ": "name", "phone number": "phone", "customer": "customer.name"}


def read(*rows):
    return read_table(rows, KNOWN, TITLES)


def faults_of(*rows):
    return [(one.row, one.field, str(one.message)) for one in read(*rows).faults]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("phone", "phone"),
        (" PHONE ", "phone"),
        ("Phone  Number", "phone"),
        ("ชื่อ", "name"),
        ("customer", "customer"),  # exactly a name, though it is a title too
        ("Customer", "customer.name"),
        ("Colour", "Colour"),
    ],
)
def test_column_is_known_by_its_name_in_any_letter_case_or_by_a_title(title, name):
    assert read([title]).names == (name,)


@pytest.mark.parametrize(
    "above",
    [[], [[]], [["รายชื่อลูกค้า"], []], [["Customer"]], [["Day", "2026-01-31"], []]],
)
def test_header_may_stand_below_the_title_of_the_sheet(above):
    table = read(*above, ["name", "phone", "customer"], ["Aek", "1"])
    assert (table.header, table.faults) == (len(above) + 1, ())
    (line,) = table.lines
    assert (line.number, line.row) == (len(above) + 2, ["Aek", "1", None])


@pytest.mark.parametrize(
    "rows",
    [
        [["Firm"], ["Name"]],  # no title: it is as wide as the row below
        [["Firm", "Tel"], ["Name", "Phone"]],
        [["Firm"], *[["Aek"]] * 10, ["name", "phone"]],
    ],
)
def test_row_that_may_be_data_is_no_header(rows):
    assert read(*rows).header == 1
    assert faults_of(*rows)[0][:2] == (1, "Firm")


def test_empty_columns_without_a_name_are_left_out():
    table = read(["name", None, "phone", None], ["Aek", None, "1"], [])
    assert (table.names, table.faults) == (("name", "phone"), ())
    assert table.lines[0].row == ["Aek", "1"]


def test_columns_without_a_name_are_called_by_their_letters():
    message = "Column {} has no name, but row {} has something in it"
    assert faults_of(["name", None, "phone"], ["Aek"], ["Bee", "x", None, "y"]) == [
        (1, "", message.format("B", 3)),
        (1, "", message.format("D", 3)),
    ]
    far = [None] * 27
    assert faults_of([], ["name"], ["Aek", *far[1:], "x"]) == [
        (2, "", message.format("AB", 3))
    ]


def test_column_that_is_named_in_two_ways_is_there_twice():
    assert faults_of(["name", "ชื่อ"]) == [(1, "name", "There are several columns name")]
