"""What is vendored for the pages, and what their code must not contain."""

import base64
import hashlib
import json
import re

import pytest

from glassflow.host.data_files import REPOSITORY
from glassflow.pages import files

LOCK = json.loads((files.ROOT / "vendor" / "LOCK.json").read_text("utf-8"))
# Names of XML languages, which nobody fetches, and a page that a message names.
HARMLESS = {
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/1998/Math/MathML",
    "http://www.w3.org/1999/xhtml",
    "https://socket.io/docs/v3/migrating-from-2-x-to-3-0/",
    "https://",  # put before the host of the page
}
OWN_CODE = sorted((files.ROOT / "js").rglob("*.js"))


def sha384(path):
    return base64.b64encode(hashlib.sha384(path.read_bytes()).digest()).decode()


def test_vendored_files_are_those_of_the_lock_file():
    found = {
        f"{folder}/{path.name}": sha384(path)
        for folder in ("vendor", "fonts")
        for path in (files.ROOT / folder).iterdir()
        if path.name != "LOCK.json"
    }
    assert found == {name: entry["sha384"] for name, entry in LOCK["files"].items()}


def test_types_are_those_of_the_vendored_versions():
    lock = REPOSITORY / "tests/node/package-lock.json"
    installed = json.loads(lock.read_text("utf-8"))["packages"]
    for name in ("preact", "@preact/signals", "@preact/signals-core"):
        assert name in LOCK["packages"]
        assert f"node_modules/{name}" in installed
    for name, package in LOCK["packages"].items():
        found = installed.get(f"node_modules/{name}", package)
        assert found["version"] == package["version"], name


def test_types_name_what_is_vendored_for_all_pages():
    exported = re.compile(r"export (?:(?:const|function) (\w+)|\{([^}]*)\})")

    def names(path):
        found = exported.findall((REPOSITORY / path).read_text("utf-8"))
        return set(re.findall(r"\w+", " ".join(" ".join(one) for one in found)))

    vendored = names("tools/vendor/ui.js")
    assert {"html", "useState"} <= vendored
    assert names("tests/node/types/static/vendor/ui.d.ts") == vendored


def test_every_package_has_an_exact_version_an_integrity_and_a_licence():
    for name, package in LOCK["packages"].items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", package["version"]), name
        assert package["integrity"].startswith("sha512-"), name
        assert package["license"], name
        text = (files.ROOT / package["licenseFile"]).read_text("utf-8")
        assert re.search("copyright|licen[sc]e", text, re.IGNORECASE), name
    for name, entry in LOCK["files"].items():
        assert set(entry["packages"]) <= set(LOCK["packages"]), name


def test_fonts_keep_their_names_and_their_open_licence():
    for name, entry in LOCK["files"].items():
        if name.endswith(".woff2"):
            assert name.startswith("fonts/IBMPlexSansThai")
            (package,) = entry["packages"]
            licence = LOCK["packages"][package]
            assert licence["license"] == "OFL-1.1"
            text = (files.ROOT / licence["licenseFile"]).read_text("utf-8")
            assert "SIL OPEN FONT LICENSE" in text.upper()


@pytest.mark.parametrize("name", [one for one in LOCK["files"] if one.endswith(".js")])
def test_vendored_code_fetches_nothing_from_other_hosts(name):
    text = (files.ROOT / name).read_text("utf-8")
    assert set(re.findall(r"https?://[^\"'`\s)]*", text)) <= HARMLESS
    assert not re.search(r"\bnew Function\b|\beval\(|sourceMappingURL", text)


#: Links that open outside: the map of an address.
LINKED = {"rules.js": ["https://www.google.com"]}


def test_own_code_and_styles_name_no_other_host():
    styles = [*(files.ROOT / "js").rglob("*.css"), files.SHELL]
    for path in [*OWN_CODE, *styles]:
        found = set(re.findall(r"https?://[\w.]+", path.read_text("utf-8")))
        assert found <= {"http://www.w3.org", *LINKED.get(path.name, ())}, path


def test_own_code_never_parses_html_and_runs_no_text():
    assert len(OWN_CODE) > 10
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|"
        r"document\.write|\beval\(|new Function|DOMParser"
    )
    assert [path.name for path in OWN_CODE if forbidden.search(path.read_text())] == []


def test_module_for_live_events_is_the_one_for_all_clients():
    module = files.ROOT / "clients" / "glassflow.js"
    assert module.resolve() == REPOSITORY / "clients" / "js" / "glassflow.js"
