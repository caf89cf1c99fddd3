"""Lots, the stock ledger, and withdrawals."""
