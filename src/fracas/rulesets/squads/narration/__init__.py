"""Turns the events of a squads battle into the lines of a story."""
