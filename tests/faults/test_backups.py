"""Backups that are made while the demo day runs, restored and compared with the books."""

import json
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime

import pytest
import requests
from dying_commands import run_until_killed
from pymongo import MongoClient
from workshop_checks import WorkshopChecks, read_workshop

from databases import TEST_URI, new_database
from demo.client import Api, HttpClient, RequestRefused
from demo.workshop import demo_passwords
from demo_workshop import DATABASE
from glassflow.core.store import migrations
from glassflow.core.store.backup_file import BackupFile
from glassflow.core.store.mongo_check import why_unfit
from glassflow.embedded import store as embedded_store
from glassflow.services import demo_mark
from glassflow.services.backups import content
from glassflow.services.backups.replacing import SUFFIX
from pictures import photo
from plain_store import plain_store
from service import PROCFILE_COMMAND, ROOT, Service, shared_settings
from sizes import size
from waiting import REQUEST_TIMEOUT_S, wait_until

GUNICORN = [sys.executable, *f"-m {PROCFILE_COMMAND}".split()]
REQUESTS = size("3", long="10")
DAY_TIMEOUT_S = 400
#: Collections of processes that run, and when backups were made.
OF_PROCESSES = {"attempts", "leases", "publishers", "backups"}

pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.timeout(900)]


def start_day(service):
    """Start the demo day against a service, as a program of its own."""
    day = ["-m", "demo", "--url", service.url, "--requests", REQUESTS, "--panes", "1"]
    command = [sys.executable, *day]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def stored(client, name):
    """All that a database holds, but for what processes need that run."""
    database = client[name]
    return {
        collection: sorted(database[collection].find(), key=repr)
        for collection in database.list_collection_names()
        if collection not in OF_PROCESSES
    }


def test_backups_of_a_running_day_are_restored_and_their_books_are_right(
    store, demo_workshop, tmp_path
):
    backups = tmp_path / "backups"
    settings = shared_settings(store, demo_workshop)
    service = Service(
        tmp_path,
        command=GUNICORN,
        **settings,
        BACKUP_EVERY="1s",
        BACKUP_DIR=backups,
        BACKUP_KEEP=1000,
    )
    service.start()
    try:
        day = start_day(service)
        by_hand = tmp_path / "by_hand.tar"
        wait_until(
            lambda: len(list(backups.glob("glassflow-*.tar"))) > 3, DAY_TIMEOUT_S
        )
        done = service.flask("backup", str(by_hand))
        assert done.returncode == 0, done.stderr
        assert "stock: as its books say" in done.stdout
        output, _ = day.communicate(timeout=DAY_TIMEOUT_S)
        assert day.returncode == 0, output[-4000:]
    finally:
        service.stop()
    made = [BackupFile(path) for path in sorted(backups.glob("glassflow-*.tar"))]
    heads = [one.manifest["eventHead"] for one in made]
    assert heads == sorted(heads)
    assert heads[0] < heads[-1]
    for one in made:
        one.verify()
        assert one.manifest["findings"] == {"stock": [], "history": []}
    restored = settings | {"MONGODB_DB": new_database()}
    check_restored(Service(tmp_path, command=GUNICORN, **restored), by_hand)
    with MongoClient(store) as client:
        check_repetition(client, Service(tmp_path, **restored), by_hand)
        check_kills(client, Service(tmp_path, **restored), by_hand)


def check_restored(service, file):
    """Restore into an empty store, start the service on it, and read the workshop."""
    done = service.flask("restore", str(file))
    assert done.returncode == 0, done.stderr
    assert "all as in the backup" in done.stdout
    assert "stock: as its books say" in done.stdout
    verified = service.flask("history", "verify")
    assert verified.returncode == 0, verified.stdout
    service.start()
    try:
        # nobody has asked it for anything but whether it is ready
        refused = service.flask("restore", "--replace", str(file))
        assert refused.returncode == 1, refused.stdout
        assert "uses this store: stop it first" in refused.stderr
        admin = Api.login(service.url, "admin", demo_passwords()["admin"])
        checks = WorkshopChecks(read_workshop(admin))
        assert checks.faults() == []
        assert checks.checked
        admin.post("/api/customers", name="after the restore")
        head = BackupFile(file).manifest["eventHead"]
        assert f"events: up to {head}\n" in done.stdout
        check_reset(admin, head)
    finally:
        service.stop()


def check_reset(admin, head):
    """Who has events that were published after the backup has to read everything again.

    Also where as many events have been published since it was restored.
    """
    for seen in (head, head + 1):
        with pytest.raises(RequestRefused) as refused:
            admin.get("/api/events", after=seen)
        assert refused.value.response.message == "Event log starts later"
    begin = refused.value.response.body["errors"]["oldest"] - 1
    label = {"name": "after the restore", "width": 60, "height": 40, "elements": []}
    made = admin.post("/api/sticker-templates", **label)
    wait_until(
        lambda: any(
            row["event"] == "sticker-template:updated"
            and row["data"]["data"]["_id"] == made["_id"]
            for row in admin.get("/api/events", after=begin)
        )
    )


def check_repetition(client, service, file):
    """Records are not replaced unasked; a restore that was killed can be repeated."""
    name = service.environment["MONGODB_DB"]
    before = stored(client, name)
    done = service.flask("restore", str(file))
    assert done.returncode == 1, done.stdout
    assert "The store has records (Worker, Role, Customer, " in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert stored(client, name) == before
    # as a restore that was killed leaves it: nothing starts, and it can be repeated
    client[name][migrations.COLLECTION].insert_one({"_id": migrations.RESTORING})
    client[name].panes.drop()
    uri = service.environment["MONGODB_URI"]
    assert why_unfit(uri, name) == migrations.RESTORE_UNFINISHED
    done = service.flask("restore", str(file))
    assert done.returncode == 0, done.stderr
    assert why_unfit(uri, name) is None
    assert "after the restore" not in {
        row["name"] for row in client[name].customers.find()
    }
    assert client[name].panes.count_documents({}) == len(before["panes"])
    (newest,) = client[name].event_log.find().sort("seq", -1).limit(1)
    given = max(row["seq"] for row in before["event_log"])
    counted = client[name].counters.find_one({"_id": "events"})["seq"]
    assert newest["seq"] < given < counted  # no number is given again


def check_kills(client, service, file):
    """A restore that is killed at any moment leaves the old data or the new ones whole."""
    uri, name = (service.environment[one] for one in ("MONGODB_URI", "MONGODB_DB"))
    client[name].customers.update_many({}, {"$set": {"name": "of the old data"}})
    old = stored(client, name)
    restore_until_killed(service, file, name + SUFFIX, "insert", "panes")
    assert stored(client, name) == old
    assert why_unfit(uri, name) is None
    proved = None
    for command in ("drop", "insert"):  # of the old ones, and of the new ones
        restore_until_killed(service, file, name, command, "panes")
        assert why_unfit(uri, name) == migrations.RESTORE_UNFINISHED
        proved = proved or stored(client, name + SUFFIX)
        assert stored(client, name + SUFFIX) == proved
        assert not client[name].panes.find_one() or command == "drop"
    done = service.flask("restore", "--finish")
    assert done.returncode == 0, done.stderr
    assert why_unfit(uri, name) is None
    assert name + SUFFIX not in client.list_database_names()
    new = stored(client, name)
    assert {key: rows for key, rows in proved.items() if rows} == {
        key: rows for key, rows in new.items() if rows
    }
    assert new["customers"] != old["customers"]
    assert service.flask("doctor").returncode == 0
    assert service.flask("history", "verify").returncode == 0


def restore_until_killed(service, file, *moment):
    """Restore in a process that dies before this command on a collection."""
    run_until_killed(service, moment, "restore", "--replace", str(file))


@pytest.mark.embedded_store
def test_files_of_the_embedded_store_are_replaced_whole_or_not_at_all(
    demo_workshop, tmp_path
):
    data = tmp_path / "data"
    demo_workshop.copy_files(data)
    service = Service(tmp_path, MONGODB_DB=DATABASE)
    file = tmp_path / "made.tar"
    assert "documents of" in flask(service, "backup", str(file))
    expected = contents(data)
    with opened(data) as database:
        database.customers.update_many({}, {"$set": {"name": "of the old data"}})
        database[content.RECORDS].update_many({}, {"$set": {"host": "kept"}})
        database.client["another"].rows.insert_one({"_id": 1})
    check_other_databases(service, file, data)
    # as an earlier release leaves it that was killed
    with opened(data) as database:
        database[migrations.COLLECTION].insert_one({"_id": migrations.RESTORING})
    refused = service.flask("restore", "--finish")
    assert "An earlier release was killed" in refused.stderr, refused.stdout
    with opened(data) as database:
        database[migrations.COLLECTION].delete_one({"_id": migrations.RESTORING})
    old = contents(data)
    refused = service.flask("restore", str(file))
    assert "The store has records (" in refused.stderr
    for moment in (
        (DATABASE, "insert", "workers"),
        (DATABASE, "createIndexes", "panes"),
        ("files", "before", "0"),
    ):
        restore_until_killed(service, file, *moment)
        assert contents(data) == old
    for first in (True, False):
        restore_until_killed(service, file, "files", "before", "1")
        assert not (data / "db").exists()
        assert contents(data) == expected, first
        with opened(data) as database:
            database.customers.update_many({}, {"$set": {"name": "again"}})
    output = flask(service, "restore", "--replace", str(file))
    assert "all as in the backup" in output
    assert contents(data) == expected
    assert not (data / "restored").exists()
    with opened(data) as database:
        assert database[content.RECORDS].find_one({})["host"] == "kept"
        made = {"_id": demo_mark.ID, "isOpen": False, "madeAt": datetime.now(UTC)}
        database[demo_mark.COLLECTION].insert_one(made)
    for words in (("doctor",), ("history", "verify")):
        flask(service, *words)
    cleared = flask(service, "demo", "clear", "--yes")
    assert "demo: taken out" in cleared
    assert "admin: 1 added" in cleared
    assert "panes" not in contents(data)
    assert "orders" not in contents(data)
    service.start()
    try:
        refused = service.flask("restore", "--replace", str(file))
        assert "uses this store: stop it first" in refused.stderr, refused.stdout
    finally:
        service.stop()


def check_other_databases(service, file, data):
    """A database beside the service's stays, because the files are not replaced then."""
    files = (data / "db").stat().st_ino
    flask(service, "restore", "--replace", str(file))
    assert (data / "db").stat().st_ino == files
    with opened(data) as database:
        assert database.client["another"].rows.find_one() == {"_id": 1}
        database.client.drop_database("another")
        database.customers.update_many({}, {"$set": {"name": "of the old data"}})


def flask(service, *words):
    done = service.flask(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def opened(data):
    """The database of the service in these files."""
    store = embedded_store.start(str(data))
    try:
        with MongoClient(store.uri) as client:
            yield client[DATABASE]
    finally:
        store.stop()


def contents(data):
    """All that is in these files, but for what processes need that run, and events."""
    with opened(data) as database:
        found = stored(database.client, database.name)
    return {name: rows for name, rows in found.items() if rows and name != "counters"}


#: Answers that are about a process or a moment.
NOT_KEPT = ("/api/health", "/api/events", "/api/docs", "/api/auth/sessions")
#: What some paths have to be asked for.
NEEDED = {
    "/api/pane-logs/timeline": {"paneNumber": "PNE-0001"},
    "/api/search": {"q": "ORD"},
}


def test_workshop_leaves_the_embedded_store_for_another_one(
    request, demo_workshop, tmp_path
):
    """As docs/operations.md says; the other store is SecantusDB without the extension.

    It stands in for a MongoDB, which `TEST_MONGODB_URI` names where there is one.
    """
    old = Service(tmp_path / "old", MONGODB_DB=DATABASE)
    demo_workshop.copy_files(old.data_dir)
    old.start()
    try:
        day = start_day(old)
        output, _ = day.communicate(timeout=DAY_TIMEOUT_S)
        assert day.returncode == 0, output[-4000:]
        admin = Api.login(old.url, "admin", demo_passwords()["admin"])
        made = work_of_an_office(admin)
        answers(admin)  # the first ones of some settings store them
        before = answers(admin)
        assert before.keys() >= NEEDED.keys() | {"/api/panes/{number}/passport"}
    finally:
        old.stop()
    file = tmp_path / "moved.tar"
    flask(old, "backup", str(file))
    with (
        nullcontext(request.getfixturevalue("store"))
        if TEST_URI
        else plain_store(tmp_path)
    ) as uri:
        new = Service(
            tmp_path / "new",
            command=GUNICORN,
            MONGODB_URI=uri,
            MONGODB_DB=new_database(),
            JWT_SECRET=(old.data_dir / "jwt_secret").read_text("utf-8"),
        )
        new.log.parent.mkdir()
        assert "all as in the backup" in flask(new, "restore", str(file))
        check_doctor(new)
        new.start()
        try:
            admin.http = HttpClient(new.url)
            after = answers(admin)
            assert [one for one in before if after.get(one) != before[one]] == []
            check_work_goes_on(admin, made)
        finally:
            new.stop()
        new.assert_history_is_whole()
        assert new.flask("stock", "check").returncode == 0


def work_of_an_office(admin):
    """Make a quote, an order to scan, and two deliveries, of which one is handed over."""
    panes = admin.list_all("/api/panes", currentStatus="completed")
    customer = customer_of(admin, panes[0])
    other = next(one for one in panes if customer_of(admin, one) != customer)
    pane = {"dimensions": {"width": 500, "height": 500}, "unitPrice": 100}
    quote = admin.post("/api/quotes", customer=customer, panes=[pane])
    admin.post(f"/api/quotes/{quote['_id']}/send")
    stations = [one["_id"] for one in admin.list_all("/api/stations")[:2]]
    request = admin.post(
        "/api/requests",
        customer=customer,
        details={"type": "window", "quantity": 1},
        panes=[{"routing": stations}],
    )
    order = ordered(admin, customer, request=request["_id"])
    [to_scan] = admin.list_all("/api/panes", request=request["_id"])
    first, second = (
        admin.post(
            "/api/deliveries", customer=customer_of(admin, pane), panes=[pane["_id"]]
        )
        for pane in (panes[0], other)
    )
    attached = admin.post("/api/attachments", photo=photo())["_id"]
    number = panes[0]["paneNumber"]
    delivered = hand_over(admin, first, [number], photos=[attached])
    [link] = delivered["handOvers"][0]["photos"]
    return {
        "order": order,
        "pane": to_scan,
        "delivery": second,
        "number": other["paneNumber"],
        "photo": (link, content_of(admin, link)),
    }


def customer_of(admin, pane):
    return admin.get(f"/api/requests/{pane['request']}")["customer"]


def check_work_goes_on(admin, made):
    """A scan, a delivery and a new order, whose number follows; a password still fits."""
    pane = made["pane"]
    station = pane["routing"][0]
    scan = {"action": "scan_in", "station": station}
    admin.post(f"/api/panes/{pane['paneNumber']}/scan", **scan)
    [log] = admin.list_all("/api/pane-logs", pane=pane["_id"])
    assert log["action"] == "scan_in"
    hand_over(admin, made["delivery"], [made["number"]])
    assert admin.get(f"/api/panes/{made['number']}")["deliveredAt"]
    later = ordered(admin, made["order"]["customer"])["orderNumber"]
    assert number_of(later) == number_of(made["order"]["orderNumber"]) + 1
    Api.login(admin.url, "manager", demo_passwords()["manager"])
    link, content = made["photo"]
    assert content_of(admin, link) == content


def content_of(admin, link):
    """A picture, by a link that the secret of the service has signed."""
    answer = requests.get(admin.url + link, timeout=REQUEST_TIMEOUT_S)
    assert answer.ok, answer.text
    return answer.content


def number_of(text):
    return int(text.rpartition("-")[2])


def check_doctor(service):
    """It finds nothing wrong but that the stand-in is no MongoDB."""
    lines = service.flask("doctor").stdout.splitlines()
    wrong = {line[7:].partition("  ")[0] for line in lines if line.startswith("WRONG")}
    assert wrong == (set() if TEST_URI else {"store", "store password"}), lines


def ordered(admin, customer, **more):
    """Make an order of a customer."""
    material = admin.list_all("/api/materials")[0]["_id"]
    body = {"customer": customer, "material": material, "quantity": 1, **more}
    return admin.post("/api/orders", **body)


def hand_over(admin, delivery, numbers, **more):
    body = {"paneNumbers": numbers, "receivedBy": "สมชาย", **more}
    return admin.post(f"/api/deliveries/{delivery['_id']}/hand-over", **body)


def answers(admin):
    """What all paths answer, those of a record for the first one of its list."""
    described = json.loads((ROOT / "docs/openapi.json").read_text("utf-8"))["paths"]
    found = {}
    for path in sorted(one for one in described if "get" in described[one]):
        rows = found.get("/".join(path.split("/")[:3]), {}).get("data")
        target = path
        if rows and isinstance(rows, list):
            target = target.replace("{id}", rows[0]["_id"])
            target = target.replace("{number}", rows[0].get("paneNumber", ""))
        if path.startswith(NOT_KEPT) or "{" in target:
            continue
        answer = requests.get(
            admin.url + target,
            params=NEEDED.get(path),
            headers={"Authorization": f"Bearer {admin.token}"},
            timeout=REQUEST_TIMEOUT_S,
        )
        kind = answer.headers["Content-Type"].partition(";")[0]
        if answer.ok and kind in ("application/json", "text/csv"):
            is_json = kind == "application/json"
            found[path] = answer.json() if is_json else {"text": answer.text}
    found["/api/board"]["data"].pop("seq")  # numbers of events go on far behind
    return found
