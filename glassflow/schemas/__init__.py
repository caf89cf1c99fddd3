"""Request body schemas (marshmallow), with the file stems of their models."""
