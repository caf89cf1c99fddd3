"""Where the windows end from which the pages of a list are read (`windows`)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from glassflow.core import clock
from glassflow.services.records import list_memory, number_windows
from glassflow.services.records.list_memory import Memory, PageQuery

DAY_S = 86_400.0
# The first window of a list in a process. All records in it are read for the page, and an
# import makes a thousand in a minute.
FIRST_WIDTH_S, LONGEST_S = DAY_S / 256, 20_000 * DAY_S
# The panes of a request have one date, and a client may send several requests a second.
SHORTEST_S = 1 / 256
MARGIN = 1.5  # of a window, over the rows that it has to hold
WIDEN, WIDEN_AT_MOST = 4, 16  # factors
# Windows for one page, the last of 18 hours or more; then the rest is read.
ATTEMPTS = 7
# Where the newest records are is not known at first; old data is approached slowly.
FIRST_ATTEMPTS, WIDEN_FIRST = 21, 2
# Where the oldest records are is not known at first; it is looked for from the past on.
FIRST_AGES_S = tuple(6000 * DAY_S / 8**step for step in range(8))


Bound = datetime | str  # a date, or a record number
Widen = Callable[[float], None]  # makes the next window wider, by a factor


def of(wanted: PageQuery, memory: Memory) -> Iterator[tuple[Bound | None, Widen]]:
    """Yield where the windows of a page end, None for no date."""
    if number_windows.number_of(wanted.model, wanted.sort):
        yield from _windows_of_numbers(wanted)
        return
    _, direction = wanted.sort[0]
    edge = edge_of(wanted, memory)
    if edge is None:
        for age_s in FIRST_AGES_S:
            yield _shifted(clock.now(), -age_s), lambda factor: None
        return
    if memory.step_s:
        for steps in range(1, list_memory.STEPS + 1):
            end = _shifted(edge, direction * steps * memory.step_s)
            yield end, lambda factor: None
    width = _Width(_first_width_s(wanted, memory))
    for _ in range(ATTEMPTS if memory.is_near else FIRST_ATTEMPTS):
        yield _shifted(edge, direction * width.size), width.widen


def _windows_of_numbers(wanted: PageQuery) -> Iterator[tuple[Bound, Widen]]:
    needed = wanted.skip + wanted.limit
    width = _Width(MARGIN * needed / number_windows.PER_UNIT)
    while width.size < 1:
        yield number_windows.bound(wanted, width.size), width.widen


@dataclass(slots=True)
class _Width:
    """The width of a window: seconds, or a share of the numbers."""

    size: float

    def widen(self, factor: float) -> None:
        self.size *= factor


def _first_width_s(wanted: PageQuery, memory: Memory) -> float:
    if memory.step_s:  # after the narrow windows
        return WIDEN_FIRST * list_memory.STEPS * memory.step_s
    if memory.edge is None:
        return FIRST_WIDTH_S
    needed = wanted.skip + wanted.limit
    return max(memory.per_row_s * needed * MARGIN, SHORTEST_S)


def edge_of(wanted: PageQuery, memory: Memory) -> datetime | None:
    """Return the date where the list begins, as far as it is known."""
    _, direction = wanted.sort[0]
    given = list_memory.begins_at(wanted)
    if given and memory.edge and memory.step_s:
        given.append(memory.edge)
    if direction == 1:
        return max(given) if given else memory.edge
    now: datetime = clock.now()
    return min([now, *given]) if given else memory.edge or now


def _shifted(moment: datetime, seconds: float) -> datetime | None:
    """Return a moment before or after another; None beyond the years that dates have."""
    if abs(seconds) > LONGEST_S:
        return None
    try:
        return moment + timedelta(seconds=seconds)
    except OverflowError:
        return None
