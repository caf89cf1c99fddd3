"""deploy/Dockerfile, read by a parser: nothing here can build it."""

import re
import secrets
import shlex
import subprocess
import sys
from fnmatch import fnmatch
from importlib.metadata import requires

import pytest

from deployment import DEPLOY, image_command, instructions, last_stage, shipped
from glassflow.host.data_files import REPOSITORY
from service import PROCFILE_COMMAND
from tools import bill_of_materials


def test_the_image_runs_the_command_of_the_procfile_without_rights():
    assert image_command() == shlex.split(PROCFILE_COMMAND)
    names = [name for name, _ in last_stage()]
    assert ("USER", "10001") in last_stage()
    assert names.index("USER") > max(i for i, name in enumerate(names) if name == "RUN")
    users = next(value for name, value in last_stage() if "useradd" in value)
    assert "--uid 10001" in users


def test_what_is_copied_exists_and_is_not_ignored():
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    allowed = {rule[1:] for rule in rules if rule.startswith("!")}
    sources = {
        source
        for name, value in instructions()
        if name == "COPY" and "--from" not in value
        for source in shlex.split(value)[:-1]
    }
    assert rules[0] == "*"
    assert sources == allowed
    assert all((REPOSITORY / source).exists() for source in sources)
    assert fnmatch("glassflow/core/__pycache__", rules[-1])


def test_the_image_has_all_that_the_service_reads_and_its_licences():
    """`test_container_host.py` starts the service from these alone."""
    licences = ["LICENSE", "LICENSES"]
    assert shipped() == [
        *licences,
        "wsgi.py",
        "config",
        "seeds",
        "clients",
        "glassflow",
    ]


def test_the_image_installs_what_setup_cfg_pins():
    runs = [value for name, value in instructions() if name == "RUN"]
    (run,) = [value for value in runs if "python -c" in value]
    program = re.search(r'python -c "(.*?)" >', run, re.DOTALL)[1]
    listed = subprocess.run(
        [sys.executable, "-c", program],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    pinned = [text for text in requires("glassflow") if "extra ==" not in text]
    assert sorted(listed) == sorted(pinned)
    assert all("==" in text for text in listed)


# Imports all that a container may load, without the packages that the image lacks.
LOAD_ALL = """
import importlib, pkgutil, sys
from importlib.metadata import packages_distributions
from packaging.utils import canonicalize_name

shipped = set(sys.argv[1:])
lacking = {
    module
    for module, found in packages_distributions().items()
    if shipped.isdisjoint(map(canonicalize_name, found))
}

class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name in lacking:
            raise ModuleNotFoundError(f"the image has no {name}", name=name)

for name in lacking & sys.modules.keys():
    del sys.modules[name]
sys.meta_path.insert(0, Lacking())
import wsgi, config.worker, config.gunicorn_hooks, config.gunicorn_log, glassflow
for module in pkgutil.walk_packages(glassflow.__path__, "glassflow."):
    if not module.name.startswith("glassflow.embedded"):
        importlib.import_module(module.name)
"""


@pytest.mark.slow
def test_the_service_imports_nothing_that_the_image_lacks():
    names = [one.name for one in bill_of_materials.python_packages("")]
    if sys.version_info < (3, 11, 3):  # older than the image's: redis needs one more
        names.append("async-timeout")
    settings = {
        "GLASSFLOW_CONFIG": "production",
        "JWT_SECRET": secrets.token_hex(32),
        "MONGODB_URI": "mongodb://127.0.0.1:1",
    }
    done = subprocess.run(
        [sys.executable, "-c", LOAD_ALL, "glassflow", *names],
        cwd=REPOSITORY,
        env=settings,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
