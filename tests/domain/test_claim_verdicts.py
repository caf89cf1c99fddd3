"""What a decided claim makes of its pane."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain import claims
from glassflow.domain.errors import Conflict, Refusal
from glassflow.domain.pane_flow import OPEN, PaneView, Status
from glassflow.domain.progress import Unit, tally

WAS = st.sampled_from([*sorted(OPEN), Status.COMPLETED])
DECISIONS = st.sampled_from([None, "destroy", "keep"])


@given(WAS, DECISIONS, st.booleans())
def test_an_order_never_waits_for_a_judged_piece(was, decision, remake):
    verdict = claims.approved(was, decision=decision, remake=remake, role="single")
    count = tally([Unit(verdict.status, None, written_off=verdict.written_off)])
    assert count.total == count.completed
    assert verdict.remade == remake


@given(WAS, DECISIONS)
def test_a_remade_piece_is_not_counted_beside_its_remake(was, decision):
    verdict = claims.approved(was, decision=decision, remake=True, role="single")
    judged = Unit(verdict.status, None, written_off=verdict.written_off)
    assert tally([judged, Unit("pending", "cut")]).total == 1


def test_a_finished_piece_that_is_kept_without_a_remake_stays_delivered():
    verdict = claims.approved("completed", decision="keep", remake=False, role="single")
    assert (verdict.status, verdict.written_off) == ("completed", False)


def test_a_destroyed_piece_is_scrapped():
    verdict = claims.approved("pending", decision="destroy", remake=True, role="sheet")
    assert verdict.status == "defected"


@given(WAS, DECISIONS)
def test_a_sheet_is_never_given_up_without_a_remake(was, decision):
    with pytest.raises(claims.SheetNeedsRemake):
        claims.approved(was, decision=decision, remake=False, role="sheet")


@given(st.sampled_from(list(Status)), st.sampled_from(["single", "sheet", "parent"]))
def test_only_pieces_that_are_there_can_be_claimed(status, role):
    seen = PaneView(status=status, station=None, laminate_role=role)
    claimable = status in {*OPEN, Status.COMPLETED} and role != "parent"
    if claimable:
        claims.refuse_unclaimable(seen, held=False)
    else:
        with pytest.raises(Refusal):
            claims.refuse_unclaimable(seen, held=False)
    with pytest.raises(Conflict):
        claims.refuse_unclaimable(seen, held=True)
