"""The version of Fracas, in a module of its own because lower layers must not import the package."""

__version__ = "0.1.0"
