"""The fonts of labels and documents are the files of the named package, with their licence."""

import base64
import hashlib
import json

import pytest

from glassflow.drawing.typesetting import FONT_FILES, FONTS

LOCK = json.loads((FONTS / "LOCK.json").read_text("utf-8"))


@pytest.mark.parametrize("name", LOCK["files"])
def test_font_is_the_locked_file(name):
    digest = hashlib.sha384((FONTS / name).read_bytes()).digest()
    assert base64.b64encode(digest).decode() == LOCK["files"][name]["sha384"]


def test_every_file_is_locked_and_every_package_has_its_licence():
    present = {path.name for path in FONTS.iterdir()} - {"LOCK.json"}
    assert present == set(LOCK["files"])
    assert {path.name for path in FONT_FILES.values()} < present
    for package in LOCK["packages"].values():
        text = (FONTS / package["licenseFile"]).read_text("utf-8")
        assert package["license"] == "OFL-1.1"
        assert "SIL OPEN FONT LICENSE Version 1.1" in text
        # without one, the font may be stored in a PDF as a subset under its name
        assert "with Reserved Font Name" not in text
