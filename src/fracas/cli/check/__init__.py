"""Commands that check files and conditions: explain, lint, validate, verify."""
