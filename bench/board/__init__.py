"""How quickly the wall board shows a burst of events, in Chromium."""
