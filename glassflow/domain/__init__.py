"""The rules of the workshop in plain Python: no framework, no store, no clock."""
