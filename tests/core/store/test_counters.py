"""Numbers are unique, also for concurrent requests."""

from functools import partial

import pytest
from mongoengine.connection import get_db

from concurrency import run_concurrently
from glassflow.core.store import counters
from glassflow.core.store.unit_of_work import unit_of_work


@pytest.mark.slow
@pytest.mark.slow
def test_200_parallel_creates_get_200_different_numbers(admin, workshop):
    customer = str(workshop.customer().pk)
    body = {"customer": customer, "details": {"type": "a", "quantity": 1}}
    answers = run_concurrently([partial(admin.post, "/api/requests", body)] * 200)
    numbers = {answer.data["requestNumber"] for answer in answers}
    assert len(numbers) == 200


def test_numbers_have_more_digits_after_9999(app):
    get_db()["counters"].update_one({"_id": "REQ"}, {"$set": {"seq": 9998}})
    assert list(counters.next_numbers("REQ", 3)) == [9999, 10000, 10001]


def test_failed_use_case_leaves_a_gap_and_no_number_is_given_twice(app):
    @unit_of_work
    def fail(drawn):
        drawn.append(counters.next_numbers("ORD")[0])
        raise LookupError

    drawn = []
    for _ in range(2):
        with pytest.raises(LookupError):
            fail(drawn)
    drawn.append(counters.next_numbers("ORD")[0])
    assert drawn == list(range(drawn[0], drawn[0] + 3))


def test_what_is_rolled_back_draws_no_numbers(app):
    (before,) = counters.next_numbers("ORD")
    with counters.provisional():
        tried = [*counters.next_numbers("ORD", 2), *counters.next_numbers("ORD")]
    assert len(set(tried)) == 3
    assert min(tried) >= counters.FIRST_PROVISIONAL
    assert list(counters.next_numbers("ORD")) == [before + 1]


def test_missing_counter_starts_at_one(app):
    get_db()["counters"].delete_one({"_id": "NEW"})
    draws = run_concurrently([partial(counters.next_numbers, "NEW")] * 20)
    assert sorted(one[0] for one in draws) == list(range(1, 21))
    get_db()["counters"].delete_one({"_id": "NEW"})
