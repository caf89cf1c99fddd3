"""PINs: digits by which a worker identifies on a shared device."""

from itertools import pairwise

LENGTHS = range(4, 9)  # digits
MAX_FAILURES = 10  # in a row; then the PIN is locked until it is set again
STEPS = (0, 1, -1)  # from digit to digit, of PINs that are tried first


def is_pin(text: str) -> bool:
    """Return whether a text has the form of a PIN."""
    return len(text) in LENGTHS and text.isascii() and text.isdigit()


def is_easily_guessed(pin: str) -> bool:
    """Return whether a PIN is one digit repeated, or counts up or down: `0000`, `4321`."""
    digits = [int(digit) for digit in pin]
    steps = {after - before for before, after in pairwise(digits)}
    return len(steps) == 1 and steps.pop() in STEPS
