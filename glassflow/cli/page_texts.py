"""The texts of the pages that are printed from the domain: the labels of fields."""

import json
from collections.abc import Mapping

from glassflow.domain import texts

LANGUAGES = {"en": "English", "th": "Thai"}


def page_texts() -> Mapping[str, str]:
    """Return the modules of texts by their path below `pages/static/`."""
    return {
        f"texts/fields.{code}.js": _field_labels(code, name)
        for code, name in LANGUAGES.items()
    }


def _field_labels(code: str, language: str) -> str:
    labels = {**texts.FIELD_LABELS, **texts.COLUMN_TITLES}
    rows = "".join(
        f"  {_quoted(f'field.{key}')}: {_quoted(label.in_language(code))},\n"
        for key, label in labels.items()
    )
    return (
        "// Printed by `flask docs` from glassflow/domain/texts/field_labels.py.\n"
        f"// The labels of fields, in {language}.\n"
        f"export default {{\n{rows}}};\n"
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
