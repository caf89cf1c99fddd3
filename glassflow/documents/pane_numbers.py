"""Pane numbers as documents write many of them: without what they have in common."""

import re
from collections.abc import Iterator, Sequence

from glassflow.domain import texts

LEAST_RANGE = 3  # numbers; two of them are as short beside each other

# A shortened number begins with the hyphen, which shows that it is shortened.
_PARTS = re.compile(r"(.+)(-\d+)", re.ASCII)


def written(numbers: Sequence[str], language: str) -> str:
    """Return pane numbers in their order: "PNE-0001 to -0003, -0007, PNE-0008-A".

    Of a number that begins as the one before it, only the last digits are written.
    Consecutive numbers are a range. A number that does not end with a hyphen and digits is
    written whole.
    """
    words, before = [], ""
    for run in _runs(numbers):
        beginning, first = _parts(run[0])
        if not beginning or beginning != before:
            first = run[0]
        before = beginning
        last = [_parts(one)[1] for one in run[1:]]
        if len(run) < LEAST_RANGE:
            words += [first, *last]
        else:
            text = texts.PAPER_PANE_RANGE.format(first=first, last=last[-1])
            words.append(text.in_language(language))
    return ", ".join(words)


def _runs(numbers: Sequence[str]) -> Iterator[list[str]]:
    """Yield numbers that follow one another, as long as there are some."""
    run: list[str] = []
    for number in numbers:
        if run and number != _next(run[-1]):
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def _next(number: str) -> str:
    """Return the number after this one with as many digits; nothing where there is none."""
    beginning, end = _parts(number)
    digits = end[1:]
    following = f"{int(digits) + 1:0{len(digits)}}" if beginning else ""
    is_next = len(following) == len(digits) and beginning
    return f"{beginning}-{following}" if is_next else ""


def _parts(number: str) -> tuple[str, str]:
    """Return the beginning and the end that is written alone; no beginning for others."""
    found = _PARTS.fullmatch(number)
    return (found[1], found[2]) if found else ("", number)
