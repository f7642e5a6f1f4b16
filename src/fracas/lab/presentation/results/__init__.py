"""One module for each command that prints a document."""
