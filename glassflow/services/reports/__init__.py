"""Read-only figures: dashboard, timelines, pending counts."""
