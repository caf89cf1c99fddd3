"""docs/licences.md and the software bill of materials name what is delivered."""

import json
from itertools import chain

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tools import bill_of_materials

# Licences that ask more of who passes the program on than to name the authors.
COPYLEFT = {
    "bidict": "MPL-2.0",
    "certifi": "MPL-2.0",
    "orjson": "MPL-2.0 AND (Apache-2.0 OR MIT)",
    "secantusdb": "GPL-2.0-only AND CC-BY-4.0",
}


def delivered():
    parts = map(bill_of_materials.python_packages, bill_of_materials.PARTS)
    return [*chain.from_iterable(parts), *bill_of_materials.vendored_packages()]


def test_page_of_licences_is_the_one_that_is_generated():
    assert bill_of_materials.PAGE.read_text("utf-8") == bill_of_materials.page()


def test_bill_of_materials_is_valid_and_has_every_package_with_its_licence():
    text = bill_of_materials.bill()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    made = json.loads(text)
    found = {
        (one["purl"], one["licenses"][0]["expression"]) for one in made["components"]
    }
    assert found == {(str(one.url), one.licence) for one in delivered()}
    edges = {one["ref"]: one.get("dependsOn", []) for one in made["dependencies"]}
    flask = next(ref for ref in edges["glassflow"] if ref.startswith("pkg:pypi/flask@"))
    assert any(ref.startswith("pkg:pypi/werkzeug@") for ref in edges[flask])


def test_no_licence_is_unknown_and_copyleft_is_where_it_is_expected():
    found = {one.name: one.licence for one in delivered()}
    marked = {
        name: licence
        for name, licence in found.items()
        if any(mark in licence for mark in ("GPL", "MPL", "EPL", "SSPL"))
    }
    assert marked == COPYLEFT
    service = {one.name for one in bill_of_materials.python_packages("")}
    assert service & set(COPYLEFT) == {"bidict", "orjson"}
