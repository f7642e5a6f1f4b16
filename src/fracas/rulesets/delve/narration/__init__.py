"""Events become words."""
