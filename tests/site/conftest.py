from __future__ import annotations

from tests.cli.conftest import fracas_cli

__all__ = ["fracas_cli"]
