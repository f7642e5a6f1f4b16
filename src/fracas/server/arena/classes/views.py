"""What the routes of classes answer, as plain values with links."""

from __future__ import annotations

from typing import Any

from fracas.server.arena.classes.service import ClassEntry, Job, SchoolClass
from fracas.server.arena.store.people import Person
from fracas.server.arena.views import person_json
from fracas.server.clock import iso
from fracas.server.http.links import link, with_links


def class_json(found: SchoolClass, whom: str) -> dict[str, Any]:
    """A class; its code for the teacher alone."""
    is_teacher = found.teacher == whom
    body = {
        "id": found.id,
        "title": found.title,
        "league": found.league,
        "teacher": is_teacher,
        "created_at": iso(found.created_at),
        **({"code": found.code, "code_expires_at": iso(found.code_expires_at)} if is_teacher else {}),
    }
    return with_links(
        body,
        self=link("classes", found.id),
        entries=link("classes", found.id, "entries"),
        tables=link("classes", found.id, "tables"),
        league=link("leagues", found.league),
    )


def members_json(pupils: list[Person], entries: list[ClassEntry]) -> dict[str, Any]:
    """The pupils of a class and their entries."""
    listed = [
        with_links(
            {
                "id": each.id,
                "account": person_json(each.account),
                "code": each.code,
                "title": each.title,
                "version": each.version,
            },
            self=link("entries", each.id),
        )
        for each in entries
    ]
    return {"pupils": [person_json(each) for each in pupils], "entries": listed}


def job_json(found: Job) -> dict[str, Any]:
    """A job."""
    body = {
        "id": found.id,
        "kind": found.kind,
        "state": found.state,
        "progress": found.progress / 1000,
        "battles": found.price,
        "problem": found.problem,
        "created_at": iso(found.created_at),
        "done_at": None if found.done_at is None else iso(found.done_at),
    }
    path = link("jobs", found.id)
    result = None if found.result is None else link("jobs", found.id, "result")
    owner = {"class": link("classes", found.subject)}
    return with_links(body, self=path, result=result, **owner)
