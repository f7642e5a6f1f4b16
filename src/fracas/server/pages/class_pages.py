"""Pages of classes: make and join one, submit to it, and see its table."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response

from fracas.files.toml_writer import toml_text
from fracas.server.accounts.cookies import set_cookie
from fracas.server.arena.classes.service import cell_of
from fracas.server.arena.routes import classes
from fracas.server.arena.routes import entries as entry_routes
from fracas.server.arena.routes import leagues as league_routes
from fracas.server.arena.routes.common import read, running_of
from fracas.server.http.authorisation import Needs, Scope, admits
from fracas.server.http.context import context_of, principal_of
from fracas.server.http.problems import ApiProblem
from fracas.server.jobs import routes as job_routes
from fracas.server.pages.forms import Fields, Form, count_of, document_of, fields_of, on_refusal, values_of
from fracas.server.pages.playing import example_entry
from fracas.server.pages.rendering import Editor, go, page, player_page
from fracas.server_models.classes import ClassEntry
from fracas.web.page import page_of

router = APIRouter(include_in_schema=False)


@router.get("/classes", **admits(Needs.NOTHING))
async def show_classes(request: Request) -> Response:
    """Show the classes that you teach or are in, and the form to join one."""
    return await _classes(request)


async def _classes(request: Request, problem: ApiProblem | None = None, fields: Fields | None = None) -> Response:
    is_somebody = principal_of(request).is_somebody
    return page(
        request,
        "classes.html",
        problem=problem,
        classes=(await classes.list_classes(request)).items if is_somebody else [],
        leagues=(await league_routes.list_leagues(request)).items,
        fields=fields or Fields(),
    )


@router.post("/classes", **admits(Needs.ACCOUNT, scope=Scope.PLAY))
@on_refusal(_classes)
async def make(request: Request, fields: Form) -> Response:
    """Make a class."""
    made = await classes.make(request, classes.NewClass(title=fields["title"], league=fields["league"]))
    return go(f"/classes/{values_of(made)['id']}")


@router.post("/classes/join", **admits(Needs.NOTHING))
@on_refusal(_classes)
async def join(request: Request, fields: Form) -> Response:
    """Join a class. Without an account you become a guest; the page that answers shows the token to keep."""
    body = classes.JoinCode(code=fields["code"].strip(), name=fields["name"].strip())
    joined = values_of(await classes.join(request, body))
    if "token" not in joined:
        return go(f"/classes/{joined['id']}")
    answer = page(request, "guest.html", 201, joined=joined)
    set_cookie(answer, context_of(request).settings, joined["token"])
    return answer


@router.get("/classes/{class_id}", **admits(Needs.OWNER))
async def show_class(request: Request, class_id: str) -> Response:
    """Show a class: its pupils, their entries, and its newest table."""
    return await _class(request, class_id)


async def _class(
    request: Request, class_id: str, problem: ApiProblem | None = None, fields: Fields | None = None
) -> Response:
    school_class = await classes.get_class(request, class_id)
    jobs = (await classes.list_tables(request, class_id)).items
    done = next((each for each in jobs if each.state == "done"), None)
    fields = fields or Fields()
    mine = next((each for each in school_class.entries if each.account.handle == principal_of(request).handle), None)
    if mine is None and not fields["document"]:
        fields |= {"document": await example_entry(request, school_class.league)}
    elif mine is not None and not fields["document"]:
        newest = (await entry_routes.get_version(request, mine.id, mine.version)).document
        fields |= {"document": toml_text(newest or {}), "title": mine.title}
    league = await league_routes.get_league(request, school_class.league)
    named = ("", 0) if mine is None else (mine.id, mine.version)
    return page(
        request,
        "class.html",
        problem=problem,
        found=school_class,
        mine=mine,
        league=league,
        editor=Editor.of(request, league, f"class {class_id}", *named),
        jobs=jobs,
        table=None if done is None else await _table(request, done.id, school_class.entries),
        fields=fields,
    )


async def _table(request: Request, job: str, entries: list[ClassEntry]) -> dict[str, Any]:
    """A result as the page shows it: a row and a column for each entry, the strongest first."""
    result = json.loads(bytes((await job_routes.get_result(request, job)).body))
    entry_of = {each.code: each for each in entries}
    cells: dict[tuple[str, str], dict[str, Any]] = {}
    for each in result["cells"]:
        (first, second), share, (low, high) = each["names"], each["share"], each["interval95"]
        cells[first, second] = {"against": second, "share": share, "low": low, "high": high}
        cells[second, first] = {"against": first, "share": 1 - share, "low": 1 - high, "high": 1 - low}
    shares: dict[str, list[float]] = {}
    for (row, _), cell in cells.items():
        shares.setdefault(row, []).append(cell["share"])
    means = {code: sum(found) / len(found) for code, found in shares.items()}
    codes = sorted(means, key=lambda code: -means[code])
    rows = [
        {
            "code": row,
            "entry": entry_of.get(row),
            "mean": means[row],
            "cells": [cells.get((row, column)) for column in codes],
        }
        for row in codes
    ]
    return {"battles_each": result["battles"] // len(result["cells"]), "rows": rows}


@router.get("/classes/{class_id}/battles/{first}/{second}", **admits(Needs.OWNER, rate="run"))
async def show_battle(request: Request, class_id: str, first: str, second: str) -> Response:
    """Show the first battle of a cell of the class's newest table, in the player."""
    school_class = await classes.get_class(request, class_id)
    whom, codes = principal_of(request).id, (first, second)
    cell = await read(request, partial(cell_of, whom=whom, identifier=class_id, codes=codes))
    names = {each.code: each.account.name for each in school_class.entries}
    links = {"Fracas": "/", school_class.title: f"/classes/{class_id}"}
    note = "This server says: the first battle that the table of the class counted for this pair."

    def made() -> str:
        people = [names[code] for code in cell.codes] if set(cell.codes) <= set(names) else []
        return page_of(cell.battle(), links, note, people)

    return player_page(await running_of(request).play_again(made))


@router.post("/classes/{class_id}/entries", **admits(Needs.OWNER, scope=Scope.PLAY))
@on_refusal(_class)
async def submit(request: Request, class_id: str, fields: Form) -> Response:
    """Submit your entry to the class."""
    body = classes.ClassEntryBody(title=fields["title"], document=document_of(fields["document"]))
    await classes.submit(request, class_id, body)
    return go(f"/classes/{class_id}")


@router.post("/classes/{class_id}/tables", **admits(Needs.OWNER, scope=Scope.PLAY))
@on_refusal(_class)
async def ask(request: Request, class_id: str, fields: Form) -> Response:
    """Ask for the table of all entries against each other."""
    await classes.ask(request, class_id, classes.TableBody(battles=count_of(fields["battles"], "battles")))
    return go(f"/classes/{class_id}")


@router.post("/classes/{class_id}/code", **admits(Needs.OWNER, scope=Scope.PLAY))
async def renew(request: Request, class_id: str) -> Response:
    """Give the class a new code."""
    await fields_of(request)
    await classes.renew(request, class_id)
    return go(f"/classes/{class_id}")


@router.post("/classes/{class_id}/delete", **admits(Needs.OWNER, scope=Scope.PLAY))
async def remove(request: Request, class_id: str) -> Response:
    """Delete the class with everything in it."""
    await fields_of(request)
    await classes.remove(request, class_id)
    return go("/classes")
