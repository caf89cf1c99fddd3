"""Deletion: its rules as tables, its hooks, and the deletion itself."""
