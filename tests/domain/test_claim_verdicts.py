"""What an approved claim does to its pane."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain import claims
from glassflow.domain.errors import Conflict, Refusal
from glassflow.domain.orders import CountedPane, count_panes
from glassflow.domain.panes.status import OPEN, PaneView, Status

WAS = st.sampled_from([*sorted(OPEN), Status.COMPLETED])
DECISIONS = st.sampled_from([None, "destroy", "keep"])


@given(WAS, DECISIONS, st.booleans())
def test_order_does_not_wait_for_a_pane_with_an_approved_claim(was, decision, remake):
    verdict = claims.decide_approval(
        was, decision=decision, remake=remake, role="single"
    )
    count = count_panes(
        [CountedPane(verdict.status, None, written_off=verdict.written_off)]
    )
    assert count.live == count.completed
    assert verdict.remade == remake


@given(WAS, DECISIONS)
def test_remade_pane_is_not_counted_beside_its_remake(was, decision):
    verdict = claims.decide_approval(was, decision=decision, remake=True, role="single")
    judged = CountedPane(verdict.status, None, written_off=verdict.written_off)
    assert count_panes([judged, CountedPane("pending", "cut")]).live == 1


def test_completed_pane_kept_without_a_remake_stays_counted():
    verdict = claims.decide_approval(
        "completed", decision="keep", remake=False, role="single"
    )
    assert (verdict.status, verdict.written_off) == ("completed", False)


def test_destroyed_pane_is_defected():
    verdict = claims.decide_approval(
        "pending", decision="destroy", remake=True, role="sheet"
    )
    assert verdict.status == "defected"


@given(WAS, DECISIONS)
def test_claim_of_a_sheet_needs_a_remake(was, decision):
    with pytest.raises(claims.SheetNeedsRemake):
        claims.decide_approval(was, decision=decision, remake=False, role="sheet")


FREE = {"held": False, "replaced": False, "approved_before": False}


@given(st.sampled_from(list(Status)), st.sampled_from(["single", "sheet", "parent"]))
def test_only_existing_panes_without_a_claim_can_be_claimed(status, role):
    seen = PaneView(status=status, station=None, laminate_role=role)
    claimable = status in {*OPEN, Status.COMPLETED} and role != "parent"
    if claimable:
        claims.refuse_unclaimable(seen, **FREE)
    else:
        with pytest.raises(Refusal):
            claims.refuse_unclaimable(seen, **FREE)
    with pytest.raises(Conflict):
        claims.refuse_unclaimable(seen, **{**FREE, "held": True})


@given(st.sampled_from([*sorted(OPEN), Status.COMPLETED]))
def test_replaced_pane_and_one_with_an_approved_claim_cannot_be_claimed(status):
    seen = PaneView(status=status, station=None, laminate_role="single")
    with pytest.raises(claims.PaneReplaced):
        claims.refuse_unclaimable(seen, **{**FREE, "replaced": True})
    with pytest.raises(claims.ClaimedBefore):
        claims.refuse_unclaimable(seen, **{**FREE, "approved_before": True})
