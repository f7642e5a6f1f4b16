"""Price and settle jobs: what they cost and used, who pays, how far they are, and where they go on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_OPEN = sa.text("state IN ('waiting', 'running')")


def upgrade() -> None:
    """Change the schema."""
    for name in ("title", "step", "machine", "payer", "window"):
        op.add_column("job", sa.Column(name, sa.Text()))
    reference = sa.ForeignKey("document.hash", name=op.f("fk_job_page"))
    op.add_column("job", sa.Column("page", sa.LargeBinary(), reference), inline_references=True)
    for name in ("takes", "restarts", "version"):
        op.add_column("job", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    for name in ("price_cpu_ms", "battles", "cpu_ms"):
        op.add_column("job", sa.Column(name, sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("job", sa.Column("slot", sa.Integer()))
    op.create_index("uq_job_slot", "job", ["payer", "slot"], unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN)
