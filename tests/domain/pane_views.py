"""Panes, facts and refusals in few words, for the sentences about the pane flow."""

import pytest

from glassflow.domain.errors import Refusal
from glassflow.domain.pane_flow import Facts, PaneView, decide

CUT, EDGE, WASH = "cut", "edge", "wash"
ROUTE = (CUT, EDGE, CUT, WASH)
NAMES = {CUT: "ตัด", EDGE: "เจียร", WASH: "ล้าง"}


def pane(status: str = "pending", position: int = 0, **more: object) -> PaneView:
    fields = {"station": ROUTE[position], "route": ROUTE, **more}
    return PaneView(status=status, position=position, **fields)  # type: ignore[arg-type]


def unrouted(status: str = "pending", station: str | None = None) -> PaneView:
    return PaneView(status=status, station=station, route=(), position=0)


def at(station: str | None = None, **more: object) -> Facts:
    return Facts(station=station, station_names=NAMES, **more)  # type: ignore[arg-type]


def refusal(view: PaneView, action: str, facts: Facts) -> Refusal:
    with pytest.raises(Refusal) as caught:
        decide(view, action, facts)
    return caught.value
