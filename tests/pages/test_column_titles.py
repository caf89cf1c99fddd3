"""Imports know the columns by the titles that the lists of the pages show over them."""

import json
import shutil
import subprocess
from pathlib import Path

from glassflow.domain import texts
from glassflow.pages import files
from optional_tools import require

OFFICE = files.ROOT / "js" / "pages" / "office"
CORE = files.ROOT / "js" / "core"
DOCUMENT = Path(__file__).parent / "js" / "document.mjs"
LOAD_TEXTS = DOCUMENT.with_name("load_texts.mjs")
#: The module of the list of each resource that files are imported into.
LISTS = {
    "claims": "claims/list",
    "customers": "customers/list",
    "deliveries": "deliveries/list",
    "job-types": "job_types/list",
    "materials": "materials/list",
    "orders": "orders",
    "panes": "panes/list",
    "price-lists": "price_lists/list",
    "quotes": "quotes/list",
    "requests": "requests/list",
    "stations": "stations/list",
    "workers": "people/list",
}
#: The columns, as [language, resource, field, title], that show one field of the record alone.
SCRIPT = f"""
    await import("{DOCUMENT}");
    await import("{LOAD_TEXTS}");
    const {{ lang }} = await import("{CORE}/preferences.js");
    const found = [];
    for (const language of ["en", "th"]) {{
        lang.value = language;
        for (const [resource, list] of Object.entries({json.dumps(LISTS)})) {{
            const {{ columns }} = await import(`{OFFICE}/${{list}}.js`);
            const shown = columns().map(({{ title, fields, sort }}) => [fields ?? sort ?? "", title]);
            const count = (field) => shown.filter(([other]) => other === field).length;
            for (const [field, title] of shown)
                if (title && /^\\w+$/.test(field) && count(field) === 1) found.push([language, resource, field, title]);
        }}
    }}
    console.log(JSON.stringify(found));
"""
#: What these columns show is several columns of a file.
OBJECTS = {"specDetails", "dimensions"}


def test_imports_know_the_titles_of_all_lists_in_both_languages():
    require(shutil.which("node"), "node", "nodejs")
    command = ["node", "--input-type=module", "-e", SCRIPT]
    found = json.loads(subprocess.check_output(command))
    assert len(found) > 100
    for language, resource, field, title in found:
        if field not in OBJECTS:
            known = texts.column_titles(resource)[field].in_language(language)
            assert title == known, (resource, field)
