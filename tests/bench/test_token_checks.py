"""The limit on the check of a token, with invented figures."""

from bench import token_checks


def test_a_cached_check_above_its_limit_is_a_fault():
    limit = token_checks.MAX_CACHED_US
    assert token_checks._faults(limit) == []
    (fault,) = token_checks._faults(limit + 1)
    assert "21.0 µs" in fault
