"""Labels: which records they are of, how they are made, and where they are printed."""
