"""Permission keys of the workshop's own: what they grant, and what READ_ALL opens."""

import pytest

from glassflow.app import create_app
from glassflow.settings import SettingsError, load_settings
from scenarios import order_with_panes
from screens import Screen

OTHER_STATION = "Not authorized to scan at this station"
STATION_KEY = "station:enter:0123456789abcdef01234567"


@pytest.fixture
def compat(set_policy, store):
    """The permission settings of the profile for clients of the replaced service."""
    settings = load_settings("testing,compat", env={"MONGODB_URI": store})
    sets = settings["PERMISSION_SETS"].items()
    set_policy(
        free_permission_keys=settings["FREE_PERMISSION_KEYS"],
        read_all=settings["READ_ALL"],
        permission_sets=tuple((name, frozenset(keys)) for name, keys in sets),
    )


def test_set_that_grants_an_unknown_key_is_refused_at_the_start(monkeypatch):
    monkeypatch.setattr("glassflow.app._connect_store", lambda _: None)
    settings = load_settings("testing", env={"PERMISSION_SETS": "enter:*=panes:fly"})
    with pytest.raises(SettingsError, match="grants panes:fly, which the catalogue"):
        create_app(settings)


def test_worker_who_may_enter_a_station_scans_and_reads(
    compat, client_with_keys, admin, workshop
):
    job = order_with_panes(admin, workshop)
    here, next_one = job.stations[:2]
    operator = client_with_keys(f"station:enter:{here}")
    assert operator.scan(job.numbers[0], "scan_in").status == 200
    assert operator.get("/api/orders").status == 200
    assert operator.patch(f"/api/panes/{job.numbers[0]}", {}).status == 403
    assert operator.scan(job.numbers[0], "complete", station=here).status == 200
    refused = operator.scan(job.numbers[0], "scan_in", station=next_one)
    assert (refused.status, refused.body["message"]) == (403, OTHER_STATION)


def test_worker_of_another_station_scans_none_of_its_panes(
    compat, client_with_keys, admin, workshop
):
    job = order_with_panes(admin, workshop, panes=2)
    operator = client_with_keys(f"station:enter:{job.stations[1]}")
    assert operator.scan(job.numbers[0], "scan_in").status == 403
    batch = {"action": "scan_in", "paneNumbers": job.numbers}
    rack = admin.post("/api/racks", {"name": "A"}).data["_id"]
    admin.post(f"/api/racks/{rack}/put", {"paneNumbers": job.numbers})
    panes = {"paneNumbers": job.numbers, "station": job.stations[0]}
    for path, body in (
        ("/api/panes/batch-scan", batch),
        (f"/api/racks/{rack}/scan", batch),
        (f"/api/racks/{rack}/put", panes),
        (f"/api/racks/{rack}/take-off", panes),
    ):
        refused = operator.post(path, body)
        assert (refused.status, refused.body["message"]) == (403, OTHER_STATION), path


@pytest.mark.parametrize("more", ["panes:scan", "panes:manage", "station:enter:*"])
def test_worker_with_another_grant_of_scans_may_scan_everywhere(
    compat, client_with_keys, admin, workshop, more
):
    job = order_with_panes(admin, workshop)
    operator = client_with_keys(f"station:enter:{job.stations[1]}", more)
    assert operator.scan(job.numbers[0], "scan_in").status == 200


def test_without_the_setting_a_free_key_grants_nothing(
    set_policy, client_with_keys, admin, workshop
):
    set_policy(free_permission_keys=True)
    job = order_with_panes(admin, workshop)
    operator = client_with_keys(STATION_KEY)
    assert operator.scan(job.numbers[0], "scan_in").status == 403
    assert operator.get("/api/orders").status == 403


@pytest.mark.parametrize(
    ("key", "path", "body"),
    [
        ("orders:create", "/api/requests", {}),
        ("orders:manage", "/api/customers", {}),
        ("inventory:manage", "/api/materials", {}),
        ("production:manage", "/api/production-logs", {}),
        ("settings:manage", "/api/job-types", {}),
        ("stickers:manage", "/api/sticker-templates", {}),
        ("stations:manage", "/api/station-templates", {}),
        ("users:manage", "/api/workers", {}),
        (STATION_KEY, "/api/withdrawals", {}),
    ],
)
def test_keys_of_the_existing_role_editor_grant_what_they_stand_for(
    compat, client_with_keys, key, path, body
):
    assert client_with_keys(key).post(path, body).status == 400  # allowed, but empty
    assert client_with_keys("stickers:view").post(path, body).status == 403


def test_sets_of_compat_are_those_of_the_existing_role_editor(tmp_path):
    settings = load_settings("compat", env={"DATA_DIR": str(tmp_path)})
    granted = {
        key: " ".join(sorted(keys)) for key, keys in settings["PERMISSION_SETS"].items()
    }
    assert granted == {
        "orders:create": "panes:create requests:manage",
        "orders:manage": "customers:manage panes:manage requests:manage",
        "inventory:manage": "claims:manage material_logs:manage materials:manage"
        " withdrawals:manage",
        "production:manage": "panes:manage production_logs:manage",
        "settings:manage": "job_types:manage pricing:manage",
        "stickers:manage": "sticker_templates:manage",
        "stations:manage": "station_templates:manage",
        "users:view": "roles:view workers:view",
        "users:manage": "roles:view workers:manage",
        "station:enter:*": "claims:create inventory:move panes:scan"
        " production_logs:create withdrawals:create",
    }


def test_role_editor_stores_its_keys_and_unknown_ones_that_grant_nothing(
    compat, admin, workshop
):
    keys = [STATION_KEY, "production:manage", "unheard:of"]
    role = admin.post("/api/roles", {"name": "Floor", "permissions": keys}).data
    assert role["permissions"] == keys


def test_keys_of_a_set_are_known_without_free_keys(admin, set_policy):
    set_policy(permission_sets=(("station:enter:*", frozenset({"panes:scan"})),))
    body = {"name": "a", "permissions": [STATION_KEY]}
    assert admin.post("/api/roles", body).status == 201
    body["permissions"].append("unheard:of")
    faults = admin.post("/api/roles", body).faults
    assert faults == {"permissions.1": "Unknown permission key: unheard:of"}


def test_nobody_gives_what_a_set_grants_beyond_their_own_keys(
    compat, client_with_keys, workshop
):
    editor = client_with_keys("users:manage", "roles:manage", STATION_KEY)
    strong = workshop.role(permissions=["stickers:manage"])
    equal = workshop.role(permissions=[STATION_KEY])
    worker = workshop.worker(role=workshop.role(permissions=[]))
    path = f"/api/workers/{worker.pk}"
    assert editor.patch(path, {"role": str(strong.pk)}).status == 403
    assert editor.patch(path, {"role": str(equal.pk)}).status == 200
    made = {"name": "a", "permissions": ["sticker_templates:manage"]}
    assert editor.post("/api/roles", made).status == 403
    made = {"name": "a", "permissions": ["panes:scan", "claims:create"]}
    assert editor.post("/api/roles", made).status == 201


def test_read_all_opens_reads_and_rooms_to_every_worker(
    set_policy, client_with_keys, admin
):
    material = {"name": "Clear", "unit": "sheet", "reorderPoint": 0}
    client = client_with_keys()
    assert client.get("/api/materials").status == 403
    set_policy(read_all=True)
    assert client.get("/api/materials").status == 200
    assert client.post("/api/materials", material).status == 403
    screen = Screen(client).join("join_inventory")
    admin.post("/api/materials", material)
    screen.wait_for(lambda: screen.payloads("material:updated"))
    screen.close()


def test_low_stock_is_reported_to_who_manages_the_stock_by_a_set(
    set_policy, client_with_keys, admin, workshop
):
    keys = frozenset({"inventory:manage"})
    set_policy(permission_sets=(("store:keep", keys),))
    keeper = client_with_keys("store:keep", "notifications:view")
    material = str(workshop.material(reorder_point=5).pk)
    lot = {"material": material, "stockType": "Raw", "quantity": 9, "location": "A"}
    made = admin.post("/api/inventories", lot).data
    changed = admin.patch(f"/api/inventories/{made['_id']}", {"quantity": 1})
    assert changed.status == 200
    assert len(keeper.get("/api/notifications").data) == 1
