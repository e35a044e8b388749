"""MCP: agents ask the engine."""

SETS = ("pinyon", "seeds", "all")
"""The sets of tools: our own, those of other systems by their names, both."""
