"""What items can be made of, declared once."""
