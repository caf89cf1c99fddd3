"""What a job card shows of an order, as plain values: the paper that travels with it."""

from collections.abc import Sequence
from dataclasses import dataclass

from glassflow.documents.pane_drawing import Cut


@dataclass(frozen=True, slots=True)
class PaneKind:
    """Panes that are alike: their size in mm (0: not measured), their work, their numbers.

    `material` and `route` are empty where they are those of the order. `checks` are the
    limits of making that the panes are beyond, in words.
    """

    width: float
    height: float
    glass: str
    notes: str
    sheets: int
    cuts: Sequence[Cut]
    edges: Sequence[str]  # of each worked side, in words
    sides: Sequence[str]  # the worked sides: top, right, bottom, left
    numbers: Sequence[str]
    material: str = ""
    route: Sequence[str] = ()
    checks: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class JobCard:
    """An order: `facts` are names in both languages and values, `code` is in its QR code.

    `route` is the one of all its panes; empty where they have different ones.
    """

    number: str
    code: str
    facts: Sequence[tuple[str, str]]
    route: Sequence[str]
    kinds: Sequence[PaneKind]
