"""docs/errors.md: the table of error codes, as Markdown."""

from glassflow.domain.error_codes import ERROR_CODES

_INTRODUCTION = """\
# Error codes

Printed from `glassflow/domain/error_codes.py` by `flask docs`. A refusal that programs have
to tell from others has `errors.code`, with the facts beside it. [api.md](api.md) explains the
statuses; `/api/docs` lists the codes of each operation.

| Code | Status | Meaning |
|---|---|---|"""


def error_codes_page() -> str:
    """Return the page."""
    rows = (
        f"| `{code}` | {', '.join(map(str, known.statuses))} | {known.meaning} |"
        for code, known in ERROR_CODES.items()
    )
    return "\n".join([_INTRODUCTION, *rows, ""])
