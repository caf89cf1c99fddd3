"""How the rows of a file become records of a resource, where not as single requests do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from glassflow.models.base import Record
from glassflow.schemas.base import RecordSchema
from glassflow.services.tables.parts import Parts
from glassflow.web.table_fields import kinds_of


@dataclass(frozen=True, slots=True)
class ImportRows:
    """The body of a row that makes a record, and what makes and changes it.

    `new` is that body where it is not the one of a POST, `change` that of a row that
    changes a record. The functions have the signatures of those of the resource. `parts`
    names a list of `new` whose members have rows of their own, and the schema and model of
    these.
    """

    new: RecordSchema | None = None
    change: RecordSchema | None = None
    create_with: Callable[..., Record] | None = None
    update_with: Callable[..., Any] | None = None
    parts: tuple[str, RecordSchema, type[Record]] | None = None

    def read_parts(self) -> Parts | None:
        """Return the parts as the import reads them."""
        if self.parts is None:
            return None
        name, schema, model = self.parts
        return Parts(name, model, kinds_of(schema, model))

    def fields_of(
        self, schema: RecordSchema, model: type[Record]
    ) -> tuple[Mapping[str, Any], frozenset[str]]:
        """Return what each field takes, and which are those of new records only.

        `schema` is the body of a PATCH.
        """
        kinds = kinds_of(self.change or schema, model)
        every = kinds | (kinds_of(self.new, model) if self.new else {})
        if self.parts:
            every.pop(self.parts[0])
        return every, frozenset(every.keys() - kinds.keys())
