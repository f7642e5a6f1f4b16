"""Presentations of documents, one module for each command."""
