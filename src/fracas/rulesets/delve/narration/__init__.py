"""Turns the events of a delve battle into a story, a summary, or a chronicle of nested records."""
