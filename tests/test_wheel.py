"""The wheel: profiles and seeds are in it, and commands find them without the source."""

import os
import secrets
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from databases import new_database
from glassflow.host.data_files import REPOSITORY
from glassflow.pages import files

pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.timeout(300)]
SOURCES = ("glassflow", "config", "seeds", "LICENSES")
BUILD_FILES = ("setup.cfg", "setup.py", "pyproject.toml", "README.md", "LICENSE")


def run(*command, expected_code=0, **options):
    """Run a program; return its output, or its errors where it is expected to fail."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == expected_code, done.stdout + done.stderr
    return done.stderr if expected_code else done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy of the sources: a build leaves files in them."""
    folder = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        leave = shutil.ignore_patterns("__pycache__")
        shutil.copytree(REPOSITORY / name, folder / name, ignore=leave)
    for name in BUILD_FILES:
        shutil.copy(REPOSITORY / name, folder)
    # without build isolation: a test must not need a network
    offline = ["--no-deps", "--no-index", "--no-build-isolation"]
    pip = [sys.executable, "-m", "pip", "wheel", *offline, "--wheel-dir", "dist", "."]
    run(*pip, cwd=folder)
    (built,) = (folder / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """The interpreter of a new environment with the wheel and our dependencies."""
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", "--without-pip", str(folder))
    program = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(program), "install"]
    run(*pip, "--no-deps", "--no-index", str(wheel))
    query = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site_packages = Path(run(str(program), "-c", query).strip())
    # Only a path: .pth files in it are not read, so our editable install is not there.
    dependencies = site_packages / "dependencies.pth"
    dependencies.write_text(sysconfig.get_path("purelib") + "\n")
    return program


@pytest.fixture
def flask(python, store, tmp_path):
    """Runs a command of the installed package from an empty directory."""
    usual = {
        "MONGODB_URI": store,
        "MONGODB_DB": new_database(),
        "ARGON2_TIME_COST": "1",
    }

    def command(*arguments, expected_code=0, **settings):
        flask = [str(python), "-m", "flask", "--app", "glassflow.app", *arguments]
        environment = os.environ | usual | settings
        return run(*flask, expected_code=expected_code, cwd=tmp_path, env=environment)

    return command


def test_commands_find_profiles_and_seeds(flask, python, tmp_path):
    strict = {
        "GLASSFLOW_CONFIG": "production,compat",
        "JWT_SECRET": secrets.token_hex(32),
    }
    assert "stations: 8 added" in flask("prepare", DEMO="1", **strict)
    rows = flask("doctor", **strict).splitlines()
    found = dict(row.removeprefix("ok").split(maxsplit=1) for row in rows)
    package = run(
        str(python),
        "-c",
        "import glassflow; print(glassflow.__path__[0])",
        cwd=tmp_path,
    ).strip()
    assert Path(package).is_relative_to(python.parents[1])
    count = len(list((REPOSITORY / "seeds").rglob("*.json")))
    assert found["seeds"] == f"{count} files in {package}/seeds"
    assert found["profile"] == f"production,compat, in {package}/profiles"
    assert not list(tmp_path.iterdir()), "nothing is written"


def test_wheel_contains_all_files_of_the_pages(wheel, python, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        packed = {
            name.removeprefix("glassflow/pages/static/"): archive.read(name)
            for name in archive.namelist()
            if name.startswith("glassflow/pages/static/")
        }
        assert "glassflow/pages/shell.html" in archive.namelist()
    assert packed == {
        path.relative_to(files.ROOT).as_posix(): path.read_bytes()
        for path in files.ROOT.rglob("*")
        if path.is_file()
    }
    query = "from glassflow.pages import files; print(files.pages().version)"
    version = run(str(python), "-c", query, cwd=tmp_path).strip()
    assert version == files.pages().version


def test_wheel_contains_the_text_of_each_licence(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (folder,) = {
            name.partition("/")[0]
            for name in archive.namelist()
            if name.endswith(".dist-info/METADATA")
        }
        for name in ("LICENSE", "LICENSES/GPL-2.0-only.txt"):
            packed = archive.read(f"{folder}/licenses/{name}")
            assert packed == (REPOSITORY / name).read_bytes()
        metadata = archive.read(f"{folder}/METADATA").decode()
    assert "License-Expression: MIT AND GPL-2.0-only\n" in metadata


def test_the_default_data_directory_is_in_the_current_directory(flask, tmp_path):
    flask("indexes")
    written = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")]
    assert sorted(written) == ["var", "var/jwt_secret"]


def test_a_command_without_a_store_is_refused_with_one_sentence(flask):
    error = flask("doctor", expected_code=1, MONGODB_URI="")
    assert error.startswith("Error: MONGODB_URI is not set: ")
    assert len(error.splitlines()) == 1
