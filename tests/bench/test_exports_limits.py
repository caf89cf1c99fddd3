"""The limits of `bench.exports`."""

from bench.exports import faults
from bench.job import Job


def job(name, p95_ms, memory_mb):
    return Job(name, 1.0, 1.0, p95_ms, 100.0, memory_mb)


def test_memory_and_the_delay_of_others_are_limited():
    idle = job("nothing", 20, 0)
    kept = [job("CSV", 69, 59.9), job("XLSX", 70, 60)]
    assert list(faults([idle, *kept])) == []
    found = list(faults([idle, job("CSV", 71, 10), job("XLSX", 20, 61)]))
    assert [one.split(":")[0] for one in found] == ["CSV", "XLSX"]
