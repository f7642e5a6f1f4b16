"""What Python programs call; no computation."""
