"""A manned station: what is done with one pane there, the wrong scans included."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from demo.client import Answer, Api, NoAnswer
from demo.pieces import Piece
from demo.scanner import Scanner

NO_SUCH_PANE = "PNE-99999999"
#: What is left to do with a piece at its station, before it goes on.
LEFT_TO_DO = {
    "pending": ("scan_in", "complete"),
    "in_progress": ("complete",),
    "awaiting_scan_out": (),
}


class Post:
    """One worker at one station. Each way to work a piece says whether it went on."""

    def __init__(
        self,
        name: str,
        stations: Mapping[str, str],
        api: Api,
        rival: Api,
        scanner: Scanner,
    ) -> None:
        """`stations` is short name -> id; the rival is whom this worker races with."""
        self.name = name
        self.station = stations[name]
        self.everywhere = tuple(stations.values())
        self.api = api
        self.rival = rival
        self.scanner = scanner
        self.tally = scanner.tally
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
        self.tally.wrong("batch with an unknown pane", wrong, 400)
        for action in ("scan_in", "complete"):
            if not self.scanner.scan_batch(self.api, pieces, action, self.station):
                return []
        return [piece for piece in pieces if self.scan(piece, self.way_out)]

    def log_quality(self, piece: Piece) -> None:
        """Write down what the quality control measured."""
        body = {
            "pane": piece.id,
            "order": piece.order,
            "station": self.station,
            "operator": self.api.id,
            "action": "qc_pass",
            "status": "pass",
            "qcResults": [{"label": "ขนาดตรงตามแบบ", "passed": True, "note": ""}],
        }
        path = "/api/production-logs"
        log = self.api.make(path, body, lambda: self.api.all(path, pane=piece.id))
        self.scanner.ledger.changed("production-log:updated", "created", log)

    def scan(self, piece: Piece, *actions: str) -> bool:
        """Scan a piece here, with one action after the other, until one is refused."""
        return all(self.scanner.scan(self.api, piece, a, self.station) for a in actions)

    def finish(self, piece: Piece) -> bool:
        """Do what is left to do with a piece here, so that it can leave."""
        return self.scan(piece, *LEFT_TO_DO[piece.status])

    def _plainly(self, piece: Piece) -> bool:
        return self.finish(piece) and self.scan(piece, self.way_out)

    def _with_start(self, piece: Piece) -> bool:
        return self.scan(piece, "scan_in", "start", "complete", self.way_out)

    def _straight_to_complete(self, piece: Piece) -> bool:
        return self.scan(piece, "complete", self.way_out)

    def _by_qr_code(self, piece: Piece) -> bool:
        code = piece.qr.lower()
        known = self.scanner.scan(self.api, piece, "scan_in", self.station, by=code)
        return bool(known) and self._straight_to_complete(piece)

    def _double_scan(self, piece: Piece) -> bool:
        before = self.tally.repeated
        good = self.scan(piece, "scan_in", "scan_in", "complete", "complete")
        if self.tally.repeated < before + 2:
            self.tally.problem(f"a double scan of {piece.number} counted twice")
        return good and self.scan(piece, self.way_out)

    def _race(self, piece: Piece) -> bool:
        if not self.scan(piece, "scan_in", "complete"):
            return False
        answers: list[Answer] = []

        def run(api: Api) -> None:
            try:
                answer = self.scanner.send(
                    api, piece.number, self.way_out, self.station
                )
            except NoAnswer:
                return
            answers.append(answer)

        rivals = [
            threading.Thread(target=run, args=(api,)) for api in (self.api, self.rival)
        ]
        for rival in rivals:
            rival.start()
        for rival in rivals:
            rival.join()
        if len(answers) < len(rivals):
            raise NoAnswer(f"a race for {piece.number} was not answered")
        return self.scanner.race(answers, piece, self.way_out)

    # Wrong scans: each has to be refused, and to change nothing

    def _wrong_station(self, piece: Piece) -> bool:
        # off its route, as some policies let it jump; without one no station is wrong
        off = [one for one in self.everywhere if one not in piece.route]
        if piece.route and off:
            answer = self._try(piece.number, "scan_in", off[0])
            self.tally.wrong("wrong station", answer, 400, "กระจกอยู่ที่สถานี")
        return self._plainly(piece)

    def _too_early(self, piece: Piece) -> bool:
        if not self.scan(piece, "scan_in"):
            return False
        answer = self._try(piece.number, self.way_out, self.station)
        self.tally.wrong("scan_out before complete", answer, 400, "เสร็จสิ้น")
        return self._straight_to_complete(piece)

    def _unknown_pane(self, piece: Piece) -> bool:
        answer = self._try(NO_SUCH_PANE, "scan_in", self.station)
        self.tally.wrong("unknown pane", answer, 404)
        return self._plainly(piece)

    def _unknown_action(self, piece: Piece) -> bool:
        answer = self._try(piece.number, "polish", self.station)
        self.tally.wrong("unknown action", answer, 400, "Validation failed")
        return self._plainly(piece)

    def _scanned_when_done(self, piece: Piece) -> bool:
        good = self._plainly(piece)
        if piece.done:
            answer = self._try(piece.number, "scan_in", self.station)
            self.tally.wrong("completed pane", answer, 400, "already completed")
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

    Every piece has one, at a step that follows from its place in the day's work. One
    that is in work already, after an interruption, is only finished.
    """
    if piece.status != "pending":
        return ""
    trick = TRICKS[piece.n % len(TRICKS)]
    last = max(0, len(piece.route) - 1)
    step = last if trick == "scanned when done" else piece.n % (last + 1)
    return trick if piece.step == step else ""
