"""Seasons, and the days of leagues with their secrets."""
