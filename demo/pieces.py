"""The day's glass: every piece in somebody's hands, and the laminated units."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from demo.heard import id_of
from demo.plan import Mishap

Record = dict[str, Any]

GONE = frozenset({"defected", "merged_into", "cancelled"})


@dataclass
class Piece:
    """One pane in the day's hands, as the service last described it.

    `mishap` is what is still to happen to it. `held` says that a claim on it waits for
    its decision, `written_off` that a decision took it out of the order's count.
    """

    n: int
    id: str
    number: str
    qr: str
    order: str
    assigned_to: str
    mishap: Mishap | None = None
    route: tuple[str, ...] = ()
    station: str = ""
    status: str = ""
    step: int = 0
    unit: Unit | None = None
    held: bool = False
    written_off: bool = False

    @property
    def done(self) -> bool:
        """True once the service says that the pane is finished."""
        return self.status == "completed" and not self.written_off

    @property
    def gone(self) -> bool:
        """True for glass that nobody waits for any more."""
        return self.written_off or self.status in GONE

    @property
    def waits(self) -> bool:
        """True for a piece that can be worked, wherever it is."""
        return not (self.done or self.gone or self.held)

    @property
    def settled(self) -> bool:
        """True when nothing more is to be done about it."""
        return (self.done or self.gone) and not self.held and not self.mishap

    def follow(self, pane: Record) -> None:
        """Take over what the service says of the pane."""
        self.station = id_of(pane["currentStation"])
        self.status = pane["currentStatus"]
        self.step = int(pane.get("routeIndex") or 0)
        self.route = tuple(map(id_of, pane["routing"] or ()))
        if self.status == "merged_into":  # nothing can befall it any more
            self.mishap = None


@dataclass
class Unit:
    """A laminated pane to be: its dormant parent and the sheets in its places.

    `there` are the numbers of the sheets that the lamination station has taken in.
    """

    n: int
    id: str
    number: str
    total: int
    mishap: Mishap | None = None
    there: dict[str, Piece] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """True once all its sheets are at the lamination station."""
        return len(self.there) == self.total


class Pieces:
    """All the glass of the day; remakes join it while the others are at work."""

    def __init__(self) -> None:
        self.all: list[Piece] = []
        self.units: dict[str, Unit] = {}
        self.lock = threading.Lock()

    def __len__(self) -> int:
        return len(self.all)

    def admit(
        self, panes: Iterable[Record], assigned_to: str, mishaps: Sequence[Mishap] = ()
    ) -> list[Piece]:
        """Take panes in, parents before their sheets; the i-th has the i-th mishap.

        Gives the new pieces; a dormant parent is none, and one known already is left.
        """
        due = list(mishaps)
        with self.lock:
            known = {piece.id for piece in self.all} | self.units.keys()
            new = [
                pane
                for pane in sorted(panes, key=by_number)
                if pane["_id"] not in known
            ]
            made = []
            for pane in new:
                mishap = None
                if pane["laminateRole"] != "sheet" and due:
                    mishap = due.pop(0)
                if pane["laminateRole"] == "parent":
                    self._admit_unit(pane, mishap)
                else:
                    made.append(self._admit_piece(pane, assigned_to, mishap))
            return made

    def _admit_unit(self, pane: Record, mishap: Mishap | None) -> None:
        sheets = int(pane["rawGlass"]["sheetsPerPane"])
        self.units[pane["_id"]] = Unit(
            len(self.units), pane["_id"], pane["paneNumber"], sheets, mishap
        )

    def _admit_piece(
        self, pane: Record, assigned_to: str, mishap: Mishap | None
    ) -> Piece:
        piece = Piece(
            n=len(self.all),
            id=pane["_id"],
            number=pane["paneNumber"],
            qr=pane["qrCode"],
            order=id_of(pane["order"]),
            assigned_to=assigned_to,
            mishap=mishap,
            unit=self.units.get(id_of(pane.get("parentPane"))),
        )
        unit = piece.unit
        if unit and unit.mishap and unit.mishap.sheet:  # it befalls the first one
            piece.mishap, unit.mishap = unit.mishap, None
        piece.follow(pane)
        self.all.append(piece)
        return piece


def by_number(pane: Record) -> tuple[int, str]:
    """Put panes in the order of their numbers: PNE-9999, PNE-10000, PNE-10000-A."""
    match = re.search(r"(\d+)(.*)", pane["paneNumber"])
    assert match, pane["paneNumber"]
    return int(match[1]), match[2]
