"""The tables of the interface, written again and compared with the running service.

Nothing is imported from the code: this is an independent reading of the contract.
"""

import pytest

from glassflow.realtime import PATH as SOCKET_PATH
from screens import Joined, Screen

PERMISSION_KEYS = """
workers:view workers:manage
customers:view customers:manage
materials:view materials:manage
inventory:view inventory:move inventory:manage
material_logs:view material_logs:manage
requests:view requests:manage
orders:view orders:create orders:manage
claims:view claims:create claims:approve claims:manage
panes:view panes:create panes:scan panes:manage
pane_logs:view
production_logs:view production_logs:create production_logs:manage
stations:view stations:manage
station_templates:view station_templates:manage
sticker_templates:view sticker_templates:manage
job_types:view job_types:manage
pricing:view pricing:manage
notifications:view notifications:create notifications:manage
withdrawals:view withdrawals:create withdrawals:manage
roles:view roles:manage
""".split()

WORKER_DOES = {
    "claims:create",
    "panes:scan",
    "pane_logs:view",
    "production_logs:create",
    "inventory:move",
    "withdrawals:create",
}

# Resource, and the fields of its record that the interface names.
FIELDS = {
    "workers": "_id name username position role notificationPreferences",
    "roles": "_id name slug permissions isSystem",
    "customers": "_id name address phone discount notes",
    "materials": "_id name unit reorderPoint specDetails",
    "requests": "_id requestNumber details customer deadline deliveryLocation "
    "assignedTo expectedDeliveryDate",
    "claims": "claimNumber order source material description reportedBy pane "
    "defectCode defectStation status decision approvedBy remadePane photos claimDate",
    "stations": "name templateId colorId status isLaminateStation notes",
    "production-logs": "pane order station operator defectCode reworkReason qcResults "
    "startedAt completedAt durationMs",
    "sticker-templates": "name width height elements",
    "notifications": "recipient type title message referenceId referenceType priority "
    "readStatus",
    "panes": "currentStation routing customRouting dimensions jobType rawGlass "
    "glassType glassTypeLabel holes notches cornerSpec dimensionTolerance processes "
    "edgeTasks material notes",
    "withdrawals": "withdrawalNumber",
    "orders": "orderNumber",
}


@pytest.fixture
def records(admin, workshop):
    """One record of each resource, made through the interface itself."""
    customer = admin.post("/api/customers", {"name": "บ้านกระจก"}).data
    material = admin.post(
        "/api/materials", {"name": "ใส 5 มม.", "unit": "แผ่น", "reorderPoint": 3}
    ).data
    lot = {"stockType": "Raw", "quantity": 9, "location": "A-01"}
    admin.post("/api/inventories", {**lot, "material": material["_id"]})
    template = admin.post("/api/station-templates", {"name": "ตัด"}).data
    station = admin.post(
        "/api/stations", {"name": "ตัด", "templateId": template["_id"]}
    ).data
    request = admin.post(
        "/api/requests",
        {
            "customer": customer["_id"],
            "details": {"type": "window", "quantity": 1, "estimatedPrice": 900.5},
            "panes": [{"routing": [station["_id"]]}],
        },
    ).data
    order = admin.post(
        "/api/orders",
        {
            "customer": customer["_id"],
            "material": material["_id"],
            "quantity": 1,
            "request": request["_id"],
        },
    ).data
    pane = admin.get("/api/panes", request=request["_id"]).data[0]
    claim = admin.post(
        f"/api/orders/{order['_id']}/claims",
        {
            "source": "worker",
            "material": material["_id"],
            "description": "แตก",
            "reportedBy": admin.id,
        },
    ).data
    return {
        "workers": admin.get("/api/workers").data[0],
        "roles": admin.post("/api/roles", {"name": "Night shift"}).data,
        "customers": customer,
        "materials": material,
        "requests": request,
        "claims": claim,
        "stations": station,
        "orders": order,
        "panes": pane,
        "production-logs": admin.post(
            "/api/production-logs",
            {
                "pane": pane["_id"],
                "order": order["_id"],
                "station": station["_id"],
                "action": "start",
            },
        ).data,
        "sticker-templates": admin.post(
            "/api/sticker-templates", {"name": "s", "width": 50, "height": 30}
        ).data,
        "notifications": admin.post(
            "/api/notifications",
            {"recipient": admin.id, "type": "note", "title": "ประชุม"},
        ).data,
        "withdrawals": admin.post(
            "/api/withdrawals",
            {"material": material["_id"], "quantity": 1, "stockType": "Raw"},
        ).data,
    }


def test_every_record_has_the_fields_of_its_table(admin, records):
    for resource, names in FIELDS.items():
        found = admin.get(f"/api/{resource}/{records[resource]['_id']}").data
        wanted = {*names.split(), "_id", "createdAt", "updatedAt"}
        assert wanted <= set(found), resource


def test_numbers_and_defaults_match_the_tables(records):
    numbers = {
        "requests": ("requestNumber", "REQ-"),
        "orders": ("orderNumber", "ORD-"),
        "panes": ("paneNumber", "PNE-"),
        "claims": ("claimNumber", "CLM-"),
        "withdrawals": ("withdrawalNumber", "WDW-"),
    }
    for resource, (field, prefix) in numbers.items():
        number = records[resource][field]
        digits = number.removeprefix(prefix)
        assert digits.isdigit(), number
        assert len(digits) >= 4, number
    assert (records["claims"]["status"], records["claims"]["photos"]) == ("pending", [])
    station = records["stations"]
    assert (station["colorId"], station["status"], station["isLaminateStation"]) == (
        "sky",
        "offline",
        False,
    )


def test_catalogue_is_the_list_of_keys(worker):
    assert worker.get("/api/roles/permissions").data == PERMISSION_KEYS


def test_system_roles_have_the_keys_of_the_table(admin):
    roles = {role["slug"]: role for role in admin.get("/api/roles").data}
    assert set(roles) == {"admin", "manager", "worker"}
    assert all(role["isSystem"] for role in roles.values())
    assert roles["admin"]["permissions"] == ["*"]
    manager = set(PERMISSION_KEYS) - {"workers:manage", "roles:manage"}
    assert set(roles["manager"]["permissions"]) == manager
    mine = set(roles["worker"]["permissions"])
    assert mine >= WORKER_DOES
    assert {key for key in mine if not key.endswith(":view")} == WORKER_DOES - {
        "pane_logs:view"
    }
    for role in roles.values():
        answer = admin.delete(f"/api/roles/{role['_id']}")
        assert answer.status == 400, answer


def test_every_answer_has_the_envelope_and_lists_have_pages(admin, records):
    for resource in FIELDS:
        answer = admin.get(f"/api/{resource}")
        assert set(answer.body) == {"success", "message", "data", "pagination"}
        assert answer.body["success"] is True
        assert isinstance(answer.message, str)
        assert set(answer.body["pagination"]) == {
            "page",
            "limit",
            "total",
            "totalPages",
        }
        assert answer.body["pagination"]["limit"] == 20
        assert all(type(n) is int for n in answer.body["pagination"].values())
    for limit, given in ((0, 1), (-5, 1), (100, 100), (101, 100), (7, 7)):
        page = admin.get("/api/requests", limit=limit, page=0).body["pagination"]
        assert (page["limit"], page["page"]) == (given, 1)


def test_lists_are_sorted_newest_first_by_default(admin):
    for name in ("b", "a", "c"):
        admin.post("/api/sticker-templates", {"name": name, "width": 1, "height": 1})

    def names(**query):
        found = admin.get("/api/sticker-templates", **query).data
        return "".join(one["name"] for one in found)

    assert (names(), names(sort="name"), names(sort="-name")) == ("cab", "abc", "cba")


LIMITS = [
    ("customers", {"name": ""}, "name"),
    ("customers", {"name": "a", "discount": -0.1}, "discount"),
    ("customers", {"name": "a", "discount": 100.1}, "discount"),
    ("stations", {"name": "", "templateId": "x"}, "name"),
    ("stations", {"name": "a", "templateId": ""}, "templateId"),
    ("stations", {"name": "a", "templateId": "x", "colorId": "black"}, "colorId"),
    ("stations", {"name": "a", "templateId": "x", "status": "broken"}, "status"),
    ("requests", {"customer": "", "details": {}}, "customer"),
    ("notifications", {"recipient": "", "type": "a", "title": "b"}, "recipient"),
    ("notifications", {"recipient": "x", "type": "", "title": "b"}, "type"),
    ("notifications", {"recipient": "x", "type": "a", "title": ""}, "title"),
    ("notifications", {"priority": "extreme"}, "priority"),
]


@pytest.mark.parametrize(("resource", "body", "field"), LIMITS)
def test_limits_of_the_table_are_validated(admin, resource, body, field):
    answer = admin.post(f"/api/{resource}", body)
    assert answer.message == "Validation failed"
    assert field in answer.faults


def test_optional_texts_with_a_minimum_length_are_unset_by_an_empty_text(
    admin, workshop
):
    customer, details = str(workshop.customer().pk), {"type": "a", "quantity": 1}
    request = {"customer": customer, "details": details, "assignedTo": admin.id}
    note = {"recipient": admin.id, "type": "a", "title": "b"}
    note |= {"referenceId": "x", "referenceType": "Order"}
    for path, body, names in (
        ("/api/requests", request, ["assignedTo"]),
        ("/api/notifications", note, ["referenceId", "referenceType"]),
    ):
        empty, unset = dict.fromkeys(names, ""), dict.fromkeys(names)
        made = admin.post(path, {**body, **empty}).data
        assert {name: made[name] for name in names} == unset
        made = admin.post(path, body).data
        changed = admin.patch(f"{path}/{made['_id']}", empty).data
        assert {name: changed[name] for name in names} == unset


@pytest.mark.parametrize("discount", [0, 100, 12.5])
def test_discount_may_reach_its_bounds(admin, discount):
    answer = admin.post("/api/customers", {"name": "a", "discount": discount})
    assert answer.data["discount"] == discount


@pytest.mark.parametrize("field", ["material", "description", "reportedBy", "source"])
def test_claim_needs_its_required_fields(admin, records, field):
    path = f"/api/orders/{records['orders']['_id']}/claims"
    body = {
        "source": "worker",
        "material": records["materials"]["_id"],
        "description": "x",
        "reportedBy": admin.id,
    }
    for wrong in ({**body, field: ""}, {k: v for k, v in body.items() if k != field}):
        assert field in admin.post(path, wrong).faults


def test_messages_are_the_defined_ones(anonymous, worker, server):
    assert anonymous.get("/api/panes").message == "Not authenticated"
    wrong = anonymous.call("GET", "/api/panes", headers={"Authorization": "Bearer x"})
    assert wrong.message == "Invalid or expired token"
    refused = worker.post("/api/roles", {"name": "x"})
    assert refused.message == "Not authorized for this action"
    body = {"username": "nobody", "password": "x"}
    refused = anonymous.post("/api/auth/login", body)
    assert refused.message == "Invalid username or password"
    assert set(refused.body) == {"success", "message"}


def test_ownership_lets_a_viewer_change_only_what_is_theirs(
    admin, client_with_keys, workshop, records
):
    mine = client_with_keys("orders:view", "claims:view", "notifications:view")
    order = workshop.make(
        "Order",
        order_number="ORD-9001",
        customer=records["customers"]["_id"],
        material=records["materials"]["_id"],
        quantity=1,
        assigned_to=mine.worker.pk,
    )
    claim = workshop.make(
        "Claim",
        claim_number="CLM-9001",
        order=order.pk,
        source="worker",
        material=records["materials"]["_id"],
        description="x",
        reported_by=mine.worker.pk,
    )
    note = workshop.make(
        "Notification", recipient=mine.worker.pk, type="note", title="t"
    )
    own = {
        f"/api/orders/{order.pk}": {"notes": "mine"},
        f"/api/claims/{claim.pk}": {"description": "mine"},
        f"/api/notifications/{note.pk}": {"readStatus": True},
    }
    for path, change in own.items():
        assert mine.patch(path, change).status == 200, path
        assert mine.delete(path).status == 403
    for resource in ("orders", "claims", "notifications"):
        path = f"/api/{resource}/{records[resource]['_id']}"
        assert mine.patch(path, {}).message == "Not authorized for this action"


def test_socket_path_is_that_of_the_interface(worker):
    assert SOCKET_PATH == "/api/socket-entry"
    screen = Screen(worker)
    assert screen.call("join_me") == Joined(f"user:{worker.id}")
    screen.close()
