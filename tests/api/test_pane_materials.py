"""Panes of several kinds of glass in one order: `paneMaterials` gives each its material."""

import pytest

from concurrency import run_concurrently

UNKNOWN = "0" * 24
THOUSAND, PART = 1000, 100  # panes of a large request, ids of one entry


def make_request(admin, customer, panes, **fields):
    details = {"type": "window", "quantity": len(panes)}
    body = {"customer": customer, "details": details, "panes": panes}
    return admin.post("/api/requests", {**body, **fields}).data


@pytest.fixture
def job(admin, workshop):
    """A request with two panes and a laminated unit, and the body that orders them."""
    station, lamination = workshop.station(), workshop.station(is_laminate_station=True)
    routing = [str(station.pk), str(lamination.pk)]
    unit = {"routing": routing, "rawGlass": {"sheetsPerPane": 2}}
    customer = str(workshop.customer().pk)
    request = make_request(admin, customer, [{}, {}, unit])
    body = {
        "customer": customer,
        "material": str(workshop.material(name="Clear").pk),
        "quantity": 3,
        "request": request["_id"],
    }
    return request, body


def panes_of(admin, request):
    query = {"request": request["_id"], "sort": "paneNumber", "limit": 100}
    return admin.get("/api/panes", **query).data


def order_with(admin, body, *entries):
    chosen = [{"panes": panes, "material": material} for panes, material in entries]
    return admin.post("/api/orders", {**body, "paneMaterials": chosen})


def test_order_gives_each_pane_the_material_that_is_chosen_for_it(admin, workshop, job):
    request, body = job
    green, laminated = (str(workshop.material(name=one).pk) for one in ("G", "L"))
    first, second, *unit = panes_of(admin, request)
    entries = ([second["_id"]], green), ([unit[0]["_id"]], laminated)
    made = order_with(admin, body, *entries)
    assert made.status == 201
    assert made.data["material"] == body["material"]
    assert "paneMaterials" not in made.data
    panes = panes_of(admin, request)
    assert {one["order"] for one in panes} == {made.data["_id"]}
    # the sheets of a unit have its material
    expected = [body["material"], green, laminated, laminated, laminated]
    assert [one["material"] for one in panes] == expected
    assert panes[0]["_id"] == first["_id"]


def test_fault_of_the_list_is_named_and_nothing_is_changed(admin, workshop, job):
    request, body = job
    green, other = (str(workshop.material(name=one).pk) for one in ("G", "O"))
    gone = str(workshop.material(name="Gone", is_active=False).pk)
    one, two, parent, sheet, _ = [pane["_id"] for pane in panes_of(admin, request)]
    assert admin.patch(f"/api/panes/{two}", {"material": other}).status == 200
    (foreign,) = panes_of(admin, make_request(admin, body["customer"], [{}]))
    before = panes_of(admin, request)
    for entries, field, message in (
        ([([one], UNKNOWN)], "0.material", "Material not found"),
        ([([one], gone)], "0.material", "not active"),
        ([([one], green), ([foreign["_id"]], green)], "1.panes.0", "not take over"),
        ([([one, UNKNOWN], green)], "0.panes.1", "not take over"),
        ([([one, one], green)], "0.panes.1", "named twice"),
        ([([one], green), ([one], green)], "1.panes.0", "named twice"),
        ([([parent], green), ([sheet], other)], "1.panes.0", "named twice"),
        ([([one, two], green)], "0.panes.1", "another material"),
        ([([], green)], "0.panes", "Shorter"),
        ([([one], None)], "0.material", "Choose one"),
    ):
        refused = order_with(admin, body, *entries)
        assert refused.status == 400, entries
        (fault,) = refused.errors
        assert fault["field"] == f"paneMaterials.{field}"
        assert message in fault["message"], fault
    assert admin.get("/api/orders").data == []
    assert panes_of(admin, request) == before
    assert order_with(admin, body, ([one], green), ([two], other)).status == 201


def test_order_that_takes_over_no_pane_refuses_the_list(admin, workshop, job):
    request, body = job
    pane = panes_of(admin, request)[0]["_id"]
    entry = ([pane], body["material"])
    for changed in ({"status": "cancelled"}, {"request": None}):
        refused = order_with(admin, {**body, **changed}, entry)
        assert refused.status == 400
        assert refused.errors[0]["field"] == "paneMaterials.0.panes.0"
    made = order_with(admin, body, entry).data
    answer = admin.patch(f"/api/orders/{made['_id']}", {"paneMaterials": []})
    assert answer.body["warnings"][0]["field"] == "paneMaterials"


def test_one_of_several_concurrent_orders_gives_the_materials(admin, workshop, job):
    request, body = job
    green = str(workshop.material(name="G").pk)
    pane = panes_of(admin, request)[1]["_id"]
    made = run_concurrently([lambda: order_with(admin, body, ([pane], green))] * 4)
    (order,) = [one.data["_id"] for one in made if one.status == 201]
    panes = panes_of(admin, request)
    assert {one["order"] for one in panes} == {order}
    assert [one["material"] for one in panes[:2]] == [body["material"], green]
    assert len(admin.get("/api/orders").data) == 1  # nobody else made an empty one


@pytest.mark.slow
def test_thousand_panes_of_three_kinds_become_one_order(admin, workshop):
    customer = str(workshop.customer().pk)
    request = make_request(admin, customer, [{"quantity": THOUSAND // 2}])
    path = f"/api/requests/{request['_id']}/panes"
    more = {"panes": [{"quantity": THOUSAND // 2}]}
    assert admin.post(path, more).status == 201
    ids, page = [], 1
    while len(ids) < THOUSAND:
        query = {"request": request["_id"], "limit": 100, "page": page}
        ids += [one["_id"] for one in admin.get("/api/panes", **query).data]
        page += 1
    clear, green, grey = (
        str(workshop.material(name=one).pk) for one in ("C", "N", "Y")
    )
    third = THOUSAND // 3
    entries = [
        (chosen[at : at + PART], material)
        for chosen, material in ((ids[:third], green), (ids[third : 2 * third], grey))
        for at in range(0, third, PART)
    ]
    body = {"customer": customer, "material": clear, "quantity": THOUSAND}
    made = order_with(admin, {**body, "request": request["_id"]}, *entries)
    assert (made.status, made.data["paneCount"]) == (201, THOUSAND)
    counts = [
        admin.get("/api/panes", order=made.data["_id"], material=one).body["pagination"]
        for one in (clear, green, grey)
    ]
    assert [one["total"] for one in counts] == [THOUSAND - 2 * third, third, third]
