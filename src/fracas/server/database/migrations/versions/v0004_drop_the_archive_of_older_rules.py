"""Drop the archive of older rules: the release that played a season plays its matches again."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Change the schema."""
    op.drop_table("archived_pair")
    op.drop_table("rules_module")
