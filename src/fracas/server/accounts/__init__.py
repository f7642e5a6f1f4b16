"""Accounts: registering, signing in, passwords, sessions, API keys, and the event stream of each account."""
