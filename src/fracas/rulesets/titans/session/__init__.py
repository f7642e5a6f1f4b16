"""Duels between people."""
