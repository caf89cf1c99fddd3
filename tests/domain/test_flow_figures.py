"""What daily figures say of stations, against a simulated floor of which the truth is known."""

from collections import Counter
from dataclasses import dataclass, field
from heapq import heappop, heappush
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.flow_figures import (
    StationDay,
    at_once,
    expected,
    held,
    load,
    misses_scans,
)
from glassflow.domain.stays import LEAST_COUNT, bucket_of, mean, percentile
from sizes import size

DAY_S = 8 * 3600
DAYS = size(40, long=400)
# panes that a station works on at once, and the mean working time for one, in seconds
SERVERS = (1, 1, 3)
TOUCH_S = (300.0, 420.0, 1000.0)


@dataclass
class Floor:
    """A line of stations to which panes come at random; each has a queue and some servers."""

    load: float = 0.85  # of the second station, which can do the least
    seed: int = 1
    lost: float = 0.0  # share of the panes that the second station never scans out
    visits: list[list[list[float]]] = field(default_factory=list)

    def run(self):
        """Let panes pass the stations in turn: [arrival, begin, end] of each at each station."""
        chance = Random(self.seed)
        every_s = TOUCH_S[1] / self.load
        arrivals, at = [], 0.0
        while (at := at + chance.expovariate(1 / every_s)) < DAYS * DAY_S:
            arrivals.append(at)
        for servers, touch_s in zip(SERVERS, TOUCH_S, strict=True):
            free = [0.0] * servers
            visits = []
            for arrival in arrivals:
                begin = max(arrival, heappop(free))
                end = begin + chance.gammavariate(4, touch_s / 4)
                heappush(free, end)
                visits.append([arrival, begin, end])
            self.visits.append(visits)
            arrivals = sorted(end for _, _, end in visits)
        ghosts = (one for one in self.visits[1] if chance.random() < self.lost)
        for one in ghosts:
            one[2] = float("inf")
        return self

    def days(self, station):
        """Return what the counters of each day say of a station."""
        arrived, added, after, touched = (Counter() for _ in range(4))
        for arrival, begin, end in self.visits[station]:
            for at, by in ((arrival, 1), (end, -1)):
                if at < DAYS * DAY_S:
                    day, since = divmod(at, DAY_S)
                    added[day] += by
                    after[day] += by * round(since)
            arrived[arrival // DAY_S] += 1
            touched[end // DAY_S] += end - begin if end < float("inf") else 0
        return [
            StationDay(DAY_S, arrived[n], added[n], after[n], touched[n])
            for n in range(DAYS)
        ]

    def lengths(self, station, first, last):
        """Return the histogram of the time between two moments of visits that have ended."""
        ended = (one for one in self.visits[station] if one[2] < DAYS * DAY_S)
        return Counter(bucket_of(one[last] - one[first]) for one in ended)

    def present(self, station):
        end = DAYS * DAY_S
        return sum(one[0] < end <= one[2] for one in self.visits[station])

    def true_held(self, station):
        """Return the mean number of panes at a station, by the time that each one was there."""
        end = DAYS * DAY_S
        visits = (one for one in self.visits[station] if one[0] < end)
        return sum(min(one[2], end) - one[0] for one in visits) / end


@pytest.fixture(scope="module")
def floor():
    return Floor().run()


@pytest.mark.sized
@pytest.mark.parametrize("station", range(3))
def test_panes_that_are_held_are_arrivals_times_stay_as_on_the_simulated_floor(
    floor, station
):
    days, stays = floor.days(station), floor.lengths(station, 0, 2)
    found = held(days, floor.present(station))
    assert found == pytest.approx(floor.true_held(station), rel=0.001)
    assert expected(days, stays) == pytest.approx(found, rel=0.05)
    assert not misses_scans(found, expected(days, stays))


@pytest.mark.sized
@pytest.mark.parametrize("station", range(3))
def test_percentiles_are_those_of_the_simulated_floor(floor, station):
    lasted = sorted(
        end - arrival for arrival, _, end in floor.visits[station] if end < DAYS * DAY_S
    )
    stays = floor.lengths(station, 0, 2)
    for share in (0.5, 0.85, 0.95):
        truth = lasted[int(share * len(lasted))]
        assert percentile(stays, share) == pytest.approx(truth, rel=0.05)


@pytest.mark.sized
def test_the_station_that_can_do_the_least_has_the_highest_load(floor):
    loads = []
    for station in range(3):
        touches = floor.lengths(station, 1, 2)
        loads.append(load(floor.days(station), touches, touches.total()))
        assert at_once(floor.days(station)) == SERVERS[station]
    assert max(loads) == loads[1]
    arrived_per_s = len(floor.visits[0]) / (DAYS * DAY_S)
    for found, touch_s, servers in zip(loads, TOUCH_S, SERVERS, strict=True):
        assert found == pytest.approx(arrived_per_s * touch_s / servers, rel=0.05)


@pytest.mark.sized
def test_scans_are_missing_where_panes_are_never_scanned_out():
    floor = Floor(lost=0.02).run()
    missing = [
        misses_scans(
            held(floor.days(one), floor.present(one)),
            expected(floor.days(one), floor.lengths(one, 0, 2)),
        )
        for one in range(3)
    ]
    assert missing == [False, True, False]


def test_little_is_said_of_few_panes_long_stays_or_no_working_time():
    day = StationDay(DAY_S, 10, 0, 0, DAY_S / 2)
    hour = {bucket_of(3600): LEAST_COUNT}
    assert expected([day] * 2, hour) > 0
    assert expected([day] * 2, {bucket_of(3600): LEAST_COUNT - 1}) is None
    assert expected([day], hour) is None  # eight stays long
    assert expected([], hour) is held([], 3) is load([], hour, 0) is None
    assert not misses_scans(0.9, 0.1)
    assert not misses_scans(None, 5)
    # of less than half of the panes that left it is known how long the work took
    assert load([day] * 5, hour, 2 * LEAST_COUNT) > 0
    assert load([day] * 5, hour, 2 * LEAST_COUNT + 1) is None
    assert load([day] * 4, hour, LEAST_COUNT) is None


MOVES = st.lists(
    st.tuples(st.integers(0, 5 * DAY_S - 1), st.sampled_from([1, -1])), max_size=60
)


@given(moves=MOVES, now=st.integers(0, 40))
def test_held_panes_are_those_at_each_moment_whatever_comes_and_goes(moves, now):
    """Also where more go than were there: records may be put there in other ways."""
    days = []
    for n in range(5):
        of_day = [(at - n * DAY_S, by) for at, by in moves if at // DAY_S == n]
        added, after = sum(by for _, by in of_day), sum(at * by for at, by in of_day)
        days.append(StationDay(DAY_S, 0, added, after, 0))
    there, since, pane_seconds = now - sum(by for _, by in moves), 0, 0
    for at, by in sorted(moves):
        pane_seconds += there * (at - since)
        there, since = there + by, at
    pane_seconds += there * (5 * DAY_S - since)
    assert held(days, now) == pytest.approx(pane_seconds / (5 * DAY_S))


@given(
    lengths=st.lists(st.floats(1, 1e6), min_size=1, max_size=200),
    share=st.sampled_from([0.5, 0.85, 0.95]),
)
def test_mean_and_percentiles_of_a_histogram_are_within_its_buckets(lengths, share):
    counts = Counter(map(bucket_of, lengths))
    assert mean(counts) == pytest.approx(sum(lengths) / len(lengths), rel=0.06, abs=1)
    truth = sorted(lengths)[max(1, -(-int(share * 100) * len(lengths) // 100)) - 1]
    assert percentile(counts, share) == pytest.approx(truth, rel=0.06, abs=1)
    assert percentile({}, share) is None
    assert mean({}) == 0
