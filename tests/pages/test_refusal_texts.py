"""The floor pages explain each refusal of the domain, in both languages."""

import json
import pkgutil
import shutil
import subprocess
from importlib import import_module

import pytest

from glassflow import domain
from glassflow.domain.errors import Refusal
from glassflow.domain.panes.status import TERMINAL, Status
from glassflow.pages import files
from optional_tools import require

TEXTS = files.ROOT / "texts"
#: The codes that refusals get when they are raised.
OF_INSTANCES = {
    "ALREADY_LAMINATED",
    "MERGED_INTO",
    *(f"ALREADY_{one.upper()}" for one in TERMINAL - {Status.MERGED_INTO}),
}


def codes():
    """Return the codes of all refusals of the domain."""
    for module in pkgutil.walk_packages(domain.__path__, "glassflow.domain."):
        import_module(module.name)
    found, known = [Refusal], set()
    while found:
        one = found.pop()
        found += one.__subclasses__()
        if one.__module__.startswith("glassflow.domain"):
            known.add(one.code)
    return (known | OF_INSTANCES) - {""}


@pytest.fixture(scope="module")
def catalogues():
    require(shutil.which("node"), "node", "nodejs")
    script = f"""
        import th from "{TEXTS}/shared.th.js";
        import en from "{TEXTS}/shared.en.js";
        console.log(JSON.stringify({{ th, en }}));
    """
    command = ["node", "--input-type=module", "-e", script]
    return json.loads(subprocess.check_output(command))


@pytest.mark.parametrize("language", ["th", "en"])
def test_each_refusal_is_explained(catalogues, language):
    explained = {key.removeprefix("verdict.") for key in catalogues[language]}
    assert "WRONG_STATION" in codes()
    assert codes() - explained == set()
