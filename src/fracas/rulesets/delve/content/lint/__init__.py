"""Part of content: valid and probably not meant."""
