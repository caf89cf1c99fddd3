"""The people on the floor: somebody at every station, scanning until all is done."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle

from demo.post import Post, trick_for
from demo.scanner import Piece, Tally

BATCH = 5
BATCHING = ("cutting", "washing")
LOGGED = 4  # the quality control writes down every fourth pane


class Floor:
    """Stations with their queues. A pane is handed on where the service sends it."""

    def __init__(
        self, posts: Mapping[str, Post], pieces: Sequence[Piece], tally: Tally
    ) -> None:
        self.posts = posts
        self.pieces = pieces
        self.tally = tally
        self.queues = {name: queue.Queue[Piece]() for name in posts}
        self.names = {post.station: name for name, post in posts.items()}
        self.done_at = dict.fromkeys(posts, 0)
        self.closed = threading.Event()
        for piece, anywhere in zip(pieces, cycle(posts), strict=False):
            self._hand_on(piece, anywhere)

    def start(self) -> None:
        """Open the shift: one thread a station."""
        for name in self.posts:
            threading.Thread(target=self._tend, args=(name,), daemon=True).start()

    def unfinished(self) -> list[Piece]:
        """The panes that are not finished yet."""
        return [piece for piece in self.pieces if not piece.done]

    def _hand_on(self, piece: Piece, anywhere: str) -> None:
        if not piece.done:
            name = self.names[piece.station] if piece.station else anywhere
            self.queues[name].put(piece)

    def _tend(self, name: str) -> None:
        while not self.closed.is_set():
            try:
                self._work(name, self._take(name))
            except queue.Empty:
                continue
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
        """Plain pieces together, those with a trick one by one."""
        plain = [piece for piece in pieces if not trick_for(piece)]
        batch = plain if len(plain) > 1 else []
        post = self.posts[name]
        for piece in post.work_batch(batch) if batch else ():
            self._leave(name, piece)
        for piece in pieces:
            if piece not in batch and post.work(piece, trick_for(piece)):
                self._leave(name, piece)

    def _leave(self, name: str, piece: Piece) -> None:
        self.done_at[name] += 1
        if name == "qc" and piece.n % LOGGED == 0:
            self.posts[name].log_quality(piece)
        self._hand_on(piece, name)


def wait_for(condition: Callable[[], bool], seconds: float, step: float = 0.1) -> bool:
    """Wait until something holds; False when it still does not after so long."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(step)
    return True
