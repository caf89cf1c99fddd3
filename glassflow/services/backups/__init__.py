"""Backups: made consistent while others write, restored with proofs, made by a schedule."""
