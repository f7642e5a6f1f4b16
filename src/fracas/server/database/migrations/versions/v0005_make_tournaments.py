"""Make tournaments, with their entrants, pairings and games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Change the schema."""
    op.create_table(
        "tournament",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("organiser", sa.Text(), nullable=False),
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("best_of", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer()),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("starts_at", sa.BigInteger()),
        sa.Column("pause_ms", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger()),
        sa.Column("modifier", sa.Text()),
        sa.Column("rules_version", sa.Integer()),
        sa.Column("fingerprint", sa.LargeBinary()),
        sa.Column("revision", sa.LargeBinary()),
        sa.Column("round", sa.Integer(), server_default="0", nullable=False),
        sa.Column("playing", sa.Integer(), server_default="0", nullable=False),
        sa.Column("round_at", sa.BigInteger()),
        sa.Column("ended_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["organiser"], ["account.id"], name=op.f("fk_tournament_organiser")),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_tournament_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournament")),
    )
    op.create_index(op.f("ix_tournament_organiser"), "tournament", ["organiser"])
    op.create_index("ix_tournament_newest", "tournament", [sa.text("created_at DESC"), "id"])
    op.create_table(
        "tournament_entrant",
        sa.Column("tournament", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer()),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("entered_at", sa.BigInteger(), nullable=False),
        sa.Column("seed", sa.Integer()),
        sa.Column("left_in", sa.Integer()),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"], name=op.f("fk_tournament_entrant_tournament")),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_tournament_entrant_account")),
        sa.PrimaryKeyConstraint("tournament", "account", name=op.f("pk_tournament_entrant")),
        sa.UniqueConstraint("tournament", "seed", name="uq_tournament_seed"),
    )
    op.create_index(op.f("ix_tournament_entrant_entry"), "tournament_entrant", ["entry"])
    op.create_table(
        "tournament_pairing",
        sa.Column("tournament", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("second", sa.Integer()),
        sa.Column("first_points", sa.Integer()),
        sa.Column("second_points", sa.Integer()),
        sa.Column("how", sa.Text()),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"], name=op.f("fk_tournament_pairing_tournament")),
        sa.PrimaryKeyConstraint("tournament", "round", "slot", name=op.f("pk_tournament_pairing")),
    )
    op.create_table(
        "tournament_game",
        sa.Column("tournament", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("match", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_tournament_game_match")),
        sa.PrimaryKeyConstraint("tournament", "round", "slot", "game", name=op.f("pk_tournament_game")),
        sa.UniqueConstraint("match", name=op.f("uq_tournament_game_match")),
    )
