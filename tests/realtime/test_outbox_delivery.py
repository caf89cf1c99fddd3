"""Published messages reach their recipients, in order, and no one else."""

import pytest
from gevent.event import Event

from factories import save
from glassflow.core.store.unit_of_work import unit_of_work
from greenlets import spawn
from messages import send_message
from sizes import size
from waiting import WAIT_TIMEOUT_S


def test_message_to_workers_reaches_only_these(admin, worker, screen):
    recipient, other = screen(worker), screen(admin, "join_dashboard")

    def publish():
        send_message("notification", {"title": "x"}, workers=[worker.id])

    assert recipient.events_during(admin, publish) == [("notification", {"title": "x"})]
    assert other.events_during(admin, publish) == []


def test_message_without_recipients_reaches_no_client(admin, screen):
    mine = screen(admin, "join_dashboard", "join_station")

    def publish():
        send_message("notification", {"title": "x"})
        send_message("station:check_in", {"orderId": "x"}, stations=[])

    assert mine.events_during(admin, publish) == []


def test_message_that_cannot_be_sent_does_not_delay_later_ones(admin, screen):
    mine = screen(admin).join_station("s")

    def publish():
        send_message("no such message", {}, stations=["s"])
        send_message("pane:laminated", {"survivor": "no pane"}, stations=["s"])
        send_message("notification", {"title": "behind"}, stations=["s"])

    assert mine.events_during(admin, publish) == [("notification", {"title": "behind"})]


@pytest.mark.slow
def test_events_are_sent_after_the_commit_and_in_the_order_of_the_commits(
    admin, screen
):
    mine = screen(admin).join_station("s")

    begun, may_end = Event(), Event()

    @unit_of_work
    def send(name, pause=lambda: None):
        send_message("notification", {"name": name, "part": 1}, stations=["s"])
        pause()
        send_message("notification", {"name": name, "part": 2}, stations=["s"])

    def wait_for_the_other():
        begun.set()
        assert may_end.wait(WAIT_TIMEOUT_S)

    def act():
        before = len(mine.received)
        first = spawn(send, "first", wait_for_the_other)
        assert begun.wait(WAIT_TIMEOUT_S)
        send("second")
        mine.wait_for(lambda: len(mine.received) >= before + 2)
        assert len(mine.received) == before + 2  # nothing of the open transaction
        may_end.set()
        first.get()

    events = mine.events_during(admin, act)
    assert [(data["name"], data["part"]) for _, data in events] == [
        ("second", 1),
        ("second", 2),
        ("first", 1),
        ("first", 2),
    ]


@pytest.mark.sized
@pytest.mark.slow
@pytest.mark.parametrize("rounds", [size(100, long=300)])
def test_clients_receive_many_changes_of_one_record_in_order(
    admin, workshop, screen, rounds
):
    material = workshop.material(unit="none")
    mine = screen(admin, "join_inventory")

    def act():
        for serial in range(rounds):
            material.unit = str(serial)
            save(material)

    events = mine.events_during(admin, act)
    assert [data["data"]["unit"] for _, data in events] == [
        str(serial) for serial in range(rounds)
    ]
