"""Stations: where panes are worked on."""

import pytest

from glassflow.core.process import deadlines
from tables_api import import_rows

PATH = "/api/stations"


@pytest.fixture
def station(workshop):
    """The body of a new station."""
    return {"name": "ตัดกระจก", "templateId": str(workshop.template().pk)}


def test_station_is_created_with_defaults(admin, station):
    made = admin.post(PATH, station).data
    assert made["templateId"] == station["templateId"]
    assert (made["colorId"], made["status"]) == ("sky", "offline")
    assert made["isLaminateStation"] is False
    assert made["showWithdrawClaimActions"] is True
    assert admin.get(f"{PATH}/{made['_id']}").data == made


def test_new_station_comes_after_all_others(admin, station):
    def position(of):
        return admin.get(f"{PATH}/{of['_id']}").data["position"]

    first, second = (admin.post(PATH, station).data for _ in range(2))
    assert (position(first), position(second)) == (1, 2)
    assert admin.patch(f"{PATH}/{second['_id']}", {"position": 40}).status == 200
    third = admin.post(PATH, station).data
    assert position(third) == 41
    assert admin.patch(f"{PATH}/{first['_id']}", {"position": None}).status == 200
    assert position(first) == 42
    assert admin.patch(f"{PATH}/{first['_id']}", {"notes": "x"}).data["position"] == 42
    named = admin.post(PATH, {**station, "position": 7}).data
    assert position(named) == 7


def test_imported_stations_have_the_order_of_their_rows(admin, station):
    names = ("ตัด", "เจียร", "ล้าง")
    rows = [{"name": name, "templateId": station["templateId"]} for name in names]
    answer = import_rows(admin, "stations", rows)
    assert answer.status == 200, answer
    found = admin.get(PATH, sort="position").data
    assert [(one["name"], one["position"]) for one in found] == [
        ("ตัด", 1), ("เจียร", 2), ("ล้าง", 3)]  # fmt: skip


def test_stations_have_one_order_everywhere(admin, station):
    for name, position in (("ก", 9), ("ข", 2), ("ค", 5)):
        made = {**station, "name": name, "position": position}
        assert admin.post(PATH, made).status == 201
    wanted = ["ข", "ค", "ก"]
    for found in (
        admin.get(PATH, sort="position").data,
        admin.get("/api/board").data["stations"],
        admin.get("/api/dashboard/stats").data["stations"],
    ):
        assert [one["name"] for one in found] == wanted
    posters = admin.get("/api/labels", format="json", stations="all").data
    assert [one["name"] for one in posters["labels"]] == wanted


def test_every_field_can_be_changed(admin, station, workshop):
    made = admin.post(PATH, station).data
    change = {
        "name": "เจียร",
        "templateId": str(workshop.template().pk),
        "colorId": "slate",
        "status": "maintenance",
        "isLaminateStation": True,
        "isCheckStation": True,
        "isCuttingStation": True,
        "showWithdrawClaimActions": False,
        "notes": "ซ่อมมอเตอร์",
    }
    changed = admin.patch(f"{PATH}/{made['_id']}", change).data
    assert {name: changed[name] for name in change} == change


def test_new_station_is_a_check_station_as_its_template_says(admin):
    templates = "/api/station-templates"
    body = {"name": "QC", "isCheckStation": True}
    template = admin.post(templates, body).data
    station = {"name": "QC", "templateId": template["_id"]}
    made = admin.post(PATH, station).data
    assert made["isCheckStation"] is True
    assert admin.post(PATH, {**station, "isCheckStation": None}).data["isCheckStation"]
    other = admin.post(PATH, {**station, "isCheckStation": False}).data
    assert other["isCheckStation"] is False
    closed = admin.post(PATH, {**station, "status": "maintenance"}).data
    assert closed["isCheckStation"] is True
    rows = [{"name": "QC 2", "templateId": template["_id"]}]
    assert import_rows(admin, "stations", rows).status == 200
    (imported,) = admin.get(PATH, name="QC 2").data
    assert imported["isCheckStation"] is True
    # a later change of the template, or to another one, changes no station
    admin.patch(f"{templates}/{template['_id']}", {"isCheckStation": False})
    plain = admin.post(templates, {"name": "plain"}).data["_id"]
    assert admin.get(f"{PATH}/{made['_id']}").data["isCheckStation"] is True
    moved = admin.patch(f"{PATH}/{made['_id']}", {"templateId": plain}).data
    assert moved["isCheckStation"] is True


def test_template_of_a_station_can_be_populated(admin, station):
    made = admin.post(PATH, station).data
    found = admin.get(f"{PATH}/{made['_id']}", populate="true").data
    assert found["templateId"]["_id"] == station["templateId"]
    assert found["templateId"]["uiSchema"] == {}


def test_stations_are_filtered_by_status(admin, workshop):
    online = workshop.station(status="online")
    workshop.station()
    found = admin.get(PATH, status="online,maintenance").data
    assert [row["_id"] for row in found] == [str(online.pk)]


def test_unknown_template_is_named(admin, station):
    answer = admin.post(PATH, {**station, "templateId": "0123456789abcdef01234567"})
    assert answer.status == 400
    assert "templateId" in answer.message


def test_station_of_a_pane_cannot_be_deleted(admin, workshop):
    station = workshop.station()
    workshop.make("Pane", pane_number="PNE-0001", current_station=station.pk)
    assert admin.delete(f"{PATH}/{station.pk}").status == 409


def test_unused_station_can_be_deleted(admin, workshop):
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
        ({"isCheckStation": "yes"}, "isCheckStation"),
        ({"notes": 5}, "notes"),
    ],
)
def test_bad_input_is_refused(admin, station, change, field):
    assert list(admin.post(PATH, {**station, **change}).faults) == [field]
    made = admin.post(PATH, station).data
    assert list(admin.patch(f"{PATH}/{made['_id']}", change).faults) == [field]


def test_unknown_station_is_reported_before_an_invalid_body(admin):
    path = "/api/stations/0123456789abcdef01234567"
    for body in ({"name": 5}, {"status": "online"}):
        assert admin.patch(path, body).status == 404
    malformed = admin.call("PATCH", path, data="{", headers={"Content-Type": "text/x"})
    assert malformed.status == 404


def test_renamed_station_is_shown_by_its_new_name_at_once(admin, workshop, monkeypatch):
    monkeypatch.setattr(deadlines, "RECORD_CACHE_S", 1e6)
    station = str(workshop.station().pk)
    pane = admin.post("/api/panes", {"routing": [station]}).data["_id"]

    def shown():
        found = admin.get(f"/api/panes/{pane}", populate="currentStation").data
        return found["currentStation"]["name"]

    shown()
    assert admin.patch(f"/api/stations/{station}", {"name": "ตัด"}).status == 200
    assert shown() == "ตัด"
