"""Request body schema of an attachment."""

from typing import Any

from marshmallow import ValidationError, fields

from glassflow.domain import photos, texts
from glassflow.schemas.base import RecordSchema, Reference, Text
from glassflow.schemas.library_messages import use_bilingual


class PictureField(fields.Field[photos.Picture]):
    """A picture as a data URL."""

    def __init__(self, **options: Any):
        super().__init__(**options)
        self._text = Text(maximum=0)  # only the body limits the size of a data URL
        use_bilingual(self._text)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> photos.Picture:
        text = self._text.deserialize(value)
        if not photos.is_data_url(text):
            raise ValidationError(texts.NOT_AN_UPLOAD)
        try:
            return photos.parse_picture(text, refusal=texts.NOT_AN_UPLOAD)
        except ValueError as error:
            raise ValidationError(error.args[0]) from None


class AttachmentSchema(RecordSchema):
    """A picture, and the id that the client chooses for it, if it does."""

    photo = PictureField(required=True)
    id = Reference()
