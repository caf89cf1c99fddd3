"""The station page understands each printed command card, and no others."""

import json
import shutil
import subprocess

from glassflow.domain.defects import DefectCode
from glassflow.labels import cards
from glassflow.pages import files
from optional_tools import require

CODES = files.ROOT / "js" / "scan" / "codes.js"


def test_each_printed_card_is_understood_by_the_pages():
    require(shutil.which("node"), "node", "nodejs")
    script = (
        f"import {{ COMMANDS }} from '{CODES}'; console.log(JSON.stringify(COMMANDS))"
    )
    command = ["node", "--input-type=module", "-e", script]
    assert json.loads(subprocess.check_output(command)) == list(cards.COMMANDS)


def test_there_is_a_card_for_each_defect():
    named = {f"DEFECT-{code.upper().replace('_', '-')}" for code in DefectCode}
    assert named == {one for one in cards.COMMANDS if one.startswith("DEFECT-")}
