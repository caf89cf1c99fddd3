"""Requests and orders."""
