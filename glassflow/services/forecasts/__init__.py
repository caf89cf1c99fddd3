"""Forecasts of when the panes of a quote or a request will be finished, and how they held."""
