"""Descriptions of the routes that a `Resource` has."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from glassflow.domain import error_codes
from glassflow.schemas.answers.history import HISTORY
from glassflow.schemas.answers.tables import IMPORTED
from glassflow.schemas.base import RecordSchema
from glassflow.schemas.shapes import BOOLEAN, COUNT, any_of, array, members, record
from glassflow.services.tables import csv_format, xlsx_cells
from glassflow.web.declaration import ResourceDeclaration
from glassflow.web.exports import FORM
from glassflow.web.operation import FileBody, ListOf, Operation, Parameter, attach
from glassflow.web.record_history import PAGE

DELETED_COUNT = members({"deletedCount": COUNT}, title="DeletedCount")
DRY_RUN = Parameter(
    name="dryRun",
    description="Whether the answer only tells what the import would do.",
    shape=BOOLEAN,
)

TABLE = Parameter(
    name="table",
    description="Whether the answer of a dry run has the cells of the file too.",
    shape=BOOLEAN,
)


@dataclass(frozen=True, slots=True)
class ResourceOperations:
    """Builds the descriptions of one resource's routes; `ids` is the body of a bulk delete."""

    resource: ResourceDeclaration
    ids: RecordSchema

    def describe(self, route: str, **changes: Any) -> Callable[[Any], Any]:
        """Describe the view below as one of these routes, with some changes."""
        return attach(replace(self.of(route), **changes))

    def of(self, route: str) -> Operation:
        """Return the description of a route by the name of its view in `Resource`."""
        operation: Operation = getattr(self, f"_{route}")()
        return operation

    def _index(self) -> Operation:
        shape = array(record(self.resource.model.__name__))
        return self._operation(
            "list",
            many=True,
            answer=shape,
            rows=self._rows(),
            query=self.resource.list_parameters,
        )

    def _export_csv(self) -> Operation:
        return self._export("csv", csv_format.MEDIA_TYPE)

    def _export_xlsx(self) -> Operation:
        return self._export("xlsx", xlsx_cells.MEDIA_TYPE)

    def _export(self, format: str, media: str) -> Operation:
        described = self._operation(
            "export",
            many=True,
            answer=None,
            media=(media,),
            rows=replace(self._rows(), has_pages=False),
            query=(*self.resource.list_parameters, FORM),
            populates=None,
            tagged=False,
        )
        return replace(described, id=f"{described.id}_{format}")

    def _import_table(self) -> Operation:
        media = (csv_format.MEDIA_TYPE, xlsx_cells.MEDIA_TYPE)
        rows = self.resource.importing
        assert rows is not None
        schemas = (
            rows.change or self.resource.schema,
            rows.new or self.resource.new,
        )
        return self._operation(
            "import",
            many=True,
            answer=IMPORTED,
            file=FileBody(media=media, rows=schemas),
            query=(DRY_RUN, TABLE),
            populates=None,
            tagged=False,
            codes=tuple(error_codes.TABLES),
        )

    def _rows(self) -> ListOf:
        return ListOf(
            model=self.resource.model,
            resource=self.resource.name,
            aliases=self.resource.aliases,
        )

    def _show(self) -> Operation:
        return self._operation("get")

    def _history(self) -> Operation:
        shown = self._operation("get")
        return replace(
            shown,
            id=f"{shown.id}_history",
            answer=HISTORY,
            query=PAGE,
            tagged=False,
        )

    def _create(self) -> Operation:
        one = record(self.resource.model.__name__)
        items = self.resource.items
        return self._operation(
            "create",
            status=201,
            answer=one if items is None else any_of(one, array(one)),
            body=self.resource.new,
            items=items,
            codes=self.resource.codes,
        )

    def _update(self) -> Operation:
        return self._operation(
            "update",
            body=self.resource.schema,
            partial=True,
            codes=self.resource.codes,
        )

    def _delete(self) -> Operation:
        codes = (*self.resource.codes, *error_codes.DELETION)
        return self._operation("delete", codes=codes)

    def _restore(self) -> Operation:
        codes = (*self.resource.codes, *error_codes.RESTORING)
        return self._operation("restore", status=201, codes=codes, warns=True)

    def _delete_many(self) -> Operation:
        return self._operation(
            "delete",
            many=True,
            answer=DELETED_COUNT,
            body=self.ids,
            populates=None,
            tagged=False,
            errors=(404,),
            codes=(*self.resource.codes, *error_codes.DELETION),
        )

    def _operation(
        self, verb: str, *, many: bool = False, **description: Any
    ) -> Operation:
        model = self.resource.model
        noun = self.resource.name.replace("-", "_")
        if not many:
            noun = model.label.lower().replace(" ", "_")
        defaults: dict[str, Any] = {
            "answer": record(model.__name__),
            "populates": model,
            "tagged": True,
        }
        return Operation(id=f"{verb}_{noun}", **(defaults | description))
