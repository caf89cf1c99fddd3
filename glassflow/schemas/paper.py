"""The query parameters of documents for customers."""

from glassflow.domain.bilingual import Language
from glassflow.schemas.base import Choice, RecordSchema


class PaperQuery(RecordSchema):
    """The language of a document; without it, that of the record."""

    language = Choice(*Language)
