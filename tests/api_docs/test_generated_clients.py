"""Clients that are generated from the OpenAPI document compile without a fault, and work."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from factories import PASSWORD
from glassflow.api_docs import openapi
from glassflow.host.data_files import REPOSITORY
from optional_tools import NODE_DIRECTORY, require_node

pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.timeout(600)]
TYPESCRIPT = """\
import createClient from "openapi-fetch";
import type { components, paths } from "./glassflow.js";

declare const process: { env: Record<string, string> };

const client = createClient<paths>({ baseUrl: process.env.URL });
const login = await client.POST("/api/auth/login", {
  body: { username: process.env.NAME, password: process.env.PASSWORD },
});
if (!login.data) throw new Error(login.error.message);
const headers = { Authorization: `Bearer ${login.data.data.token}` };

const made = await client.POST("/api/customers", {
  headers,
  params: { header: { "Idempotency-Key": "made-by-typescript" } },
  body: { name: "กระจกใส", discount: 5 },
});
if (!made.data) throw new Error(made.error.message);
const created = made.data.data;
if (Array.isArray(created)) throw new Error("one was sent, not `items`");
const customer: components["schemas"]["Customer"] = created;

const listed = await client.GET("/api/customers", {
  headers,
  params: { query: { name: ["กระจกใส"], discount_gte: 1, sort: ["-createdAt"] } },
});
const rows = listed.data?.data ?? [];
console.log(`${customer.name} ${customer.discount} ${rows.length}`);

const sent = await client.POST("/api/customers/import", {
  headers: { ...headers, "Content-Type": "text/csv" },
  body: "name,discount\\nกระจกนำเข้า,7\\n",
  bodySerializer: (text) => text,
});
if (!sent.data) throw new Error(sent.error.message);
const table = await client.GET("/api/customers/export.csv", {
  headers,
  params: { query: { discount: [7] } },
  parseAs: "text",
});
const text: string = table.data ?? "";
console.log(`${sent.data.data.created} ${text.includes("กระจกนำเข้า")}`);

// @ts-expect-error a customer needs a name
await client.POST("/api/customers", { headers, body: { discount: 5 } });
"""
TSCONFIG = {
    "compilerOptions": {
        "strict": True,
        "target": "es2022",
        "module": "nodenext",
        "lib": ["es2022", "dom", "dom.iterable"],
        "types": [],
    },
    "files": ["client.ts"],
}
# The configuration of the Python client that docs/make-a-client.md shows.
PAGE = (REPOSITORY / "docs" / "make-a-client.md").read_text("utf-8")
CONFIG = json.loads(re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)[1])
# A request body of text/csv is what the generator of the Python client cannot make.
UNSUPPORTED = "Unsupported content type text/csv"
PYTHON = """\
import io, os, pkgutil, importlib
import glassflow_client as package
import openpyxl
from glassflow_client.api.auth import log_in
from glassflow_client.api.customers import (
    create_customer,
    export_customers_csv,
    export_customers_xlsx,
    import_customers,
    list_customers,
)
from glassflow_client.api.documents import get_docs
from glassflow_client.models import CustomerInput, LoginInput
from glassflow_client.types import File

for module in pkgutil.walk_packages(package.__path__, "glassflow_client."):
    importlib.import_module(module.name)
url = os.environ["URL"]
body = LoginInput(username=os.environ["NAME"], password=os.environ["PASSWORD"])
token = log_in.sync(client=package.Client(url), body=body).data.token
client = package.AuthenticatedClient(url, token=token)
new = CustomerInput(name="กระจกใส", discount=5)
made = create_customer.sync(client=client, body=new, idempotency_key="made-by-python")
rows = list_customers.sync(client=client, name=["กระจกใส"], discount_gte=1).data
print(made.data.name, made.data.discount, len(rows))

book = openpyxl.Workbook()
for row in (["name", "discount"], ["กระจกนำเข้า", 7]):
    book.active.append(row)
file = io.BytesIO()
book.save(file)
file.seek(0)
sent = import_customers.sync(client=client, body=File(file))
text = export_customers_csv.sync(client=client, discount=[7])
print(sent.data.created, "กระจกนำเข้า" in text)
table = openpyxl.load_workbook(export_customers_xlsx.sync(client=client).payload)
print(table.active.max_row, "<!doctype html>" in get_docs.sync(client=client).lower())
"""


@pytest.fixture
def document(app, tmp_path):
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(openapi.build(app)))
    return path


def run(admin, folder, *command):
    """Run a program that finds the service in its environment; return what it prints."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "URL": admin.url,
        "NAME": admin.worker.username,
        "PASSWORD": PASSWORD,
    }
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_client_in_typescript_compiles_strictly_and_works(admin, document, tmp_path):
    require_node("openapi-typescript")
    packages = NODE_DIRECTORY / "node_modules"
    (tmp_path / "node_modules").symlink_to(packages)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "client.ts").write_text(TYPESCRIPT, encoding="utf-8")
    program = packages / "openapi-typescript" / "bin" / "cli.js"
    run(admin, tmp_path, "node", program, document, "-o", "glassflow.d.ts")
    (tmp_path / "tsconfig.json").write_text(json.dumps(TSCONFIG))
    run(admin, tmp_path, "node", packages / "typescript" / "bin" / "tsc")
    shown = run(admin, tmp_path, "node", "client.js")
    assert shown.splitlines() == ["กระจกใส 5 1", "1 true"]


def test_client_in_python_is_complete_and_works(admin, document, tmp_path):
    package, config = tmp_path / "glassflow_client", tmp_path / "config.json"
    # no hooks: they would format thousands of files
    config.write_text(json.dumps({**CONFIG, "post_hooks": []}))
    said = run(
        admin,
        tmp_path,
        *("openapi-python-client", "generate", "--path", document, "--meta", "none"),
        *("--output-path", package, "--config", config),
    )
    files = [
        path
        for path, methods in json.loads(document.read_text())["paths"].items()
        if "text/csv"
        in methods.get("post", {}).get("requestBody", {}).get("content", ())
    ]
    assert said.count("WARNING") == said.count(UNSUPPORTED) == len(files) > 0
    (tmp_path / "client.py").write_text(PYTHON, encoding="utf-8")
    shown = run(admin, tmp_path, sys.executable, "client.py")
    assert shown.splitlines() == ["กระจกใส 5 1", "1 True", "3 True"]
