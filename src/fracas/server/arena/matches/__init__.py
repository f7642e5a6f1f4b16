"""Matches made, played, rated and stored."""
