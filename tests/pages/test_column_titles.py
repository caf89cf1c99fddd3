"""Imports know the columns by the titles that the pages show over them."""

import json
import shutil
import subprocess
from pathlib import Path

from glassflow.domain import texts
from glassflow.pages import files
from optional_tools import require

OFFICE = files.ROOT / "js" / "pages" / "office" / "import"
DOCUMENT = Path(__file__).parent / "js" / "document.mjs"
LOAD_TEXTS = DOCUMENT.with_name("load_texts.mjs")
SCRIPT = f"""
    await import("{DOCUMENT}");
    await import("{LOAD_TEXTS}");
    const {{ lang }} = await import("{files.ROOT}/js/core/preferences.js");
    const {{ titlesOf }} = await import("{OFFICE}/columns.js");
    const {{ IMPORTS }} = await import("{OFFICE}/rights.js");
    const found = [];
    for (const language of ["en", "th"]) {{
        lang.value = language;
        for (const resource of Object.keys(IMPORTS)) {{
            const titles = await titlesOf(resource);
            found.push(...titles.map(([title, field]) => [language, resource, field, title]));
        }}
    }}
    console.log(JSON.stringify(found));
"""
#: What these columns show is several columns of a file.
OBJECTS = {"specDetails", "dimensions"}


def test_imports_know_the_titles_of_all_lists_in_both_languages():
    require(shutil.which("node"), "node", "nodejs")
    command = ["node", "--input-type=module", "-e", SCRIPT]
    found = [
        one
        for one in json.loads(subprocess.check_output(command))
        if one[2] not in OBJECTS
    ]
    assert len(found) > 100
    for language, resource, field, title in found:
        known = texts.column_titles(resource)[field].in_language(language)
        assert title == known, (resource, field)
