"""Signatures of links: valid for their path and their time only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.core.access import link_signer
from glassflow.core.access.link_signer import LinkSigner

PATH, HOUR = "/api/claims/1/photos/0", 3600


@pytest.fixture
def at(monkeypatch):
    """Sets the time of the signer, in epoch seconds: `at(1000)`."""
    return lambda seconds: monkeypatch.setattr(link_signer, "_now_s", lambda: seconds)


@pytest.fixture
def signer():
    return LinkSigner(secret="s" * 32, lifetime_s=HOUR)


@given(st.integers(0, 10**10), st.integers(1, 10**6))
def test_signature_lasts_between_one_and_two_lifetimes(now, lifetime_s):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(link_signer, "_now_s", lambda: now)
        signer = LinkSigner(secret="s" * 32, lifetime_s=lifetime_s)
        remaining = signer.remaining_s(PATH, signer.sign(PATH))
        assert lifetime_s < remaining <= 2 * lifetime_s


def test_signature_expires(at, signer):
    at(10 * HOUR)
    signature = signer.sign(PATH)
    at(12 * HOUR - 1)
    assert signer.remaining_s(PATH, signature) == 1
    at(12 * HOUR)
    assert signer.remaining_s(PATH, signature) == 0


def test_signature_is_the_same_within_a_lifetime(at, signer):
    at(10 * HOUR)
    first = signer.sign(PATH)
    at(11 * HOUR - 1)
    assert signer.sign(PATH) == first
    at(11 * HOUR)
    assert signer.sign(PATH) != first


def test_signature_is_refused_for_another_path_secret_or_expiry(at, signer):
    at(10 * HOUR)
    signature = signer.sign(PATH)
    expires, mac = signature.split(".")
    assert signer.remaining_s(PATH + "0", signature) == 0
    assert signer.remaining_s(PATH, f"{int(expires) + 1}.{mac}") == 0
    other = LinkSigner(secret="t" * 32, lifetime_s=HOUR)
    assert other.remaining_s(PATH, signature) == 0


@pytest.mark.parametrize(
    "signature", ["", ".", "x", "1.", ".ab", "9" * 40 + "." + "a" * 64, "๑." + "a" * 64,
                  "99999999999." + "é" * 64, "-1." + "a" * 64]
)  # fmt: skip
def test_malformed_signature_is_refused(signer, signature):
    assert signer.remaining_s(PATH, signature) == 0
