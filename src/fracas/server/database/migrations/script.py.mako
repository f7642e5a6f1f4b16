"""${message}."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "${up_revision}"
down_revision = ${f'"{down_revision}"' if down_revision else None}


def upgrade() -> None:
    """Change the schema."""
    ${upgrades if upgrades else "pass"}
