"""Know the format of each league-day (those that are there have format 1), and keep handles of deleted accounts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Change the schema."""
    op.create_table(
        "league_day_format",
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("format", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("league", "day", name=op.f("pk_league_day_format")),
    )
    op.create_table(
        "retired_handle",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_retired_handle")),
    )
