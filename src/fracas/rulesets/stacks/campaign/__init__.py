"""Battles in order on one world."""
