"""Cutting: the rules of the workshop, and what waits to be cut."""
