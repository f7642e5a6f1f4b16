"""Routes of the resolver: what content there is, and what becomes of a document. No account is needed."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from fracas.errors import UsageError
from fracas.rulesets import registry
from fracas.server.clock import date_of, iso
from fracas.server.http.answers import (
    LONGEST_CURSOR,
    MOST_PER_PAGE,
    ROOT,
    Body,
    Document,
    answers,
    cut_page,
    link,
    links,
    read_cursor,
)
from fracas.server.http.authorisation import Needs
from fracas.server.http.context import Context, context_of, principal_of
from fracas.server.http.problems import ApiProblem
from fracas.server.resolver import budgets, catalogue, service, threads
from fracas.server_models.answer import Page
from fracas.server_models.resolver import (
    Battle,
    Budget,
    Content,
    Findings,
    Kind,
    Ruleset,
    Validation,
    Verification,
    Week,
)

Result = TypeVar("Result")

router = APIRouter(prefix=ROOT)


Profile = Annotated[str | None, Query(max_length=100, description="Add the content that this profile loads.")]


@dataclass(frozen=True)
class ResolverPart:
    """What this room keeps while the server runs."""

    threads: threads.WorkThreads
    prices: budgets.Prices


@asynccontextmanager
async def lifespan(context: Context) -> AsyncIterator[None]:
    """Start the threads and measure prices, once the rules are loaded; stop the threads."""
    part = ResolverPart(threads.WorkThreads(), budgets.Prices())
    context.parts["resolver"] = part
    if context.preload:
        threading.Thread(target=_measure, args=(context, part.prices), name="fracas prices", daemon=True).start()
    yield
    part.threads.stop()


def _measure(context: Context, prices: budgets.Prices) -> None:
    """Play one battle of each ruleset and game to find its price on this machine, after the server is ready."""
    context.rules_loaded.wait()
    for name, milliseconds in service.measured_battles(context.settings.games):
        prices.measured(name, milliseconds)


def part_of(request: Request) -> ResolverPart:
    """This room's part of the running server."""
    part: ResolverPart = context_of(request).parts["resolver"]
    return part


async def _read(request: Request, work: Callable[[], Result]) -> Result:
    """Read shipped content in a thread."""
    return await part_of(request).threads.run(work, threads.SECONDS_OF_READING)


# --- What there is --------------------------------------------------------------------------------------------------


@router.get("/rulesets", **answers(200, Page[Ruleset], needs=Needs.NOTHING))
async def list_rulesets() -> Page[Ruleset]:
    """List the rulesets."""
    items = [catalogue.ruleset_view(name) for name in registry.NAMES]
    return Page[Ruleset](items=items, links=links(self=link("rulesets")))


@router.get("/rulesets/{ruleset}", **answers(200, Ruleset, needs=Needs.NOTHING, errors=("not-found",)))
async def get_ruleset(ruleset: str) -> Ruleset:
    """Get one ruleset."""
    return catalogue.ruleset_view(ruleset)


@router.get(
    "/rulesets/{ruleset}/schemas/{kind}",
    **answers(
        200,
        needs=Needs.NOTHING,
        example={"title": "Scenario"},
        media_type="application/schema+json",
        errors=("not-found",),
    ),
)
async def get_schema(request: Request, ruleset: str, kind: str) -> Response:
    """Get the JSON Schema of a kind of file: scenario, content, strategy, replay, bundle or roster."""
    found = await _read(request, partial(catalogue.schema, ruleset, kind))
    return JSONResponse(found, media_type="application/schema+json")


@router.get("/rulesets/{ruleset}/content", **answers(200, Page[Kind], needs=Needs.NOTHING, errors=("not-found",)))
async def list_kinds(request: Request, ruleset: str, profile: Profile = None) -> Page[Kind]:
    """List the kinds of content, with their number of entries."""
    found = await _read(request, partial(catalogue.kinds, ruleset, profile))
    path = partial(link, "rulesets", ruleset, "content", profile=profile)
    items = [Kind(kind=kind, entries=count, links=links(self=path(kind))) for kind, count in found.items()]
    return Page[Kind](items=items, links=links(self=path()))


@router.get(
    "/rulesets/{ruleset}/content/{kind}", **answers(200, Page[Content], needs=Needs.NOTHING, errors=("not-found",))
)
async def list_entries(
    request: Request,
    ruleset: str,
    kind: str,
    profile: Profile = None,
    cursor: Annotated[str | None, Query(max_length=LONGEST_CURSOR)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_PER_PAGE)] = 50,
) -> Page[Content]:
    """List the entries of a kind of content, by id."""
    after = read_cursor(cursor, str)
    work = partial(catalogue.entries, ruleset, kind, profile, after[0] if after else None, limit + 1)
    found = await _read(request, work)
    shown, following = cut_page(found, limit, lambda entry: (entry["id"],))
    path = partial(link, "rulesets", ruleset, "content", kind, profile=profile)
    more = path(cursor=following, limit=limit) if following else None
    return Page[Content](items=shown, links=links(self=path(), next=more))


@router.get(
    "/rulesets/{ruleset}/content/{kind}/{entry}", **answers(200, Content, needs=Needs.NOTHING, errors=("not-found",))
)
async def get_entry(request: Request, ruleset: str, kind: str, entry: str, profile: Profile = None) -> Content:
    """Get one entry of content, with sentences that say what it does."""
    work = partial(catalogue.entry, ruleset, kind, entry, profile)
    return await _read(request, work)


@router.get("/modifiers", **answers(200, Page[Week], needs=Needs.NOTHING))
async def list_modifiers(
    request: Request,
    day: Annotated[date | None, Query(alias="date", description="Default: today (UTC).")] = None,
    weeks: Annotated[int, Query(ge=1, le=catalogue.MOST_WEEKS)] = 8,
) -> Page[Week]:
    """List the environment modifiers of squads: this week's, and the coming ones. They change on Mondays, 00:00 UTC."""
    if day is None:
        day = date_of(context_of(request).clock.now_ms())
    if not 1 < day.year < 9900:
        raise UsageError.of("date", f"the year {day.year} is out of range")
    found = await _read(request, partial(catalogue.modifiers, day, weeks))
    following = date.fromisoformat(found[-1].monday).toordinal() + 7
    more = link("modifiers", date=date.fromordinal(following).isoformat(), weeks=weeks)
    return Page[Week](items=found, links=links(self=link("modifiers", date=day.isoformat(), weeks=weeks), next=more))


# --- What becomes of a document -------------------------------------------------------------------------------------

SCENARIO = {
    "ruleset": "relics",
    "left": {"items": ["horned_helm"]},
    "right": {"items": []},
}


class ScenarioBody(Body):
    """A scenario: the keys of a scenario file, without references to files. At most 256 kB, 32 levels deep."""

    scenario: dict[str, Any] = Field(examples=[SCENARIO])


class CompileBody(ScenarioBody):
    """A scenario to pack for fracas.js."""

    seed: str | None = Field(
        None, max_length=1_000, description="The seed text. Default: the scenario's.", examples=["tuesday"]
    )
    stream: int = Field(0, ge=0, le=2**53, description="The battle's number under the seed.")


class RunBody(CompileBody):
    """A scenario to play."""

    include: list[Literal["events", "story", "chronicle", "replay"]] = Field(
        default_factory=list, max_length=4, description="What to add to the outcome.", examples=[["story"]]
    )
    detail: Literal["story", "decisions", "all"] = Field("story", description="How much the story tells.")


class ExplainBody(CompileBody):
    """A moment of a battle. Give `unit` and `when` for a condition, or `hit` for a calculation of damage."""

    unit: str | None = Field(None, max_length=200, examples=["left"])
    when: Any = Field(None, description="The condition, as text or JSON. Not in stacks.")
    hit: list[str] | None = Field(None, min_length=2, max_length=2, examples=[["left", "right"]])
    round: str | None = Field(None, max_length=20, description="The round; in a run ENCOUNTER.ROUND.")
    state: dict[str, Any] = Field(default_factory=dict, description="Values to change, by dotted path.")


@router.get("/budget", **answers(200, Budget, needs=Needs.NOTHING))
async def get_budget(request: Request) -> Budget:
    """Get your budget of battles and processor time: what you may use until when, and what you have used."""
    context, caller = context_of(request), principal_of(request)
    allowance = budgets.allowance_of(caller, context.settings, context.clock.now_ms())
    itself = links(self=link("budget"))
    if allowance is None:
        return Budget(window=None, ends_at=None, limit=None, used=budgets.Price(0, 0).as_answer(), links=itself)
    used = await context.readers.run(lambda connection: budgets.used(connection, caller, allowance))
    return Budget(
        window=allowance.window,
        ends_at=iso(allowance.ends_at),
        limit=budgets.Price(allowance.battles, allowance.cpu_ms).as_answer(),
        used=used.as_answer(),
        links=itself,
    )


async def priced(request: Request, ruleset: str, is_solved: bool, work: Callable[[], Result]) -> Result:
    """Reserve the price of a battle of a ruleset, run work in a thread, and settle what it took.

    Raises:
        ApiProblem: 403, nobody asks for a solved duel; 422 or 429, the price does not fit; 503, too many wait or it
            took too long.
    """
    context, caller, part = context_of(request), principal_of(request), part_of(request)
    if is_solved and not caller.is_somebody:
        raise ApiProblem("forbidden", 'Solving a duel for the policy "equilibrium" needs an account.')
    price = part.prices.of_battle(ruleset, is_solved=is_solved)
    seconds = threads.SECONDS_OF_SOLVING if is_solved else threads.SECONDS
    now = context.clock.now_ms()
    allowance = budgets.allowance_of(caller, context.settings, now)
    if allowance is None:
        return await part.threads.run(work, seconds)
    await context.writer.run(lambda connection: budgets.reserve(connection, caller, price, allowance, now))

    def settle(milliseconds: float) -> None:
        used = round(milliseconds + 0.5)
        with suppress(RuntimeError):  # The server stops.
            context.writer.submit(lambda connection: budgets.settle(connection, caller, allowance, price, used))

    return await part.threads.run(work, seconds, settle)


async def _on_document(request: Request, document: dict[str, Any], work: Callable[[], Result]) -> Result:
    """Run work on a document at the price of one battle of its ruleset; errors as for `priced`."""
    ruleset = service.ruleset_of(document)
    found = await priced(request, ruleset, service.is_solved(document), work)
    context_of(request).metrics.battles.labels(ruleset).inc()
    return found


_COSTS = ("over-budget", "invalid-input", "forbidden")


@router.post("/validate", **answers(200, Validation, needs=Needs.NOTHING, rate="run", errors=_COSTS))
async def validate(request: Request, body: ScenarioBody) -> Validation:
    """Check a scenario and list every problem at once. Nothing is played."""
    return await priced(request, "", service.is_solved(body.scenario), partial(service.validate, body.scenario))


@router.post("/lint", **answers(200, Findings, needs=Needs.NOTHING, rate="run", errors=_COSTS))
async def lint(request: Request, body: ScenarioBody) -> Findings:
    """Find what is valid in a scenario but probably a mistake."""
    return await _on_document(request, body.scenario, partial(service.lint, body.scenario))


@router.post("/run", **answers(200, Battle, needs=Needs.NOTHING, rate="run", errors=_COSTS))
async def run(request: Request, body: RunBody) -> Battle:
    """Play a scenario: the outcome, and on request events, the story, the chronicle or the replay."""
    work = partial(service.run, body.scenario, body.seed, body.stream, body.include, body.detail)
    return await _on_document(request, body.scenario, work)


_EXPLANATION = {"unit": "left", "round": 1, "condition": "self.hp_pct < 50", "value": False, "nodes": []}


@router.post("/explain", **answers(200, Document, needs=Needs.NOTHING, rate="run", example=_EXPLANATION, errors=_COSTS))
async def explain(request: Request, body: ExplainBody) -> dict[str, Any]:
    """Evaluate a condition at a unit's decision, or calculate what a hit does (the dry run)."""
    if (body.hit is None) == (body.unit is None):
        raise UsageError.of("unit", "name the deciding unit, or attacker and target with hit")
    if body.hit is not None:
        if body.when is not None:
            raise UsageError.of("hit", "cannot be combined with when", "omit one of them")
        pair = (body.hit[0], body.hit[1])
        hits = partial(service.explain_hits, body.scenario, body.seed, body.stream, pair, body.round, body.state)
        return {"round": body.round, "hits": await _on_document(request, body.scenario, hits)}
    unit = body.unit or ""
    work = partial(service.explain, body.scenario, body.seed, body.stream, unit, body.when, body.round, body.state)
    return await _on_document(request, body.scenario, work)


_BUNDLE = {"format": "fracas-bundle", "format_version": 1}


@router.post("/compile", **answers(200, Document, needs=Needs.NOTHING, rate="run", example=_BUNDLE, errors=_COSTS))
async def compile_scenario(request: Request, body: CompileBody) -> dict[str, Any]:
    """Pack a scenario as a bundle, which fracas.js plays without this server."""
    work = partial(service.compile_bundle, body.scenario, body.seed, body.stream)
    return await _on_document(request, body.scenario, work)


_REPLAY_BODY = {
    "requestBody": {
        "required": True,
        "description": "A replay, a bundle or a finished duel, at most 4 MB.",
        "content": {"application/json": {"schema": {"type": "object"}, "example": {"format": "fracas-replay"}}},
    }
}
_VERIFY = answers(200, Verification, needs=Needs.NOTHING, rate="run", errors=_COSTS)
_VERIFY["openapi_extra"] |= _REPLAY_BODY


@router.post("/verify", **_VERIFY)
async def verify(request: Request) -> Verification:
    """Play a saved battle, bundle or duel again, and compare every event and digest."""
    body = await request.body()
    document = await part_of(request).threads.run(partial(service.peeked, body), threads.SECONDS)
    is_solved = service.is_solved(document.get("scenario"))
    return await priced(request, str(document.get("ruleset")), is_solved, partial(service.verify, body))
