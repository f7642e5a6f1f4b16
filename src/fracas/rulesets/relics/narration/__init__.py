"""Turn relics events into lines of text."""
