"""The table of a soak."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from bench.soak.crowd import Crowd
from bench.soak.mishaps import Mishaps
from bench.soak.traffic import Traffic
from bench.soak.verdict import Verdict


def table(
    given: argparse.Namespace,
    crowd: Crowd,
    traffic: Traffic,
    mishaps: Mishaps,
    verdict: Verdict,
) -> Iterator[str]:
    """Give its lines, and what was wrong in words."""
    clients = crowd.clients
    redis = " with Redis" if given.processes > 1 else ""
    rows = {
        "processes": f"{given.processes}{redis}",
        "clients": len(clients),
        "minutes": f"{given.minutes:g}",
        "service": ", ".join(mishaps.done),
        "requests answered": traffic.requests,
        "requests without an answer": traffic.unanswered,
        "connections lost": sum(one.losses for one in clients),
        "connections that came to nothing": sum(one.failures for one in clients),
        "times somebody stopped reading": crowd.naps,
        "times resumed": sum(one.resumes for one in clients) - len(clients),
        "events to hear": verdict.expected,
        "of these replayed": sum(one.replayed for one in clients),
        "missing": verdict.missing,
        "doubled": verdict.doubled,
        "out of order": verdict.disordered,
        "not theirs": verdict.foreign,
        "not as in the log": verdict.changed,
        "acknowledged changes": len(traffic.acknowledged),
        "of these never told": verdict.untold,
    }
    width = max(map(len, rows))
    for name, value in rows.items():
        yield f"{name:{width}}  {value}"
    for said, times in sorted(traffic.refused.items()):
        yield f"refused {times} times: {said}"
    yield from verdict.words
