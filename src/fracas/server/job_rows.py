"""The rows of jobs: put one in the queue, and show it. Jobs of studies and of classes share them."""

from __future__ import annotations

from typing import Any

from pydantic import Field
from sqlalchemy import ColumnElement, Connection, delete, select

from fracas.server.clock import DAY, SECOND, iso
from fracas.server.database import documents
from fracas.server.database.notices import notify
from fracas.server.database.tables import job
from fracas.server.database.upsert import insert_if_absent
from fracas.server.http.answers import link, links, stored
from fracas.server_models.jobs import OPEN, TABLE, WAITING, Job
from fracas.server_models.resolver import Price

# Jobs at a time, of an account and of an address.
SLOTS, SLOTS_OF_ADDRESS = 2, 1
KEPT = 30 * DAY

is_open = job.c.state.in_(OPEN)


class JobView(Job):
    """A job, and the hashes of its result's documents, which answers leave out."""

    result: bytes | None = Field(exclude=True)
    page: bytes | None = Field(exclude=True)


def add(connection: Connection, values: dict[str, Any], payer: str, slots: int) -> bool:
    """Put a job in the queue, in one of the slots of its payer; False if all are taken. 0 slots are no limit."""
    row = {"state": WAITING, "payer": payer, **values}
    if not slots:
        return insert_if_absent(connection, job, row)
    return any(insert_if_absent(connection, job, {**row, "slot": slot}) for slot in range(slots))


def told(connection: Connection, identifier: str) -> None:
    """Tell everybody who follows a job that it has changed."""
    notify(connection, f"job:{identifier}")


def rows(connection: Connection, *which: ColumnElement[bool], limit: int | None = None) -> list[JobView]:
    """Jobs, the newest first."""
    found = connection.execute(select(job).where(*which).order_by(job.c.id.desc()).limit(limit))
    return [view(row) for row in found]


def view(row: Any) -> JobView:
    """A job as it is answered."""
    path = link("jobs", row.id)
    paths = {
        "self": path,
        "events": f"{path}/events",
        "result": None if row.result is None else f"{path}/result",
        "report": None if row.page is None else f"{path}/report",
        "class": link("classes", row.subject) if row.subject else None,
    }
    is_kept = row.done_at is not None and row.kind != TABLE
    return JobView(
        **stored(Job, row, "price") | {"progress": row.progress / 1000, "battles": row.price},
        price=Price(battles=row.price, cpu_seconds=row.price_cpu_ms / SECOND),
        used=Price(battles=row.battles, cpu_seconds=row.cpu_ms / SECOND),
        kept_until=iso(row.done_at + KEPT) if is_kept else None,
        links=links(**paths),
        result=None if row.result is None else bytes(row.result),
        page=None if row.page is None else bytes(row.page),
    )


def delete_jobs(connection: Connection, which: ColumnElement[bool]) -> int:
    """Delete jobs, and the documents that nothing else refers to; return how many jobs."""
    columns = (job.c.document, job.c.result, job.c.page)
    found = connection.execute(select(job.c.id, *columns).where(which)).all()
    keys = {bytes(key) for row in found for key in row[1:] if key is not None}
    connection.execute(delete(job).where(job.c.id.in_([row.id for row in found])))
    for row in found:
        told(connection, row.id)
    documents.forget_unused(connection, keys)
    return len(found)
