"""What the steps of the releases change in the data of earlier ones."""

from datetime import UTC, datetime, timedelta

from bson import MaxKey, MinKey, ObjectId, Timestamp
from mongoengine.connection import get_db
from pymongo.collection import Collection
from pymongo.errors import OperationFailure

from billing_scenarios import (
    PANE,
    PRICES,
    deliver,
    entry_of,
    finished,
    forget_prices_of_panes,
)
from figures_recount import forget_earlier_tests
from glassflow.core.events import event_log, history
from glassflow.core.process import clock
from glassflow.core.store import files, migrations
from glassflow.models import indexes
from glassflow.models.claim import Claim
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pricing_settings import PricingSettings
from glassflow.models.station import Station
from glassflow.services import daily_figures, prepare
from glassflow.services import history as service
from lookups import claim_of, order_of, pane_of
from pictures import picture
from scenarios import claim_pane, order_with_panes, pass_station
from stock_api import create_lot, withdraw


def test_photos_become_files_and_orders_are_counted_again_once(
    app, admin, worker, workshop
):
    data_url, content = picture()
    job = order_with_panes(admin, workshop, panes=2, quantity=5)
    claim = claim_pane(worker, job.numbers[0]).data
    decision = {"status": "approved", "decision": "destroy"}
    assert admin.patch(f"/api/claims/{claim['_id']}", decision).status == 200
    counted = order_of(admin, job.order)
    # as an earlier release has stored them
    Pane.collection().update_many({}, {"$unset": {"remade": 1}})
    Order.collection().update_one({}, {"$set": {"paneCount": 2}})
    Claim.collection().update_one({}, {"$set": {"photos": [data_url]}})
    shown = claim_of(worker, claim)["photos"]
    get_db()[migrations.COLLECTION].delete_many({})
    done = app.test_cli_runner().invoke(args=["prepare"])
    assert done.exit_code == 0, done.output
    for name in ("0001_photos_to_files", "0002_order_figures"):
        assert f"migrations: {name} done" in done.output
    (photo,) = Claim.collection().find_one({"_id": ObjectId(claim["_id"])})["photos"]
    assert files.read_files([photo["file"]]) == {photo["file"]: content}
    assert claim_of(worker, claim)["photos"] == shown
    # the history has the same links, and nothing of the picture
    moved, *_ = admin.get(f"/api/claims/{claim['_id']}/history").data
    (change,) = moved["changes"]
    assert (change["from"], change["to"]) == (shown, shown)
    rows = history.of_record("Claim", ObjectId(claim["_id"]))
    assert data_url.partition(",")[2] not in str(rows)
    assert order_of(admin, job.order)["paneCount"] == counted["paneCount"] == 5
    again = app.test_cli_runner().invoke(args=["prepare"])
    assert "migrations: none pending" in again.output


def lists(api):
    """What the lists show of the old records, in the ways that use derived fields."""
    texts = ("ärger", "4711", "2.5", "น้ำ", "nothing")
    names = [
        [one["name"] for one in api.get("/api/customers", search=text).data]
        for text in texts
    ]
    numbers = [
        [one["paneNumber"] for one in api.get("/api/panes", **query).data]
        for query in ({}, {"search": "pne-0107"}, {"includeMerged": "true"})
    ]
    return names, numbers


def test_records_of_early_releases_are_listed_and_nothing_of_old_lists_is_left(
    app, admin
):
    db = get_db()
    row = {"name": "Ärger 4711", "address": "น้ำ", "discount": 2.5, "version": 1}
    db["customers"].insert_one(row)
    for number, status in (("PNE-0107", "pending"), ("PNE-0108", "merged_into")):
        db["panes"].insert_one(
            {"paneNumber": number, "currentStatus": status, "version": 1}
        )
    db["panes"].create_index([("derived", 1)])
    db["panes_search"].insert_one({"text": "x"})
    events = db["event_log"].count_documents({}), db["outbox"].count_documents({})
    db[migrations.COLLECTION].delete_many({"_id": "0003_derived_fields"})
    done = app.test_cli_runner().invoke(args=["migrate"])
    assert done.output == "migrations: 0003_derived_fields done\n"
    assert lists(admin) == (
        [["Ärger 4711"]] * 4 + [[]],
        [["PNE-0107"], ["PNE-0107"], ["PNE-0108", "PNE-0107"]],
    )
    assert {one["version"] for one in db["panes"].find()} == {1}
    left = db["event_log"].count_documents({}), db["outbox"].count_documents({})
    assert left == events
    assert "derived_1" not in db["panes"].index_information()
    assert "panes_search" not in db.list_collection_names()


def test_an_index_that_cannot_be_dropped_beside_transactions_is_named(app, monkeypatch):
    def refuse(collection, name):
        raise OperationFailure("transactions are open", prepare.LOCK_BUSY)

    get_db()["panes"].create_index([("derived", 1)])
    monkeypatch.setattr(Collection, "drop_index", refuse)
    get_db()[migrations.COLLECTION].delete_many({"_id": "0003_derived_fields"})
    done = app.test_cli_runner().invoke(args=["migrate"])
    assert done.exit_code == 1
    assert done.output.startswith("Error: No index can be created or dropped while")
    monkeypatch.undo()
    again = app.test_cli_runner().invoke(args=["migrate"])
    assert again.output == "migrations: 0003_derived_fields done\n"


def test_indexes_of_rare_filters_and_what_the_service_kept_of_expiry_are_dropped(app):
    panes = Pane.collection()
    get_db()["retentions"].insert_one({"_id": "event_log.at"})
    for fields in ("routing",), ("glassType", "listed", "createdAt", "_id"):
        panes.create_index([(field, 1) for field in fields])
    get_db()[migrations.COLLECTION].delete_many({"_id": "0004_indexes"})
    done = app.test_cli_runner().invoke(args=["migrate"])
    assert done.output == "migrations: 0004_indexes done\n"
    assert "retentions" not in get_db().list_collection_names()
    declared = {index.name for index in indexes.declared(Pane)}
    assert panes.index_information().keys() == {"_id_", *declared}


def test_panes_are_withdrawn_as_they_say_and_begun_orders_are_in_progress(
    app, admin, workshop
):
    job = order_with_panes(admin, workshop, panes=3)
    lot = create_lot(admin, job.material, 5)
    kept, lost = (withdraw(admin, lot, 1).data for _ in range(2))
    assert admin.patch(f"/api/withdrawals/{lost['_id']}", {"status": "rejected"})
    panes = Pane.collection()
    named, rejected, flagged = (ObjectId(one["_id"]) for one in job.panes)
    for pane, values in (
        (named, {"withdrawal": ObjectId(kept["_id"]), "startedAt": clock.now()}),
        (rejected, {"withdrawal": ObjectId(lost["_id"])}),
        (flagged, {"isWithdrawn": True}),
    ):
        panes.update_one({"_id": pane}, {"$set": values})
    assert order_of(admin, job.order)["status"] == "pending"
    get_db()[migrations.COLLECTION].delete_many({})
    assert app.test_cli_runner().invoke(args=["prepare"]).exit_code == 0
    found = [pane_of(admin, one) for one in job.numbers]
    assert [(one["withdrawal"], one["isWithdrawn"]) for one in found] == [
        (kept["_id"], True),
        (None, False),
        (None, False),
    ]
    assert order_of(admin, job.order)["status"] == "in_progress"


def test_texts_with_invisible_characters_are_found_again(app, admin):
    db, words = get_db(), "กระจก\u200bไทย"
    db["customers"].insert_one(
        {"name": words, "notes": "a\ufeffb", "searchText": f"{words}\x1fa\ufeffb"}
        | {"version": 3}
    )
    # what is unique stays as it is where another record has it already
    taken = admin.get("/api/auth/me").data["username"]
    db["workers"].insert_one(
        {"username": f"{taken}\u200b", "name": "N\u00adok", "searchText": "n\u00adok"}
    )
    db[migrations.COLLECTION].delete_many({"_id": "0006_invisible_characters"})
    done = app.test_cli_runner().invoke(args=["migrate"])
    assert done.output == "migrations: 0006_invisible_characters done\n"
    (found,) = admin.get("/api/customers", name="กระจกไทย").data
    assert (found["name"], found["notes"], found["version"]) == ("กระจกไทย", "ab", 3)
    for text in ("กไท", "AB", words):
        assert admin.get("/api/customers", search=text).data == [found]
    (other,) = admin.get("/api/workers", search="nok").data
    assert other["username"] == f"{taken}\u200b"


def test_stations_without_a_position_get_the_next_ones(app, admin, workshop):
    made = [workshop.station(position=at) for at in (1, 7, 2, 3)]
    old = {"_id": {"$in": [made[0].pk, made[2].pk]}}
    Station.collection().update_many(old, {"$unset": {"position": 1}})
    get_db()[migrations.COLLECTION].delete_many({"_id": "0007_station_positions"})
    versions = [admin.get(f"/api/stations/{one.pk}").data["version"] for one in made]
    done = app.test_cli_runner().invoke(args=["prepare"])
    assert done.exit_code == 0, done.output
    stations = [admin.get(f"/api/stations/{one.pk}").data for one in made]
    assert [one["position"] for one in stations] == [8, 7, 9, 3]
    assert [one["version"] for one in stations] == versions


NO_TIMES = (
    None, 5, -0.5, float("nan"), float("inf"), "", "2026-01-01T00:00:00Z", {},
    {"$date": "2026-01-01"}, [], [datetime(2026, 1, 1, tzinfo=UTC)], True, False, b"x",
    ObjectId("5f" * 12), Timestamp(1, 1), MinKey(), MaxKey(),
    datetime(9000, 1, 1, tzinfo=UTC),
)  # fmt: skip


def test_events_whose_time_is_none_get_the_present_one(app):
    db, before = get_db(), clock.now()
    log, past = db[event_log.COLLECTION], before - timedelta(minutes=1)
    rows = [{"_id": f"wrong {n}", "at": at} for n, at in enumerate(NO_TIMES)]
    rows += [{"_id": "wrong without"}, {"_id": "right", "at": past}]
    db[migrations.COLLECTION].delete_many({"_id": "0008_event_times"})
    try:
        log.insert_many([{**row, "seq": -n} for n, row in enumerate(rows, 1)])
        assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
        found = {row["_id"]: row["at"] for row in log.find({"seq": {"$lt": 0}})}
    finally:
        log.delete_many({"seq": {"$lt": 0}})
    assert found.pop("right") == past
    assert len(found) == len(NO_TIMES) + 1
    assert all(before <= at <= clock.now() for at in found.values())


def test_price_list_that_nobody_has_saved_is_called_an_example(app, admin):
    prices, path = PricingSettings.collection(), "/api/pricing-settings"
    for change, is_example in (({}, True), ({"notchPrice": 7}, False)):
        saved = admin.put(path, change).data if change else admin.get(path).data
        prices.update_one({}, {"$unset": {"isExample": 1}})  # as an earlier release
        get_db()[migrations.COLLECTION].delete_many({"_id": "0009_example_prices"})
        assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
        found = admin.get(path).data
        assert (found["isExample"], found["version"]) == (is_example, saved["version"])


def test_daily_figures_are_counted_from_the_history_of_an_earlier_release(
    app, admin, worker, workshop
):
    forget_earlier_tests()
    order_with_panes(admin, workshop, panes=2)
    service.update()
    (today,) = daily_figures.stored()
    get_db()[daily_figures.COLLECTION].drop()
    get_db()[migrations.COLLECTION].delete_many({"_id": "0010_daily_figures"})
    assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
    counts = daily_figures.stored()[today]
    assert sum(n for name, n in counts.items() if name.startswith("takenIn")) == 2


def test_daily_figures_of_an_earlier_release_are_nested_and_stay_the_same(
    app, admin, worker, workshop
):
    forget_earlier_tests()
    job = order_with_panes(admin, workshop, panes=2)
    pass_station(worker, job.numbers[0], job.stations[0])
    service.update()
    before = daily_figures.stored()
    figures = get_db()[daily_figures.COLLECTION]
    for day, counts in before.items():
        figures.replace_one({"_id": day}, counts)  # as an earlier release
    assert all("arrived" not in row for row in figures.find())
    get_db()[migrations.COLLECTION].delete_many({"_id": "0020_nested_figures"})
    assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
    assert daily_figures.stored() == before
    assert all("arrived" in row for row in figures.find())


def test_materials_take_the_size_of_their_sheets_over_from_their_texts(app, admin):
    glass = {"name": "a", "unit": "แผ่น", "reorderPoint": 1}
    own = [{"width": 1830, "height": 2440}]
    specs = {
        "INCH": {"width": "84", "length": "120 in", "dimensionUnit": "นิ้ว"},
        "MM": {"width": "2,134", "length": "3,048"},
        "FILM": {"width": "2140", "length": "100000", "dimensionUnit": "mm"},
        "NONE": {},
        "OWN": {"width": "2134", "length": "3048"},
    }
    for code, spec in specs.items():
        body = {**glass, "code": code, "specDetails": spec}
        more = {"sheetSizes": own} if code == "OWN" else {}
        assert admin.post("/api/materials", {**body, **more}).status == 201
    materials = get_db()["materials"]
    earlier = {"sheetSizes": 1, "isPatterned": 1, "isCoated": 1}
    materials.update_many({"code": {"$ne": "OWN"}}, {"$unset": earlier})
    materials.update_one({"code": "NONE"}, {"$unset": {"specDetails": 1}})
    get_db()[migrations.COLLECTION].delete_many({"_id": "0021_sheet_sizes"})
    assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
    found = {one["code"]: one for one in admin.get("/api/materials").data}
    assert {code: one["sheetSizes"] for code, one in found.items()} == {
        "INCH": [{"width": 2133.6, "height": 3048}],
        "MM": [{"width": 2134, "height": 3048}],
        "FILM": [],
        "NONE": [],
        "OWN": own,
    }
    assert {one["version"] for one in found.values()} == {1}


def test_job_types_that_name_the_tempering_are_tempered(app, admin):
    path, names = (
        "/api/job-types",
        (("TMP", "อบเทมเปอร์"), ("TEMPER-2", "Door"), ("CUT", "Cut")),
    )
    for code, name in names:
        admin.post(path, {"code": code, "name": name})
    job_types = get_db()["job_types"]
    job_types.update_many({}, {"$unset": {"isTempered": 1}})  # as an earlier release
    get_db()[migrations.COLLECTION].delete_many({"_id": "0011_tempered_job_types"})
    assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
    found = {one["code"]: one["isTempered"] for one in admin.get(path).data}
    assert found == {"TMP": True, "TEMPER-2": True, "CUT": False}


def test_orders_count_the_panes_that_were_delivered_before(app, admin, workshop):
    job = order_with_panes(admin, workshop, panes=2)
    path = f"/api/panes/{job.panes[0]['_id']}"
    admin.patch(path, {"deliveredAt": "2026-11-20T08:00:00Z"})
    get_db()["orders"].update_many({}, {"$unset": {"panesDelivered": 1}})
    get_db()[migrations.COLLECTION].delete_many({"_id": "0012_delivered_panes"})
    assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
    order = admin.get(f"/api/orders/{job.order['_id']}").data
    assert order["panesDelivered"] == 1


def test_complete_orders_get_the_time_at_which_their_last_pane_was_finished(
    app, admin, worker, workshop
):
    job = order_with_panes(admin, workshop, steps=1, panes=2)
    other = order_with_panes(admin, workshop, steps=1, panes=1)
    for number in job.numbers:
        pass_station(worker, number, job.stations[0])
    path = f"/api/orders/{job.order['_id']}"
    complete = admin.get(path).data
    last = max(
        one["completedAt"] for one in admin.get("/api/panes").data if one["completedAt"]
    )
    assert complete["completedAt"] == last
    get_db()["orders"].update_many({}, {"$unset": {"completedAt": 1}})
    get_db()[migrations.COLLECTION].delete_many({"_id": "0019_completed_orders"})
    assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
    assert admin.get(path).data == complete
    assert admin.get(f"/api/orders/{other.order['_id']}").data["completedAt"] is None


def test_label_templates_get_what_other_designers_read(app, admin):
    text = {"type": "text", "x": 2, "content": "{{paneNumber}}"}
    line = {"type": "line", "x": 2, "y": 9, "width": 20, "height": 0.3}
    odd = [{"kind": "qr", "x": 1}, "text", None, {"type": "qr", "content": None}]
    pixels = [{"type": "text", "x": 8, "text": "ก"}]
    path = "/api/sticker-templates"
    size = {"width": 60, "height": 40}
    own, foreign, other = (
        f"{path}/{admin.post(path, {**size, 'elements': one}).data['_id']}"
        for one in ([text, line, *odd], pixels, odd[:3])
    )
    before = admin.get(own).data["version"]
    get_db()[migrations.COLLECTION].delete_many({})
    assert app.test_cli_runner().invoke(args=["prepare"]).exit_code == 0
    stored = admin.get(own).data
    assert stored["elements"] == [
        {**text, "text": "{{paneNumber}}"},
        {**line, "content": "", "points": [0, 0.15, 20, 0.15]},
        *odd,
    ]
    assert stored["version"] == before
    assert admin.get(foreign).data["elements"] == pixels
    assert admin.get(other).data["elements"] == odd[:3]


def test_panes_get_the_prices_that_earlier_releases_shared_out(app, admin, workshop):
    """Each entry keeps its amount; what is open then is what was not charged."""
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    job = finished(admin, workshop, agreed=2500, panes=4)
    delivered = deliver(admin, job, 0)
    claim = claim_pane(admin, job.numbers[0]).data
    decided = admin.patch(f"/api/claims/{claim['_id']}", {"status": "approved"}).data
    listed = finished(admin, workshop, panes=2)
    deliver(admin, listed, 1)
    waiting = request_of(admin, workshop, price=700, panes=0)
    cancelled = request_of(admin, workshop, price=90, panes=3)
    admin.patch(f"/api/requests/{cancelled}", {"status": "cancelled"})
    entries = admin.get("/api/billing-entries").data
    before = [(one["net"], one["version"], one["parts"]) for one in entries]
    requests = {one["_id"]: one["details"] for one in admin.get("/api/requests").data}
    prices = {one["paneNumber"]: one["agreedPrice"] for one in all_panes(admin)}
    forget_prices_of_panes()
    # it stored what was agreed at the cancellation, and 0 where nothing was
    for request, price in ((cancelled, 90), (listed.request["_id"], 0)):
        values = {"$set": {"details.estimatedPrice": price}}
        get_db()["requests"].update_one({"_id": ObjectId(request)}, values)
    assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
    assert {one["paneNumber"]: one["agreedPrice"] for one in all_panes(admin)} == prices
    entries = admin.get("/api/billing-entries").data
    assert [(one["net"], one["version"], one["parts"]) for one in entries] == before
    found = {one["_id"]: one["details"] for one in admin.get("/api/requests").data}
    assert found == requests
    assert admin.get(f"/api/requests/{waiting}").data["unsharedPrice"] == 700
    assert admin.get(f"/api/panes/{decided['remadePane']}").data["agreedPrice"] == 0
    assert entry_of(admin, delivered)["net"] == 625
    # another start finds nothing to do
    forget = {"_id": "0014_agreed_prices"}
    get_db()[migrations.COLLECTION].delete_many(forget)
    assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
    assert {one["paneNumber"]: one["agreedPrice"] for one in all_panes(admin)} == prices


def test_deliveries_keep_what_earlier_releases_knew_of_their_hand_overs(
    app, admin, workshop
):
    """One hand-over that counts, one that was undone; a lost pane waits no longer."""
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    job = finished(admin, workshop, agreed=2000, panes=4)
    done = deliver(admin, job, 0)
    lost, waiting = (job.panes[one]["_id"] for one in (1, 2))
    admin.patch(f"/api/panes/{lost}", {"currentStatus": "cancelled"})
    row = done["handOvers"][0]
    stored = get_db()["deliveries"].find_one({"_id": ObjectId(done["_id"])})
    at, worker = stored["deliveredAt"], stored["handOvers"][0]["worker"]
    earlier = {
        "deliveredBy": worker,
        "receivedBy": "สมชาย",
        "remark": "",
        "signature": [],
        "photos": [],
        "noteFacts": stored["noteFacts"]["1"],
        "missingPanes": [ObjectId(lost), ObjectId(waiting)],
        "undoneHandOvers": [
            {
                "deliveredAt": at,
                "deliveredBy": "มานะ",
                "receivedBy": "ปิติ",
                "remark": "ผิดบ้าน",
                "signature": [],
                "photos": [],
                "undoneAt": at,
                "undoneBy": "ชูใจ",
                "reason": "wrong house",
            }
        ],
    }
    deliveries = get_db()["deliveries"]
    deliveries.update_one(
        {"_id": stored["_id"]}, {"$set": earlier, "$unset": {"handOvers": ""}}
    )
    get_db()["billing_entries"].update_many({}, {"$unset": {"handOver": 1}})
    get_db()[migrations.COLLECTION].delete_many({"_id": "0016_hand_overs"})
    assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
    path = f"/api/deliveries/{done['_id']}"
    found = admin.get(path).data
    undone, counting = found["handOvers"]
    assert undone["undone"]["reason"] == "wrong house"
    assert (undone["deliveredBy"], undone["receivedBy"]) == ("มานะ", "ปิติ")
    for name in ("at", "worker", "deliveredBy", "receivedBy", "panes", "undone"):
        assert counting[name] == row[name], name
    assert [one["pane"] for one in counting["left"]] == [lost, waiting]
    assert found["missingPanes"] == [waiting]
    assert entry_of(admin, done)["handOver"] == 2
    assert admin.post(f"{path}/undo", {}).data["status"] == "planned"
    assert entry_of(admin, done)["status"] == "void"


def test_stations_with_a_check_on_their_screen_become_check_stations(
    app, admin, workshop
):
    layouts = {
        "check": {"actions": ["scan_in", "qc_pass", "qc_fail"]},
        "plain": {"actions": ["scan_in", "scan_out"]},
        "odd": {"actions": {"qc_pass": 1}},
        "text": "qc_pass",
    }
    path = "/api/station-templates"
    templates = {n: workshop.template(name=n, ui_schema=s) for n, s in layouts.items()}
    for name, template in templates.items():
        workshop.station(name=name, template=template)
    changed = workshop.station(name="changed", template=templates["check"])
    old = {"$unset": {"isCheckStation": 1}}  # as an earlier release
    get_db()["station_templates"].update_many({}, old)
    get_db()["stations"].update_many({"_id": {"$ne": changed.pk}}, old)
    for _ in range(2):
        get_db()[migrations.COLLECTION].delete_many({"_id": "0018_check_stations"})
        assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
        for records in (path, "/api/stations"):
            found = admin.get(records).data
            marked = [one["name"] for one in found if one["isCheckStation"]]
            assert marked == ["check"], records
            assert {one["version"] for one in found} == {1}


def test_stations_whose_screens_show_cutting_plans_become_cutting_stations(
    admin, app, workshop
):
    layouts = {
        "cut": {"panels": [{"type": "withdraw"}, {"type": "cutting-plan"}]},
        "plain": {"panels": [{"type": "withdraw"}]},
        "odd": {"panels": {"type": 1}},
        "text": "cutting-plan",
    }
    templates = {n: workshop.template(name=n, ui_schema=s) for n, s in layouts.items()}
    for name, template in templates.items():
        workshop.station(name=name, template=template)
    changed = workshop.station(name="changed", template=templates["cut"])
    old = {"$unset": {"isCuttingStation": 1}}  # as an earlier release
    get_db()["station_templates"].update_many({}, old)
    get_db()["stations"].update_many({"_id": {"$ne": changed.pk}}, old)
    for _ in range(2):
        step = {"_id": "0022_cutting_stations"}
        get_db()[migrations.COLLECTION].delete_many(step)
        assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
        for records in ("/api/station-templates", "/api/stations"):
            found = admin.get(records).data
            marked = [one["name"] for one in found if one["isCuttingStation"]]
            assert marked == ["cut"], records
            assert {one["version"] for one in found} == {1}


def request_of(admin, workshop, *, price, panes):
    details = {"type": "a", "quantity": panes or 2, "estimatedPrice": price}
    body = {"customer": str(workshop.customer().pk), "details": details}
    made = admin.post("/api/requests", {**body, "panes": [PANE] * panes})
    assert made.status == 201, made.body
    return made.data["_id"]


def all_panes(admin):
    return admin.get("/api/panes", limit=100, includeMerged="true").data
