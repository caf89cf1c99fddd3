"""Request body schema of a file that is attached to a request."""

from typing import Any

from marshmallow import ValidationError, fields

from glassflow.domain import request_attachments
from glassflow.domain.photos import Picture
from glassflow.schemas.base import RecordSchema, Text
from glassflow.schemas.library_messages import use_bilingual


class DocumentField(fields.Field[Picture]):
    """A PDF, PNG or JPEG as a base64 data URL."""

    def __init__(self, **options: Any):
        super().__init__(**options)
        self._text = Text(maximum=0)  # only the body limits the size of a data URL
        use_bilingual(self._text)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Picture:
        text = self._text.deserialize(value)
        try:
            return request_attachments.parse(text)
        except ValueError as error:
            raise ValidationError(error.args[0]) from None


class RequestAttachmentSchema(RecordSchema):
    """A file, and the name that it has at the customer's."""

    name = Text(required=True, minimum=1, maximum=request_attachments.MAX_NAME_LENGTH)
    file = DocumentField(required=True)
