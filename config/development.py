"""For development and for one workshop: the defaults are meant for it."""
