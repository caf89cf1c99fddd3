"""The VAT of the rows of an invoice, and what changes after an export."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain import billing
from glassflow.domain.money import part_of

AMOUNTS = st.lists(st.decimals(-100_000, 100_000, places=2), max_size=30)


@given(nets=AMOUNTS, split=st.integers(0, 30), percent=st.integers(0, 30))
def test_vat_of_the_rows_of_an_invoice_adds_up_however_they_are_exported(
    nets, split, percent
):
    percent = Decimal(percent)
    shares = billing.vat_shares(nets, percent)
    assert sum(shares) == part_of(sum(nets, Decimal(0)), percent)
    for net, share in zip(nets, shares, strict=True):
        assert abs(share - part_of(net, percent)) <= Decimal("0.01")
    first, rest = nets[:split], nets[split:]
    before = sum(first, Decimal(0))
    parts = (
        billing.vat_shares(first, percent),
        billing.vat_shares(rest, percent, before=before),
    )
    assert [*parts[0], *parts[1]] == shares


def test_entry_changes_after_an_export_by_its_amount_or_another_invoice():
    def state(net, invoice, had_net=10.0, had_invoice=""):
        exported = {"net": had_net, "invoiceNumber": had_invoice}
        return billing.export_state(exported, net=net, invoice_number=invoice)

    assert billing.export_state(None, net=10, invoice_number="") is None
    assert state(10, "") == state(10, "INV-1") == "exported"  # billed from the export
    assert state(10, "INV-1", had_invoice="INV-1") == "exported"
    assert state(0, "") == state(9.99, "INV-1") == "changed"
    assert state(10, "", had_invoice="INV-1") == "changed"
    assert state(10, "INV-2", had_invoice="INV-1") == "changed"
