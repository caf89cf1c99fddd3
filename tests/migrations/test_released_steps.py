"""What the steps of the releases change in the data of earlier ones."""

from bson import ObjectId
from mongoengine.connection import get_db

from glassflow.core import files, history, migrations
from glassflow.models.claim import Claim
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from lookups import claim_of, order_of
from pictures import picture
from scenarios import claim_pane, order_with_panes


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
    Pane._get_collection().update_many({}, {"$unset": {"remade": 1}})
    Order._get_collection().update_one({}, {"$set": {"paneCount": 2}})
    Claim._get_collection().update_one({}, {"$set": {"photos": [data_url]}})
    shown = claim_of(worker, claim)["photos"]
    get_db()[migrations.COLLECTION].delete_many({})
    done = app.test_cli_runner().invoke(args=["prepare"])
    assert done.exit_code == 0, done.output
    for name in ("0001_photos_to_files", "0002_order_figures"):
        assert f"migrations: {name} done" in done.output
    (photo,) = Claim._get_collection().find_one({"_id": ObjectId(claim["_id"])})[
        "photos"
    ]
    assert files.read([photo["file"]]) == {photo["file"]: content}
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
