"""The office offers the imports that the API has, to those who hold a key for them."""

import re

from glassflow.blueprints import RESOURCES
from glassflow.pages import files
from glassflow.services.tables.natural_keys import natural_key

TABLE = files.ROOT / "js" / "ui" / "imports.js"
ROW = re.compile(
    r'^  "?(?P<resource>[\w-]+)"?: \{ section: "[\w-]+", keys: \[(?P<keys>[^\]]+)\], '
    r'known: "(?P<known>\w+)" \},$',
    re.MULTILINE,
)


def rows_of_table():
    """Return the rows of the page's table by resource."""
    source = TABLE.read_text("utf-8")
    body = source.partition("export const IMPORTS = {\n")[2].partition("\n};")[0]
    rows = {one["resource"]: one for one in ROW.finditer(body)}
    assert len(rows) == len(body.splitlines())  # each row is of this form
    return rows


def test_office_offers_the_imports_of_the_api_to_the_holders_of_their_keys():
    of_api = {
        one.name: {one.keys.create, one.keys.manage}
        for one in RESOURCES
        if one.importing is not None
    }
    offered = {
        name: set(re.findall(r'"([^"]+)"', row["keys"]))
        for name, row in rows_of_table().items()
    }
    assert offered == of_api


def test_import_page_says_by_what_a_row_is_known():
    said = {name: row["known"] for name, row in rows_of_table().items()}
    assert said == {one.name: known(one) for one in RESOURCES if one.importing}


def known(resource):
    """Return by what a row without an id is known: a number, a name, a user name.

    A row of a resource whose records have rows of parts is told in words of its own.
    """
    if resource.importing.parts:
        return resource.name
    return "number" if resource.model.numbered else natural_key(resource.model)
