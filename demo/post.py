"""A manned station: what is done with one pane there, the wrong scans included."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from demo.client import Answer, Api, NoAnswer
from demo.scanner import Piece, Scanner

NO_SUCH_PANE = "PNE-99999999"


class Post:
    """One worker at one station. Each way to work a piece says whether it went on."""

    def __init__(
        self,
        name: str,
        stations: Mapping[str, str],
        api: Api,
        helper: Api,
        scanner: Scanner,
    ) -> None:
        """`stations` is short name -> id; the helper is whom this worker races with."""
        self.name = name
        self.station = stations[name]
        self.elsewhere = next(s for other, s in stations.items() if other != name)
        self.api = api
        self.helper = helper
        self.scanner = scanner
        self.way_out = "qc_pass" if name == "qc" else "scan_out"

    def work(self, piece: Piece, trick: str) -> bool:
        """Work a piece, with the trick of that name if any."""
        return WAYS[trick](self, piece)

    def work_batch(self, pieces: Sequence[Piece]) -> list[Piece]:
        """Work several plain pieces at once; gives those that went on."""
        numbers = [piece.number for piece in pieces]
        wrong = self.scanner.send_batch(
            self.api, [*numbers, NO_SUCH_PANE], "start", self.station
        )
        self.scanner.wrong("batch with an unknown pane", wrong, 400)
        for action in ("scan_in", "complete"):
            if not self.scanner.scan_batch(self.api, pieces, action, self.station):
                return []
        return [piece for piece in pieces if self._scan(piece, self.way_out)]

    def log_quality(self, piece: Piece) -> None:
        """Write down what the quality control measured."""
        log = self.api.post(
            "/api/production-logs",
            pane=piece.id,
            order=piece.order,
            station=self.station,
            operator=self.api.id,
            action="qc_pass",
            status="pass",
            qcResults=[{"label": "ขนาดตรงตามแบบ", "passed": True, "note": ""}],
        )
        self.scanner.ledger.production_logged(log)

    def _scan(self, piece: Piece, *actions: str) -> bool:
        return all(self.scanner.scan(self.api, piece, a, self.station) for a in actions)

    def _plainly(self, piece: Piece) -> bool:
        return self._scan(piece, "scan_in", "complete", self.way_out)

    def _with_start(self, piece: Piece) -> bool:
        return self._scan(piece, "scan_in", "start", "complete", self.way_out)

    def _straight_to_complete(self, piece: Piece) -> bool:
        return self._scan(piece, "complete", self.way_out)

    def _by_qr_code(self, piece: Piece) -> bool:
        code = piece.qr.lower()
        known = self.scanner.scan(self.api, piece, "scan_in", self.station, by=code)
        return known and self._straight_to_complete(piece)

    def _double_scan(self, piece: Piece) -> bool:
        before = self.scanner.tally.repeated
        good = self._scan(piece, "scan_in", "scan_in", "complete", "complete")
        if self.scanner.tally.repeated < before + 2:
            self.scanner.tally.problem(f"a double scan of {piece.number} counted twice")
        return good and self._scan(piece, self.way_out)

    def _race(self, piece: Piece) -> bool:
        if not self._scan(piece, "scan_in", "complete"):
            return False
        answers: list[Answer] = []

        def run(api: Api) -> None:
            try:
                answer = self.scanner.send(
                    api, piece.number, self.way_out, self.station
                )
            except NoAnswer as error:
                self.scanner.tally.problem(str(error))
            else:
                answers.append(answer)

        rivals = [
            threading.Thread(target=run, args=(api,)) for api in (self.api, self.helper)
        ]
        for rival in rivals:
            rival.start()
        for rival in rivals:
            rival.join()
        return self.scanner.race(answers, piece, self.way_out)

    # Wrong scans: each has to be refused, and to change nothing

    def _wrong_station(self, piece: Piece) -> bool:
        if piece.route:  # without a route no station is wrong
            answer = self._try(piece.number, "scan_in", self.elsewhere)
            self.scanner.wrong("wrong station", answer, 400, "กระจกอยู่ที่สถานี")
        return self._plainly(piece)

    def _too_early(self, piece: Piece) -> bool:
        if not self._scan(piece, "scan_in"):
            return False
        answer = self._try(piece.number, self.way_out, self.station)
        self.scanner.wrong("scan_out before complete", answer, 400, "เสร็จสิ้น")
        return self._straight_to_complete(piece)

    def _unknown_pane(self, piece: Piece) -> bool:
        answer = self._try(NO_SUCH_PANE, "scan_in", self.station)
        self.scanner.wrong("unknown pane", answer, 404)
        return self._plainly(piece)

    def _unknown_action(self, piece: Piece) -> bool:
        answer = self._try(piece.number, "polish", self.station)
        self.scanner.wrong("unknown action", answer, 400, "Validation failed")
        return self._plainly(piece)

    def _scanned_when_done(self, piece: Piece) -> bool:
        good = self._plainly(piece)
        if piece.done:
            answer = self._try(piece.number, "scan_in", self.station)
            self.scanner.wrong("completed pane", answer, 400, "already completed")
        return good

    def _try(self, number: str, action: str, station: str) -> Answer:
        return self.scanner.send(self.api, number, action, station)


#: What happens to a pane at the one step of its way where something happens.
WAYS: dict[str, Callable[[Post, Piece], bool]] = {
    "": Post._plainly,
    "wrong station": Post._wrong_station,
    "too early": Post._too_early,
    "unknown pane": Post._unknown_pane,
    "unknown action": Post._unknown_action,
    "double scan": Post._double_scan,
    "race": Post._race,
    "by QR code": Post._by_qr_code,
    "straight to complete": Post._straight_to_complete,
    "with start": Post._with_start,
    "scanned when done": Post._scanned_when_done,
}
TRICKS = tuple(WAYS)[1:]


def trick_for(piece: Piece) -> str:
    """The trick that is due for a piece at its present step, or the empty text.

    Every piece has one, at a step that follows from its place in the day's work.
    """
    trick = TRICKS[piece.n % len(TRICKS)]
    last = max(0, len(piece.route) - 1)
    step = last if trick == "scanned when done" else piece.n % (last + 1)
    return trick if piece.step == step else ""
