"""Make guilds, their members, and their wars."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Change the schema."""
    op.create_table(
        "guild",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("founded_at", sa.BigInteger(), nullable=False),
        sa.Column("dissolved_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_guild_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guild")),
        sa.UniqueConstraint("code", name=op.f("uq_guild_code")),
        sa.UniqueConstraint("name_key", name=op.f("uq_guild_name_key")),
    )
    op.create_table(
        "guild_member",
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("guild", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("entry", sa.Text(), nullable=True),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_guild_member_account")),
        sa.ForeignKeyConstraint(["entry"], ["entry.id"], name=op.f("fk_guild_member_entry")),
        sa.ForeignKeyConstraint(["guild"], ["guild.id"], name=op.f("fk_guild_member_guild")),
        sa.PrimaryKeyConstraint("account", name=op.f("pk_guild_member")),
    )
    op.create_index(op.f("ix_guild_member_guild"), "guild_member", ["guild"])
    op.create_index(
        "uq_guild_member_owner",
        "guild_member",
        ["guild"],
        unique=True,
        sqlite_where=sa.text("role = 'owner'"),
        postgresql_where=sa.text("role = 'owner'"),
    )
    op.create_table(
        "war",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("week", sa.Text(), nullable=False),
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("guild_a", sa.Text(), nullable=False),
        sa.Column("guild_b", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("mean_a", sa.Text(), nullable=False),
        sa.Column("mean_b", sa.Text(), nullable=True),
        sa.Column("locked_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("season", sa.Integer(), nullable=True),
        sa.Column("rules_version", sa.Integer(), nullable=True),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=True),
        sa.Column("revision", sa.LargeBinary(), nullable=True),
        sa.Column("modifier", sa.Text(), nullable=True),
        sa.Column("day", sa.Text(), nullable=True),
        sa.Column("seed", sa.Text(), nullable=True),
        sa.Column("points_a", sa.Integer(), nullable=True),
        sa.Column("points_b", sa.Integer(), nullable=True),
        sa.Column("over_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["guild_a"], ["guild.id"], name=op.f("fk_war_guild_a")),
        sa.ForeignKeyConstraint(["guild_b"], ["guild.id"], name=op.f("fk_war_guild_b")),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_war_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_war")),
        sa.UniqueConstraint("week", "guild_a", name="uq_war_a"),
        sa.UniqueConstraint("week", "guild_b", name="uq_war_b"),
    )
    op.create_index("ix_war_recent", "war", ["league", sa.literal_column("week DESC"), "id"])
    op.create_table(
        "war_entry",
        sa.Column("war", sa.Text(), nullable=False),
        sa.Column("guild", sa.Text(), nullable=False),
        sa.Column("pos", sa.Integer(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_war_entry_account")),
        sa.ForeignKeyConstraint(["entry"], ["entry.id"], name=op.f("fk_war_entry_entry")),
        sa.ForeignKeyConstraint(["guild"], ["guild.id"], name=op.f("fk_war_entry_guild")),
        sa.ForeignKeyConstraint(["war"], ["war.id"], name=op.f("fk_war_entry_war")),
        sa.PrimaryKeyConstraint("war", "guild", "pos", name=op.f("pk_war_entry")),
    )
    op.create_index(op.f("ix_war_entry_account"), "war_entry", ["account"])
    op.create_index(op.f("ix_war_entry_entry"), "war_entry", ["entry"])
    op.create_table(
        "war_match",
        sa.Column("war", sa.Text(), nullable=False),
        sa.Column("a_pos", sa.Integer(), nullable=False),
        sa.Column("b_pos", sa.Integer(), nullable=False),
        sa.Column("match", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_war_match_match")),
        sa.ForeignKeyConstraint(["war"], ["war.id"], name=op.f("fk_war_match_war")),
        sa.PrimaryKeyConstraint("war", "a_pos", "b_pos", name=op.f("pk_war_match")),
        sa.UniqueConstraint("match", name=op.f("uq_war_match_match")),
    )
