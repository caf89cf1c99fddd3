"""The answer with the workshop itself."""

from glassflow.schemas.shapes import TEXT, described, nullable, record

# The member that an answer shows besides; history and events do not carry it.
OF_WORKSHOP = {
    "logo": described(nullable(TEXT), "A PNG or JPEG as a data URL, or null.")
}
WORKSHOP = record("WorkshopWithLogo")
