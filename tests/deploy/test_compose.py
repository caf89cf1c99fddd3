"""deploy/compose.yaml: held to the specification, and to what the service expects."""

import json
import re
import secrets
import subprocess
import sys

import pytest
import yaml

from deployment import DEPLOY
from glassflow.services.backups.replacing import SUFFIX
from glassflow.settings import load_settings
from glassflow.settings_rules import serves_metrics
from optional_tools import require_node

VARIABLE = re.compile(r"\$\{(\w+)(:\?|:-)?(.*?)\}")
SECRETS = {"JWT_SECRET", "STORE_PASSWORD", "STORE_ROOT_PASSWORD"}
OPTIONAL_SECRETS = {"METRICS_TOKEN"}
SECRET = secrets.token_hex(32)

# What mongosh has and deploy/store-init.js uses, with a log of what it is told.
MONGOSH = """
import { readFileSync } from "node:fs";
const state = { primary: false, users: {}, calls: [] };
const admin = {
  adminCommand(command) {
    state.calls.push(Object.keys(command)[0]);
    if (command.replSetGetStatus && !state.members) {
      throw Object.assign(new Error(), { codeName: "NotYetInitialized" });
    }
    if (command.replSetInitiate) state.members = command.replSetInitiate.members;
  },
  hello: () => ({ isWritablePrimary: state.primary }),
  getSiblingDB: (database) => ({
    getUser: (name) => state.users[`${database}.${name}`] ?? null,
    createUser({ user, ...rest }) { state.users[`${database}.${user}`] = rest; },
    updateUser(user, rest) { state.users[`${database}.${user}`] = rest; },
  }),
};
const connect = (address) => { state.address = address; return admin; };
const sleep = () => { state.primary = true; };
const script = new Function("connect", "sleep", "print", readFileSync(process.argv[1]));
script(connect, sleep, () => {});
process.env.STORE_PASSWORD = "second";
script(connect, sleep, () => {});
console.log(JSON.stringify(state));
"""


@pytest.fixture(scope="module")
def text():
    return (DEPLOY / "compose.yaml").read_text("utf-8")


@pytest.fixture(scope="module")
def services(text):
    """The services, with a value for each variable."""

    def value(match):
        return SECRET if match[1] in SECRETS | OPTIONAL_SECRETS else match[3]

    return yaml.safe_load(VARIABLE.sub(value, text))["services"]


def test_the_file_is_as_the_compose_specification_says():
    check = [sys.executable, "-m", "check_jsonschema"]
    schema = ["--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run(
        [*check, *schema, DEPLOY / "compose.yaml"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_every_variable_is_in_the_example_and_secrets_are_required(text):
    example = (DEPLOY / "compose.env.example").read_text("utf-8")
    given = dict(re.findall(r"^(\w+)=(.*)$", example, re.MULTILINE))
    used = {name: how for name, how, _ in VARIABLE.findall(text)}
    assert set(given) == set(used) - {"GLASSFLOW_TAG"}
    assert {name for name, how in used.items() if how == ":?"} == SECRETS
    assert {name for name, value in given.items() if not value} == (
        SECRETS | OPTIONAL_SECRETS
    )


@pytest.mark.parametrize("name", ["glassflow-1", "glassflow-2", "prepare"])
def test_settings_of_the_service_are_those_of_production(services, name):
    environment = services[name]["environment"]
    settings = load_settings("production", environment)
    assert set(environment) <= set(settings)
    assert settings["STRICT_START"]
    assert serves_metrics(settings)
    assert settings["TRUSTED_PROXIES"] == 1
    assert settings["WORKERS"] == 1
    assert services[name]["read_only"]
    assert services[name]["cap_drop"] == ["ALL"]


def test_addresses_name_services_of_the_same_network(services):
    environment = services["glassflow-1"]["environment"]
    found = [
        re.search(r"[@/]([\w-]+):\d+/", environment[name])[1]
        for name in ("MONGODB_URI", "REDIS_URL")
    ]
    assert found == ["store", "queue"]
    for name in found:
        assert services[name]["networks"] == ["inside"]
        assert "ports" not in services[name]
    upstream = (DEPLOY / "nginx" / "upstream.compose.conf").read_text("utf-8")
    behind = dict(re.findall(r"server ([\w-]+):(\d+);", upstream))
    assert set(behind) == {"glassflow-1", "glassflow-2"} <= set(services)
    for name, port in behind.items():
        assert services[name]["environment"]["PORT"] == port
        assert services[name]["networks"] == ["inside", "web"]
    assert services["nginx"]["networks"] == ["web"]


def test_only_nginx_can_be_reached_and_what_is_mounted_exists(services):
    assert {name for name, one in services.items() if "ports" in one} == {"nginx"}
    mounted = {
        volume.partition(":")[0]
        for one in services.values()
        for volume in one.get("volumes", ())
        if volume.startswith(".")
    }
    mounted.remove("./tls")  # the certificate of whoever runs it
    assert mounted
    assert all((DEPLOY / path).is_file() for path in mounted)


def test_store_makes_its_key_again_in_a_container_that_starts_again(services, tmp_path):
    command, flag, script = services["store"]["entrypoint"]
    key, earlier = tmp_path / "key", tmp_path / "earlier"
    script = script.replace("/tmp/key", str(key))
    script = script.replace("chown mongodb", "true")
    script = script.replace("exec docker-entrypoint.sh", "true")
    subprocess.run([command, flag, script], check=True)
    assert 6 <= len(key.read_bytes()) <= 1024
    assert key.stat().st_mode & 0o777 == 0o400
    # a file of another user below /tmp may be removed, but not written to
    earlier.hardlink_to(key)
    subprocess.run([command, flag, script], check=True)
    assert not earlier.samefile(key)


def test_store_is_healthy_when_others_reach_it(services):
    check = services["store"]["healthcheck"]["test"]
    assert check[check.index("--host") + 1] == "store"


def test_store_gets_its_replica_set_and_its_user_once():
    require_node()
    done = subprocess.run(
        ["node", "--input-type=module", "-e", MONGOSH, DEPLOY / "store-init.js"],
        env={"STORE_PASSWORD": "first", "STORE_ROOT_PASSWORD": "top"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    state = json.loads(done.stdout)
    assert state["address"].startswith("mongodb://root:top@store:27017/admin?")
    assert state["members"] == [{"_id": 0, "host": "store:27017"}]
    assert state["calls"] == ["replSetGetStatus", "replSetInitiate", "replSetGetStatus"]
    databases = ("glassflow", f"glassflow{SUFFIX}")  # the second one is for a restore
    names = ("readWrite", "dbAdmin")
    roles = [{"role": name, "db": db} for db in databases for name in names]
    assert state["users"] == {"glassflow.glassflow": {"pwd": "second", "roles": roles}}
