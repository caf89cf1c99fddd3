"""The limits of `bench.years`."""

from pathlib import Path

from bench.years import MAX_LIST_MS, Store, _faults

LIST, PAGE = "/api/panes?limit=20&search=77", "/api/board"
SIZES = {
    "start, s": 9.0,
    "store, MB": 900.0,
    "most of the store meanwhile, MB": 900.0,
    "flask backup, s": 90.0,
    "flask restore, s": 90.0,
}


def measured(list_ms=20.0, page_ms=50.0, scan_ms=10.0, **sizes):
    store = Store("a", Path())
    store.then_ms = {LIST: list_ms, PAGE: page_ms}
    store.scans_ms, store.scan_service_ms, store.scan_store_ms = [scan_ms], 5.0, 5.0
    store.others = {**SIZES, **sizes}
    return store


def test_what_grows_with_the_years_is_a_fault():
    small = measured()
    assert list(_faults(small, measured(list_ms=MAX_LIST_MS, page_ms=64.0))) == []
    grown = measured(MAX_LIST_MS + 1, 66.0, 14.0, **{"start, s": 16.0})
    found = [one.split(":")[0] for one in _faults(small, grown)]
    assert found == [LIST, PAGE, "scans, p50", "scans, p95", "start, s"]
