"""The demo workshop is taken out of a store, also by a command that was killed."""

from datetime import UTC, datetime

import pytest
import requests
from dying_commands import run_until_killed
from pymongo import MongoClient

from glassflow.core.store import migrations
from glassflow.core.store.mongo_check import why_unfit
from glassflow.models import ALL
from glassflow.services import demo_mark
from glassflow.services.backups.replacing import SUFFIX
from service import DEMO_ADMIN, Service, shared_settings
from waiting import REQUEST_TIMEOUT_S

pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.timeout(600)]

#: What `flask prepare` adds to an empty store with DEMO=0.
OF_A_NEW_STORE = {
    "roles": 5,
    "station_templates": 1,
    "sticker_templates": 3,
    "workers": 1,
}


def records(database):
    """How many records each collection of a model has, of those that have any."""
    names = [model.collection_name() for model in ALL]
    counts = {name: database[name].count_documents({}) for name in names}
    return {name: count for name, count in counts.items() if count}


def flask(service, *words, **settings):
    service.environment |= settings
    done = service.flask(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def login(service, password):
    body = {"username": DEMO_ADMIN["username"], "password": password}
    path = f"{service.url}/api/auth/login"
    return requests.post(path, json=body, timeout=REQUEST_TIMEOUT_S)


def test_demo_is_taken_out_whenever_the_command_dies_and_a_workshop_begins(
    store, demo_workshop, tmp_path
):
    settings = shared_settings(store, demo_workshop)
    name = settings["MONGODB_DB"]
    service = Service(tmp_path, **settings)
    with MongoClient(store) as client:
        database = client[name]
        made = {"_id": demo_mark.ID, "isOpen": False, "madeAt": datetime.now(UTC)}
        database[demo_mark.COLLECTION].insert_one(made)
        before = records(database)
        given = database.event_log.find_one(sort=[("seq", -1)])["seq"]
        clear = ("demo", "clear", "--yes")
        run_until_killed(service, (name + SUFFIX, "insert", "demo"), *clear)
        assert records(database) == before
        assert why_unfit(store, name) is None
        run_until_killed(service, (name, "drop", "workers"), *clear)
        assert why_unfit(store, name) == migrations.RESTORE_UNFINISHED
        assert "demo: taken out" in flask(service, *clear)
        assert why_unfit(store, name) is None
        assert records(database) == OF_A_NEW_STORE
        # as where it dies before it has added the administrator
        database.workers.delete_many({})
        prepared = flask(service, "prepare", DEMO="1")
        assert records(database) == OF_A_NEW_STORE
        assert "manager1234" not in prepared
        assert "admin: 0 added, 1 already there" in flask(service, *clear)
        assert "admin: 0 added, 1 already there" in flask(service, "prepare", DEMO="0")
        flask(service, "doctor")
        flask(service, "history", "verify")
        assert name + SUFFIX not in client.list_database_names()
    service.start()
    try:
        assert login(service, DEMO_ADMIN["password"]).status_code == 401
        password = prepared.partition("log in as admin / ")[2].split()[0]
        token = login(service, password).json()["data"]["token"]
        changed = requests.patch(
            f"{service.url}/api/auth/me",
            json={"password": "correct horse 9", "currentPassword": password},
            headers={"Authorization": f"Bearer {token}"},
            timeout=REQUEST_TIMEOUT_S,
        )
        assert changed.status_code == 200, changed.text
        token = login(service, "correct horse 9").json()["data"]["token"]
        # a client that knows events of the demo is told to read everything again
        events = requests.get(
            f"{service.url}/api/events?after={given}",
            headers={"Authorization": f"Bearer {token}"},
            timeout=REQUEST_TIMEOUT_S,
        )
        assert events.json()["message"] == "Event log starts later"
    finally:
        service.stop()
