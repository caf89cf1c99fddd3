"""Which warnings fail a test."""

import warnings

import pytest

import sizes


@pytest.mark.sized
@pytest.mark.parametrize(
    "category",
    [
        pytest.PytestUnraisableExceptionWarning,
        pytest.PytestUnhandledThreadExceptionWarning,
    ],
)
def test_what_another_test_left_is_reported_and_fails_only_the_long_tests(category):
    with warnings.catch_warnings(record=True) as reported:
        if sizes.LONG:
            with pytest.raises(category):
                warnings.warn(category("a socket"), stacklevel=1)
        else:
            warnings.warn(category("a socket"), stacklevel=1)
    assert len(reported) == (0 if sizes.LONG else 1)


def test_other_warnings_fail_the_test_that_causes_them():
    with pytest.raises(DeprecationWarning):
        warnings.warn("old", DeprecationWarning, stacklevel=1)
