"""Commands about this machine and others."""
