"""The wire shapes of the records, with the same file stems as their models."""
