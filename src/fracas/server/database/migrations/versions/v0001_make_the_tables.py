"""Make the tables as they were in schema 1. This does not follow tables.py: a migration never changes."""

from __future__ import annotations

import re

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# A table's columns: the name, `:` the type (text without one), `>` the column that it refers to, `=` the default; then
# `*` for the primary key, `!` unique, `^` indexed, `?` may be null.
TABLES = """
account: id* handle handle_key! display_name? password_hash? role=player state=active suspended_reason?
    created_at:big
audit: id* who what subject reason? at:big
budget: subject* window* battles:big cpu_ms:big
class: id* teacher>account.id^ title league>league.id code! code_expires_at:big created_at:big
document: hash:bytes* bytes:bytes
due: kind* subject* at:big* done_at:big?
entry: id* account>account.id^ league code! title ranked:int last_no:int state=active class^? created_at:big
    open_to_challenges:int=0
entry_version: entry>entry.id* no:int* document:bytes>document.hash salt:bytes sealed_digest:bytes created_at:big
    revealed_at:big?
event: account* seq:int* type body:bytes at:big^
idem: account* key* request_hash:bytes status:int body:bytes created_at:big
job: id* account^ kind subject document:bytes>document.hash state progress:int=0 lease_until:big? node?
    result:bytes>document.hash? problem? price:big created_at:big done_at:big?
league: id* revision:bytes document:bytes>document.hash
league_day: league>league.id* day* commitment:bytes! secret_enc:bytes last_no:int=0 head:bytes published_at:big?
league_head: league* day* no:int* head:bytes at:big
leg: match>match.id* no:int* result:int reason rounds:int digest:bytes
match: id* league>league.id season:int day no:int? kind seed rules_version:int fingerprint:bytes modifier
    revision:bytes legs:int score_a:int score_b:int result_digest:bytes chain:bytes? played_at:big
match_side: match>match.id* place:int* league season:int account>account.id entry version:int ticket_salt:bytes
    rated:int n:int? mu0? sigma0? mu1? sigma1?
meeting: league* account* opponent* at:big rated_at:big? rated_before_at:big?
node: id* alive_at:big epoch:int
pupil: class>class.id* account>account.id* joined_at:big
rating: league* season:int* account>account.id* mu sigma score:big n:int wins:int=0 draws:int=0 losses:int=0
    start_mu start_sigma entry? version:int?
season: league>league.id* no:int* rules_version:int fingerprint:bytes revision:bytes rating_model starts_at:big
    ends_at:big ended_at:big?
stream: account* last:int
ticket: id* league>league.id account>account.id entry version:int kind mode salt:bytes since:big due_at:big state
    failures:int=0 lease_until:big? day? day_matches:int=0
token: hash:bytes* id! account>account.id^ kind name? scopes created_at:big used_at:big? expires_at:big
"""
UNIQUE = {
    "match": ("uq_match_number", "league day no"),
    "match_side": ("uq_match_side_n", "league season account n"),
}
# The name, the columns of the table (`-` for descending), and the condition of a unique index.
INDEXES = (
    ("ix_match_newest", "match", "-played_at id", None),
    ("ix_match_recent", "match", "league -played_at id", None),
    ("ix_match_side_account", "match_side", "account match", None),
    ("ix_meeting_recent", "meeting", "league account -at", None),
    ("ix_rating_order", "rating", "league season -score n account", None),
    ("ix_ticket_order", "ticket", "league mode due_at id", None),
    ("uq_entry_ranked", "entry", "account league", "ranked = 1 AND state = 'active'"),
    ("uq_ticket_waiting", "ticket", "account league mode", "state IN ('waiting', 'standing', 'matched')"),
)
TYPES = {None: sa.Text, "int": sa.Integer, "big": sa.BigInteger, "bytes": sa.LargeBinary}
NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
_COLUMN = re.compile(r"(\w+)(?::(\w+))?(?:>([\w.]+))?(?:=(\w+))?([*!^?]*)")


def upgrade() -> None:
    """Change the schema."""
    made = sa.MetaData(naming_convention=NAMES)
    for name, columns in re.findall(r"^(\w+): (.+(?:\n .+)*)", TABLES, re.MULTILINE):
        unique = [sa.UniqueConstraint(*of.split(), name=called) for called, of in filter(None, [UNIQUE.get(name)])]
        sa.Table(name, made, *(_column(text) for text in columns.split()), *unique)
    for called, name, of, condition in INDEXES:
        columns = made.tables[name].columns
        parts = [columns[each[1:]].desc() if each[0] == "-" else columns[each] for each in of.split()]
        where = None if condition is None else sa.text(condition)
        sa.Index(called, *parts, unique=condition is not None, sqlite_where=where, postgresql_where=where)
    made.create_all(op.get_bind(), checkfirst=False)


def _column(text: str) -> sa.Column[object]:
    found = _COLUMN.fullmatch(text)
    assert found is not None, text
    name, kind, other, default, marks = found.groups()
    return sa.Column(
        name,
        TYPES[kind],
        *([sa.ForeignKey(other)] if other else []),
        primary_key="*" in marks,
        unique="!" in marks or None,
        index="^" in marks or None,
        nullable="?" in marks,
        server_default=default,
    )
