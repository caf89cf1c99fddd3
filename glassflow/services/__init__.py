"""Use cases: plain functions with keyword-only arguments, no Flask, no sockets."""
