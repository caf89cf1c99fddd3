"""The indexes that the models declare; `services.prepare` creates them."""

from typing import NamedTuple

from glassflow.models.base import Record

# Of every model, so none declares them: the default order of lists, searches for record
# numbers, and searches for texts, which the store answers by the entries of the index.
COMMON = (
    {"fields": [("createdAt", 1), ("_id", 1)]},
    {"fields": [("searchDigits", 1)]},
    {"fields": [("searchText", 1)]},
)


class Index(NamedTuple):
    """An index: its fields with 1 or -1, and the options that models declare."""

    keys: tuple[tuple[str, int], ...]
    unique: bool = False
    sparse: bool = False

    @property
    def name(self) -> str:
        """The name under which the store has it: `order_1_createdAt_1__id_1`."""
        return "_".join(f"{field}_{direction}" for field, direction in self.keys)


def declared(model: type[Record]) -> list[Index]:
    """List the indexes that a model declares, without that of `_id`."""
    specs = [*COMMON, *model._meta["index_specs"]]
    return [
        Index(
            tuple(spec["fields"]),
            unique=spec.get("unique", False),
            sparse=spec.get("sparse", False),
        )
        for spec in specs
    ]
