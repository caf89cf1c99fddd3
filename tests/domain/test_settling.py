"""Payments: which amounts they pay, and what is left of them."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.payments import Due, Received, settle

BAHT = st.decimals(-10_000, 10_000, places=2).filter(bool)
INVOICE, JOB = st.sampled_from(["", "A", "B"]), st.sampled_from([None, "R", "S"])
DUES = st.lists(st.builds(Due, BAHT, INVOICE, JOB), max_size=8)
PAYMENTS = st.lists(st.builds(Received, BAHT, INVOICE, JOB), max_size=8)


def baht(*amounts):
    return [Decimal(one) for one in amounts]


@given(dues=DUES, payments=PAYMENTS)
def test_no_satang_is_lost_and_nothing_is_paid_twice(dues, payments):
    found = settle(dues, payments)
    received = sum(one.amount for one in payments)
    assert sum(found.paid) == received - sum(found.jobs.values(), found.account)
    for due, paid in zip(dues, found.paid, strict=True):
        assert min(due.gross, 0) <= paid <= max(due.gross, 0)
    assert all(rest > 0 for rest in found.jobs.values())
    if found.account > 0:  # it would have paid what is open
        assert all(
            paid == due.gross for due, paid in zip(dues, found.paid, strict=True)
        )


def test_a_deposit_pays_its_own_job_and_the_rest_of_an_invoice_the_oldest():
    dues = [
        Due(Decimal(100), "A", "R"),
        Due(Decimal(100), "A", "S"),
        Due(Decimal(50), "", "R"),
    ]
    deposit = Received(Decimal(120), job="R")
    assert settle(dues, [deposit]).paid == baht(100, 0, 20)
    assert settle(dues, [Received(Decimal(130), job="S")]).jobs == {"S": 30}
    invoice = Received(Decimal(150), invoice="A")
    assert settle(dues, [invoice, deposit]).paid == baht(100, 50, 50)
    assert settle(dues, [invoice, deposit]).jobs == {"R": 70}
    assert settle(dues, [Received(Decimal(210))]).paid == baht(100, 100, 10)
    too_much = settle(dues, [Received(Decimal(260), invoice="A")])
    assert (too_much.paid, too_much.account) == (baht(100, 100, 50), 10)


def test_a_credit_pays_as_a_payment_on_its_invoice_does():
    dues = [Due(Decimal(100), "A", "R"), Due(Decimal(-30), "A", "R")]
    assert settle(dues, []).paid == baht(30, -30)
    alone = settle([Due(Decimal(100), "A"), Due(Decimal(-30), "B")], [])
    assert alone.paid == baht(30, -30)


def test_what_was_paid_back_is_not_there_any_more():
    payments = [Received(Decimal(100)), Received(Decimal(-60))]
    assert settle([Due(Decimal(100), "A")], payments).paid == [40]
    assert settle([], [Received(Decimal(-60), job="R")]).account == -60
