"""What one process has for itself: its clock, time limits, threads, metrics and caches."""
