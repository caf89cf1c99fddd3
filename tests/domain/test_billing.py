"""What deliveries are charged: the parts add up to the agreed price."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain import billing

amounts = st.decimals(0, 1_000_000, places=2)
weights = st.lists(st.decimals(0, 10_000, places=2), min_size=1, max_size=12)


@given(agreed=amounts, weights=weights, data=st.data())
def test_deliveries_of_a_request_add_up_to_its_agreed_price(agreed, weights, data):
    """In whatever order and in whatever parts the panes leave."""
    panes = dict(enumerate(weights))
    order = data.draw(st.permutations(sorted(panes)))
    delivered, charged = set(), Decimal(0)
    while order:
        count = data.draw(st.integers(1, len(order)))
        delivered |= set(order[:count])
        order = order[count:]
        part = billing.charge(agreed, panes, delivered, charged)
        assert part >= 0
        assert part == billing.rounded(part)
        charged += part
    assert charged == agreed


def test_panes_are_charged_by_their_prices_and_alike_without_any():
    panes = {"a": Decimal(300), "b": Decimal(100)}
    assert billing.charge(Decimal(1000), panes, {"a"}, Decimal(0)) == 750
    assert billing.charge(Decimal(1000), panes, {"a", "b"}, Decimal(750)) == 250
    free = dict.fromkeys("abc", Decimal(0))
    assert billing.charge(Decimal(100), free, {"a"}, Decimal(0)) == Decimal("33.33")
    assert billing.charge(Decimal(100), {}, (), Decimal(0)) == 0


def test_remake_of_a_delivered_pane_counts_as_delivered():
    remakes = {"remake": "pane", "second": "first", "third": "second"}
    found = billing.charged_panes(["remake", "third", "new"], remakes, {"pane"})
    assert found == {"remake"}
    assert billing.charged_panes(["third"], remakes, {"first"}) == {"third"}


@given(net=amounts, percent=st.integers(0, 30))
def test_vat_is_rounded_half_up_to_the_satang(net, percent):
    vat = billing.vat_of(net, Decimal(percent))
    assert abs(vat - net * percent / 100) <= Decimal("0.005")
    assert billing.vat_of(Decimal("0.50"), Decimal(7)) == Decimal("0.04")
