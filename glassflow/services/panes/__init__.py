"""Panes: create, correct and remake them, and their logs."""
