"""What people write: reading, validating, looking up, suggesting."""
