"""Matches played again for whoever looks, as far as they may see them."""
