"""Cutting plans: which panes are cut from which sheets of glass, and where."""
