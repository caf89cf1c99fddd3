"""The panes of a cutting plan as a table, a row for each place on a sheet."""

from collections.abc import Iterator, Mapping
from typing import Any

from glassflow.core.process.cooperative import yielding
from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import Language
from glassflow.services.cutting import sheets
from glassflow.services.tables.cells import Cell, Row
from glassflow.services.tables.export import Table, part_limit

# Names of a pane in the answer of `sheets.read` that are columns as they are.
AS_SHOWN = (
    *("paneNumber", "mark", "orderNumber", "x", "y", "width", "height", "isTurned"),
    *("nextStation", "rack"),
)
COLUMNS = tuple(texts.PANES_OF_PLAN_HEADS)


class PanesOfPlan(Table):
    """The panes on the sheets of a plan in stored form; heads and words in a language.

    They stand in the order of cutting, and those of a sheet in the order in which they break
    out. Lengths are in mm, from the left lower corner of the sheet.
    """

    def __init__(self, plan: Raw, *, language: Language, max_rows: int) -> None:
        self.plan, self.language, self.max_rows = plan, language, max_rows

    @property
    def names(self) -> list[str]:
        """The heads of the columns."""
        heads = texts.PANES_OF_PLAN_HEADS.values()
        return [one.in_language(self.language) for one in heads]

    def parts(self) -> Iterator[list[Row]]:
        """Yield the rows of each sheet; raises `Invalid` if there are too many."""
        with part_limit():
            found = sheets.read(self.plan)["sheets"]
        if sum(len(one["panes"]) for one in found) > self.most:
            raise self.too_long()
        for sheet in yielding(found):
            places = enumerate(sheet["panes"], 1)
            yield [self._row(sheet, number, pane) for number, pane in places]

    def _row(
        self, sheet: Mapping[str, Any], position: int, pane: Mapping[str, Any]
    ) -> Row:
        reason = pane["reason"]
        values: dict[str, Cell] = {
            "sheet": sheet["number"],
            "lot": sheet["lot"]["inventoryNumber"],
            "position": position,
            "state": self._word(texts.PANE_ON_SHEET_STATES, pane["state"]),
            "reason": self._word(texts.LEFT_OUT_REASONS, reason) if reason else None,
            **{name: pane[name] for name in AS_SHOWN},
        }
        return [values[name] for name in COLUMNS]

    def _word(self, words: Mapping[str, Any], name: str) -> str:
        word: str = words[name].in_language(self.language)
        return word
