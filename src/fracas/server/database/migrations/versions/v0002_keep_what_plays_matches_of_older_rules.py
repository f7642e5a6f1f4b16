"""Keep what plays matches of older rules."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Change the schema."""
    op.create_table(
        "rules_module",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("layout_key", sa.Text(), nullable=False),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.Column("description", sa.LargeBinary(), nullable=False),
        sa.Column("module", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_rules_module")),
    )
    op.create_table(
        "season_program",
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("league", "season", name=op.f("pk_season_program")),
    )
    op.create_table(
        "archived_pair",
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("module", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["module"], ["rules_module.digest"], name=op.f("fk_archived_pair_module")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_archived_pair")),
    )
