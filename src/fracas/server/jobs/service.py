"""Jobs in the database: ask for one, see it, cancel it; lease, renew and end it. Each function is one transaction.

A job reserves its price in the transaction that puts it in the queue, and is settled in the one that ends it. Only the
process that holds its lease may change a job that runs, so a process that comes back late changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, or_, select, update

from fracas.server import job_rows
from fracas.server.arena.refusals import Missing
from fracas.server.arena.visibility import is_member
from fracas.server.clock import SECOND
from fracas.server.database import documents, streams
from fracas.server.database.tables import account, job, school_class
from fracas.server.http.authorisation import Principal
from fracas.server.http.problems import ApiProblem
from fracas.server.ids import new_id, random_id
from fracas.server.job_rows import KEPT, JobView, is_open
from fracas.server.resolver import budgets
from fracas.server.resolver.budgets import Allowance, Price
from fracas.server_models.jobs import CANCELLED, DONE, FAILED, RUNNING, TABLE, WAITING

LEASE = 30 * SECOND
NOBODY = ""
# A job whose processes died so often is not begun again.
MOST_TAKES = 20
LONGEST_PROBLEM = 2_000
MOST_LISTED = 100


# --- Asking ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """A job that somebody asks for, checked and priced."""

    kind: str
    title: str
    document: dict[str, Any]
    """Everything that decides the result, with the versions that do."""
    price: Price


def ask(connection: Connection, caller: Principal, allowance: Allowance | None, asked: Asked, now: int) -> JobView:
    """Put a job in the queue, and reserve its price; or share an equal one of the same account, at price 0.

    Raises:
        ApiProblem: 422, the price is above the whole budget; 429, above what is left, or too many jobs are on their
            way.
    """
    key = documents.put(connection, asked.document)
    if caller.is_somebody:
        # Equal requests at the same time wait for each other.
        connection.execute(select(account.c.id).where(account.c.id == caller.id).with_for_update())
        is_kept = is_open | ((job.c.state == DONE) & (job.c.done_at > now - KEPT))
        equal = (job.c.account == caller.id) & (job.c.kind == asked.kind) & (job.c.document == key)
        found = job_rows.rows(connection, equal, is_kept, limit=1)
        if found:
            return found[0].model_copy(update={"price": Price(0, 0).as_answer()})
    if allowance is not None:
        budgets.reserve(connection, caller, asked.price, allowance, now)
    values = {
        # Whoever knows the id of nobody's job may see it.
        "id": new_id(now) if caller.is_somebody else random_id(),
        "account": caller.account or NOBODY,
        "kind": asked.kind,
        "subject": "",
        "title": asked.title,
        "document": key,
        "price": asked.price.battles,
        "price_cpu_ms": asked.price.cpu_ms,
        "window": None if allowance is None else allowance.window,
        "created_at": now,
    }
    slots = 0 if allowance is None else job_rows.SLOTS if caller.is_somebody else job_rows.SLOTS_OF_ADDRESS
    if not job_rows.add(connection, values, caller.subject, slots):
        detail = f"You have {slots} job{'s' if slots > 1 else ''} on the way, which is the limit."
        more = {"price": asked.price.as_json()}
        raise ApiProblem("too-many-requests", detail, headers={"Retry-After": "10"}, more=more)
    return job_rows.rows(connection, job.c.id == values["id"])[0]


# --- Seeing and cancelling ------------------------------------------------------------------------------------------


def _seen_by(whom: str | None) -> ColumnElement[bool]:
    """The jobs that somebody may know of: his own, the tables of his classes, and nobody's whose id he knows."""
    if whom is None:
        return job.c.account == NOBODY
    classes = select(school_class.c.id).where(is_member(whom))
    return job.c.account.in_((whom, NOBODY)) | job.c.subject.in_(classes)


def job_of(connection: Connection, whom: str | None, identifier: str) -> JobView:
    """A job.

    Raises:
        Missing: there is no such job for the account.
    """
    found = job_rows.rows(connection, job.c.id == identifier, _seen_by(whom))
    if not found:
        raise Missing("job")
    return found[0]


def jobs_of(connection: Connection, whom: str) -> list[JobView]:
    """An account's jobs, the newest first."""
    return job_rows.rows(connection, job.c.account == whom, limit=MOST_LISTED)


def cancel(connection: Connection, whom: str | None, identifier: str, now: int) -> None:
    """Cancel a job; one that has ended stays. Its process ends within seconds.

    Raises:
        Missing: there is no such job that the account may cancel.
    """
    own = (job.c.account == (whom or NOBODY)) | (job.c.account == NOBODY)
    row = connection.execute(select(job).where(job.c.id == identifier, own).with_for_update()).first()
    if row is None:
        raise Missing("job")
    _end(connection, identifier, is_open, {"state": CANCELLED}, now)


# --- Working --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Leased:
    """A job that this process works on."""

    id: str
    account: str
    kind: str
    subject: str
    price: Price
    used: Price
    """What earlier processes used."""
    document: dict[str, Any]
    node: str


@dataclass(frozen=True)
class Report:
    """How far a job is."""

    progress: int
    """In thousandths."""
    step: str
    battles: int
    cpu_ms: int


def _is_free(now: int, machine: str) -> ColumnElement[bool]:
    """Jobs to begin: waiting ones, those whose process died, those that a process of this machine put down."""
    is_left = (job.c.lease_until < now) | (job.c.node.is_(None) & (job.c.machine == machine))
    return or_(job.c.state == WAITING, and_(job.c.state == RUNNING, is_left))


def is_any_free(connection: Connection, now: int, machine: str) -> bool:
    """Whether there is a job to begin."""
    return connection.execute(select(job.c.id).where(_is_free(now, machine)).limit(1)).first() is not None


def take(connection: Connection, now: int, node: str, machine: str) -> Leased | None:
    """Lease the job that waits longest. On the machine that began it, it goes on; elsewhere it begins again from 0."""
    oldest = select(job).where(_is_free(now, machine)).order_by(job.c.created_at, job.c.id).limit(1)
    row = connection.execute(oldest.with_for_update(skip_locked=True)).first()
    if row is None:
        return None
    values: dict[str, Any] = {"state": RUNNING, "lease_until": now + LEASE, "node": node, "takes": job.c.takes + 1}
    if row.machine != machine:
        is_anew = row.machine is not None
        values |= {"machine": machine, "progress": 0, "step": None, "restarts": job.c.restarts + int(is_anew)}
    _change(connection, job.c.id == row.id, values, row.id)
    if row.takes >= MOST_TAKES:
        problem = f"was begun {MOST_TAKES} times, and each time its process was stopped"
        _end(connection, row.id, job.c.node == node, {"state": FAILED, "problem": problem}, now)
        return None
    price = Price(row.price, row.price_cpu_ms)
    document = documents.get(connection, bytes(row.document))
    return Leased(row.id, row.account, row.kind, row.subject, price, Price(row.battles, row.cpu_ms), document, node)


def renew(connection: Connection, leased: Leased, report: Report, now: int) -> bool:
    """Renew a lease and note progress; False if the job was cancelled, deleted or taken by another process."""
    values = {
        "lease_until": now + LEASE,
        "progress": report.progress,
        "step": report.step[:200] or None,
        **_used(leased, report.battles, report.cpu_ms),
    }
    return _change(connection, _is_held(leased), values, leased.id)


def put_down(connection: Connection, leased: Leased) -> None:
    """Let another process of this machine go on with a job at once, because this one stops."""
    connection.execute(update(job).where(_is_held(leased)).values(node=None))


def finish(connection: Connection, leased: Leased, answer: dict[str, Any] | None, now: int) -> bool:
    """Keep a job's result, or why it failed, settle it and tell its account.

    Returns False, and changes nothing, if it was cancelled, deleted or taken by another process.
    """
    problem = None
    if answer is None:
        problem = "was stopped: it used more memory or processor time than a job may"
    elif "problems" in answer:
        problem = "; ".join(answer["problems"])[:LONGEST_PROBLEM]
    values: dict[str, Any] = {"state": DONE if problem is None else FAILED, "problem": problem}
    if answer is not None:
        values |= _used(leased, answer.get("battles", 0), answer.get("cpu_ms", 0))
    if answer is not None and problem is None:
        page = answer.get("page")
        values |= {"progress": 1000, "result": documents.put(connection, answer["result"])}
        values["page"] = None if page is None else documents.put(connection, page)
    if not _end(connection, leased.id, _is_held(leased), values, now):
        return False
    if leased.account != NOBODY:
        about = {"class": leased.subject} if leased.kind == TABLE else {}
        body = {"job": leased.id, "kind": leased.kind, "state": values["state"], **about}
        streams.append(connection, [(leased.account, "job.done", body)], now)
    return True


def _used(leased: Leased, battles: int, cpu_ms: int) -> dict[str, int]:
    """What a job used with all of its processes; battles that one had to play again are not charged twice."""
    return {
        "battles": min(leased.price.battles, leased.used.battles + battles),
        "cpu_ms": leased.used.cpu_ms + cpu_ms,
    }


def _is_held(leased: Leased) -> ColumnElement[bool]:
    return (job.c.id == leased.id) & (job.c.state == RUNNING) & (job.c.node == leased.node)


def _change(connection: Connection, which: ColumnElement[bool], values: dict[str, Any], identifier: str) -> bool:
    """Change a job and tell who follows it; False if it is not there."""
    changed = connection.execute(update(job).where(which).values(**values, version=job.c.version + 1))
    if changed.rowcount != 1:
        return False
    job_rows.told(connection, identifier)
    return True


def _end(connection: Connection, identifier: str, which: ColumnElement[bool], values: dict[str, Any], now: int) -> bool:
    """End an open job, once: settle what was reserved, and forget who pays, which may be an address."""
    row = connection.execute(select(job).where(job.c.id == identifier, which, is_open)).first()
    ends = {"step": None, "lease_until": None, "payer": None, "window": None, "slot": None, "done_at": now}
    if row is None or not _change(connection, (job.c.id == identifier) & which & is_open, values | ends, identifier):
        return False
    if row.payer is not None and row.window is not None:
        used = Price(values.get("battles", row.battles), values.get("cpu_ms", row.cpu_ms))
        budgets.settle_whole(connection, row.payer, row.window, Price(row.price, row.price_cpu_ms), used)
    return True


# --- What is kept ---------------------------------------------------------------------------------------------------


def open_jobs(connection: Connection) -> set[str]:
    """The ids of all jobs that have not ended."""
    return set(connection.execute(select(job.c.id).where(is_open)).scalars())


def known_jobs(connection: Connection) -> set[str]:
    """The ids of all jobs."""
    return set(connection.execute(select(job.c.id)).scalars())


def forget_old(connection: Connection, now: int) -> int:
    """Delete jobs that ended 30 days ago, with their results; a class keeps its tables. Return how many."""
    return job_rows.delete_jobs(connection, (job.c.done_at <= now - KEPT) & (job.c.kind != TABLE))
