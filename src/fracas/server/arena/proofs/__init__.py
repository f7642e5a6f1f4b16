"""Proofs: the file of a league-day, its verification, and the check of a whole database."""
