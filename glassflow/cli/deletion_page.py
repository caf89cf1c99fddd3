"""The page `docs/deletion.md`, printed by `flask docs`."""

from collections.abc import Iterator, Mapping
from typing import Any

from glassflow.models import ALL
from glassflow.models.base import Record
from glassflow.services.deletion import rules
from glassflow.services.deletion.hooks import HOOKS
from glassflow.services.deletion.restore import KINDS
from glassflow.services.deletion.rules import Dependent, Table

_VERBS = {
    "$eq": "is",
    "$in": "is",
    "$ne": "is not",
    "$nin": "is not",
    "$gt": "is more than",
}
_INTRODUCTION = """\
# What a delete does

Printed from `glassflow/services/deletion/rules.py` and `hooks.py` by `flask docs`.

A delete is one transaction: all records that it names are deleted, or none.
`glassflow/services/deletion/delete.py` does it in this order:

1. Read the records; an unknown id is a 404. They are locked: nobody can write a new
   reference to them until the delete has ended.
2. Collect what is deleted too, and what is deleted with that, by the policy
   (`DELETE_POLICY`, `restrict` or `cascade`).
3. Refuse: the `check` hooks, then what blocks always, then, under `restrict`, what
   blocks there. What blocks is a 409 with counts (a 400 for roles).
4. Run the `before` hooks, which change other records.
5. Empty the references of what stays, and delete, inside the `around` hooks.
6. Store each record that stays and is changed, once.

A rule names dependents with their model and the stored field that is searched (`_id`
where the record to delete refers to them), and the condition that they match besides.
Of a laminated pane, the unit is its parent with all sheets; the survivor is the sheet
that the others were merged into.

What is deleted can be restored from the history, as long as that is kept, if it is one of
{restored}:
`POST /api/<resource>/<id>/restore`. It comes back with what was deleted because of it,
under the same id and number, and references that the delete emptied are set again where
nobody has changed them since. It is refused where a record that it needs is deleted, where
its name or code was given to another one, where it was merged into another customer, and
where claims, withdrawals or stock were deleted with it. Passwords, badges, PINs, the link of a
quote, and files are not kept, and an e-mail of a quote that waited is not sent. `glassflow/services/deletion/restore.py` does it."""

# (heading, table) in the order of the steps above
_TABLES: tuple[tuple[str, Table], ...] = (
    ("Blocked, always, by", rules.BLOCKS_ALWAYS),
    ("Blocked under `restrict` by", rules.BLOCKS),
    ("Deleted too under `restrict`", rules.TAKES_ALONG),
    ("Deleted too under `cascade`", rules.CASCADES_TO),
    ("Reference emptied in", rules.NULLIFIES),
)


def deletion_page() -> str:
    """Return the page of the deletion rules and hooks, as Markdown."""
    models = [model for model in ALL if model.__name__ in rules.DELETE_ORDER]
    sections = [line for model in models for line in _section(model)]
    labels = sorted(model.label.lower() for model in ALL if model.__name__ in KINDS)
    introduction = _INTRODUCTION.format(restored=", ".join(labels))
    return "\n".join([introduction, "", *sections, *_kept(), ""])


def _section(model: type[Record]) -> Iterator[str]:
    kind = model.__name__
    yield f"## {model.label}\n"
    lines = [*_rules(kind), *_hooks(kind)]
    yield from lines or ["- Nothing refers to it."]
    yield ""


def _rules(kind: str) -> Iterator[str]:
    for heading, table in _TABLES:
        if kind in table:
            yield f"- {heading}"
            yield from (f"  - {_describe(dependent)}" for dependent in table[kind])


def _describe(dependent: Dependent) -> str:
    text = f"{dependent.label} (`{dependent.model}.{dependent.path}`)"
    if dependent.where:
        text += f" where {_condition(dependent.where)}"
    return f"{text}, unless deleted too" if dependent.unless_deleted_too else text


def _condition(where: Mapping[str, Any]) -> str:
    """Write a filter of the store as text."""
    return " and ".join(_term(name, wanted) for name, wanted in where.items())


def _term(name: str, wanted: Any) -> str:
    if name == "$or":
        return f"({' or '.join(map(_condition, wanted))})"
    operator, value = "$eq", wanted
    if isinstance(wanted, Mapping):
        ((operator, value),) = wanted.items()
    if operator == "$ne" and value is None:
        return f"`{name}` is set"
    listed = " or ".join(value) if isinstance(value, list) else value
    return f"`{name}` {_VERBS[operator]} {listed}"


def _hooks(kind: str) -> Iterator[str]:
    if kind not in HOOKS:
        return
    for name in ("check", "before", "around"):
        hook = getattr(HOOKS[kind], name)
        if hook:
            yield f"- Hook, `{name}`: {' '.join(hook.__doc__.split())}"


def _kept() -> Iterator[str]:
    yield "## References that are kept\n"
    yield "They may hold the id of a deleted record; `populate` shows null, or leaves"
    yield "it out of a list.\n"
    by_reason: dict[str, list[str]] = {}
    for name, reason in rules.KEPT.items():
        by_reason.setdefault(reason, []).append(f"`{name}`")
    for reason, names in by_reason.items():
        yield f"- {', '.join(names)}: {reason}."
