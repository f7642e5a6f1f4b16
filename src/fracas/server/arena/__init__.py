"""The arena: leagues of entries that fight while their authors sleep."""
