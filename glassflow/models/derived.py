"""Hidden fields that are derived from the others, so that lists find records quickly.

`Record.stamp` sets them before a record is stored, whichever way it is stored:

- `searchText`: all that a search finds, in one text: every text field as `search_form`
  returns it, and every number field but `version` as `number_mark` does, after a separator
  each. So a search is one condition instead of one for each field.
- `searchDigits`: every four digits that follow one another in it, indexed. A search for
  a record number examines only the records that have its last four digits somewhere.
- `listed`: false for a record that its list leaves out (`Record.unlisted`). An equality
  can use an index where "is not" cannot.

Clients neither see them nor filter or sort by them. A change of these rules needs a
migration that derives the stored records again, as 0003 does.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from glassflow.domain.unicode_text import search_form

NAMES = ("searchText", "searchDigits", "listed")
GRAM = 4  # digits
# No text that people enter has a control character.
SEPARATOR, NUMBER_MARK = "\x1f", "\x1e"
# In another form than the digits of texts, which a search for digits must not match.
_MARKED = str.maketrans({c: chr(0xE000 + i) for i, c in enumerate("0123456789.-+e")})
_DIGITS = re.compile(r"[0-9]{4,}")


def derive(record: Any, texts: Iterable[str], numbers: Iterable[str]) -> None:
    """Set the derived fields of a record.

    `texts` and `numbers` are the names of the fields that a search looks into.
    """
    words = [search_form(text) for text in _values(record, texts, str)]
    amounts = [float(n) for n in _values(record, numbers, (int, float))]
    record.search_text = SEPARATOR.join([*words, *map(number_mark, amounts)])
    record.search_digits = digit_grams(SEPARATOR.join([*words, *map(repr, amounts)]))
    if record.unlisted:
        record.listed = is_listed(record)


def is_listed(record: Any) -> bool:
    """Return whether the list of its kind shows a record that no filter asks for."""
    return all(record[name] != value for name, value in record.unlisted.items())


def number_mark(number: float) -> str:
    """Return the form in which a number is part of `searchText`."""
    return f"{NUMBER_MARK}{repr(number).translate(_MARKED)}{NUMBER_MARK}"


def digit_grams(text: str) -> list[str]:
    """List every four digits that follow one another in a text, each once."""
    runs = _DIGITS.findall(text)
    grams = {
        run[start : start + GRAM]
        for run in runs
        for start in range(len(run) - GRAM + 1)
    }
    return sorted(grams)


def _values(record: Any, names: Iterable[str], kind: Any) -> Iterator[Any]:
    """Yield the values that are set; another program may have stored other types."""
    for name in names:
        value = record._data.get(name)
        if isinstance(value, kind) and value != "":
            yield value
