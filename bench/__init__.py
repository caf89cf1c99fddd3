"""Load programs: they measure and print, and are no tests. See README.md."""
