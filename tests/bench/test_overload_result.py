"""The verdict on an overload: each limit that is not kept is named."""

import re

import pytest

from bench.overload.result import Answer, Overload, Usage, median_of

SECONDS, PEAK = 10, 20


def overload(answers=None, *, lost=0, recovery_s=0.5):
    return Overload(
        peaks=(PEAK - 2, PEAK + 2),
        usage_at_peak=Usage(service=0.99, store=0.5, clients=0.1),
        usage=Usage(service=1.0, store=0.4, clients=0.25),
        rate=2 * PEAK,
        seconds=SECONDS,
        answers=good_answers() if answers is None else answers,
        lost=lost,
        recovery_s=recovery_s,
    )


def good_answers(status=200, took=0.9):
    """As many accepted requests as the service can process, and as many refused."""
    sent = [number / PEAK for number in range(PEAK * SECONDS)]
    accepted = [Answer("write", n, at, 201, 0.9) for n, at in enumerate(sent)]
    others = [Answer("read", n, at, status, took) for n, at in enumerate(sent)]
    return [*accepted, *others]


def refusals(took=1.0):
    return good_answers(503, took)


def test_overload_within_all_limits_has_no_faults():
    assert list(overload(refusals()).faults()) == []


def test_throughput_counts_accepted_requests_without_the_first_moments():
    assert overload(refusals()).throughput == pytest.approx(PEAK, rel=0.05)


def test_median_of_turns_has_the_middle_share_and_what_all_have_lost():
    turns = [overload(refusals()[: PEAK * n], lost=n) for n in (9, 3, 6)]
    found = median_of(turns)
    assert (found.share, found.lost) == (turns[2].share, 18)
    assert turns[1].share < found.share < turns[0].share


@pytest.mark.parametrize(
    ("result", "fault"),
    [
        (overload(refusals()[: PEAK * 5]), "throughput"),
        (overload(good_answers(200, 2.6)), "accepted requests took 2.60 s"),
        (overload(refusals(1.3)), "refused requests took 1.30 s"),
        (overload(refusals(), lost=1), "1 acknowledged changes are lost"),
        (overload(refusals(), recovery_s=2.1), "recovery took 2.10 s"),
        (overload(good_answers(500)), r"other answers: \[500\]"),
        (overload(good_answers(0)), r"other answers: \[0\]"),
    ],
)
def test_each_limit_that_is_not_kept_is_named(result, fault):
    [found] = result.faults()
    assert re.match(fault, found), found


def test_table_names_every_status():
    lines = list(overload(refusals()).lines())
    assert lines[-2:] == ["| answers 201 | 200 |  |", "| answers 503 | 200 |  |"]


def test_table_tells_what_the_clients_took_from_the_processor_of_the_service():
    lines = list(overload(refusals()).lines())
    at_peak, meanwhile = (line for line in lines if line.startswith("| cores"))
    assert "0.99, 0.50, 0.10" in at_peak
    assert "1.00, 0.40, 0.25" in meanwhile


def test_table_tells_how_many_were_refused_without_waiting():
    mixed = [*refusals(0.01), *refusals(1.0)]
    assert "| refused at once | 50% |  |" in list(overload(mixed).lines())


def test_efficiency_does_not_count_what_the_clients_took():
    result = overload(refusals())
    cost, cost_at_peak = (1.0 + 0.4) / result.throughput, (0.99 + 0.5) / PEAK
    assert result.efficiency == pytest.approx(cost_at_peak / cost)
    [line] = [one for one in result.lines() if "processor time" in one]
    assert f"{result.efficiency:.0%}" in line
