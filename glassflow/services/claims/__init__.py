"""Claims, and what they do to the pane that they are about."""
