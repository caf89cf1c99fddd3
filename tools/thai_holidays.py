"""Thailand's public holidays of this year and the next five: writes seeds/holidays-th.json.

`make holidays` runs it in an environment of its own: the package `holidays` wants another
python-dateutil than the tests have.
"""

import json
import sys
from collections.abc import Mapping
from datetime import date
from importlib.metadata import version
from pathlib import Path

import holidays

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "seeds" / "holidays-th.json"
MORE_YEARS = 5
# The languages of the pages, and what the package calls them.
LANGUAGES = {"th": "th", "en": "en_US"}


def rows(years: range) -> list[dict[str, object]]:
    """Return the holidays of the years by date: one row a day, also if it has two names."""
    found = {
        language: _names(holidays.Thailand(years=years, language=code))
        for language, code in LANGUAGES.items()
    }
    days = sorted(set().union(*found.values()))
    return [
        {
            "date": day.isoformat(),
            "name": {language: found[language][day] for language in LANGUAGES},
        }
        for day in days
    ]


def _names(days: Mapping[date, str]) -> dict[date, str]:
    """Return the name of each day; two of one day are joined by a comma."""
    return {day: ", ".join(name.split("; ")) for day, name in days.items()}


def text(years: range) -> str:
    """Return the file: a holiday a line, so that a difference of two releases is readable."""
    head = {
        "until": f"{years[-1]}-12-31",
        "source": f"holidays {version('holidays')} (MIT)",
    }
    lines = [
        f"  {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()
    ]
    days = [f"    {json.dumps(row, ensure_ascii=False)}" for row in rows(years)]
    return "\n".join(["{", *lines, '  "holidays": [', ",\n".join(days), "  ]", "}", ""])


def main() -> None:
    """Write the file."""
    this_year = date.today().year
    FILE.write_text(text(range(this_year, this_year + MORE_YEARS + 1)), "utf-8")
    print(f"{FILE.relative_to(ROOT)}: written", file=sys.stderr)


if __name__ == "__main__":
    main()
