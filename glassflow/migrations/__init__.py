"""The steps that bring the data of an earlier release up to date (`core.store.migrations`).

One file each, numbered; a step that has been released does not change any more.
"""
