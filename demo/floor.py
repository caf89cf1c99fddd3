"""The people on the floor: somebody at every station, scanning until all is done."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from demo import mishaps
from demo.bench import Bench
from demo.client import Api, NoAnswer, Record
from demo.heard import id_of
from demo.office import Office
from demo.pieces import Piece, Pieces
from demo.post import Post, trick_for

BATCH = 5
BATCHING = ("cutting", "washing")
LOGGED = 4  # the quality control writes down every fourth pane


class Floor:
    """Stations with their queues. A pane is handed on where the service sends it."""

    def __init__(
        self, posts: Mapping[str, Post], pieces: Pieces, approvers: Sequence[Api]
    ) -> None:
        """All posts write in one ledger and one tally; the approvers decide claims."""
        self.posts = posts
        self.pieces = pieces
        scanner = next(iter(posts.values())).scanner
        self.ledger, self.tally = scanner.ledger, scanner.tally
        self.bench = Bench(posts["lamination"])
        self.office = Office(self, approvers)
        self.queues = {name: queue.Queue[Piece]() for name in posts}
        self.station_ids = {name: post.station for name, post in posts.items()}
        self.names = {station: name for name, station in self.station_ids.items()}
        self.done_at = dict.fromkeys(posts, 0)
        self.closed = threading.Event()
        self.anywhere = itertools.cycle(posts)
        for piece in pieces.all:
            self.hand_on(piece)

    def start(self) -> None:
        """Open the shift: one thread a station, and one for the office."""
        for name in self.posts:
            threading.Thread(target=self._tend, args=(name,), daemon=True).start()
        desk = threading.Thread(
            target=self.office.tend, args=(self.closed.is_set,), daemon=True
        )
        desk.start()

    def unfinished(self) -> list[Piece]:
        """The panes about which something is still to be done."""
        return [piece for piece in self.pieces.all if not piece.settled]

    def hand_on(self, piece: Piece) -> None:
        """Bring a piece to where it is worked next, if there is anything to do."""
        if piece.waits:
            anywhere = next(self.anywhere)
            name = self.names[piece.station] if piece.station else anywhere
            self.queues[name].put(piece)

    def remade(self, piece: Piece, remake: Record, *, left: str, notice: str) -> None:
        """A piece is made again: take what replaces it to where it begins."""
        api = self.bench.post.api
        made, parent = [remake], None
        if remake["laminateRole"] == "parent":
            made += api.all("/api/panes", parentPane=remake["_id"])
        if remake["laminateRole"] == "sheet":
            parent = api.get(f"/api/panes/{id_of(remake['parentPane'])}")
        self.ledger.remade(
            made, left=left, parent=parent, assigned_to=piece.assigned_to, notice=notice
        )
        self.tally.done["pieces made again"] += 1
        for one in self.pieces.admit(made, piece.assigned_to):
            self.hand_on(one)

    def _tend(self, name: str) -> None:
        while not self.closed.is_set():
            try:
                pieces = self._take(name)
            except queue.Empty:
                continue
            try:
                self._work(name, pieces)
            except NoAnswer:
                self._pick_up(name, pieces)
            except Exception as error:  # told in the report, and the others go on
                self.tally.problem(f"{name}: {error!r}")

    def _take(self, name: str) -> list[Piece]:
        """The next piece, or the next few where the station works in batches."""
        waiting = self.queues[name]
        pieces = [waiting.get(timeout=0.2)]
        while name in BATCHING and len(pieces) < BATCH and not waiting.empty():
            pieces.append(waiting.get_nowait())
        return pieces

    def _work(self, name: str, pieces: list[Piece]) -> None:
        """Plain pieces together, those with a trick or a mishap one by one.

        A piece leaves the list when it has been dealt with, or has gone on meanwhile,
        as a sheet that waited here and was laminated with the last one.
        """
        pieces[:] = [piece for piece in pieces if self._is_here(name, piece)]
        plain = [piece for piece in pieces if self._is_plain(name, piece)]
        if len(plain) > 1:
            went_on = self.posts[name].work_batch(plain)
            pieces[:] = [piece for piece in pieces if piece not in plain]
            for piece in went_on:
                self._leave(name, piece)
        while pieces:
            self._work_one(name, pieces[0])
            del pieces[0]

    def _is_here(self, name: str, piece: Piece) -> bool:
        return piece.waits and piece.station in ("", self.station_ids[name])

    def _is_plain(self, name: str, piece: Piece) -> bool:
        fresh = piece.status == "pending" and not trick_for(piece)
        return fresh and not mishaps.is_due(piece, name)

    def _work_one(self, name: str, piece: Piece) -> None:
        post = self.posts[name]
        if mishaps.is_due(piece, name):
            mishaps.befall(self, post, piece)
        elif piece.unit and name == "lamination":
            survivor = self.bench.work(piece, piece.unit)
            if survivor:
                self._leave(name, survivor)
        elif post.work(piece, trick_for(piece)):
            self._leave(name, piece)

    def _leave(self, name: str, piece: Piece) -> None:
        self.done_at[name] += 1
        self.hand_on(piece)
        if name == "qc" and piece.n % LOGGED == 0:
            self.posts[name].log_quality(piece)

    def _pick_up(self, name: str, pieces: Sequence[Piece]) -> None:
        """After an interruption: ask where the pieces are, and go on from there."""
        for piece in pieces:
            try:
                self._pick_up_one(name, piece)
            except Exception as error:
                self.tally.problem(f"{name}, after an interruption: {error!r}")

    def _pick_up_one(self, name: str, piece: Piece) -> None:
        post = self.posts[name]
        while True:
            post.api.wait_until_back()
            try:
                piece.follow(post.api.get(f"/api/panes/{piece.id}"))
                is_now = piece
                if piece.unit and name == "lamination":
                    is_now = self.bench.look_again(piece, piece.unit) or piece
                if not mishaps.pick_up(self, post, piece):
                    self.hand_on(is_now)
                return
            except NoAnswer:
                continue


def wait_for(condition: Callable[[], bool], seconds: float, step: float = 0.1) -> bool:
    """Wait until something holds; False when it still does not after so long."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(step)
    return True
