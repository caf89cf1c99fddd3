"""What came of an overload, and whether it is good enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import NamedTuple

from bench.figures import number, percentile, table

SETTLE_S = 2.0  # after which throughput is counted: the first second fills the queue
MIN_THROUGHPUT = 0.8  # of the peak
MAX_ACCEPTED_S, MAX_REFUSED_S, MAX_RECOVERY_S = 2.5, 1.2, 2.0
REFUSED = 503
AT_ONCE_S = 0.8  # of the second that the others have waited


@dataclass(frozen=True)
class Answer:
    """The answer to one request; times in s, `sent` since the start."""

    kind: str
    number: int
    sent: float
    status: int
    took: float

    @property
    def is_accepted(self) -> bool:
        """Whether the service did what was asked."""
        return 200 <= self.status < 300


class Usage(NamedTuple):
    """How much of a core each used on average: 1.0 is all of one.

    The clients run on the machine of the service, so what they use is missing there.
    """

    service: float
    store: float
    clients: float

    @property
    def of_requests(self) -> float:
        """What requests cost, without the work of the clients."""
        return self.service + self.store

    def shown(self) -> str:
        """Return all three."""
        return ", ".join(map(number, self))


@dataclass(frozen=True)
class Overload:
    """Half a minute of overload.

    `peaks` are the requests a second with as many as fit, before the overload and after
    it; `usage_at_peak` is the average of both, `usage` is from during it.
    """

    peaks: tuple[float, float]
    usage_at_peak: Usage
    usage: Usage
    rate: float
    seconds: float
    answers: Sequence[Answer]
    lost: int
    recovery_s: float

    @property
    def peak(self) -> float:
        """The average of both peaks."""
        return fmean(self.peaks)

    @property
    def throughput(self) -> float:
        """Accepted requests a second, without the first and the last moments."""
        ends = (one.sent + one.took for one in self.answers if one.is_accepted)
        counted = sum(SETTLE_S <= end < self.seconds for end in ends)
        return counted / (self.seconds - SETTLE_S)

    @property
    def share(self) -> float:
        """The throughput as a share of the peak."""
        return self.throughput / self.peak

    @property
    def efficiency(self) -> float:
        """Accepted requests for the processor time of service and store, 1.0 as at the peak.

        Unlike the throughput it is lower only for what refusing costs, not for what the
        clients and others take from the processor.
        """
        at_peak = self.peak / self.usage_at_peak.of_requests
        return self.throughput / self.usage.of_requests / at_peak

    @property
    def accepted_s(self) -> float:
        """The time of accepted requests that 95 % of them keep."""
        return _p95(one.took for one in self.answers if one.is_accepted)

    @property
    def refused_s(self) -> float:
        """The same of refused ones; 0 where none was refused."""
        return _p95(one.took for one in self.answers if one.status == REFUSED)

    @property
    def refused_at_once(self) -> float:
        """The share of the refused that did not wait for a place before."""
        took = [one.took for one in self.answers if one.status == REFUSED]
        return sum(one < AT_ONCE_S for one in took) / len(took) if took else 0.0

    def faults(self) -> Iterator[str]:
        """Yield what is not good enough."""
        if self.share < MIN_THROUGHPUT:
            yield f"throughput {self.share:.0%} of the peak"
        if self.accepted_s > MAX_ACCEPTED_S:
            yield f"accepted requests took {self.accepted_s:.2f} s"
        if self.refused_s > MAX_REFUSED_S:
            yield f"refused requests took {self.refused_s:.2f} s"
        if self.lost:
            yield f"{self.lost} acknowledged changes are lost"
        if self.recovery_s > MAX_RECOVERY_S:
            yield f"recovery took {self.recovery_s:.2f} s"
        others = {s for s in self._statuses() if s not in (200, 201, REFUSED)}
        if others:
            yield f"other answers: {sorted(others)} (0: none)"

    def lines(self) -> Iterator[str]:
        """Yield the table."""
        statuses, at_peak = self._statuses(), self.usage_at_peak.shown()
        peaks = map(number, self.peaks)
        rows = [
            ("peak, requests a second: before, after", ", ".join(peaks), ""),
            ("arrivals a second", number(self.rate), ""),
            (
                "accepted a second",
                number(self.throughput),
                f"at least {MIN_THROUGHPUT:.0%} of the peak",
            ),
            (
                "accepted for the processor time of service and store, of the peak's",
                f"{self.efficiency:.0%}",
                "",
            ),
            ("accepted, p95 s", number(self.accepted_s), f"{MAX_ACCEPTED_S}"),
            ("refused, p95 s", number(self.refused_s), f"{MAX_REFUSED_S}"),
            ("refused at once", f"{self.refused_at_once:.0%}", ""),
            ("recovery, s", number(self.recovery_s), f"{MAX_RECOVERY_S}"),
            ("acknowledged and lost", str(self.lost), "0"),
            ("cores at the peak: service, store, clients", at_peak, ""),
            ("cores meanwhile: service, store, clients", self.usage.shown(), ""),
            *((f"answers {one}", str(statuses[one]), "") for one in sorted(statuses)),
        ]
        yield from table(("overload", "measured", "limit"), rows)

    def _statuses(self) -> Counter[int]:
        return Counter(one.status for one in self.answers)


def median_of(results: Sequence[Overload]) -> Overload:
    """Return the overload with the median share of the peak, and what all have lost.

    Of an odd number. A machine does not do as much in each minute: of the same service one
    run had 88 % of the peak, and the next 94 %.
    """
    middle = sorted(results, key=lambda one: one.share)[len(results) // 2]
    return replace(middle, lost=sum(one.lost for one in results))


def _p95(times: Iterator[float]) -> float:
    known = list(times)
    return percentile(known, 95) if known else 0.0
