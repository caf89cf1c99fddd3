"""Scans of one pane and of many, and laminations."""
