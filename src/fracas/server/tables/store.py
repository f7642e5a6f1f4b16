"""Tables in the database: every change is a command of its own, and all that a table is follows from its rows.

What was played is the rows of `game_choice`: who has them plays the battle to where it stands. So any process may take
a choice or serve a socket; a table's home (the node whose lease is running) keeps its clock and plays its bots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Connection, Integer, Text, bindparam, func, insert, select, update

from fracas.replay.table_file import Seat, TableGame, table_salt_seal, table_terms
from fracas.rulesets.shared.commit_reveal import commitment_of, handshake_of
from fracas.rulesets.shared.salts import refuse_no_salt
from fracas.server.arena.store.people import PERSON, person
from fracas.server.clock import HOUR, MINUTE, SECOND
from fracas.server.database import documents
from fracas.server.database.notices import notify
from fracas.server.database.tables import account, game_choice, game_seat, game_table, is_unproved, node
from fracas.server.database.upsert import insert_or_update
from fracas.server.http.answers import link, stored
from fracas.server.http.problems import ApiProblem, not_found, too_many
from fracas.server.ids import random_bytes, random_id
from fracas.server.tables import ladders
from fracas.server.tables.catalogue import OfferedGame
from fracas.server_models import tables as models

# A minute to seal, and another to open.
SALT_TIME = MINUTE
# Whoever asks for a quick match waits at a page; others open a table and come back.
WAITING_TIME, QUICK_WAITING_TIME = 12 * HOUR, HOUR
LEASE = 5 * SECOND
# A deadline fires so long after it: what is under way still counts.
GRACE = 500
MOST_OPEN = 5
MOST_MISSES = 3
LOBBY = 100
WAITING, SEALING, OPENING, PLAYING, OVER = "waiting", "sealing", "opening", "playing", "over"
# By the index, which "not over" is not: a server has many tables that are over.
IS_OPEN = game_table.c.state.in_((WAITING, SEALING, OPENING, PLAYING))
FORFEIT, ABANDONED, RESIGNED, LEFT = "forfeit", "abandoned", "resigned", "left_before_the_start"
UNSEALED, UNOPENED, NOBODY_CAME, CLOSED = "no_sealed_salt", "salt_not_opened", "nobody_came", "closed"
# Of a table of quick match whose player met somebody at another one.
MOVED = "met_elsewhere"
# Why a table is not rated.
NOT_QUICK, NOT_YET, MET_OFTEN, NOT_PLAYERS, NOT_PLAYED = (
    "not_quick",
    "waiting",
    "met_often",
    "not_players",
    "not_played",
)
# Endings that count although the rules did not decide them.
LOSING = (FORFEIT, RESIGNED)


@dataclass(frozen=True)
class NewTable:
    """What a table is opened with."""

    game: OfferedGame
    scenario: str
    seconds: int
    listed: bool = True
    quick: bool = False
    bot: str | None = None
    side: int = 0
    """Where its maker sits, 0 or 1."""


class Chosen(NamedTuple):
    """What a side chose for a step."""

    step: int
    side: int
    action: int
    missed: int


@dataclass(frozen=True)
class Stored:
    """A table as it is stored, with its seats and the choices after a step."""

    row: Any
    seats: Sequence[Any]
    choices: Sequence[Any]
    nodes: frozenset[str]
    """The processes that live."""
    results: Sequence[Any] = ()
    """What it did to both ratings, once it is over."""

    @property
    def server_seed(self) -> str:
        """The server's part of the seed. Nobody may know it before the end."""
        return bytes(self.row.server_seed).hex()

    @property
    def commitment(self) -> str | None:
        """The commitment; None until both seats are taken."""
        return None if self.row.commitment is None else bytes(self.row.commitment).hex()

    @property
    def seals(self) -> list[str | None]:
        """Both seals of salts."""
        return [None if seat.seal is None else bytes(seat.seal).hex() for seat in self.seats]

    @property
    def salts(self) -> list[str | None]:
        """Both salts."""
        return [seat.salt for seat in self.seats]

    @property
    def nonces(self) -> list[str | None]:
        """Both nonces."""
        return [None if seat.nonce is None else bytes(seat.nonce).hex() for seat in self.seats]

    @property
    def handshake(self) -> str | None:
        """The digest of the commitment and both seals; None until everybody has sealed."""
        is_sealed = all(seat.seal is not None or seat.bot is not None for seat in self.seats)
        return handshake_of(self.commitment, self.seals) if self.commitment is not None and is_sealed else None

    def side_of(self, whom: str | None) -> int | None:
        """The side, 0 or 1, of an account; None if it only watches."""
        return next((seat.side for seat in self.seats if whom is not None and seat.account == whom), None)

    def is_present(self, side: int) -> bool:
        """Whether the player of a side is connected; bots always are."""
        seat = self.seats[side]
        return seat.bot is not None or (seat.present is not None and seat.present in self.nodes)

    def view(self, names: Sequence[str]) -> models.GameTable:
        """The table as answers show it."""
        row = self.row
        here = link("tables", row.id)
        links = {"self": here, "live": f"{here}/live", "page": f"/d/{row.id}"}
        if row.proof is not None:
            links["proof"] = f"{here}/proof"
        return models.GameTable(
            **stored(models.GameTable, row),
            seats=[
                models.TableSeat(
                    side=seat.side + 1,
                    name=names[seat.side],
                    account=None if seat.account is None else person(seat),
                    bot=seat.bot,
                    rating=change,
                )
                for seat, change in zip(self.seats, self.ratings, strict=True)
            ],
            handshake=self.handshake,
            ending=self.ending,
            links=links,
        )

    @property
    def ratings(self) -> list[models.RatingChange | None]:
        """Both ratings, before and after; None at an unrated table."""
        return list(ladders.changes_of(self.seats, self.results))

    @property
    def ending(self) -> models.Ending | None:
        """How it ended; None before the end."""
        row = self.row
        if row.state != OVER:
            return None
        return models.Ending(winner=row.winner, reason=row.reason, decided=bool(row.decided))


# -- Reading -----------------------------------------------------------------------------------------------------------

# Built once: building a statement takes longer than running it.
_OF = bindparam("of", type_=Text)
_ROW = select(game_table).where(game_table.c.id == _OF)
_ROW_LOCKED = _ROW.with_for_update()
_SEATS = (
    select(game_seat, *PERSON)
    .outerjoin(account, account.c.id == game_seat.c.account)
    .where(game_seat.c.table == _OF)
    .order_by(game_seat.c.side)
)
_CHOICES = (
    select(game_choice.c.step, game_choice.c.side, game_choice.c.action, game_choice.c.missed)
    .where(game_choice.c.table == _OF, game_choice.c.step > bindparam("after", type_=Integer))
    .order_by(game_choice.c.step, game_choice.c.side)
)
_ALIVE = select(node.c.id).where(node.c.alive_at > bindparam("since", type_=BigInteger))


def load(connection: Connection, identifier: str, now: int, after: int = 0, *, locked: bool = False) -> Stored:
    """A table, with its choices from step `after` + 1 on; with `locked`, nobody else changes its row meanwhile.

    Raises:
        ApiProblem: 404, there is none.
    """
    of = {"of": identifier}
    row = connection.execute(_ROW_LOCKED if locked else _ROW, of).first()
    if row is None:
        raise not_found("no table of this id")
    seats = connection.execute(_SEATS, of).all()
    choices = connection.execute(_CHOICES, {**of, "after": after}).all()
    alive = connection.execute(_ALIVE, {"since": now - 2 * LEASE}).scalars()
    is_rated = row.state == OVER and row.unrated is None
    results = ladders.results_of(connection, identifier) if is_rated else ()
    return Stored(row, seats, choices, frozenset(alive), results)


def lobby(connection: Connection, now: int) -> list[Stored]:
    """The tables that the lobby shows: those that wait and those that are played, the newest first."""
    found = (
        select(game_table.c.id)
        .where(game_table.c.listed == 1, IS_OPEN)
        .order_by(game_table.c.created_at.desc())
        .limit(LOBBY)
    )
    return [load(connection, each, now, after=1 << 30) for each in connection.execute(found).scalars().all()]


def own_tables(connection: Connection, whom: str, now: int) -> list[Stored]:
    """The newest tables at which an account sits."""
    found = (
        select(game_table.c.id)
        .join(game_seat, game_seat.c.table == game_table.c.id)
        .where(game_seat.c.account == whom, func.coalesce(game_table.c.reason, "") != MOVED)
        .order_by(game_table.c.created_at.desc())
        .limit(LOBBY)
    )
    return [load(connection, each, now, after=1 << 30) for each in connection.execute(found).scalars().all()]


# -- Opening and joining -----------------------------------------------------------------------------------------------


def open_table(connection: Connection, new: NewTable, whom: str, home: str, now: int) -> str:
    """Open a table and sit down; with a bot it begins at once. Returns its id.

    Raises:
        ApiProblem: 429, too many are open.
    """
    _refuse_many(connection, whom, now)
    scenario = new.game.scenarios[new.scenario]
    rules = TableGame.of(new.game.ruleset)
    identifier = random_id()
    values = {
        "id": identifier,
        "game": rules.name,
        "scenario": new.scenario,
        "document": documents.put(connection, scenario.document),
        "rules_version": rules.version,
        "rules_hash": rules.rules,
        "listed": int(new.listed),
        "quick": int(new.quick),
        "unrated": NOT_YET if new.quick else NOT_QUICK,
        "seconds": new.seconds,
        "final": int(bool(scenario.document.get("options", {}).get("locked"))),
        "state": WAITING,
        "server_seed": random_bytes(32),
        "deadline": now + (QUICK_WAITING_TIME if new.quick else WAITING_TIME),
        "home": home,
        "home_until": now + LEASE,
        "created_at": now,
    }
    connection.execute(insert(game_table).values(**values))
    for side in (0, 1):
        seat: dict[str, Any] = {"table": identifier, "side": side, "account": whom if side == new.side else None}
        if side != new.side and new.bot is not None:
            seat |= {"bot": new.bot, "bot_digest": bytes.fromhex(new.game.digest_of(new.bot)), "salt": ""}
        connection.execute(insert(game_seat).values(**seat))
    if new.bot is not None:
        _begin_sealing(connection, identifier, now)
    notify(connection, f"table:{identifier}", "lobby:")
    return identifier


def _refuse_many(connection: Connection, whom: str, now: int) -> None:
    mine = (
        select(func.count())
        .select_from(game_table.join(game_seat, game_seat.c.table == game_table.c.id))
        .where(game_seat.c.account == whom)
    )
    if connection.execute(mine.where(game_table.c.state != OVER)).scalar_one() >= MOST_OPEN:
        raise too_many(f"You sit at {MOST_OPEN} tables. Finish one, or leave it.", 60)


def join(connection: Connection, identifier: str, whom: str, now: int, *, unrated: str | None = NOT_QUICK) -> None:
    """Take the free seat of a table. Who sits there already changes nothing.

    Args:
        connection: of a command.
        identifier: the table.
        whom: who sits down.
        now: the time.
        unrated: why it is not rated. With None it is: only quick match says so.

    Raises:
        ApiProblem: 404; 409, both seats are taken; 429, too many are open.
    """
    table = _locked(connection, identifier, now)
    if table.side_of(whom) is not None:
        return
    free = [seat.side for seat in table.seats if seat.account is None and seat.bot is None]
    if table.row.state != WAITING or not free:
        raise ApiProblem("conflict", "Both seats of this table are taken.")
    _refuse_many(connection, whom, now)
    mine = (game_seat.c.table == identifier) & (game_seat.c.side == free[0])
    connection.execute(update(game_seat).where(mine).values(account=whom))
    connection.execute(update(game_table).where(game_table.c.id == identifier).values(unrated=unrated))
    if unrated is None:
        _note_ratings(connection, identifier, now)
    _begin_sealing(connection, identifier, now)
    notify(connection, f"table:{identifier}", "lobby:")


def _note_ratings(connection: Connection, identifier: str, now: int) -> None:
    """Note at both seats what their ratings are now, for those who look at the table."""
    table = load(connection, identifier, now)
    ladder = ladders.ladder_of(table.row.game, table.row.scenario)
    found = ladders.ratings_of(connection, ladder, [seat.account for seat in table.seats])
    for seat in table.seats:
        mu, sigma = found[seat.account].as_hex()
        _seat(connection, identifier, seat.side, mu=mu, sigma=sigma)


def move_on(connection: Connection, identifier: str, following: str, now: int) -> None:
    """Close the table of somebody who waits for a quick match, and lead to the one where somebody was found."""
    row = _locked(connection, identifier, now).row
    values = {"winner": 0, "reason": MOVED, "decided": 0, "ended_at": now, "deadline": None, "rematch": following}
    _change(connection, row, state=OVER, **values)
    notify(connection, "lobby:")


def _begin_sealing(connection: Connection, identifier: str, now: int) -> None:
    """Both sit: make the commitment, and ask for sealed salts."""
    table = load(connection, identifier, now)
    row = table.row
    commitment = commitment_of(table.server_seed, terms_of(connection, table))
    values = {"commitment": bytes.fromhex(commitment), "deadline": now + SALT_TIME}
    _change(connection, row, state=SEALING, **values)


def seats_of(table: Stored) -> list[Seat]:
    """Who sits there, as the commitment binds it."""
    return [
        Seat(seat.account or "", None if seat.bot_digest is None else bytes(seat.bot_digest).hex())
        for seat in table.seats
    ]


def terms_of(connection: Connection, table: Stored) -> str:
    """The digest of all that the commitment binds beside the seed."""
    row = table.row
    game = TableGame(row.game, row.rules_version, row.rules_hash)
    return table_terms(game, documents.get(connection, bytes(row.document)), row.id, seats_of(table), row.seconds)


# -- Salts -------------------------------------------------------------------------------------------------------------


def seal_salt(connection: Connection, identifier: str, side: int, seal: str, now: int) -> None:
    """Store a sealed salt; once everybody has sealed, all open.

    Raises:
        ApiProblem: 409, it is not the time, or another one was given.
    """
    table = _locked(connection, identifier, now)
    if table.seals[side] == seal:
        return
    if table.row.state != SEALING or table.seals[side] is not None:
        raise ApiProblem("conflict", "A sealed salt cannot change, and comes before all others are opened.")
    _seat(connection, identifier, side, seal=bytes.fromhex(seal))
    table = load(connection, identifier, now)
    is_sealed = table.handshake is not None
    _change(connection, table.row, **({"state": OPENING, "deadline": now + SALT_TIME} if is_sealed else {}))


def open_salt(connection: Connection, identifier: str, side: int, salt: str, nonce: str, now: int) -> None:
    """Open a salt; once all are open, the battle begins.

    Raises:
        ApiProblem: 409, it is not the time, or it does not fit its seal.
    """
    refuse_no_salt("salt", salt)
    table = _locked(connection, identifier, now)
    if (table.salts[side], table.nonces[side]) == (salt, nonce):
        return
    if table.row.state != OPENING or table.salts[side] is not None:
        raise ApiProblem("conflict", "Salts are opened once all are sealed, and cannot change.")
    if table_salt_seal(side + 1, salt, nonce) != table.seals[side]:
        raise ApiProblem("conflict", "The salt and the nonce do not fit the seal.")
    _seat(connection, identifier, side, salt=salt, nonce=bytes.fromhex(nonce))
    begins = all(seat.salt is not None for seat in table.seats if seat.side != side)
    due = now + table.row.seconds * SECOND
    _change(connection, table.row, **({"state": PLAYING, "deadline": due} if begins else {}))


# -- Playing -----------------------------------------------------------------------------------------------------------


_CHANGED = (
    update(game_table)
    .where(game_table.c.id == _OF, game_table.c.version == bindparam("read", type_=Integer))
    .values(version=game_table.c.version + 1)
    .returning(game_table)
)
_PLAYED = _CHANGED.values(step=game_table.c.step + 1, deadline=bindparam("due", type_=BigInteger))


def choose(
    connection: Connection, table: Stored, actions: Mapping[int, int], due: Sequence[int], now: int,
    *, missed: bool = False,
) -> Stored | None:  # fmt: skip
    """Store choices for the step at which a table was read; the last one that is due ends it.

    Args:
        connection: of a command.
        table: the table as it was read, while it is played.
        actions: actions by side, legal at that step.
        due: the sides that decide at that step.
        now: the time.
        missed: whether the game chose because a side did not.

    Returns the table as it is now; None if it changed since it was read, and nothing was stored.
    """
    row = table.row
    known = {each.side: each for each in table.choices if each.step == row.step}
    chosen = {side: Chosen(row.step, side, action, int(missed)) for side, action in actions.items()}
    ends = set(due) <= {*known, *chosen}
    values = {"of": row.id, "read": row.version, **({"due": now + row.seconds * SECOND} if ends else {})}
    changed = connection.execute(_PLAYED if ends else _CHANGED, values).first()
    if changed is None:
        return None
    for each in chosen.values():
        insert_or_update(connection, game_choice, {"table": row.id, **each._asdict(), "at": now})
    _tell_change(connection, row)
    return replace(table, row=changed, choices=list({**known, **chosen}.values()))


def finish(
    connection: Connection, identifier: str, winner: int, reason: str, now: int, *, decided: bool = False,
    step: int | None = None,
) -> bool:  # fmt: skip
    """End a table, and rate it if it is; return False if it is over already, or past the step of this end."""
    table = _locked(connection, identifier, now)
    row = table.row
    if row.state == OVER or (step is not None and row.step != step):
        return False
    values = {"winner": winner, "reason": reason, "decided": int(decided), "ended_at": now, "deadline": None}
    if row.unrated is None:
        # In the transaction that ends the table, so once or not at all.
        if decided or reason in LOSING:
            accounts = [str(seat.account) for seat in table.seats]
            ladders.rate(connection, ladders.ladder_of(row.game, row.scenario), row.id, accounts, winner, now)
        else:
            values["unrated"] = NOT_PLAYED
    _change(connection, row, state=OVER, **values)
    notify(connection, "lobby:")
    return True


def leave(connection: Connection, identifier: str, side: int, now: int) -> None:
    """Give up: a loss after the first step, else the table closes and nobody has won."""
    row = _locked(connection, identifier, now).row
    if row.state == WAITING:
        finish(connection, identifier, 0, CLOSED, now)
    elif row.state == PLAYING and row.step > 1:
        finish(connection, identifier, 2 - side, RESIGNED, now)
    elif finish(connection, identifier, 0, LEFT, now):
        _note_aborts(connection, identifier, [side], now)


def _note_aborts(connection: Connection, identifier: str, sides: Sequence[int], now: int) -> None:
    """Note who made an end before the first step: quick match counts them."""
    for side in sides:
        _seat(connection, identifier, side, aborted_at=now)


def keep_proof(connection: Connection, identifier: str, proof: Any) -> None:
    """Store the proof of a table that is over."""
    row = connection.execute(select(game_table).where(game_table.c.id == identifier)).one()
    if row.proof is None:
        _change(connection, row, proof=documents.put(connection, proof))


def want_rematch(
    connection: Connection, identifier: str, side: int, game: OfferedGame, home: str, now: int
) -> str | None:
    """Ask for another table with swapped seats; once both want one it is opened. Returns its id.

    Raises:
        ApiProblem: 409, this one is not over.
    """
    table = _locked(connection, identifier, now)
    row = table.row
    if row.state != OVER or any(seat.account is None and seat.bot is None for seat in table.seats):
        raise ApiProblem("conflict", "A rematch comes after the end.")
    if row.rematch is not None:
        return str(row.rematch)
    _seat(connection, identifier, side, wants_rematch=1)
    other = table.seats[1 - side]
    if other.bot is None and not other.wants_rematch:
        _change(connection, row)
        return None
    new = NewTable(game, row.scenario, row.seconds, bool(row.listed), bot=other.bot, side=1 - side)
    following = open_table(connection, new, table.seats[side].account, home, now)
    if other.bot is None:
        join(connection, following, other.account, now)
    _change(connection, row, rematch=following)
    return following


# -- The home's work ---------------------------------------------------------------------------------------------------


def note_alive(connection: Connection, home: str, now: int) -> None:
    """Note that this process lives, and renew its leases."""
    insert_or_update(connection, node, {"id": home, "alive_at": now, "epoch": 0})
    mine = (game_table.c.home == home) & IS_OPEN
    connection.execute(update(game_table).where(mine).values(home_until=now + LEASE))


def adopt(connection: Connection, home: str, now: int, *, alone: bool) -> list[str]:
    """Take over tables whose home has stopped, for a missing proof too; with `alone` all of them. Returns their ids."""
    is_left = (game_table.c.home != home) & (True if alone else game_table.c.home_until <= now)
    found = [
        each
        for has_work in (IS_OPEN, is_unproved)
        for each in connection.execute(
            select(game_table.c.id).where(is_left, has_work).with_for_update(skip_locked=True)
        ).scalars()
    ]
    taken = update(game_table).where(game_table.c.id.in_(found)).values(home=home, home_until=now + LEASE)
    connection.execute(taken)
    return [str(each) for each in found]


def give_back_outage(connection: Connection, now: int, *, alone: bool) -> int:
    """Move all deadlines by the time in which no process lived; return it in milliseconds."""
    statement = select(node.c.alive_at).order_by(node.c.alive_at.desc()).limit(1).with_for_update()
    last = connection.execute(statement).scalar_one_or_none()
    gap = 0 if last is None else max(0, now - last)
    if not gap or (not alone and gap <= LEASE):
        return 0
    is_timed = IS_OPEN & game_table.c.deadline.is_not(None)
    connection.execute(update(game_table).where(is_timed).values(deadline=game_table.c.deadline + gap))
    return gap


def due_tables(connection: Connection, home: str, now: int) -> list[str]:
    """Tables of this home whose deadline has passed, and those whose end nobody has stored yet."""
    late = IS_OPEN & (game_table.c.deadline <= now - GRACE)
    mine = select(game_table.c.id).where(game_table.c.home == home).limit(500)
    return [
        str(each) for has_work in (late, is_unproved) for each in connection.execute(mine.where(has_work)).scalars()
    ]


def expire_before_play(connection: Connection, identifier: str, now: int) -> None:
    """End a table whose time ran out before the battle: nobody came, or a salt is missing."""
    table = _locked(connection, identifier, now)
    row = table.row
    if row.state in (PLAYING, OVER) or row.deadline is None or row.deadline > now - GRACE:
        return
    if row.state == OPENING:
        opened = [seat.side for seat in table.seats if seat.salt is not None]
        # Who does not open a salt could have seen what it leads to.
        finish(connection, identifier, opened[0] + 1 if len(opened) == 1 else 0, UNOPENED, now)
        _note_aborts(connection, identifier, [seat.side for seat in table.seats if seat.salt is None], now)
    elif row.state == SEALING:
        finish(connection, identifier, 0, UNSEALED, now)
        missing = [seat.side for seat in table.seats if seat.seal is None and seat.bot is None]
        _note_aborts(connection, identifier, missing, now)
    else:
        finish(connection, identifier, 0, NOBODY_CAME, now)


# -- Parts -------------------------------------------------------------------------------------------------------------


def _locked(connection: Connection, identifier: str, now: int) -> Stored:
    """A table whose row no other transaction changes until this one ends."""
    return load(connection, identifier, now, after=1 << 30, locked=True)


def _change(connection: Connection, row: Any, **values: Any) -> None:
    """Change a table's row, of the version that was read, and tell."""
    given = {f"new_{name}": value for name, value in values.items()}
    if connection.execute(_changes(frozenset(values)), {"of": row.id, "read": row.version, **given}).first() is None:
        raise ApiProblem("conflict", "The table changed at the same moment. Try again.")
    _tell_change(connection, row)


def _tell_change(connection: Connection, row: Any) -> None:
    """Tell that a table has another version than the one that was read."""
    notify(connection, f"table:{row.id}:{row.version + 1}")


@cache
def _changes(names: frozenset[str]) -> Any:
    return _CHANGED.values({name: bindparam(f"new_{name}") for name in names})


def _seat(connection: Connection, identifier: str, side: int, **values: Any) -> None:
    given = {f"new_{name}": value for name, value in values.items()}
    connection.execute(_seat_changes(frozenset(values)), {"of": identifier, "at": side, **given})


@cache
def _seat_changes(names: frozenset[str]) -> Any:
    mine = (game_seat.c.table == _OF) & (game_seat.c.side == bindparam("at", type_=Integer))
    return update(game_seat).where(mine).values({name: bindparam(f"new_{name}") for name in names})


_CAME = _seat_changes(frozenset({"present"}))
_WENT = _CAME.where(game_seat.c.present == bindparam("here", type_=Text))


def set_present(connection: Connection, identifier: str, side: int, here: str, *, is_here: bool) -> None:
    """Note that a player is connected to this process, or no longer."""
    of = {"of": identifier, "at": side}
    if is_here:
        connection.execute(_CAME, {**of, "new_present": here})
    else:
        connection.execute(_WENT, {**of, "new_present": None, "here": here})
    notify(connection, f"table:{identifier}")
