"""The lamination bench: sheets are gathered there until their unit can be made one."""

from __future__ import annotations

from demo.client import Answer
from demo.expected import Scan
from demo.pieces import Piece, Unit
from demo.post import Post

PRESENT = ("in_progress", "awaiting_scan_out")
WAYS = 3  # a unit is laminated by a sheet, by a sheet for another, or by its parent


class Bench:
    """What the post at the lamination station does with sheets; one thread only."""

    def __init__(self, post: Post) -> None:
        self.post = post
        self.ledger = post.scanner.ledger
        self.tally = post.tally

    def work(self, sheet: Piece, unit: Unit) -> Piece | None:
        """Take a sheet in; gives the laminated pane, on its way, once all are there."""
        if not self.take_in(sheet, unit):
            return None
        if not unit.complete:
            if sheet.n % 2:
                self._too_early(sheet, unit)
            return None
        survivor = self._laminate(sheet, unit)
        if survivor and survivor.mishap and survivor.mishap.at == self.post.name:
            return survivor  # the whole unit has come to grief here
        return survivor if survivor and self.post.scan(survivor, "scan_out") else None

    def take_in(self, sheet: Piece, unit: Unit) -> bool:
        """Scan a sheet in, or straight to complete, and count those that are there."""
        fresh = sheet.status == "pending"
        if fresh:
            self._wrong_parent(unit)
            action = "complete" if sheet.n % 3 == 0 else "scan_in"
            if not self.post.scan(sheet, action):
                return False
        unit.there[sheet.number] = sheet
        if fresh:
            count = len(unit.there)
            self.ledger.mustered(unit.id, self.post.station, count, unit.total)
        return True

    def look_again(self, at_hand: Piece, unit: Unit) -> Piece | None:
        """Ask where a unit stands after an interruption; gives what it has become.

        Only of the sheets that are here: others are in other people's hands.
        """
        survivor = None
        for sheet in {**unit.there, at_hand.number: at_hand}.values():
            pane = self.post.api.get(f"/api/panes/{sheet.id}")
            sheet.follow(pane)
            if pane["laminateRole"] == "single":
                survivor = self._survived(sheet, unit)
            elif sheet.station == self.post.station and sheet.status in PRESENT:
                unit.there[sheet.number] = sheet
        return survivor

    def _laminate(self, sheet: Piece, unit: Unit) -> Piece | None:
        """Make one pane of the sheets that are there."""
        survivor, code, said = sheet, sheet.number, {}
        way = unit.n % WAYS
        if way:
            survivor = unit.there[min(unit.there)]
            said = {"laminateSurvivorPaneNumber": survivor.number}
            code = unit.number if way == 2 else sheet.number
        if way == 2:
            answer = self._send(unit.number)
            self.tally.wrong("parent without a survivor", answer, 400)
        was = survivor.station
        done = self.post.scanner.scan(
            self.post.api, survivor, "laminate", self.post.station, by=code, **said
        )
        if done is None:
            return None
        others = [one for one in unit.there.values() if one is not survivor]
        gone = [*(other.id for other in others), unit.id]
        retired = [self.post.api.get(f"/api/panes/{pane}") for pane in gone]
        for other, pane in zip(others, retired, strict=False):
            other.follow(pane)
        self.ledger.laminated(Scan(done["pane"], done["log"], was), done, retired)
        self._check(done, survivor, unit)
        self._scan_a_merged_one(others[0], survivor)
        return self._survived(survivor, unit)

    def _survived(self, survivor: Piece, unit: Unit) -> Piece:
        survivor.unit, survivor.mishap = None, unit.mishap
        self.tally.done["units laminated"] += 1
        return survivor

    def _check(self, done: dict[str, object], survivor: Piece, unit: Unit) -> None:
        sheets = sorted(unit.there)
        retired = sorted({*sheets, unit.number} - {survivor.number})
        said = (
            done["survivorPaneNumber"],
            sorted(done["mergedSheets"]),  # type: ignore[call-overload]
            sorted(done["retiredPaneNumbers"]),  # type: ignore[call-overload]
        )
        if said != (survivor.number, sheets, retired):
            self.tally.problem(f"{unit.number} was laminated as {said}")

    # Wrong scans: each has to be refused, and to change nothing

    def _send(self, number: str, action: str = "laminate") -> Answer:
        return self.post.scanner.send(self.post.api, number, action, self.post.station)

    def _wrong_parent(self, unit: Unit) -> None:
        if not unit.there:
            answer = self._send(unit.number, "scan_in")
            self.tally.wrong("dormant parent", answer, 400, code="LAMINATE_PARENT")

    def _too_early(self, sheet: Piece, unit: Unit) -> None:
        words = f"({len(unit.there)}/{unit.total})"
        self.tally.wrong("laminated too early", self._send(sheet.number), 400, words)

    def _scan_a_merged_one(self, other: Piece, survivor: Piece) -> None:
        answer = self._send(other.number, "scan_in")
        self.tally.wrong("merged sheet", answer, 400, code="MERGED_INTO")
        errors = answer.body.get("errors")
        known = isinstance(errors, dict) and errors.get("survivorPaneNumber")
        if known != survivor.number:
            self.tally.problem(f"{other.number} is said to be in {known}")
