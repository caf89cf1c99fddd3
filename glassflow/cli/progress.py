"""How far a long command is, in one line on standard error."""

import sys
import time

#: On a terminal, where the line is replaced, and elsewhere.
INTERVAL_S, INTERVAL_OF_LINES_S = 0.2, 5.0


class ProgressLine:
    """Shows a step, how many documents it is through with, and how many there are."""

    def __init__(self) -> None:
        self._replaces = sys.stderr.isatty()
        self._interval_s = INTERVAL_S if self._replaces else INTERVAL_OF_LINES_S
        self._next = time.monotonic() + self._interval_s
        self._width = 0

    def __call__(self, step: str, done: int, of: int) -> None:
        """Show it, unless something was shown just before."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._interval_s
        self._show(f"{step}: {done:,} of {of:,} documents")

    def end(self) -> None:
        """Take the line away."""
        if self._replaces and self._width:
            self._show("")

    def _show(self, text: str) -> None:
        if self._replaces:
            sys.stderr.write(
                f"\r{text:<{self._width}}" if text else f"\r{' ' * self._width}\r"
            )
            self._width = len(text)
        else:
            sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
