"""The office offers the imports that the API has, to those who hold a key for them."""

import re

from glassflow.blueprints import RESOURCES
from glassflow.floor import files

TABLE = files.ROOT / "js" / "pages" / "office" / "import" / "rights.js"
ROW = re.compile(
    r'^  "?(?P<resource>[\w-]+)"?: \{ section: "[\w-]+", keys: \[(?P<keys>[^\]]+)\] \},$',
    re.MULTILINE,
)


def offered():
    """Return the keys of which the office asks for one, by resource."""
    source = TABLE.read_text("utf-8")
    body = source.partition("export const IMPORTS = {\n")[2].partition("\n};")[0]
    rows = {one["resource"]: one["keys"] for one in ROW.finditer(body)}
    assert len(rows) == len(body.splitlines())  # each row is of this form
    return {name: set(re.findall(r'"([^"]+)"', keys)) for name, keys in rows.items()}


def test_office_offers_the_imports_of_the_api_to_the_holders_of_their_keys():
    of_api = {
        one.name: {one.keys.create, one.keys.manage}
        for one in RESOURCES
        if one.importing is not None
    }
    assert offered() == of_api
