"""For a desk and for one workshop: the defaults are made for it."""
