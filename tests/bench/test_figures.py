"""Figures of the benchmarks: percentiles, rounded numbers, tables."""

import pytest

from bench.figures import number, percentile, table


@pytest.mark.parametrize(
    ("share", "value"), [(1, 1), (50, 5), (90, 9), (91, 10), (95, 10), (100, 10)]
)
def test_percentile_is_the_smallest_value_that_so_many_do_not_exceed(share, value):
    assert percentile([7, 1, 10, 4, 3, 9, 2, 8, 6, 5], share) == value


def test_percentile_of_one_value_is_that_value():
    assert percentile([3.5], 99) == 3.5


def test_percentile_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no values"):
        percentile([], 50)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0.00"), (1.234, "1.23"), (12.34, "12.3"), (123.4, "123")],
)
def test_numbers_have_three_significant_digits(value, text):
    assert number(value) == text


def test_table_has_a_head_and_a_line_for_each_row():
    assert list(table(("a", "b"), [("x", "1"), ("y", "2")])) == [
        "| a | b |",
        "|---|---:|",
        "| x | 1 |",
        "| y | 2 |",
    ]
