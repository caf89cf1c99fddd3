"""Scans of one pane, of many and of those of a rack, and laminations."""
