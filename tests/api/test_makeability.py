"""The limits of making: one document, and what the service says about panes beyond them."""

import pytest

from glassflow.models.makeability_limits import MakeabilityLimits, default_limits

PATH = "/api/makeability"
SIDES = {"width": 600, "height": 400, "thickness": 10}
# 8 mm from the edge, which is less than twice the thickness, and than the thickness
HOLE = {"id": "h1", "type": "circle", "x": 18, "y": 200, "diameter": 20}
NEAR_EDGE = {"dimensions": SIDES, "holes": [HOLE]}
MESSAGE = "Hole 1 to the edge: 8 mm, at least 20 mm"
WARNING = {
    "code": "HOLE_EDGE",
    "level": "warning",
    "at": "holes.0.x",
    "least": 20,
    "most": None,
    "actual": 8,
}
TOO_LARGE = {"dimensions": {"width": 2441, "height": 3660}}
STRICT = {"Prefer": "handling=strict"}


@pytest.fixture
def tempered(admin):
    body = {"name": "Tempered", "code": "TEMP", "isTempered": True}
    assert admin.post("/api/job-types", body).status == 201
    return {**NEAR_EDGE, "jobType": "temp"}


def found(pane):
    return [(one["code"], one["level"], one["at"]) for one in pane["makeability"]]


def warnings(answer):
    listed = answer.body.get("warnings", [])
    return [(one["field"], one["message"]) for one in listed]


def test_first_read_creates_the_default_limits_once(admin):
    first = admin.get(PATH).data
    assert (first["limits"], first["isStrict"]) == (default_limits(), False)
    assert admin.get(PATH).data == first
    assert MakeabilityLimits.objects.count() == 1


def test_limits_that_are_not_named_are_kept_and_null_restores_the_default(admin):
    admin.put(PATH, {"limits": {"holeEdge": 7, "heaviest": 80}, "isStrict": True})
    changed = admin.put(PATH, {"limits": {"heaviest": None}}).data
    assert changed["limits"] == {**default_limits(), "holeEdge": 7}
    assert (changed["isStrict"], changed["updatedBy"]) == (True, admin.id)
    restored = admin.put(PATH, {"limits": None, "isStrict": None}).data
    assert (restored["limits"], restored["isStrict"]) == (default_limits(), False)


@pytest.mark.parametrize(
    "limits", [{"ovenShort": 0}, {"holeEdge": -1}, {"heaviest": "50"}, {"mostHoles": 0}]
)
def test_limit_that_limits_everything_is_refused(admin, limits):
    (name,) = limits
    assert list(admin.put(PATH, {"limits": limits}).faults) == [f"limits.{name}"]


def test_check_judges_panes_by_the_limits_and_stores_nothing(admin, tempered):
    ask = {"panes": [NEAR_EDGE, tempered, {"dimensions": SIDES}, {}]}
    first, second, *rest = admin.post(f"{PATH}/check", ask).data["panes"]
    assert first["findings"] == [{**WARNING, "message": MESSAGE}]
    assert [one["level"] for one in second["findings"]] == ["refusal"]
    assert rest == [{"findings": []}] * 2
    admin.put(PATH, {"limits": {"holeEdge": 1, "holeEdgeFactor": 0.5}})
    checked = admin.post(f"{PATH}/check", {"panes": [NEAR_EDGE]}).data["panes"]
    assert checked == [{"findings": []}]
    assert admin.get("/api/panes").data == []


def test_message_is_in_the_language_of_the_request_too(admin):
    thai = {"Accept-Language": "th"}
    answer = admin.post(f"{PATH}/check", {"panes": [NEAR_EDGE]}, headers=thai)
    (finding,) = answer.data["panes"][0]["findings"]
    assert finding["localMessage"] == "รูที่ 1 ห่างจากขอบ 8 มม. ต้องไม่น้อยกว่า 20 มม."
    assert answer.headers["Content-Language"] == "th"


def test_new_pane_keeps_its_findings_and_its_answer_warns(admin, tempered):
    answer = admin.post("/api/panes", {**NEAR_EDGE, "makeability": []})
    assert answer.data["makeability"] == [WARNING]
    assert warnings(answer) == [("holes.0.x", MESSAGE)]
    body = {"items": [{}, NEAR_EDGE, tempered]}
    many = admin.post("/api/panes", body)
    assert [len(one["makeability"]) for one in many.data] == [0, 1, 1]
    assert [field for field, _ in warnings(many)] == [
        "items.1.holes.0.x",
        "items.2.holes.0.x",
    ]


def test_change_judges_again_what_the_findings_depend_on_only(admin, tempered):
    path = f"/api/panes/{admin.post('/api/panes', NEAR_EDGE).data['_id']}"
    admin.put(PATH, {"limits": {"holeEdge": 30}})
    noted = admin.patch(path, {"notes": "x"})
    assert (noted.data["makeability"], warnings(noted)) == ([WARNING], [])
    moved = admin.patch(path, {"jobType": tempered["jobType"]})
    assert found(moved.data) == [("HOLE_EDGE", "refusal", "holes.0.x")]
    assert warnings(moved)[0][0] == "holes.0.x"
    inside = admin.patch(path, {"holes": [{**HOLE, "x": 300}]})
    assert (inside.data["makeability"], warnings(inside)) == ([], [])


def test_panes_of_a_request_are_judged_once_for_their_quantity(
    admin, workshop, tempered
):
    request = {
        "customer": str(workshop.customer().pk),
        "details": {"type": "a", "quantity": 1},
        "panes": [{}, {**tempered, "quantity": 2}],
    }
    answer = admin.post("/api/requests", request)
    assert [len(one["makeability"]) for one in answer.data["panes"]] == [0, 1, 1]
    assert [field for field, _ in warnings(answer)] == ["panes.1.holes.0.x"]
    path = f"/api/requests/{answer.data['_id']}/panes"
    added = admin.post(path, {"panes": [NEAR_EDGE]})
    assert warnings(added) == [("panes.0.holes.0.x", MESSAGE)]


def test_sheets_have_the_findings_of_their_unit(admin, workshop):
    station = str(workshop.station(is_laminate_station=True).pk)
    raw = {"thickness": 10, "sheetsPerPane": 2}
    first = str(workshop.station().pk)
    unit = {**NEAR_EDGE, "rawGlass": raw, "routing": [first, station]}
    made = admin.post("/api/panes", unit).data
    panes = [made["parent"], *made["sheets"]]
    assert [one["makeability"] for one in panes] == [[WARNING]] * 3


def test_finding_is_no_fault_for_a_client_that_prefers_strict_handling(admin):
    made = admin.post("/api/panes", TOO_LARGE, headers=STRICT)
    assert (made.status, warnings(made)[0][0]) == (201, "dimensions.width")
    path = f"/api/panes/{made.data['_id']}"
    changed = admin.patch(path, NEAR_EDGE, headers=STRICT)
    assert (changed.status, warnings(changed)) == (200, [("holes.0.x", MESSAGE)])


def order_of(admin, workshop, *panes):
    customer = str(workshop.customer().pk)
    request = {"customer": customer, "details": {"type": "a", "quantity": 1}}
    made = admin.post("/api/requests", {**request, "panes": panes}).data
    material = str(workshop.material().pk)
    order = {"request": made["_id"], "customer": customer, "material": material}
    return made["panes"], {**order, "quantity": 1}


def test_order_warns_of_its_panes_by_their_numbers(admin, workshop):
    (pane, large), order = order_of(admin, workshop, NEAR_EDGE, TOO_LARGE)
    answer = admin.post("/api/orders", order, headers=STRICT)
    assert answer.status == 201
    assert [field for field, _ in warnings(answer)] == [
        f"panes.{pane['paneNumber']}.holes.0.x",
        f"panes.{large['paneNumber']}.dimensions.width",
    ]


def test_strict_workshop_refuses_an_order_of_panes_that_cannot_be_made(admin, workshop):
    admin.put(PATH, {"isStrict": True})
    (_, large), order = order_of(admin, workshop, NEAR_EDGE, TOO_LARGE)
    refused = admin.post("/api/orders", order)
    assert (refused.status, refused.errors["code"]) == (400, "NOT_MAKEABLE")
    (fault,) = refused.errors["panes"]
    assert fault["paneNumber"] == large["paneNumber"]
    assert [one["at"] for one in fault["findings"]] == ["dimensions.width"]
    assert large["paneNumber"] in refused.message
    assert "at most 2440 mm" in refused.message
    admin.patch(f"/api/panes/{large['_id']}", {"dimensions": {"width": 2440}})
    assert admin.post("/api/orders", order).status == 201


def test_strict_workshop_refuses_such_a_pane_for_an_order_that_exists(admin, workshop):
    (_,), order = order_of(admin, workshop, NEAR_EDGE)
    made = admin.post("/api/orders", order).data
    admin.put(PATH, {"isStrict": True})
    added = {"panes": [TOO_LARGE], "order": made["_id"]}
    ways = [
        (f"/api/requests/{order['request']}/panes", added),
        ("/api/panes", {**TOO_LARGE, "order": made["_id"]}),
    ]
    for path, body in ways:
        refused = admin.post(path, body)
        assert (refused.status, refused.errors["code"]) == (400, "NOT_MAKEABLE")
    assert len(admin.get("/api/panes", request=order["request"]).data) == 1
    del added["order"]
    assert admin.post(ways[0][0], added).status == 201
