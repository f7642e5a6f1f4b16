"""Duels between people, as a server holds them."""
