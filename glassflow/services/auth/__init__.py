"""Identities, login, passwords, and who may grant what to workers and roles."""
