"""What is told reaches those it is for, in order, and nobody else."""

import gevent
import pytest

from glassflow.core import outbox
from glassflow.core.unit_of_work import unit_of_work


def test_what_is_told_to_workers_reaches_them_only(admin, worker, screen):
    theirs, mine = screen(worker), screen(admin, "join_dashboard")

    def tell():
        outbox.tell("notification", {"title": "x"}, workers=[worker.id])

    assert theirs.during(admin, tell) == [("notification", {"title": "x"})]
    assert mine.during(admin, tell) == []


def test_what_is_told_to_nobody_is_heard_by_nobody(admin, screen):
    mine = screen(admin, "join_dashboard", "join_station")

    def tell():
        outbox.tell("notification", {"title": "x"})
        outbox.tell("station:check_in", {"orderId": "x"}, stations=[])

    assert mine.during(admin, tell) == []


def test_a_message_that_cannot_be_sent_holds_up_none_behind_it(admin, screen):
    mine = screen(admin).join_station("s")

    def tell():
        outbox.tell("no such message", {}, stations=["s"])
        outbox.tell("pane:laminated", {"survivor": "no pane"}, stations=["s"])
        outbox.tell("notification", {"title": "behind"}, stations=["s"])

    assert mine.during(admin, tell) == [("notification", {"title": "behind"})]


@pytest.mark.slow
def test_events_come_in_the_order_of_the_commits_and_after_them(admin, screen):
    mine = screen(admin).join_station("s")

    @unit_of_work
    def work(serial, pause):
        outbox.tell("notification", {"serial": serial, "part": 1}, stations=["s"])
        gevent.sleep(pause)
        outbox.tell("notification", {"serial": serial, "part": 2}, stations=["s"])

    def act():
        before = len(mine.heard)
        slow = gevent.spawn(work, "slow", 0.3)
        gevent.sleep(0.05)
        work("quick", 0)
        gevent.sleep(0.1)
        assert len(mine.heard) == before + 2  # nothing of what is not committed yet
        slow.get()

    heard = [(said["serial"], said["part"]) for _, said in mine.during(admin, act)]
    assert heard == [("quick", 1), ("quick", 2), ("slow", 1), ("slow", 2)]


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [300])
def test_many_changes_of_one_record_are_heard_in_their_order(
    admin, workshop, screen, rounds
):
    material = workshop.material(unit="0")
    mine = screen(admin, "join_inventory")

    def act():
        for serial in range(rounds):
            material.unit = str(serial)
            material.save()

    heard = mine.during(admin, act)
    assert [said["data"]["unit"] for _, said in heard] == [
        str(serial) for serial in range(rounds)
    ]
