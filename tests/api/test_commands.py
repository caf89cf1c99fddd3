"""The `flask` commands: clear output, and a second run that changes nothing."""

import re
import sys
from functools import partial

import openpyxl
import pytest
from bson import ObjectId
from mongoengine.connection import get_connection, get_db
from pymongo.database import Database
from pymongo.errors import OperationFailure

from clients import Api
from factories import PASSWORD
from glassflow.cli import imports
from glassflow.cli.docs import permission_page
from glassflow.cli.doctor import masked
from glassflow.core.access import rate_limits
from glassflow.core.events import dead_letters
from glassflow.core.events.dead_letters import DeadLetter
from glassflow.core.process import deadlines, disk
from glassflow.core.store import connection
from glassflow.core.store.outbox_entries import Message
from glassflow.core.store.unit_of_work import RetryTransaction
from glassflow.host.data_files import REPOSITORY
from glassflow.models.job_type import JobType
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.services.tables import importing
from glassflow.web.throttle import Throttle
from lookups import order_of
from scenarios import claim_pane, order_with_panes
from sizes import size
from store_commands import record_commands
from tables_api import to_csv, to_xlsx


@pytest.fixture
def flask(app):
    """Run a command: `flask("seed", "roles")` gives its result."""
    return lambda *args: app.test_cli_runner().invoke(args=list(args))


def worker_command(**changes):
    given = {"username": "nida", "password": "secret1", "name": "Nida", "role": "admin"}
    options = [(f"--{name}", value) for name, value in (given | changes).items()]
    return ["create-worker", *(word for option in options for word in option)]


def test_seed_command_prints_added_and_existing_counts(flask):
    assert flask("seed", "roles").output == "roles: 5 added, 0 already there\n"
    assert flask("seed", "roles").output == "roles: 0 added, 5 already there\n"


@pytest.mark.slow
def test_seeding_all_twice_adds_once(flask):
    first, second = flask("seed", "all"), flask("seed", "all")
    assert first.exit_code == second.exit_code == 0
    assert "customers: 15 added, 0 already there" in first.output
    assert "admin / admin1234" in first.output
    assert set(re.findall(r"(\d+) added", second.output)) == {"0"}
    assert "admin1234" not in second.output


def test_seed_work_needs_the_demo_workshop(flask):
    refused = flask("seed", "work")
    assert refused.exit_code == 1
    assert "Error: the demo workshop lacks" in refused.output
    assert "(flask seed all)" in refused.output


def test_seed_work_changes_nothing_beside_requests(flask, admin, workshop):
    order_with_panes(admin, workshop, panes=1)
    done = flask("seed", "work")
    assert done.exit_code == 0
    assert done.output.endswith("there are requests already; nothing is changed\n")


def test_recounting_orders_brings_old_figures_up_to_date_once(
    flask, admin, worker, workshop
):
    job = order_with_panes(admin, workshop, panes=2, quantity=5)
    claim = claim_pane(worker, job.numbers[0]).data
    decision = {"status": "approved", "decision": "destroy"}
    assert admin.patch(f"/api/claims/{claim['_id']}", decision).status == 200
    counted = order_of(admin, job.order)
    assert counted["paneCount"] == 5
    # as an earlier release has stored it
    Pane.collection().update_many({}, {"$unset": {"remade": 1}})
    Order.collection().update_one({}, {"$set": {"paneCount": 2}})
    assert flask("orders", "recount").output == "orders: 1 counted, 1 changed\n"
    now = order_of(admin, job.order)
    assert now["version"] == counted["version"] + 1
    assert now["paneCount"] == 5
    assert flask("orders", "recount").output == "orders: 1 counted, 0 changed\n"
    assert order_of(admin, job.order) == now


def test_creating_a_worker_twice_changes_nothing_and_reports_it(flask):
    assert flask(*worker_command()).output == "worker nida added, with the role admin\n"
    again = flask(*worker_command())
    assert again.exit_code == 1
    assert again.output == (
        "Error: worker nida is there already; nothing is changed "
        "(a new password: flask reset-password --username nida)\n"
    )


def test_reset_password_sets_a_new_one_and_ends_tokens(flask, anonymous, worker):
    name = worker.worker.username
    result = flask("reset-password", "--username", name.upper())
    assert result.exit_code == 0, result.output
    found = re.search(rf"log in as {name} / (\S+) \(shown this once\)", result.output)
    assert worker.get("/api/auth/me").status == 401
    credentials = {"username": name, "password": found[1]}
    assert anonymous.post("/api/auth/login", credentials).status == 200


def test_reset_password_takes_a_given_password_or_asks_for_it(
    app, flask, anonymous, worker
):
    name = worker.worker.username
    given = flask("reset-password", "--username", name, "--password", "secret 2")
    assert given.output == f"worker {name} has a new password\n"
    asked = app.test_cli_runner().invoke(
        args=["reset-password", "--username", name, "--prompt"],
        input="secret 3\nsecret 3\n",
    )
    assert asked.exit_code == 0
    assert "secret" not in asked.output
    for password, status in (("secret 2", 401), ("secret 3", 200)):
        credentials = {"username": name, "password": password}
        assert anonymous.post("/api/auth/login", credentials).status == status


@pytest.mark.parametrize(
    ("name", "password", "message"),
    [
        ("nobody", "secret 2", "There is no worker with the username nobody"),
        ("", "short", "password: The password must have 6 to 128 characters"),
    ],
)
def test_reset_password_that_fails_prints_one_sentence(
    flask, worker, name, password, message
):
    name = name or worker.worker.username
    result = flask("reset-password", "--username", name, "--password", password)
    assert (result.exit_code, result.output) == (1, f"Error: {message}\n")
    assert worker.get("/api/auth/me").status == 200


def test_sessions_and_api_keys_are_shown_and_ended_from_the_command_line(
    flask, server, anonymous, worker
):
    name = worker.worker.username
    body = {"username": name, "password": PASSWORD}
    logged_in = [
        Api(server, anonymous.post("/api/auth/login", body).data["token"])
        for _ in range(2)
    ]
    listed = flask("sessions", "list", "--username", name).output.splitlines()
    assert listed[-1] == f"2 sessions of {name}"
    first = listed[0].split()[0]
    assert flask("sessions", "end", "--username", name, first).exit_code == 0
    assert sorted(one.get("/api/auth/me").status for one in logged_in) == [200, 401]
    again = flask("sessions", "end", "--username", name, first)
    assert (again.exit_code, again.output) == (1, "Error: There is no such session\n")
    assert flask("sessions", "end", "--username", name).exit_code == 0
    assert {one.get("/api/auth/me").status for one in logged_in} == {401}

    keys = partial(flask, "api-keys")
    owner = ("--username", name)
    made = keys("create", *owner, "--name", "ERP", "--scope", "panes:view").output
    key = made.splitlines()[1].strip()
    erp = Api(server, key)
    assert erp.get("/api/panes").status == 200
    assert erp.get("/api/orders").status == 403
    shown = keys("list", *owner).output
    assert "ERP  without end  panes:view" in shown
    assert key[12:] not in shown
    assert keys("revoke", *owner, key).output == f"the API key {key[3:11]} is revoked\n"
    assert erp.get("/api/panes").status == 401
    wrong = keys("create", *owner, "--name", "x", "--scope", "panes:fly")
    assert wrong.output == "Error: scopes.0: Unknown permission key: panes:fly\n"
    assert flask("sessions", "list", "--username", "nobody").exit_code == 1


def test_one_time_password_of_a_locked_out_admin_has_to_be_changed(
    flask, server, anonymous, admin
):
    name = admin.worker.username
    output = flask("reset-password", "--username", name, "--once").output
    password = re.search(r"log in as \S+ / (\S+)", output)[1]
    body = {"username": name, "password": password}
    again = Api(server, anonymous.post("/api/auth/login", body).data["token"])
    assert again.get("/api/workers").errors["code"] == "PASSWORD_CHANGE_REQUIRED"
    changed = {"password": "back again 1", "currentPassword": password}
    assert again.patch("/api/auth/me", changed).status == 200
    assert again.get("/api/workers").status == 200


def test_reset_password_lets_a_name_in_from_a_new_address_while_others_guess(
    app, flask, setting, workshop, clock_at, monkeypatch
):
    monkeypatch.setitem(app.extensions, "login_throttle", Throttle())
    get_db()[rate_limits.COLLECTION].delete_many({})
    setting(LOGIN_ATTEMPTS_PER_USERNAME=3, LOGIN_ATTEMPTS_PER_MINUTE=2)
    name, other = (workshop.worker().username for _ in range(2))

    def attempt(address, password="wrong", username=name):
        body = {"username": username, "password": password}
        at = {"REMOTE_ADDR": address}
        posted = app.test_client().post("/api/auth/login", json=body, environ_base=at)
        return posted.status_code

    for one in (name, other):
        guesses = [attempt(f"10.0.0.{n}", username=one) for n in range(4)]
        assert guesses == [401, 401, 401, 429]
    assert attempt("10.0.1.1", PASSWORD) == 429
    given = ("--username", name.upper(), "--password", "back again 1")
    assert flask("reset-password", *given).exit_code == 0
    assert attempt("10.0.1.2", "back again 1") == 200
    # the limits of one address stay, and nothing changes for other names
    assert [attempt("10.0.0.9") for _ in range(3)] == [401, 401, 429]
    assert attempt("10.0.1.2", PASSWORD, username=other) == 429

    clock_at(15 * 60)
    assert [attempt(f"10.0.2.{n}") for n in range(4)] == [401, 401, 401, 429]
    assert attempt("10.0.1.3", "back again 1") == 429
    assert attempt("10.0.1.2", "back again 1") == 200  # an earlier login, as always


@pytest.mark.parametrize("fault", [{"password": "12345"}, {"role": "chief"}])
def test_creating_an_invalid_worker_prints_one_sentence(flask, fault):
    result = flask(*worker_command(**fault))
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert "Traceback" not in result.output


def test_seed_admin_prints_a_password_once_that_has_to_be_changed(flask, anonymous):
    printed = flask("seed", "admin").output  # it may stay in a log
    password = re.search(r"log in as admin / (\S{12,}) ", printed)[1]
    assert flask("seed", "admin").output == "admin: 0 added, 1 already there\n"
    body = {"username": "admin", "password": password}
    token = anonymous.post("/api/auth/login", body).data["token"]
    admin = Api(anonymous.url, token)
    assert admin.get("/api/workers").errors["code"] == "PASSWORD_CHANGE_REQUIRED"
    changed = {"password": "of my own 1", "currentPassword": password}
    assert admin.patch("/api/auth/me", changed).status == 200
    assert admin.get("/api/workers").status == 200
    assert anonymous.post("/api/auth/login", body).status == 401


def test_indexes_are_created_once(flask):
    flask("indexes")
    assert flask("indexes").output.startswith("indexes: 0 added, ")


def test_check_of_indexes_reads_collections_but_no_views(flask, monkeypatch):
    database = get_db()
    database.create_collection("a_view", viewOn="panes")
    database.create_collection("system.profile", capped=True, size=4096)
    commands = record_commands(monkeypatch)
    try:
        result = flask("indexes", "--check")
    finally:
        database.drop_collection("a_view")
        database.drop_collection("system.profile")
    read = [one["validate"] for one in commands.named("validate")]
    line = f"indexes of {len(read)} collections checked: whole\n"
    assert (result.exit_code, result.output) == (0, line)
    assert {"panes", "event_log"} <= set(read)
    assert not {"a_view", "system.profile", "system.views"} & set(read)
    assert not commands.named("createIndexes")


def answer_validate_as_mongodb(monkeypatch, answer):
    """Let the store answer `validate` for panes as a MongoDB: `answer(options)`."""
    command = Database.command

    def answering(self, name, value=1, **options):
        if (name, value) == ("validate", "panes"):
            return answer(options)
        return command(self, name, value, **options)

    monkeypatch.setattr(Database, "command", answering)
    description = get_connection(), {"version": "8.0.0"}
    monkeypatch.setattr(connection, "_described", description)


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        (
            {
                "valid": False,
                "errors": [],
                "indexDetails": {
                    "_id_": {"valid": True},
                    "order_1": {"valid": False, "errors": ["has inconsistencies"]},
                },
            },
            ["panes: index order_1: has inconsistencies"],
        ),
        (
            {"valid": False, "errors": ["is corrupt"], "indexDetails": {}},
            ["panes: is corrupt"],
        ),
        ({"valid": False, "raw": {}}, ["panes: not valid"]),  # a sharded cluster
    ],
)
def test_check_of_indexes_reports_what_a_mongodb_finds_and_repairs_nothing(
    flask, monkeypatch, answer, lines
):
    asked = []

    def validate(options):
        asked.append(options)
        return answer

    answer_validate_as_mongodb(monkeypatch, validate)
    result = flask("indexes", "--check")
    assert result.exit_code == 1
    *found, summary, refusal = result.output.splitlines()
    assert found == lines
    assert summary.endswith("collections checked: those of 1 are not whole")
    assert refusal == (
        "Error: glassflow repairs no MongoDB: see its own command `validate` with "
        "`repair`."
    )
    assert asked == [{}]


def test_check_of_indexes_names_the_role_that_its_user_lacks(flask, monkeypatch):
    error = OperationFailure("not authorized", 13)

    def refuse(options):
        raise error

    answer_validate_as_mongodb(monkeypatch, refuse)
    result = flask("indexes", "--check")
    assert (result.exit_code, result.output) == (
        1,
        "Error: The user of MONGODB_URI may not run `validate`: the role dbAdmin allows "
        "it.\n",
    )
    error = OperationFailure("another fault", 8)
    assert flask("indexes", "--check").exception is error


def test_doctor_passes_on_a_seeded_store(flask):
    flask("seed", "admin")
    result = flask("doctor")
    assert result.exit_code == 0, result.output
    for row in ("store", "transactions", "indexes", "queue", "profile"):
        assert re.search(rf"^ok +{row} ", result.output, re.MULTILINE)
    assert "SecantusDB" in result.output


def test_doctor_names_missing_indexes_and_those_with_other_options(flask):
    flask("seed", "admin")
    collection = JobType.collection()
    try:
        collection.drop_indexes()
        collection.create_index("code")  # not unique
        result = flask("doctor")
        assert result.exit_code == 1
        (line,) = re.findall(r"^WRONG +indexes +(.*)", result.output, re.MULTILINE)
        assert "missing: job_types.createdAt_1__id_1," in line
        assert "with other options: job_types.code_1: drop them" in line
        assert "code_1 of job_types exists with other" in flask("indexes").output
    finally:
        collection.drop_indexes()
        flask("indexes")
    assert flask("doctor").exit_code == 0


def test_doctor_names_a_data_directory_that_other_users_may_read(
    flask, setting, tmp_path
):
    flask("seed", "admin")
    setting(DATA_DIR=str(tmp_path))
    for mode, code in ((0o755, 1), (0o700, 0)):
        tmp_path.chmod(mode)
        result = flask("doctor")
        assert result.exit_code == code, result.output
        assert (f"chmod -R go= {tmp_path}" in result.output) == (code == 1)


def test_doctor_names_a_disk_that_is_slow_or_takes_no_more(
    flask, setting, monkeypatch, tmp_path
):
    flask("seed", "admin")
    tmp_path.chmod(0o700)
    setting(DATA_DIR=str(tmp_path))

    def wrong():
        found = re.findall(r"^WRONG +(.*?) {2,}(.*)", flask("doctor").output, re.M)
        return [f"{row}: {words}" for row, words in found]

    assert wrong() == []
    with monkeypatch.context() as slow:
        slow.setattr(sys.modules["glassflow.cli.doctor"], "SLOW_S", 0.0)
        (line,) = wrong()
        assert re.match(r"store writes: \d+ ms: the disk is slow", line)
    with monkeypatch.context() as full:
        full.setattr(disk, "FULL_BYTES", 10**18)
        (line,) = wrong()
        assert line.endswith("is nearly full: free space")
    with monkeypatch.context() as failing:  # root may write everywhere but there
        failing.setattr(disk.os, "access", lambda *_: False)
        (line,) = wrong()
        assert line.endswith("is read-only: its disk may be failing")


def test_doctor_fails_without_an_admin(flask):
    result = flask("doctor")
    assert result.exit_code == 1
    assert re.search(r"^WRONG +admin ", result.output, re.MULTILINE)


def test_doctor_fails_when_redis_does_not_respond(flask, setting):
    flask("seed", "admin")
    setting(REDIS_URL="redis://:hush@127.0.0.1:1/0")
    result = flask("doctor")
    assert result.exit_code == 1
    assert re.search(r"^WRONG +queue ", result.output, re.MULTILINE)
    assert "hush" not in result.output


def test_doctor_says_what_several_processes_lack_without_redis(flask, setting):
    flask("seed", "admin")
    setting(WORKERS=3)
    result = flask("doctor")
    assert result.exit_code == 0, result.output
    queue = re.search(r"^ok +queue +(.*)$", result.output, re.MULTILINE)
    assert queue[1].startswith("3 processes without REDIS_URL: ")


def test_dead_letters_are_shown_retried_and_discarded(flask):
    flask("seed", "admin")
    entry = Message("system_alert", {"message": "secret"})

    def store_dead_letter():
        dead_letters.store([DeadLetter(ObjectId(), entry, "ValueError")])

    store_dead_letter()
    for command in ("doctor", "dead-letters"):
        result = flask(command)
        assert "system_alert" in result.output
        assert "ValueError" in result.output
        assert "secret" not in result.output
    assert "1 dead letters" in flask("dead-letters").output
    assert flask("doctor").exit_code == 1
    assert flask("dead-letters", "retry").output == "1 entries are back in the outbox\n"
    assert flask("dead-letters").output == "0 dead letters\n"
    store_dead_letter()
    assert (
        flask("dead-letters", "discard", "--yes").output == "1 dead letters deleted\n"
    )
    assert flask("doctor").exit_code == 0


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("JWT_SECRET", "hush", "***"),
        ("MONGODB_URI", "mongodb://me:hush@a,b/x?y=hush", "mongodb://***@a,b/x"),
        ("REDIS_URL", "redis://localhost:6379", "redis://localhost:6379"),
        ("SMTP_URL", "smtp://me:hush@mail:587?tls=required", "smtp://***@mail:587"),
        ("PORT", "8000", "8000"),
    ],
)
def test_secrets_are_masked(name, value, shown):
    assert masked(name, value) == shown


def test_permissions_page_equals_the_output_of_the_code(app):
    """If this fails: `flask docs` prints it again."""
    assert (REPOSITORY / "docs/permissions.md").read_text("utf-8") == permission_page(
        app
    )


@pytest.fixture
def import_file(flask, tmp_path):
    """Import rows from a file: `import_file("customers", rows, "--as", "nida")`."""

    def run(resource, rows, *options, format="csv"):
        file = tmp_path / f"rows.{format}"
        file.write_bytes(to_csv(rows) if format == "csv" else to_xlsx(rows))
        return flask("import", resource, str(file), *options)

    return run


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_import_of_a_file_does_what_its_dry_run_shows(
    import_file, admin, workshop, format, setting
):
    setting(MAX_IMPORT_ROWS=1)  # of requests only
    customer = workshop.customer(name="เก่า")
    rows = [{"_id": str(customer.pk), "name": "ใหม่"}, {"_id": "", "name": "น้ำ"}]
    given = ("customers", rows, "--as", admin.worker.username)
    for option in (["--dry-run"], [], []):
        result = import_file(*given, *option, format=format)
        assert result.exit_code == 0, result.output
        rows[1] = {"_id": "", "name": "น้ำ"}
        if option:
            assert result.output == "1 created, 1 updated, 0 unchanged\n"
            assert admin.get("/api/customers").body["pagination"]["total"] == 1
    assert result.output == "0 created, 0 updated, 2 unchanged\n"
    assert admin.get(f"/api/customers/{customer.pk}").data["name"] == "ใหม่"


@pytest.mark.sized
def test_import_of_a_large_file_and_its_dry_run_have_more_time_than_a_request(
    import_file, admin, monkeypatch
):
    monkeypatch.setattr(deadlines, "LONG_WORK_TIMEOUT_S", 0.001)
    count = size(300, long=10_000)
    rows = [{"name": f"ร้าน {n}", "phone": f"02-{n}"} for n in range(count)]
    for option, there in ((["--dry-run"], 0), ([], count)):
        done = import_file("customers", rows, "--as", admin.worker.username, *option)
        assert done.output == f"{count} created, 0 updated, 0 unchanged\n"
        assert admin.get("/api/customers").body["pagination"]["total"] == there


@pytest.mark.parametrize("option", [[], ["--dry-run"]])
def test_import_that_the_store_keeps_refusing_says_why_and_what_to_do(
    import_file, admin, monkeypatch, option
):
    def refuse(*_):
        raise RetryTransaction

    monkeypatch.setattr(imports, "RETRIES_S", 0.01)
    monkeypatch.setattr(importing, "_apply", lambda *_, **__: refuse())
    rows = [{"name": "a"}]
    done = import_file("customers", rows, "--as", admin.worker.username, *option)
    assert done.exit_code == 1
    assert done.output == f"Error: {imports.REFUSED}\n"
    assert admin.get("/api/customers").data == []


def test_import_of_a_faulty_file_names_the_rows_and_stores_nothing(import_file, admin):
    rows = [{"name": "a", "discount": "5"}, {"name": "b", "discount": "x"}]
    result = import_file("customers", rows, "--as", admin.worker.username)
    assert result.exit_code == 1
    assert "row 3 discount: Not a valid number\n" in result.output
    assert "nothing was imported" in result.output
    assert admin.get("/api/customers").data == []


def test_import_of_a_file_takes_its_charset_and_names_the_sheet_that_was_read(
    flask, admin, tmp_path
):
    csv, workbook = tmp_path / "a.csv", tmp_path / "a.xlsx"
    csv.write_bytes("name\nน้ำ\n".encode("cp874"))
    book = openpyxl.Workbook()
    book.active.append(["name"])
    book.create_sheet("now")
    book.save(workbook)
    done = ("--as", admin.worker.username)
    result = flask("import", "customers", str(csv), *done, "--charset", "windows-874")
    assert result.output == "1 created, 0 updated, 0 unchanged\n"
    assert [one["name"] for one in admin.get("/api/customers").data] == ["น้ำ"]
    result = flask("import", "customers", str(workbook), *done)
    assert result.output == "sheet Sheet\n0 created, 0 updated, 0 unchanged\n"


def test_import_needs_a_worker_with_the_keys_and_a_list_that_takes_it(
    import_file, admin, worker
):
    rows = [{"name": "a"}]
    for resource, options, message in (
        ("customers", ["--as", "nobody"], "no active worker has the username nobody"),
        ("customers", ["--as", worker.worker.username], "Not authorized"),
        ("roles", ["--as", admin.worker.username], "roles cannot be imported"),
    ):
        result = import_file(resource, rows, *options)
        assert result.exit_code == 1
        assert message in result.output, result.output


def test_doctor_says_whether_there_is_e_mail(flask, setting, admin):
    flask("seed", "admin")

    def shown():
        output = flask("doctor").output
        assert "hush" not in output
        return re.search(r"^(ok|WRONG) +e-mail +(.*)$", output, re.M).groups()

    off = "off: MAIL_FROM is unset, and the e-mail of the page Workshop "
    by = "on, by smtp://***@mail.example:587, from "
    assert shown() == ("ok", "off (SMTP_URL)")
    setting(SMTP_URL="smtp://me:hush@mail.example:587")
    assert shown() == ("WRONG", f"{off}is empty")
    for email, found in (
        ("c>d@e.example", ("WRONG", f"{off}is no sender: 'c>d@e.example'")),
        ("c@d.example", ("ok", f"{by}c@d.example")),
    ):
        assert admin.put("/api/workshop", {"email": email}).status == 200
        assert shown() == found
    setting(MAIL_FROM="a@b.example")
    assert shown() == ("ok", f"{by}a@b.example")
    assert re.search(r"^ok +links +PUBLIC_URL is unset", flask("doctor").output, re.M)
    setting(PUBLIC_URL="https://glass.example")
    assert re.search(
        r"^ok +links +https://glass\.example$", flask("doctor").output, re.M
    )
