"""The check of the store: its release, its transactions, in the service's database."""

from unittest.mock import MagicMock, call

import pytest
from pymongo.errors import ConfigurationError

from glassflow.blueprints import health
from glassflow.core.store import mongo_check
from glassflow.core.store.mongo_check import TOO_OLD, Lack, lack, why_unfit


def client_of(**hello):
    """A client of a store that describes itself so."""
    client = MagicMock()
    client.admin.command.return_value = hello
    client["any"]["collection"].find_one.return_value = None
    client.__getitem__.reset_mock()
    return client


@pytest.fixture
def needs_a_newer_store(monkeypatch):
    """Raises the minimum beyond the store of the tests."""
    monkeypatch.setattr(mongo_check, "MIN_WIRE_VERSION", 999)


def test_check_reads_the_named_database_only():
    client = client_of(setName="rs0", maxWireVersion=21)
    assert lack(client, "workshop") is None
    assert client.__getitem__.call_args_list == [call("workshop")]


@pytest.mark.parametrize(
    ("hello", "expected"),
    [
        ({"setName": "rs0", "maxWireVersion": 12}, Lack.VERSION),  # MongoDB 4.9
        ({"setName": "rs0", "maxWireVersion": 13}, None),  # 5.0
        ({"maxWireVersion": 13}, Lack.TRANSACTIONS),
        ({"maxWireVersion": 13, "msg": "isdbgrid"}, None),
    ],
)
def test_release_and_kind_of_the_store_are_checked(hello, expected):
    assert lack(client_of(**hello), "workshop") is expected


def test_release_that_the_driver_does_not_speak_to_is_too_old():
    client = MagicMock()
    message = (
        "Server at db:27017 reports wire version 8, but this version of PyMongo ..."
    )
    client.admin.command.side_effect = ConfigurationError(message)
    assert lack(client, "workshop") is Lack.VERSION


def test_too_old_store_is_refused_at_the_start(store, needs_a_newer_store):
    assert why_unfit(store, "workshop") == TOO_OLD
    assert "older than 5.0" in TOO_OLD


def test_too_old_store_is_not_ready(anonymous, needs_a_newer_store):
    answer = anonymous.get("/api/health/ready")
    assert answer.status == 503
    assert answer.errors["database"] == "too old"


def test_doctor_names_a_too_old_store(app, needs_a_newer_store):
    done = app.test_cli_runner().invoke(args=["doctor"])
    assert done.exit_code == 1
    (row,) = [row for row in done.output.splitlines() if "store version" in row]
    assert row.startswith("WRONG")
    assert row.endswith(TOO_OLD)


def test_readiness_asks_the_configured_database(anonymous, setting, monkeypatch):
    asked, check = [], health.lack

    def recording(client, database):
        asked.append(database)
        return check(client, database)

    monkeypatch.setattr(health, "lack", recording)
    setting(MONGODB_DB="elsewhere")
    assert anonymous.get("/api/health/ready").status == 200
    assert asked == ["elsewhere"]
