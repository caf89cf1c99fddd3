"""The payload of a live event: its fields, under the names that they have on the wire."""

from dataclasses import FrozenInstanceError

import pytest

from glassflow.services.notices.events import OrderCheckedIn, PaneArrived


def arrival(**values):
    return PaneArrived(pane_number="PNE-0001", pane_id="p", to_station="s", **values)


def test_a_payload_has_the_fields_in_camel_case_and_no_recipients():
    event = OrderCheckedIn(
        order_id="o", station_id="s", action="entered", stations=("s",), workers=("w",)
    )
    assert event.payload() == {"orderId": "o", "stationId": "s", "action": "entered"}


def test_a_field_with_a_default_is_sent_only_with_another_value():
    required = {"paneNumber": "PNE-0001", "paneId": "p", "toStation": "s"}
    assert arrival(from_station=None).payload() == {**required, "fromStation": None}
    assert arrival(from_station="r", order_id="o", is_remake=True).payload() == {
        **required,
        "fromStation": "r",
        "orderId": "o",
        "isRemake": True,
    }


def test_an_event_has_all_its_fields_and_cannot_be_changed():
    with pytest.raises(TypeError, match="from_station"):
        arrival()
    with pytest.raises(FrozenInstanceError):
        arrival(from_station=None).pane_number = "PNE-0002"
