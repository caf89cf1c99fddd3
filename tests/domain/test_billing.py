"""What is owed for a delivery has the VAT of its sum."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain import billing


@given(net=st.decimals(0, 1_000_000, places=2), percent=st.integers(0, 30))
def test_vat_is_rounded_half_up_to_the_satang(net, percent):
    vat = billing.vat_of(net, Decimal(percent))
    assert abs(vat - net * percent / 100) <= Decimal("0.005")
    assert billing.vat_of(Decimal("0.50"), Decimal(7)) == Decimal("0.04")
