"""The version of Fracas, in a module of its own because lower layers must not import the package."""

__version__ = "0.1.0"
RELEASE = f"fracas=={__version__}"
"""This program as pip names it; what it plays and writes keeps it."""
