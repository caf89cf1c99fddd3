"""Short constructors of panes, facts and refusals for the tests of the pane flow."""

import pytest

from glassflow.domain.errors import Refusal
from glassflow.domain.panes.flow import decide
from glassflow.domain.panes.status import PaneView, ScanFacts

CUT, EDGE, WASH = "cut", "edge", "wash"
ROUTE = (CUT, EDGE, CUT, WASH)
NAMES = {CUT: "ตัด", EDGE: "เจียร", WASH: "ล้าง"}


def pane(status: str = "pending", route_index: int = 0, **more: object) -> PaneView:
    fields = {"station": ROUTE[route_index], "route": ROUTE, **more}
    return PaneView(status=status, route_index=route_index, **fields)  # type: ignore[arg-type]


def unrouted(status: str = "pending", station: str | None = None) -> PaneView:
    return PaneView(status=status, station=station, route=(), route_index=0)


def at(station: str | None = None, **more: object) -> ScanFacts:
    return ScanFacts(station=station, station_names=NAMES, **more)  # type: ignore[arg-type]


def refusal(view: PaneView, action: str, facts: ScanFacts) -> Refusal:
    with pytest.raises(Refusal) as caught:
        decide(view, action, facts)
    return caught.value
