"""How large the code base is, and how much of it a reader has to open: prints a table.

`make house` runs it. A scan and a list are carried out by the application on an embedded
store of their own while the calls of Python functions are recorded; the recording covers
the request and, for the scan, publishing its event. All other figures are counted in files.
"""

from gevent import monkey

monkey.patch_all()  # before anything else is imported

import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import grimp
from flask import Flask
from flask.testing import FlaskClient

from glassflow.app import create_app
from glassflow.core.store import migrations
from glassflow.embedded import store
from glassflow.models.worker import Worker
from glassflow.services.auth import identity
from glassflow.services.prepare import ensure_indexes
from glassflow.settings import load_settings

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "glassflow"
SCRIPTS = PACKAGE / "pages/static"
NOT_WRITTEN_HERE = {"node_modules", "vendor", "__pycache__"}
# `import … from "./x.js"`, `import "./x.js"` and `import("./x.js")`
IMPORT = re.compile(
    r'(?:^(?:import|export)\b[^;()"]*|\bimport\()"(\.[^"]+)"', re.MULTILINE
)


def files(folder: Path, *suffixes: str) -> list[Path]:
    """Return the files below a folder with one of these suffixes, without libraries."""
    return [
        file
        for file in sorted(folder.rglob("*"))
        if file.suffix in suffixes and not NOT_WRITTEN_HERE & set(file.parts)
    ]


def lines(paths: Iterable[Path]) -> int:
    """Return the number of lines of these files."""
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def words(paths: Iterable[Path]) -> int:
    """Return the number of words of these files."""
    return sum(len(path.read_text("utf-8").split()) for path in paths)


def section(page: str, heading: str) -> str:
    """Return the text below a heading of a page in docs/; raises `IndexError`."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    return re.split(rf"^## {heading}\n", text, flags=re.MULTILINE)[1].split("\n## ")[0]


def named_files(text: str) -> set[str]:
    """Return the Python and JavaScript files that a text names in backticks."""
    return set(re.findall(r"`([\w/.]+\.(?:py|js))`", text))


def has_circle(imports: Mapping[str, Iterable[str]]) -> str:
    """Return the modules of an import circle, or "none"."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return " -> ".join(error.args[1])
    return "none"


def python_imports() -> dict[str, set[str]]:
    """Return what each module of the package imports of it, also inside functions."""
    graph = grimp.build_graph("glassflow", exclude_type_checking_imports=True)
    return {
        module: graph.find_modules_directly_imported_by(module)
        for module in graph.modules
    }


def script_imports() -> dict[str, set[str]]:
    """Return what each module of the pages imports of them, at its start or later."""
    return {
        str(file): {
            str((file.parent / path).resolve())
            for path in IMPORT.findall(file.read_text("utf-8"))
        }
        for file in files(SCRIPTS, ".js")
    }


class Recording:
    """The functions of the package that run in the `with` block."""

    def __init__(self) -> None:
        self._codes: set[CodeType] = set()

    def __enter__(self) -> "Recording":
        sys.setprofile(self._record)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def __str__(self) -> str:
        paths = {code.co_filename for code in self._codes}
        return f"{len(paths)} files, {len(self._codes)} functions"

    def _record(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(PACKAGE)):
            self._codes.add(frame.f_code)


def recordings() -> tuple[Recording, Recording]:
    """Carry out a scan and the reading of a list; return what ran."""
    with tempfile.TemporaryDirectory() as folder:
        running = store.start(folder)
        try:
            return _record(
                create_app(load_settings("testing", env={"MONGODB_URI": running.uri}))
            )
        finally:
            running.stop()


def _record(app: Flask) -> tuple[Recording, Recording]:
    with app.app_context():
        ensure_indexes()
        list(migrations.run())
        app.test_cli_runner().invoke(args=["seed", "all"])
        admin = Worker.objects(username="admin").first()
        assert admin is not None
        token = identity.issue(admin.pk)
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    send = _sender(client)
    station = send("GET", "/api/stations")[0]["_id"]
    customer = send("POST", "/api/customers", {"name": "Aek"})["_id"]
    material = send("GET", "/api/materials")[0]["_id"]
    panes = [{"routing": [station]}] * 2
    details = {"type": "window", "quantity": len(panes)}
    request = send(
        "POST",
        "/api/requests",
        {"customer": customer, "details": details, "panes": panes},
    )
    body = {"customer": customer, "material": material, "request": request["_id"]}
    send("POST", "/api/orders", body | {"quantity": len(panes)})
    realtime = app.extensions["realtime"]
    first, second = send("GET", f"/api/panes?request={request['_id']}")

    def scan(pane: Mapping[str, Any]) -> None:
        path = f"/api/panes/{pane['paneNumber']}/scan"
        send("POST", path, {"action": "scan_in", "station": station})
        realtime.flush()

    scan(first)  # fills the caches, as all scans but the first of a process find them
    with Recording() as of_scan:
        scan(second)
    send("GET", "/api/customers")
    with Recording() as of_list:
        send("GET", "/api/customers")
    realtime.stop()
    return of_scan, of_list


def _sender(client: FlaskClient) -> Callable[..., Any]:
    def send(method: str, path: str, body: object = None) -> Any:
        answer = client.open(path, method=method, json=body)
        assert answer.status_code < 300, (path, answer.get_data(as_text=True))
        assert answer.json is not None
        return answer.json["data"]

    return send


def rows() -> Iterable[tuple[str, object]]:
    """Yield the rows of the table: what is counted, and how many."""
    of_scan, of_list = recordings()
    yield "A scan, from HTTP to the event, runs through", of_scan
    yield (
        "Files that explain a scan",
        len(named_files(section("architecture.md", "How a scan travels"))),
    )
    yield "A list runs through", of_list
    yield (
        "Files that explain a list",
        len(named_files(section("architecture.md", "How a list is read"))),
    )
    fields = section("tutorial-add-a-field.md", "The files").split("\n\n")[0]
    yield (
        "Files of the product to edit for a field",
        len({one for one in named_files(fields) if not one.startswith("tests/")}),
    )
    recipe = re.search(
        r"^- \*\*A resource\*\*.*?(?=^- )",
        section("architecture.md", "Recipes"),
        re.M | re.S,
    )
    assert recipe
    yield "Files to edit for a resource", len(named_files(recipe.group())) + 3
    python, scripts = files(PACKAGE, ".py"), files(SCRIPTS, ".js")
    yield "Python of the product", f"{lines(python):,} lines in {len(python)} files"
    yield "JavaScript of the pages", f"{lines(scripts):,} lines in {len(scripts)} files"
    yield "Import circles in Python", has_circle(python_imports())
    yield "Import circles in the pages", has_circle(script_imports())
    for folder in ("tests", "bench", "demo"):
        found = files(ROOT / folder, ".py", ".js", ".mjs")
        yield f"{folder}/", f"{lines(found):,} lines in {len(found)} files"
    support = [
        file
        for file in files(ROOT / "tests", ".py")
        if not file.name.startswith("test_")
    ]
    yield (
        "Of tests/ what is no test",
        f"{lines(support):,} lines in {len(support)} files",
    )
    yield "Words of the decisions", f"{words(files(ROOT / 'docs/decisions', '.md')):,}"
    yield "Words of README.md", words([ROOT / "README.md"])


def main() -> None:
    """Print the table."""
    for name, value in rows():
        print(f"{name:48}{value}", flush=True)


if __name__ == "__main__":
    main()
