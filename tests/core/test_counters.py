"""Numbers are given once, whoever asks at the same time."""

from functools import partial

import pytest
from mongoengine.connection import get_db

from crowd import at_once
from glassflow.core import counters
from glassflow.core.unit_of_work import unit_of_work


@pytest.mark.slow
def test_200_parallel_creates_get_200_different_numbers(admin, workshop):
    customer = str(workshop.customer().pk)
    body = {"customer": customer, "details": {"type": "a", "quantity": 1}}
    answers = at_once([partial(admin.post, "/api/requests", body)] * 200)
    numbers = {answer.data["requestNumber"] for answer in answers}
    assert len(numbers) == 200


def test_numbers_grow_wider_after_9999(app):
    get_db()["counters"].update_one({"_id": "REQ"}, {"$set": {"seq": 9998}})
    assert list(counters.draw("REQ", 3)) == [9999, 10000, 10001]


def test_a_failed_use_case_leaves_a_gap_and_gives_no_number_twice(app):
    @unit_of_work
    def fail(drawn):
        drawn.append(counters.draw("ORD")[0])
        raise LookupError

    drawn = []
    for _ in range(2):
        with pytest.raises(LookupError):
            fail(drawn)
    drawn.append(counters.draw("ORD")[0])
    assert drawn == list(range(drawn[0], drawn[0] + 3))


def test_a_counter_that_is_not_there_begins_at_one(app):
    get_db()["counters"].delete_one({"_id": "NEW"})
    draws = at_once([partial(counters.draw, "NEW")] * 20)
    assert sorted(one[0] for one in draws) == list(range(1, 21))
    get_db()["counters"].delete_one({"_id": "NEW"})
