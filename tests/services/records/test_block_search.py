"""Searches for words that look records up in blocks, and find what reading all would."""

from datetime import timedelta
from functools import partial

import pytest
from bson import ObjectId
from hypothesis import given
from hypothesis import strategies as st

from glassflow.core import clock, kept
from glassflow.core.unit_of_work import unit_of_work
from glassflow.models import search_blocks
from glassflow.models.pane import Pane
from glassflow.services import records
from glassflow.services.records import block_search, derivation, list_memory, listing
from glassflow.services.records.listing import ListQuery
from glassflow.services.reports import search as reports_search
from listed_panes import IN_TURN, PANES, READS, STEPS, Panes
from scenarios import order_with_panes
from waiting import wait_until

NEWEST = [("createdAt", -1), ("_id", -1)]
OLD = timedelta(days=1)


@pytest.fixture
def small(monkeypatch):
    """Has blocks from the first record on, of three records each, at the test's command."""
    monkeypatch.setattr(block_search, "LARGE", 0)
    monkeypatch.setattr(block_search, "MIN_BLOCK", 1)
    monkeypatch.setattr(block_search, "BLOCK", 3)
    monkeypatch.setattr(block_search, "_build_in_background", lambda _: None)


def search(text, **values):
    return listing.read(Pane, ListQuery([], NEWEST, 1, 50, search=text, **values))


def numbers(page):
    return [row["paneNumber"] for row in page.rows]


def make(workshop, number, age=OLD, **values):
    created = clock.now() - age
    return workshop.make("Pane", pane_number=number, created_at=created, **values)


def fill(workshop, count=7):
    """Make panes of which one in three has the word `frosted`; build the blocks."""
    panes = [
        make(workshop, f"PNE-{n:04d}", notes="Frosted" if n % 3 == 0 else "")
        for n in range(count)
    ]
    block_search.build(Pane)
    return panes


def blocks():
    return list(search_blocks.collection_of(Pane).find({"text": {"$exists": True}}))


class BuiltPanes(Panes):
    """Panes of which blocks are built: at the begin, and as a step."""

    def build(self, _):
        block_search.build(Pane)


@IN_TURN
@given(
    first=st.lists(PANES, max_size=12),
    steps=st.lists(STEPS | st.just(("build", None)), max_size=8),
    read=READS,
    most=st.integers(0, 4),
)
def test_page_is_that_of_the_plain_query_whatever_is_written(
    workshop, small, first, steps, read, most
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_search, "MAX_FOUND", most)
        search_blocks.clear(Pane)
        search_blocks.forget()
        panes = BuiltPanes(workshop, first)
        panes.build(None)
        for step in [*steps, ("read", read)]:
            panes.carry_out(*step)


def test_word_that_no_record_has_takes_three_round_trips(admin, workshop, small, trips):
    fill(workshop)
    ask = partial(admin.get, "/api/panes", search="nothing")
    assert ask().data == []  # what this reads is kept for half a minute
    assert block_search.find(Pane, "nothing", "nothing") == []
    # the blocks; the records that are newer; the page
    assert trips(ask, cached=True) == ["find"] * 3


def test_word_is_found_in_blocks_in_newer_records_and_in_changed_ones(workshop, small):
    panes = fill(workshop)
    make(workshop, "PNE-0100", age=timedelta(), notes="frosted")
    panes[1].notes = "frosted"
    unit_of_work(records.save_all)([panes[1]])
    panes[0].notes = "clear"
    panes[0].save()
    panes[3].delete()
    expected = ["PNE-0100", "PNE-0006", "PNE-0001"]
    assert numbers(search("FROSTED")) == expected
    assert numbers(search("frosted", listed_only=True)) == expected
    found = block_search.find(Pane, "frosted", "frosted")
    assert len(found) == 5  # with the changed one and the deleted one
    assert search("frosted").pagination["total"] == 3


def test_change_of_numbers_writes_no_block(workshop, small, trips):
    pane = fill(workshop)[0]
    before = len(blocks())
    pane.route_index = 4
    unit_of_work(records.save_all)([pane])
    assert len(blocks()) == before
    pane.notes = "other"
    unit_of_work(records.save_all)([pane])
    assert len(blocks()) == before + 1


def test_records_that_a_scan_or_a_request_makes_write_no_block(
    admin, worker, workshop, small
):
    job = order_with_panes(admin, workshop)
    worker.scan(job.numbers[0], "scan_in")
    assert blocks() == []
    assert search_blocks.collection_of(Pane).find_one() is None


def test_new_record_that_is_dated_back_is_found(workshop, small):
    fill(workshop)
    make(workshop, "PNE-0200", age=2 * OLD, notes="frosted late")
    pane = Pane(pk=ObjectId(), pane_number="PNE-0201", notes="frosted later")
    pane.created_at = clock.now() - OLD
    unit_of_work(records.insert_all)([pane])
    assert sorted(numbers(search("frosted late"))) == ["PNE-0200", "PNE-0201"]


def test_record_without_a_date_is_found(workshop, small):
    pane = fill(workshop)[1]
    Pane._get_collection().update_one({"_id": pane.pk}, {"$unset": {"createdAt": 1}})
    pane.notes = "frosted"  # of which no block has heard
    pane.derive()
    text = {"$set": {"searchText": pane.search_text}}
    Pane._get_collection().update_one({"_id": pane.pk}, text)
    kept.clear()
    assert len(search("frosted").rows) == 4


def test_record_is_found_after_the_clock_was_set_back(workshop, small, clock_at):
    fill(workshop)
    search("frosted")
    clock_at(-3600)
    pane = workshop.make("Pane", pane_number="PNE-0300", notes="frosted again")
    assert numbers(search("frosted again")) == [pane.pane_number]


def test_blocks_wait_until_records_have_settled(workshop, small, clock_at):
    workshop.make("Pane", pane_number="PNE-0001", notes="frosted")
    block_search.build(Pane)
    assert blocks() == []
    clock_at(search_blocks.SETTLED.total_seconds() + 1)
    block_search.build(Pane)
    [block] = blocks()
    pane = Pane.objects.get()
    assert block["text"] == search_blocks.entry(pane.pk, pane.search_text)
    assert list(search_blocks.find(block["text"], "frosted")) == [pane.pk]


def test_records_of_one_moment_are_in_one_block(workshop, small):
    at = clock.now() - OLD
    for n in range(8):
        workshop.make(
            "Pane", pane_number=f"PNE-{n:04d}", created_at=at, notes="frosted"
        )
    search_blocks.clear(Pane)
    block_search.build(Pane)
    assert len(blocks()) == 1
    assert len(search("frosted").rows) == 8


def test_long_texts_make_several_blocks(workshop, small, monkeypatch):
    monkeypatch.setattr(block_search, "MAX_BLOCK_LETTERS", 100)
    for n in range(3):
        make(workshop, f"PNE-{n:04d}", notes="frosted" * 20)
    search_blocks.clear(Pane)
    block_search.build(Pane)
    assert len(blocks()) == 3
    assert len(search("frosted").rows) == 3


def test_two_processes_that_build_at_once_store_each_block_once(
    workshop, small, monkeypatch
):
    fill(workshop, count=0)
    search_blocks.clear(Pane)
    make(workshop, "PNE-0001")
    make(workshop, "PNE-0002")
    search_blocks.clear(Pane)
    read = block_search._rows

    def read_while_another_builds(*args):
        rows = read(*args)
        monkeypatch.setattr(block_search, "_rows", read)
        block_search.build(Pane)
        return rows

    monkeypatch.setattr(block_search, "_rows", read_while_another_builds)
    block_search.build(Pane)
    assert len(blocks()) == 1


def test_blocks_are_built_again_after_many_changes(workshop, small, monkeypatch):
    for module in (search_blocks, block_search):
        monkeypatch.setattr(module, "MAX_CHANGES", 3)
    panes = fill(workshop, count=1)  # it was dated back, which is the first change
    for n in range(2):
        panes[0].notes = f"note {n}"
        panes[0].save()
        assert numbers(search(f"note {n}")) == ["PNE-0000"]
    assert len(blocks()) == 4
    panes[0].notes = "last"
    panes[0].save()
    assert len(blocks()) == 1
    assert numbers(search("last")) == ["PNE-0000"]
    block_search.build(Pane)
    assert numbers(search("last")) == ["PNE-0000"]


def test_records_of_an_earlier_release_are_in_blocks_once_they_are_derived(
    workshop, small
):
    fill(workshop)
    collection = Pane._get_collection()
    collection.update_one({}, {"$set": {"notes": "written by another"}})
    assert derivation.derive_all(Pane, again=True) == 7
    assert blocks() == []
    assert numbers(search("written by another")) == ["PNE-0000"]


def test_global_search_uses_blocks_and_windows(workshop, small):
    fill(workshop)
    kept.clear()
    list_memory.forget()
    found = reports_search.find("frosted", may=lambda key: key == "panes:view")
    assert [row["paneNumber"] for row in found] == ["PNE-0006", "PNE-0003", "PNE-0000"]


def test_first_search_of_many_records_builds_their_blocks(workshop, monkeypatch):
    monkeypatch.setattr(block_search, "LARGE", 0)
    make(workshop, "PNE-0001", notes="frosted")
    block_search._next_build.clear()
    built = []
    monkeypatch.setattr(block_search, "build", built.append)
    assert numbers(search("frosted")) == ["PNE-0001"]
    assert numbers(search("nothing")) == []
    wait_until(lambda: built == [Pane])
