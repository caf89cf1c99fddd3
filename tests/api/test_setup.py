"""The set-up of an empty workshop: its steps, and ready-made records."""

from concurrency import run_concurrently
from glassflow.models.role import Role
from glassflow.models.sticker_template import StickerTemplate
from glassflow.services import seeding

PATH = "/api/setup"
STATIONS, LABELS = f"{PATH}/stations", f"{PATH}/labels"


def state(client):
    """What the steps say: {name: (is it done, how many records)}."""
    steps = client.get(PATH).data["steps"]
    return {one["name"]: (one["isDone"], one["count"]) for one in steps}


def test_each_step_is_done_by_the_records_that_it_asks_for(admin, workshop):
    assert state(admin) == {
        "workshop": (False, None),
        "stations": (False, 0),
        "hours": (False, None),
        "prices": (False, None),
        "materials": (False, 0),
        "labels": (False, 0),
        "people": (False, 1),
        "customers": (False, 0),
        "requests": (False, 0),
    }
    workshop.worker()
    workshop.station()
    material = workshop.material()
    assert state(admin)["materials"] == (False, 1)  # of which there is no stock
    lot = {
        "material": str(material.pk),
        "quantity": 1,
        "stockType": "Raw",
        "location": "A",
    }
    assert admin.post("/api/inventories", lot).status == 201
    customer = workshop.customer()
    admin.post(LABELS, {})
    admin.put("/api/pricing-settings", {"isExample": False})
    admin.put("/api/workshop", {"name": "Ruam Glass"})
    assert state(admin)["workshop"] == (False, None)  # papers lack its address
    admin.put("/api/workshop", {"address": "99/1 Bangkok"})
    assert state(admin)["workshop"] == (True, None)
    office = [{"start": "08:00", "end": "17:00"}]
    admin.put("/api/working-hours", {"week": {"monday": office}})
    assert state(admin)["hours"] == (True, None)
    assert not admin.get(PATH).data["isComplete"]
    request = {"customer": str(customer.pk), "details": {"type": "x", "quantity": 1}}
    assert admin.post("/api/requests", request).status == 201
    assert admin.get(PATH).data["isComplete"]


def test_accounts_of_screens_and_former_workers_are_no_people(admin, workshop):
    seeding.seed_roles()
    workshop.worker(role=Role.objects.get(slug="screen"))
    workshop.worker(is_active=False)
    assert state(admin)["people"] == (False, 1)


def test_worker_is_shown_the_steps_that_their_keys_allow(client_with_keys):
    keys = client_with_keys("stations:view", "customers:manage", "workers:view")
    assert [*state(keys)] == ["customers"]
    nothing = client_with_keys("panes:scan").get(PATH).data
    assert nothing == {"steps": [], "isComplete": True}


def test_ready_made_stations_come_with_templates_and_with_job_types_that_pass_them(
    admin,
):
    answer = admin.post(STATIONS, {})
    assert answer.status == 200
    assert answer.data["added"] == {
        "station templates": 7,
        "stations": 8,
        "job types": 8,
    }
    stations = admin.get("/api/stations", sort="position").data
    assert [one["position"] for one in stations] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert len({one["colorId"] for one in stations}) == 8
    templates = {one["_id"] for one in admin.get("/api/station-templates").data}
    assert {one["templateId"] for one in stations} <= templates
    laminating = {one["_id"] for one in stations if one["isLaminateStation"]}
    known = {one["_id"] for one in stations}
    for job_type in admin.get("/api/job-types").data:
        route = job_type["defaultRouting"]
        assert len(route) > 3
        assert set(route) <= known
        is_laminated = job_type["sheetsPerPane"] > 1
        assert bool(laminating.intersection(route)) == is_laminated, job_type["name"]


def test_ready_made_stations_are_added_once_and_only_to_a_workshop_without_any(
    admin, workshop
):
    answers = run_concurrently([lambda: admin.post(STATIONS, {})] * 3)
    assert sorted(one.status for one in answers) == [200, 409, 409]
    assert len(admin.get("/api/stations").data) == 8
    refused = admin.post(STATIONS, {})
    assert refused.status == 409
    assert "There are stations already" in refused.message


def test_ready_made_stations_are_answered_again_to_the_same_key(admin):
    first, again = (
        admin.post(STATIONS, {}, headers={"Idempotency-Key": "stations"})
        for _ in range(2)
    )
    assert first.status == 200
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.text == first.text


def test_ready_made_stations_need_the_keys_of_all_that_they_add(client_with_keys):
    keys = ["stations:manage", "station_templates:manage", "job_types:manage"]
    for missing in keys:
        client = client_with_keys(*(one for one in keys if one != missing))
        assert client.post(STATIONS, {}).status == 403
    assert client_with_keys(*keys).post(STATIONS, {}).status == 200


def test_ready_made_label_templates_are_those_that_are_missing(admin):
    assert admin.post(LABELS, {}).data["added"] == {"sticker templates": 3}
    made = admin.get("/api/sticker-templates", sort="name").data
    assert {one["name"]: (one["width"], one["height"]) for one in made} == {
        "A4 sheet": (63.5, 38.1),
        "default": (60, 40),
        "delivery": (100, 70),
    }
    assert admin.delete(f"/api/sticker-templates/{made[0]['_id']}").status == 200
    assert admin.post(LABELS, {}).data["added"] == {"sticker templates": 1}


def test_templates_of_a_new_store_are_added_before_its_first_worker_only(app, workshop):
    prepared = app.test_cli_runner().invoke(args=["seed", "templates"])
    assert prepared.output == (
        "station templates: 1 added, 0 already there\n"
        "sticker templates: 3 added, 0 already there\n"
    )
    StickerTemplate.objects.delete()  # by a workshop that has its own
    workshop.worker()
    assert seeding.seed_new_store() == ()
    assert StickerTemplate.objects.count() == 0
