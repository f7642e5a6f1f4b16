"""Part of content: the shapes of files."""
