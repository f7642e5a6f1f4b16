"""Make the tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Change the schema."""
    op.create_table(
        "account",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("handle", sa.Text(), nullable=False),
        sa.Column("handle_key", sa.Text(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=True),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("role", sa.Text(), server_default="player", nullable=False),
        sa.Column("state", sa.Text(), server_default="active", nullable=False),
        sa.Column("suspended_reason", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("handle_key", name=op.f("uq_account_handle_key")),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_table(
        "budget",
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("window", sa.Text(), nullable=False),
        sa.Column("battles", sa.BigInteger(), nullable=False),
        sa.Column("cpu_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("subject", "window", name=op.f("pk_budget")),
    )
    op.create_table(
        "document",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("bytes", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_document")),
    )
    op.create_table(
        "due",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("kind", "subject", "at", name=op.f("pk_due")),
    )
    op.create_table(
        "event",
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account", "seq", name=op.f("pk_event")),
    )
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_event_at"), ["at"], unique=False)

    op.create_table(
        "idem",
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("request_hash", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account", "key", name=op.f("pk_idem")),
    )
    op.create_table(
        "league_head",
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("league", "day", "no", name=op.f("pk_league_head")),
    )
    op.create_table(
        "meeting",
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("opponent", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("rated_at", sa.BigInteger(), nullable=True),
        sa.Column("rated_before_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("league", "account", "opponent", name=op.f("pk_meeting")),
    )
    with op.batch_alter_table("meeting", schema=None) as batch_op:
        batch_op.create_index("ix_meeting_recent", ["league", "account", sa.literal_column("at DESC")], unique=False)

    op.create_table(
        "node",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("alive_at", sa.BigInteger(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_node")),
    )
    op.create_table(
        "stream",
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("account", name=op.f("pk_stream")),
    )
    op.create_table(
        "entry",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("ranked", sa.Integer(), nullable=False),
        sa.Column("last_no", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), server_default="active", nullable=False),
        sa.Column("class", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("open_to_challenges", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_entry_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entry")),
        sa.UniqueConstraint("code", name=op.f("uq_entry_code")),
    )
    with op.batch_alter_table("entry", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_entry_account"), ["account"], unique=False)
        batch_op.create_index(batch_op.f("ix_entry_class"), ["class"], unique=False)
        batch_op.create_index(
            "uq_entry_ranked",
            ["account", "league"],
            unique=True,
            sqlite_where=sa.text("ranked = 1 AND state = 'active'"),
            postgresql_where=sa.text("ranked = 1 AND state = 'active'"),
        )

    op.create_table(
        "job",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("progress", sa.Integer(), server_default="0", nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("node", sa.Text(), nullable=True),
        sa.Column("result", sa.LargeBinary(), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["document"], ["document.hash"], name=op.f("fk_job_document")),
        sa.ForeignKeyConstraint(["result"], ["document.hash"], name=op.f("fk_job_result")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
    )
    with op.batch_alter_table("job", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_job_account"), ["account"], unique=False)

    op.create_table(
        "league",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("revision", sa.LargeBinary(), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["document"], ["document.hash"], name=op.f("fk_league_document")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league")),
    )
    op.create_table(
        "rating",
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("mu", sa.Text(), nullable=False),
        sa.Column("sigma", sa.Text(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), server_default="0", nullable=False),
        sa.Column("draws", sa.Integer(), server_default="0", nullable=False),
        sa.Column("losses", sa.Integer(), server_default="0", nullable=False),
        sa.Column("start_mu", sa.Text(), nullable=False),
        sa.Column("start_sigma", sa.Text(), nullable=False),
        sa.Column("entry", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_rating_account")),
        sa.PrimaryKeyConstraint("league", "season", "account", name=op.f("pk_rating")),
    )
    with op.batch_alter_table("rating", schema=None) as batch_op:
        batch_op.create_index(
            "ix_rating_order", ["league", "season", sa.literal_column("score DESC"), "n", "account"], unique=False
        )

    op.create_table(
        "token",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_token_account")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_token")),
        sa.UniqueConstraint("id", name=op.f("uq_token_id")),
    )
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_token_account"), ["account"], unique=False)

    op.create_table(
        "class",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("teacher", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("code_expires_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_class_league")),
        sa.ForeignKeyConstraint(["teacher"], ["account.id"], name=op.f("fk_class_teacher")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_class")),
        sa.UniqueConstraint("code", name=op.f("uq_class_code")),
    )
    with op.batch_alter_table("class", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_class_teacher"), ["teacher"], unique=False)

    op.create_table(
        "entry_version",
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("sealed_digest", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("revealed_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["document"], ["document.hash"], name=op.f("fk_entry_version_document")),
        sa.ForeignKeyConstraint(["entry"], ["entry.id"], name=op.f("fk_entry_version_entry")),
        sa.PrimaryKeyConstraint("entry", "no", name=op.f("pk_entry_version")),
    )
    op.create_table(
        "league_day",
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("commitment", sa.LargeBinary(), nullable=False),
        sa.Column("secret_enc", sa.LargeBinary(), nullable=False),
        sa.Column("last_no", sa.Integer(), server_default="0", nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.Column("published_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_league_day_league")),
        sa.PrimaryKeyConstraint("league", "day", name=op.f("pk_league_day")),
        sa.UniqueConstraint("commitment", name=op.f("uq_league_day_commitment")),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("modifier", sa.Text(), nullable=False),
        sa.Column("revision", sa.LargeBinary(), nullable=False),
        sa.Column("legs", sa.Integer(), nullable=False),
        sa.Column("score_a", sa.Integer(), nullable=False),
        sa.Column("score_b", sa.Integer(), nullable=False),
        sa.Column("result_digest", sa.LargeBinary(), nullable=False),
        sa.Column("chain", sa.LargeBinary(), nullable=True),
        sa.Column("played_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_match_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match")),
        sa.UniqueConstraint("league", "day", "no", name="uq_match_number"),
    )
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.create_index("ix_match_recent", ["league", sa.literal_column("played_at DESC"), "id"], unique=False)
        batch_op.create_index("ix_match_newest", [sa.literal_column("played_at DESC"), "id"], unique=False)

    op.create_table(
        "season",
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("revision", sa.LargeBinary(), nullable=False),
        sa.Column("rating_model", sa.Text(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_season_league")),
        sa.PrimaryKeyConstraint("league", "no", name=op.f("pk_season")),
    )
    op.create_table(
        "ticket",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("day", sa.Text(), nullable=True),
        sa.Column("day_matches", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_ticket_account")),
        sa.ForeignKeyConstraint(["league"], ["league.id"], name=op.f("fk_ticket_league")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ticket")),
    )
    with op.batch_alter_table("ticket", schema=None) as batch_op:
        batch_op.create_index("ix_ticket_order", ["league", "mode", "due_at", "id"], unique=False)
        batch_op.create_index(
            "uq_ticket_waiting",
            ["account", "league", "mode"],
            unique=True,
            sqlite_where=sa.text("state IN ('waiting', 'standing', 'matched')"),
            postgresql_where=sa.text("state IN ('waiting', 'standing', 'matched')"),
        )

    op.create_table(
        "leg",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("result", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_leg_match")),
        sa.PrimaryKeyConstraint("match", "no", name=op.f("pk_leg")),
    )
    op.create_table(
        "match_side",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("league", sa.Text(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("ticket_salt", sa.LargeBinary(), nullable=False),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=True),
        sa.Column("mu0", sa.Text(), nullable=True),
        sa.Column("sigma0", sa.Text(), nullable=True),
        sa.Column("mu1", sa.Text(), nullable=True),
        sa.Column("sigma1", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_match_side_account")),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_match_side_match")),
        sa.PrimaryKeyConstraint("match", "place", name=op.f("pk_match_side")),
        sa.UniqueConstraint("league", "season", "account", "n", name="uq_match_side_n"),
    )
    with op.batch_alter_table("match_side", schema=None) as batch_op:
        batch_op.create_index("ix_match_side_account", ["account", "match"], unique=False)

    op.create_table(
        "pupil",
        sa.Column("class", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name=op.f("fk_pupil_account")),
        sa.ForeignKeyConstraint(["class"], ["class.id"], name=op.f("fk_pupil_class")),
        sa.PrimaryKeyConstraint("class", "account", name=op.f("pk_pupil")),
    )
