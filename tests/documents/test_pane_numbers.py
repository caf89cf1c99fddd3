"""Many pane numbers in few words, from which each of them can be read again."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.documents import pane_numbers

WORDS = [
    ([], ""),
    (["PNE-0007"], "PNE-0007"),
    (["PNE-0001", "PNE-0002"], "PNE-0001, -0002"),
    (["PNE-0001", "PNE-0002", "PNE-0003"], "PNE-0001 to -0003"),
    (["PNE-0003", "PNE-0002", "PNE-0001"], "PNE-0003, -0002, -0001"),
    (
        ["PNE-20261120-0009", "PNE-20261120-0011", "PNE-20261121-0012"],
        "PNE-20261120-0009, -0011, PNE-20261121-0012",
    ),
    (
        ["PNE-9997", "PNE-9998", "PNE-9999", "PNE-10000"],
        "PNE-9997 to -9999, -10000",
    ),
    (["PNE-0100-A", "PNE-0100-B", "PNE-0101"], "PNE-0100-A, PNE-0100-B, PNE-0101"),
    (["17", "18", "19", "-20", "PNE-"], "17, 18, 19, -20, PNE-"),
]
BEGINNINGS = st.sampled_from(["PNE", "PNE-20261120", "B-7-A"])
NUMBERS = st.builds("{}-{:04}".format, BEGINNINGS, st.integers(1, 12)) | st.builds(
    "{}-0001-{}".format, BEGINNINGS, st.sampled_from("AB")
)


def read(text):
    """The numbers that a reader understands."""
    numbers, beginning = [], ""
    for word in filter(None, text.split(", ")):
        first, _, last = word.partition(" to ")
        if not first.startswith("-"):
            beginning = first.rpartition("-")[0]
        first = first if not first.startswith("-") else beginning + first
        numbers.append(first)
        if last:
            start, end = (int(re.search(r"\d+$", one)[0]) for one in (first, last))
            numbers += [f"{beginning}-{n:04}" for n in range(start + 1, end + 1)]
    return numbers


@pytest.mark.parametrize(("numbers", "words"), WORDS)
def test_numbers_are_written_without_what_they_have_in_common(numbers, words):
    assert pane_numbers.written(numbers, "en") == words


@given(st.lists(NUMBERS, max_size=30))
def test_every_number_can_be_read_again(numbers):
    assert read(pane_numbers.written(numbers, "en")) == numbers
