"""Turn titans events into lines of text."""
