"""Tell whether the extra `server` is installed, without importing it."""

from __future__ import annotations

import importlib.util

from fracas.errors import UsageError

_LIBRARIES = (
    "fastapi",
    "uvicorn",
    "sqlalchemy",
    "alembic",
    "argon2",
    "psycopg",
    "cryptography",
    "zstandard",
    "websockets",
)


def check_server_library(what: str) -> None:
    """Refuse a command whose libraries are missing.

    Raises:
        UsageError: the extra `server` is not installed.
    """
    missing = [name for name in _LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        message = f"requires libraries that are not installed: {', '.join(missing)}"
        raise UsageError.of(what, message, "pip install 'fracas[server]'")
