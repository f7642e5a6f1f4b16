"""Pages of jobs: ask for a study by a document or from a battle, follow it, read its result, and list your own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response

from fracas.content.packs import examples_folder
from fracas.files.read import parse_json, parse_toml, read_text, refuse_unfit
from fracas.files.toml_writer import toml_text
from fracas.server.arena import legs
from fracas.server.arena.match_player import Combatant, Rules, leg_document
from fracas.server.arena.refusals import Missing
from fracas.server.arena.routes import entries as entry_routes
from fracas.server.arena.routes import matches as match_routes
from fracas.server.arena.routes.common import league_of, running_of
from fracas.server.http.authorisation import Needs, admits
from fracas.server.http.context import context_of, principal_of
from fracas.server.http.problems import ApiProblem
from fracas.server.jobs import asking
from fracas.server.jobs import routes as job_routes
from fracas.server.jobs.bodies import BODIES
from fracas.server.pages.forms import Fields, Form, count_of, fields_of, on_refusal, values_of
from fracas.server.pages.rendering import go, page, player_page

router = APIRouter(include_in_schema=False)

# What each study says, in the order of the form. The others take several documents, which programs send.
STUDIES = {
    "simulate": "How often does each side win?",
    "odds": "What are the odds, exactly where possible?",
    "why": "Why was one battle won or lost?",
    "sensitivity": "Which stat is worth most?",
    "sweep": "What do other values do?",
    "compare": "Is a change better?",
    "optimise": "What would be a better way to play?",
    "report": "All of it on one page",
}
MORE = {
    "sweep": 'ranges = ["PATH=LO:HI:STEP"]',
    "compare": 'b_set = ["PATH=VALUE"]',
    "optimise": "budget = 20000, pairs = 500, stages = [5.0], trials = 30",
}
_KEPT = {"Cache-Control": "public, max-age=3600"}
_EXAMPLE = ("squads", "first-battle.toml")


@router.get("/jobs.js", **admits(Needs.NOTHING))
async def read_script() -> Response:
    """Read the script that shows how far a job is."""
    return Response(_script(), media_type="text/javascript", headers=_KEPT)


@cache
def _script() -> str:
    return (Path(__file__).parent / "jobs.js").read_text(encoding="utf-8")


@router.get("/jobs", **admits(Needs.NOTHING))
async def show_jobs(request: Request) -> Response:
    """Show your jobs."""
    is_somebody = principal_of(request).is_somebody
    return page(request, "jobs.html", jobs=(await job_routes.list_jobs(request)).items if is_somebody else [])


@router.get("/jobs/new", **admits(Needs.NOTHING, rate="run"))
async def show_new(
    request: Request, match: str = "", leg: int = 0, entry: str = "", kind: str = "simulate"
) -> Response:
    """Show the form for a study: of a battle of a match, of an entry against a bot, or of an example."""
    return await _new(request, Fields(scenario=await _document(request, match, leg, entry), kind=kind, n="1000"))


async def _new(request: Request, fields: Fields, problem: ApiProblem | None = None) -> Response:
    return page(request, "new_job.html", problem=problem, fields=fields, studies=STUDIES, more=MORE)


@router.post("/jobs/new", **admits(Needs.NOTHING))
@on_refusal(_new)
async def ask(request: Request, fields: Form) -> Response:
    """Ask for a study. What is wrong with it, or what it would cost, stands beside it."""
    kind = fields["kind"] if fields["kind"] in STUDIES else "simulate"
    scenario = _table(fields["scenario"], "scenario")
    options = _table(fields["options"], "options") if fields["options"].strip() else {}
    given: dict[str, Any] = {"sources": [scenario]} if kind == "report" else {"scenario": scenario}
    if fields["n"].strip() and "n" in BODIES[kind].model_fields:
        given["n"] = count_of(fields["n"], "n")
    body = BODIES[kind](**options | given)
    return go(f"/jobs/{values_of(await asking.ask(request, kind, body))['id']}")


def _table(text: str, where: str) -> dict[str, Any]:
    """A document that somebody typed: JSON if it begins with a brace, else TOML.

    Raises:
        InputError: it is neither.
    """
    text = text.replace("\r\n", "\n")
    found = parse_json(text, where) if text.lstrip().startswith("{") else parse_toml(text, where)
    refuse_unfit(found, where)
    return dict(found)


async def _document(request: Request, match: str, leg: int, entry: str) -> str:
    """The scenario to begin with, as TOML."""
    has_arena = "arena" in context_of(request).settings.services
    if match and has_arena:
        return await match_routes.play_leg(request, match, leg, _scenario_of)
    if entry and has_arena:
        return await _entry_against_bot(request, entry)
    ruleset, name = _EXAMPLE
    return read_text(examples_folder() / ruleset / name, 1_000_000)


def _scenario_of(leg: legs.StoredLeg) -> str:
    if leg.hidden:
        raise Missing("study, because an entry in this match is still hidden")
    return toml_text(leg.battle().scenario.document)


async def _entry_against_bot(request: Request, entry: str) -> str:
    """The newest version of an entry that the caller may read, against the strongest bot of its league."""
    view = await entry_routes.get_entry(request, entry)
    newest = await entry_routes.get_version(request, entry, view.versions)
    league, running = await league_of(request, view.league), running_of(request)
    bots = sorted(running.bots_of(league), key=lambda bot: -bot.strength)
    if newest.document is None or not bots:
        raise Missing("study of this entry")
    mine, bot = Combatant(view.code, newest.document, b""), Combatant(bots[0].id, bots[0].entry, b"")
    document = leg_document(Rules.at(league, running.now), mine, bot, 0)
    return toml_text({"ruleset": league.ruleset.name, **document, "seed": view.code})


@router.get("/jobs/{job}", **admits(Needs.NOTHING))
async def show_job(request: Request, job: str) -> Response:
    """Show how far a job is, and what it found."""
    found = await job_routes.get_job(request, job)
    told: Mapping[str, Any] = {"findings": [], "tables": []}
    if "result" in found.links:
        result = (await job_routes.get_result(request, job)).body
        told = await asyncio.to_thread(_told, bytes(result))
    return page(request, "job.html", job=found, told=told, watches=not found.is_over, asks=STUDIES.get(found.kind))


def _told(result: bytes) -> dict[str, Any]:
    """A result in sentences and tables."""
    # The lab takes a second to import, which other pages need not wait for.
    from fracas.lab.presentation.data_frames import cells_of, few
    from fracas.lab.presentation.documents import document_of

    document = json.loads(result)
    if document["command"] == "report":
        return {"findings": document["summary"], "tables": []}
    found = document_of(document, "result")
    tables = []
    for table in found.shown_tables():
        if table.rows and not table.is_detail:
            cells = cells_of(few(table, 24))
            tables.append({"caption": table.caption, "headings": cells.headings, "rows": cells.rows})
    return {"findings": list(found.findings()), "tables": tables}


@router.get("/jobs/{job}/report", **admits(Needs.NOTHING))
async def show_report(request: Request, job: str) -> Response:
    """Show the result as `fracas report` does, with charts."""
    return player_page(await job_routes.report_of(request, job))


@router.post("/jobs/{job}/cancel", **admits(Needs.NOTHING))
async def cancel(request: Request, job: str) -> Response:
    """Cancel a job."""
    await fields_of(request)
    await job_routes.cancel(request, job)
    return go(f"/jobs/{job}")
