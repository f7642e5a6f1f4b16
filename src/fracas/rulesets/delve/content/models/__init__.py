"""Part of content: Pydantic models of delve files."""
