"""Load programs; they measure and print, and judge nothing. See README.md."""
