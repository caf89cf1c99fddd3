"""docs/store-faults: what is wrong in the store that is installed, and what would mend it.

A program that does not find its fault any more says that the pinned SecantusDB has mended
it. docs/store-faults/README.md names the part of the extension that can go then.
"""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import metadata
from pathlib import Path

import pytest
import secantus

pytestmark = [pytest.mark.slow, pytest.mark.embedded_store]
FOLDER = Path(__file__).resolve().parents[2] / "docs" / "store-faults"
README = (FOLDER / "README.md").read_text("utf-8")
PROGRAMS = sorted(path.stem for path in FOLDER.glob("f[0-9]*.py"))
#: The program of a hang, which takes five seconds, and whose patch is that of another one.
HANG = "f06_dropped_index_beside_a_transaction"
PATCH_OF_ANOTHER = {HANG: "f05_index_beside_a_transaction"}
#: Parts of the extension that are too large for a patch.
WITHOUT_PATCH = {
    "f19_sorted_page",
    "f20_cursor_of_a_large_collection",
    "f21_validate",
    "f23_session_for_snapshot_reads",
}
#: What the extension does not mend, as the page says.
NOT_MENDED = {
    "f04_texts_in_descending_order",
    "f08_upsert_in_a_race",
    "f22_killed_table_creation",
    "f23_session_for_snapshot_reads",
    "f24_stop_leaves_a_thread",
}
#: Its child process would run without the extension.
OF_TWO_PROCESSES = {"f07_killed_index_build"}
EXTENDED = """
import runpy, sys
from glassflow.embedded.store_extension import parts
parts.install()
sys.path.insert(0, sys.argv[1].rpartition("/")[0])
runpy.run_path(sys.argv[1], run_name="__main__")
"""
#: Of git, which would otherwise act on the repository whose hook runs these tests.
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if not name.startswith("GIT_")
}


def run(program, folder, *options, packages=""):
    """Run a program, with packages that are found before the installed ones."""
    return subprocess.run(
        [sys.executable, *options, str(FOLDER / f"{program}.py")],
        cwd=folder,
        env={**ENVIRONMENT, "PYTHONPATH": str(packages)},
        capture_output=True,
        text=True,
        timeout=120,
    )


def long_but(programs, *fast):
    """Return the programs; all but the fast ones for `make test-long` only."""
    return [
        pytest.param(one, marks=[] if one in fast else pytest.mark.long)
        for one in programs
    ]


@pytest.mark.parametrize("program", long_but(PROGRAMS, *(set(PROGRAMS) - {HANG})))
def test_fault_is_in_the_installed_store(program, tmp_path):
    done = run(program, tmp_path)
    assert done.stdout.startswith("FAULT: "), (
        f"mended by SecantusDB? {done.stdout} {done.stderr}"
    )
    assert done.returncode == 1


PATCHED = sorted(set(PROGRAMS) - WITHOUT_PATCH)


@pytest.mark.parametrize("program", long_but(PATCHED, PATCHED[0]))
def test_patch_mends_it(program, tmp_path):
    shutil.copytree(Path(secantus.__file__).parent, tmp_path / "secantus")
    patch = FOLDER / f"{PATCH_OF_ANOTHER.get(program, program)}.patch"
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn", str(patch)],
        cwd=tmp_path,
        env={**ENVIRONMENT, "GIT_CEILING_DIRECTORIES": str(tmp_path.parent)},
        check=True,
    )
    done = run(program, tmp_path, packages=tmp_path)
    assert done.stdout.startswith("right: "), done.stdout + done.stderr
    assert done.returncode == 0


@pytest.mark.long
@pytest.mark.parametrize("program", sorted(set(PROGRAMS) - OF_TWO_PROCESSES))
def test_extension_mends_it_where_the_page_says_so(program, tmp_path):
    done = run(program, tmp_path, "-c", EXTENDED)
    expected = "FAULT: " if program in NOT_MENDED else "right: "
    assert done.stdout.startswith(expected), done.stdout + done.stderr


def test_every_patch_belongs_to_a_program():
    patches = {path.stem for path in FOLDER.glob("*.patch")}
    assert patches == set(PATCHED) - PATCH_OF_ANOTHER.keys()


def test_page_names_the_version_and_every_program_and_patch():
    known = metadata("SecantusDB")
    assert f"SecantusDB {known['Version']}" in README
    assert known["Name"] == "SecantusDB"
    homepages = [url for url in known.get_all("Project-URL") if "Repository" in url]
    assert all(url.split(", ")[1] in README for url in homepages)
    files = {path.name for path in FOLDER.iterdir() if path.is_file()}
    links = set(re.findall(r"\]\((f[^)]+|store_run\.py)\)", README))
    assert links == files - {"README.md"}


def test_page_names_parts_of_the_extension_that_exist():
    package = Path(__file__).resolve().parents[2] / "glassflow"
    for module, name in re.findall(r"`(\w+)\.py`(?:: `(\w+)`)?", README):
        texts = [path.read_text("utf-8") for path in package.rglob(f"{module}.py")]
        assert texts, module
        assert not name or any(re.search(rf"\b{name}\b", text) for text in texts)
