"""Exact probabilities by state enumeration."""
