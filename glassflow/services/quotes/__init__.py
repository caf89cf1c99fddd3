"""Quotes: their life, and their paper."""
