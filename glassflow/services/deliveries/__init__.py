"""Deliveries: planned, loaded and handed over, and their notes on paper."""
