"""The tables and the unique constraints that carry the server's promises.

Times are integer milliseconds UTC. Ids are text that sorts by time (`server/ids.py`); a match's id is random. Hashes
and digests are raw bytes. A float that a rating rests on is stored as `float.hex`, so that a recount compares exactly.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# --- Accounts -------------------------------------------------------------------------------------------------------

account = Table(
    "account",
    metadata,
    Column("id", Text, primary_key=True),
    Column("handle", Text, nullable=False),
    Column("handle_key", Text, nullable=False, unique=True),  # case folded; `gone-xxxx` after deletion
    Column("display_name", Text),
    Column("password_hash", Text),  # none for a bot, a guest and a deleted account
    Column("role", Text, nullable=False, server_default="player"),  # player | operator | bot | guest
    Column("state", Text, nullable=False, server_default="active"),  # active | suspended | deleted
    Column("suspended_reason", Text),
    Column("created_at", BigInteger, nullable=False),
)

retired_handle = Table(
    "retired_handle",  # handles of deleted accounts, which nobody may have again
    metadata,
    Column("digest", LargeBinary, primary_key=True),  # of the handle: it names a person who is gone
)

token = Table(
    "token",
    metadata,
    Column("hash", LargeBinary, primary_key=True),  # SHA-256 of the token
    Column("id", Text, nullable=False, unique=True),  # what links and lists name it by
    Column("account", Text, ForeignKey("account.id"), nullable=False, index=True),
    Column("kind", Text, nullable=False),  # session | api | recovery
    Column("name", Text),
    Column("scopes", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
    Column("expires_at", BigInteger, nullable=False),
)

idempotency = Table(
    "idem",
    metadata,
    Column("account", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("request_hash", LargeBinary, nullable=False),
    Column("status", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

audit = Table(
    "audit",
    metadata,
    Column("id", Text, primary_key=True),
    Column("who", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("reason", Text),
    Column("at", BigInteger, nullable=False),
)

# --- Entries --------------------------------------------------------------------------------------------------------

document = Table(
    "document",
    metadata,
    Column("hash", LargeBinary, primary_key=True),  # blake3 of the canonical bytes
    Column("bytes", LargeBinary, nullable=False),  # the canonical bytes, zstd
)

entry = Table(
    "entry",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account", Text, ForeignKey("account.id"), nullable=False, index=True),
    Column("league", Text, nullable=False),
    Column("code", Text, nullable=False, unique=True),  # the side's name in documents: no account name is in them
    Column("title", Text, nullable=False),
    Column("ranked", Integer, nullable=False),
    Column("last_no", Integer, nullable=False),
    Column("state", Text, nullable=False, server_default="active"),  # active | withdrawn
    Column("class", Text, index=True),
    Column("created_at", BigInteger, nullable=False),
    Column("open_to_challenges", Integer, nullable=False, server_default="0"),  # while its league hides it
)
Index(
    "uq_entry_ranked",
    entry.c.account,
    entry.c.league,
    unique=True,
    sqlite_where=text("ranked = 1 AND state = 'active'"),
    postgresql_where=text("ranked = 1 AND state = 'active'"),
)

entry_version = Table(
    "entry_version",
    metadata,
    Column("entry", Text, ForeignKey("entry.id"), primary_key=True),
    Column("no", Integer, primary_key=True),
    Column("document", LargeBinary, ForeignKey("document.hash"), nullable=False),
    Column("salt", LargeBinary, nullable=False),  # of the sealed digest, so that a short document cannot be guessed
    Column("sealed_digest", LargeBinary, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("revealed_at", BigInteger),
)

# --- Leagues, seasons, days -----------------------------------------------------------------------------------------

league = Table(
    "league",
    metadata,
    Column("id", Text, primary_key=True),
    Column("revision", LargeBinary, nullable=False),  # blake3 of the canonical league document
    Column("document", LargeBinary, ForeignKey("document.hash"), nullable=False),
)

season = Table(
    "season",
    metadata,
    Column("league", Text, ForeignKey("league.id"), primary_key=True),
    Column("no", Integer, primary_key=True),
    Column("rules_version", Integer, nullable=False),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("revision", LargeBinary, nullable=False),
    Column("rating_model", Text, nullable=False),
    Column("starts_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
)

league_day = Table(
    "league_day",
    metadata,
    Column("league", Text, ForeignKey("league.id"), primary_key=True),
    Column("day", Text, primary_key=True),  # 2026-11-22, UTC
    Column("commitment", LargeBinary, nullable=False, unique=True),
    Column("secret_enc", LargeBinary, nullable=False),  # encrypted until the day is published, from then on in clear
    Column("last_no", Integer, nullable=False, server_default="0"),
    Column("head", LargeBinary, nullable=False),
    Column("published_at", BigInteger),
)

league_day_format = Table(
    "league_day_format",  # what a day's chain binds (arena/chain.py); a day without a row is of format 1
    metadata,
    Column("league", Text, primary_key=True),
    Column("day", Text, primary_key=True),
    Column("format", Integer, nullable=False),
)

league_head = Table(
    "league_head",  # the chain's head as it was published, hourly
    metadata,
    Column("league", Text, primary_key=True),
    Column("day", Text, primary_key=True),
    Column("no", Integer, primary_key=True),
    Column("head", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False),
)

season_program = Table(
    "season_program",
    metadata,
    Column("league", Text, primary_key=True),
    Column("season", Integer, primary_key=True),
    Column("tool", Text, nullable=False),  # fracas==1.2.0, which played the season
)

rating = Table(
    "rating",
    metadata,
    Column("league", Text, primary_key=True),  # or a ladder of live tables (tables/ladders.py), all in season 1
    Column("season", Integer, primary_key=True),
    Column("account", Text, ForeignKey("account.id"), primary_key=True),
    Column("mu", Text, nullable=False),
    Column("sigma", Text, nullable=False),
    Column("score", BigInteger, nullable=False),  # mu - 3 sigma in millionths: what leaderboards sort by
    Column("n", Integer, nullable=False),
    Column("wins", Integer, nullable=False, server_default="0"),
    Column("draws", Integer, nullable=False, server_default="0"),
    Column("losses", Integer, nullable=False, server_default="0"),
    Column("start_mu", Text, nullable=False),  # before the season's first match
    Column("start_sigma", Text, nullable=False),
    Column("entry", Text),  # of the last rated match, whose version tells whether the next one is a new version
    Column("version", Integer),
)
Index("ix_rating_order", rating.c.league, rating.c.season, rating.c.score.desc(), rating.c.n, rating.c.account)

# --- Tickets and matches --------------------------------------------------------------------------------------------

ticket = Table(
    "ticket",
    metadata,
    Column("id", Text, primary_key=True),
    Column("league", Text, ForeignKey("league.id"), nullable=False),
    Column("account", Text, ForeignKey("account.id"), nullable=False),
    Column("entry", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("kind", Text, nullable=False),  # once | standing
    Column("mode", Text, nullable=False),  # ranked | casual
    Column("salt", LargeBinary, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("due_at", BigInteger, nullable=False),  # a standing ticket waits until then
    Column("state", Text, nullable=False),  # waiting | standing | matched | parked
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("lease_until", BigInteger),  # of a matched ticket: afterwards it waits again
    Column("day", Text),  # of the standing ticket's count
    Column("day_matches", Integer, nullable=False, server_default="0"),
)
Index(
    "uq_ticket_waiting",
    ticket.c.account,
    ticket.c.league,
    ticket.c.mode,
    unique=True,
    sqlite_where=text("state IN ('waiting', 'standing', 'matched')"),
    postgresql_where=text("state IN ('waiting', 'standing', 'matched')"),
)
Index("ix_ticket_order", ticket.c.league, ticket.c.mode, ticket.c.due_at, ticket.c.id)

match = Table(
    "match",
    metadata,
    Column("id", Text, primary_key=True),
    Column("league", Text, ForeignKey("league.id"), nullable=False),
    Column("season", Integer, nullable=False),
    Column("day", Text, nullable=False),
    Column("no", Integer),  # the number in its league-day; none for practice and challenges, which no chain holds
    Column("kind", Text, nullable=False),  # ranked | casual | challenge | practice | war
    Column("seed", Text, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("modifier", Text, nullable=False),
    Column("revision", LargeBinary, nullable=False),
    Column("legs", Integer, nullable=False),
    Column("score_a", Integer, nullable=False),  # in half points: 2 for a leg won, 1 for a leg drawn
    Column("score_b", Integer, nullable=False),
    Column("result_digest", LargeBinary, nullable=False),
    Column("chain", LargeBinary),
    Column("played_at", BigInteger, nullable=False),
    UniqueConstraint("league", "day", "no", name="uq_match_number"),
)
Index("ix_match_recent", match.c.league, match.c.played_at.desc(), match.c.id)
Index("ix_match_newest", match.c.played_at.desc(), match.c.id)

match_side = Table(
    "match_side",
    metadata,
    Column("match", Text, ForeignKey("match.id"), primary_key=True),
    Column("place", Integer, primary_key=True),  # 1 | 2
    Column("league", Text, nullable=False),
    Column("season", Integer, nullable=False),
    Column("account", Text, ForeignKey("account.id"), nullable=False),
    Column("entry", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("ticket_salt", LargeBinary, nullable=False),
    Column("rated", Integer, nullable=False),
    Column("n", Integer),  # counts the account's rated matches of the season from 1; none where unrated
    Column("mu0", Text),
    Column("sigma0", Text),
    Column("mu1", Text),
    Column("sigma1", Text),
    # What makes a rating the sum of its matches: before(n) equals after(n - 1).
    UniqueConstraint("league", "season", "account", "n", name="uq_match_side_n"),
)
Index("ix_match_side_account", match_side.c.account, match_side.c.match)

meeting = Table(
    "meeting",  # when an account last met another one in a league, for pairing
    metadata,
    Column("league", Text, primary_key=True),
    Column("account", Text, primary_key=True),
    Column("opponent", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("rated_at", BigInteger),
    Column("rated_before_at", BigInteger),  # the rated match before that one
)
Index("ix_meeting_recent", meeting.c.league, meeting.c.account, meeting.c.at.desc())

leg = Table(
    "leg",
    metadata,
    Column("match", Text, ForeignKey("match.id"), primary_key=True),
    Column("no", Integer, primary_key=True),
    Column("result", Integer, nullable=False),  # for place 1, in half points: 2 won, 1 drawn, 0 lost
    Column("reason", Text, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("digest", LargeBinary, nullable=False),  # of the result row
)

# --- Classes --------------------------------------------------------------------------------------------------------

school_class = Table(
    "class",
    metadata,
    Column("id", Text, primary_key=True),
    Column("teacher", Text, ForeignKey("account.id"), nullable=False, index=True),
    Column("title", Text, nullable=False),
    Column("league", Text, ForeignKey("league.id"), nullable=False),
    Column("code", Text, nullable=False, unique=True),
    Column("code_expires_at", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

pupil = Table(
    "pupil",
    metadata,
    Column("class", Text, ForeignKey("class.id"), primary_key=True),
    Column("account", Text, ForeignKey("account.id"), primary_key=True),
    Column("joined_at", BigInteger, nullable=False),
)

# --- Tournaments ----------------------------------------------------------------------------------------------------

tournament = Table(
    "tournament",
    metadata,
    Column("id", Text, primary_key=True),
    Column("organiser", Text, ForeignKey("account.id"), nullable=False, index=True),
    Column("league", Text, ForeignKey("league.id"), nullable=False),
    Column("title", Text, nullable=False),
    Column("format", Text, nullable=False),  # elimination | round_robin | swiss
    Column("best_of", Integer, nullable=False),
    Column("rounds", Integer),  # wanted, in a Swiss; how many there are at most, once it has started
    Column("rated", Integer, nullable=False),
    Column("most", Integer, nullable=False),  # entrants
    Column("starts_at", BigInteger),  # by the clock; none if its organiser starts it
    Column("pause_ms", BigInteger, nullable=False),  # between rounds
    Column("state", Text, nullable=False),  # entering | running | over | cancelled | abandoned
    Column("reason", Text),  # why it was cancelled or abandoned
    Column("created_at", BigInteger, nullable=False),
    # Taken once, when it starts.
    Column("started_at", BigInteger),
    Column("modifier", Text),
    Column("rules_version", Integer),
    Column("fingerprint", LargeBinary),
    Column("revision", LargeBinary),
    Column("round", Integer, nullable=False, server_default="0"),
    Column("playing", Integer, nullable=False, server_default="0"),  # whether the round is played, else it waits
    Column("round_at", BigInteger),
    Column("ended_at", BigInteger),
)
Index("ix_tournament_newest", tournament.c.created_at.desc(), tournament.c.id)

tournament_entrant = Table(
    "tournament_entrant",
    metadata,
    Column("tournament", Text, ForeignKey("tournament.id"), primary_key=True),
    Column("account", Text, ForeignKey("account.id"), primary_key=True),
    Column("entry", Text, nullable=False, index=True),
    Column("version", Integer),  # locked when the tournament starts, as the seed is
    Column("salt", LargeBinary, nullable=False),
    Column("entered_at", BigInteger, nullable=False),
    Column("seed", Integer),
    Column("left_in", Integer),  # the round in which the account left, was suspended or deleted
    UniqueConstraint("tournament", "seed", name="uq_tournament_seed"),
)

tournament_pairing = Table(
    "tournament_pairing",
    metadata,
    Column("tournament", Text, ForeignKey("tournament.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("slot", Integer, primary_key=True),
    Column("first", Integer, nullable=False),  # seeds, the higher one first
    Column("second", Integer),  # none: a bye
    Column("first_points", Integer),  # half points; none until it is decided
    Column("second_points", Integer),
    Column("how", Text),  # played | seed | bye | walkover | failed
)

tournament_game = Table(
    "tournament_game",
    metadata,
    Column("tournament", Text, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("slot", Integer, primary_key=True),
    Column("game", Integer, primary_key=True),  # from 1
    Column("match", Text, ForeignKey("match.id"), nullable=False, unique=True),
)

# --- Guilds and their wars ------------------------------------------------------------------------------------------

guild = Table(
    "guild",
    metadata,
    Column("id", Text, primary_key=True),
    Column("league", Text, ForeignKey("league.id"), nullable=False),  # whose rules its wars are fought by
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),  # case folded; a dissolved guild that fought keeps it
    Column("code", Text, nullable=False, unique=True),
    Column("founded_at", BigInteger, nullable=False),
    Column("dissolved_at", BigInteger),
)

guild_member = Table(
    "guild_member",
    metadata,
    Column("account", Text, ForeignKey("account.id"), primary_key=True),  # so nobody is in two guilds
    Column("guild", Text, ForeignKey("guild.id"), nullable=False, index=True),
    Column("role", Text, nullable=False),  # owner | member
    Column("entry", Text, ForeignKey("entry.id")),  # named for the guild's wars
    Column("joined_at", BigInteger, nullable=False),
)
Index(
    "uq_guild_member_owner",
    guild_member.c.guild,
    unique=True,
    sqlite_where=text("role = 'owner'"),
    postgresql_where=text("role = 'owner'"),
)

war = Table(
    "war",
    metadata,
    Column("id", Text, primary_key=True),
    Column("week", Text, nullable=False),  # its Monday, 2026-11-23
    Column("league", Text, ForeignKey("league.id"), nullable=False),
    Column("guild_a", Text, ForeignKey("guild.id"), nullable=False),
    Column("guild_b", Text, ForeignKey("guild.id")),  # none: guild_a has a bye
    Column("state", Text, nullable=False),  # locked | running | over | bye | abandoned
    Column("mean_a", Text, nullable=False),  # of the mu of the named entries, as `float.hex`
    Column("mean_b", Text),
    Column("locked_at", BigInteger, nullable=False),
    # Taken once, at the start.
    Column("started_at", BigInteger),
    Column("season", Integer),
    Column("rules_version", Integer),
    Column("fingerprint", LargeBinary),
    Column("revision", LargeBinary),
    Column("modifier", Text),
    Column("day", Text),  # the league-day whose secret the seed is made of
    Column("seed", Text),
    # The result, in half points.
    Column("points_a", Integer),
    Column("points_b", Integer),
    Column("over_at", BigInteger),
    UniqueConstraint("week", "guild_a", name="uq_war_a"),
    UniqueConstraint("week", "guild_b", name="uq_war_b"),
)
Index("ix_war_recent", war.c.league, war.c.week.desc(), war.c.id)

war_entry = Table(
    "war_entry",  # what a guild named, as it was when the week's wars were locked
    metadata,
    Column("war", Text, ForeignKey("war.id"), primary_key=True),
    Column("guild", Text, ForeignKey("guild.id"), primary_key=True),
    Column("pos", Integer, primary_key=True),  # from 1, the strongest first
    Column("account", Text, ForeignKey("account.id"), nullable=False, index=True),
    Column("entry", Text, ForeignKey("entry.id"), nullable=False, index=True),
    Column("version", Integer, nullable=False),
)

war_match = Table(
    "war_match",
    metadata,
    Column("war", Text, ForeignKey("war.id"), primary_key=True),
    Column("a_pos", Integer, primary_key=True),
    Column("b_pos", Integer, primary_key=True),
    Column("match", Text, ForeignKey("match.id"), unique=True),  # none: it could not be fought
)

# --- Streams, clocks, work ------------------------------------------------------------------------------------------

stream = Table(
    "stream",
    metadata,
    Column("account", Text, primary_key=True),
    Column("last", Integer, nullable=False),
)

event = Table(
    "event",
    metadata,
    Column("account", Text, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("type", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False, index=True),
)

due = Table(
    "due",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("at", BigInteger, primary_key=True),
    Column("done_at", BigInteger),
)

node = Table(
    "node",
    metadata,
    Column("id", Text, primary_key=True),
    Column("alive_at", BigInteger, nullable=False),
    Column("epoch", Integer, nullable=False),
)

budget = Table(
    "budget",
    metadata,
    Column("subject", Text, primary_key=True),  # account:… | address:…
    Column("window", Text, primary_key=True),
    Column("battles", BigInteger, nullable=False),
    Column("cpu_ms", BigInteger, nullable=False),
)

# --- Jobs -----------------------------------------------------------------------------------------------------------

job = Table(
    "job",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account", Text, nullable=False, index=True),  # empty: nobody's, read by whoever knows the id
    Column("kind", Text, nullable=False),  # a study's name, or `class table`
    Column("subject", Text, nullable=False),  # the class of a table; else empty
    Column("document", LargeBinary, ForeignKey("document.hash"), nullable=False),
    Column("state", Text, nullable=False),  # waiting | running | done | failed | cancelled
    Column("progress", Integer, nullable=False, server_default="0"),  # in thousandths
    Column("lease_until", BigInteger),
    Column("node", Text),  # the process that works on it; none after that process stopped in order
    Column("result", LargeBinary, ForeignKey("document.hash")),
    Column("problem", Text),
    Column("price", BigInteger, nullable=False),  # battles
    Column("created_at", BigInteger, nullable=False),
    Column("done_at", BigInteger),
    Column("title", Text),
    Column("step", Text),  # what is being done
    Column("page", LargeBinary, ForeignKey("document.hash")),  # the result as a page of HTML, a JSON text
    Column("machine", Text),  # whose folder has the finished chunks
    Column("takes", Integer, nullable=False, server_default="0"),  # how often a process began it
    Column("restarts", Integer, nullable=False, server_default="0"),  # how often another machine began it anew
    Column("version", Integer, nullable=False, server_default="0"),  # counts changes: the ids of its events
    Column("price_cpu_ms", BigInteger, nullable=False, server_default="0"),
    Column("battles", BigInteger, nullable=False, server_default="0"),  # used so far
    Column("cpu_ms", BigInteger, nullable=False, server_default="0"),
    Column("payer", Text),  # account:… | address:…, until it is settled
    Column("window", Text),  # of the payer's budget; none if nothing was reserved
    Column("slot", Integer),  # of the payer's jobs at a time
)
Index(
    "uq_job_slot",
    job.c.payer,
    job.c.slot,
    unique=True,
    sqlite_where=text("state IN ('waiting', 'running')"),
    postgresql_where=text("state IN ('waiting', 'running')"),
)

# --- Live tables ----------------------------------------------------------------------------------------------------

# A table that is over whose proof nobody has stored yet: what a process that was killed left to do.
is_unproved = text("state = 'over' AND proof IS NULL AND commitment IS NOT NULL")

game_table = Table(
    "game_table",
    metadata,
    Column("id", Text, primary_key=True),  # 128 random bits: who knows it may come
    Column("game", Text, nullable=False),
    Column("scenario", Text, nullable=False),
    Column("document", LargeBinary, ForeignKey("document.hash"), nullable=False, index=True),  # resolved
    Column("rules_version", Integer, nullable=False),
    Column("rules_hash", Text, nullable=False),  # of a game made with the kit; else empty
    Column("listed", Integer, nullable=False),
    Column("quick", Integer, nullable=False),
    Column("seconds", Integer, nullable=False),
    Column("final", Integer, nullable=False),
    Column("state", Text, nullable=False),  # waiting | sealing | opening | playing | over
    Column("step", Integer, nullable=False, server_default="1"),
    Column("version", Integer, nullable=False, server_default="1"),
    Column("server_seed", LargeBinary, nullable=False),
    Column("commitment", LargeBinary),
    Column("deadline", BigInteger),  # of what is due now
    Column("home", Text, nullable=False),  # the node that keeps its clock and plays its bots
    Column("home_until", BigInteger, nullable=False),
    Column("winner", Integer),  # 0 for nobody
    Column("reason", Text),
    Column("decided", Integer),  # whether the rules decided it
    Column("proof", LargeBinary, ForeignKey("document.hash"), index=True),
    Column("rematch", Text),  # the next table, or the one where quick match found somebody
    # Why it is not rated; none if it is: not_quick | waiting | met_often | not_players | not_played.
    Column("unrated", Text, server_default="not_quick"),
    Column("created_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Index("ix_game_table_state", "state", "created_at"),
    Index("ix_game_table_home", "home", "state"),
    Index("ix_game_table_unproved", "home", sqlite_where=is_unproved, postgresql_where=is_unproved),
)

game_seat = Table(
    "game_seat",
    metadata,
    Column("table", Text, ForeignKey("game_table.id"), primary_key=True),
    Column("side", Integer, primary_key=True),  # 0 | 1
    Column("account", Text, ForeignKey("account.id"), index=True),
    Column("bot", Text),
    Column("bot_digest", LargeBinary),
    Column("seal", LargeBinary),
    Column("salt", Text),  # none until it is open
    Column("nonce", LargeBinary),
    Column("wants_rematch", Integer, nullable=False, server_default="0"),
    Column("present", Text),  # the node that the player is connected to
    Column("mu", Text),  # as `float.hex`, when quick match brought both together; none where unrated
    Column("sigma", Text),
    Column("aborted_at", BigInteger),  # when the player made an end before the first step
)

game_choice = Table(
    "game_choice",
    metadata,
    Column("table", Text, ForeignKey("game_table.id"), primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("action", Integer, nullable=False),
    Column("missed", Integer, nullable=False),  # whether the game's default counted
    Column("at", BigInteger, nullable=False),
)

table_result = Table(
    "table_result",  # what a rated table did to its players' ratings; it outlives the table
    metadata,
    Column("table", Text, primary_key=True),
    Column("side", Integer, primary_key=True),  # 0 | 1
    Column("ladder", Text, nullable=False),  # the rating's league
    Column("account", Text, ForeignKey("account.id"), nullable=False),
    Column("n", Integer, nullable=False),  # counts the account's rated tables of the ladder from 1
    Column("points", Integer, nullable=False),  # 2 won, 1 drawn, 0 lost
    Column("mu0", Text, nullable=False),
    Column("sigma0", Text, nullable=False),
    Column("mu1", Text, nullable=False),
    Column("sigma1", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    # What makes a rating the sum of its tables: before(n) equals after(n - 1).
    UniqueConstraint("ladder", "account", "n", name="uq_table_result_n"),
)

# --- Which version of an entry --------------------------------------------------------------------------------------

is_newest = (entry_version.c.entry == entry.c.id) & (entry_version.c.no == entry.c.last_no)
is_of_ticket = (entry_version.c.entry == ticket.c.entry) & (entry_version.c.no == ticket.c.version)
is_of_side = (entry_version.c.entry == match_side.c.entry) & (entry_version.c.no == match_side.c.version)
