"""Which Fracas this is, for all layers: the package itself names the API, which the lower ones may not know."""

__version__ = "0.1.0"
