"""Stations: where panes are worked on."""

import pytest

PATH = "/api/stations"


@pytest.fixture
def station(workshop):
    """The body of a new station."""
    return {"name": "ตัดกระจก", "templateId": str(workshop.template().pk)}


def test_a_station_is_made_with_its_defaults(admin, station):
    made = admin.post(PATH, station).data
    assert made["templateId"] == station["templateId"]
    assert (made["colorId"], made["status"]) == ("sky", "offline")
    assert made["isLaminateStation"] is False
    assert made["showWithdrawClaimActions"] is True
    assert admin.get(f"{PATH}/{made['_id']}").data == made


def test_every_field_can_be_changed(admin, station, workshop):
    made = admin.post(PATH, station).data
    change = {
        "name": "เจียร",
        "templateId": str(workshop.template().pk),
        "colorId": "slate",
        "status": "maintenance",
        "isLaminateStation": True,
        "showWithdrawClaimActions": False,
        "notes": "ซ่อมมอเตอร์",
    }
    changed = admin.patch(f"{PATH}/{made['_id']}", change).data
    assert {name: changed[name] for name in change} == change


def test_the_template_can_be_read_whole(admin, station):
    made = admin.post(PATH, station).data
    found = admin.get(f"{PATH}/{made['_id']}", populate="true").data
    assert found["templateId"]["_id"] == station["templateId"]
    assert found["templateId"]["uiSchema"] == {}


def test_stations_are_filtered_by_status(admin, workshop):
    online = workshop.station(status="online")
    workshop.station()
    found = admin.get(PATH, status="online,maintenance").data
    assert [row["_id"] for row in found] == [str(online.pk)]


def test_an_unknown_template_is_named(admin, station):
    answer = admin.post(PATH, {**station, "templateId": "0123456789abcdef01234567"})
    assert answer.status == 400
    assert "templateId" in answer.message


def test_a_station_where_a_pane_stands_stays(admin, workshop):
    station = workshop.station()
    workshop.make("Pane", pane_number="PNE-0001", current_station=station.pk)
    assert admin.delete(f"{PATH}/{station.pk}").status == 409


def test_a_station_nobody_needs_goes(admin, workshop):
    station = workshop.station()
    assert admin.delete(f"{PATH}/{station.pk}").status == 200
    assert admin.get(f"{PATH}/{station.pk}").status == 404


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"templateId": ""}, "templateId"),
        ({"templateId": None}, "templateId"),
        ({"templateId": "basic"}, "templateId"),
        ({"colorId": "black"}, "colorId"),
        ({"status": "broken"}, "status"),
        ({"isLaminateStation": 1}, "isLaminateStation"),
        ({"notes": 5}, "notes"),
    ],
)
def test_bad_input_is_refused(admin, station, change, field):
    assert list(admin.post(PATH, {**station, **change}).faults) == [field]
    made = admin.post(PATH, station).data
    assert list(admin.patch(f"{PATH}/{made['_id']}", change).faults) == [field]
