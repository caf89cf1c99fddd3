"""The shapes of answers that are no single record and no list, one file a subject."""
