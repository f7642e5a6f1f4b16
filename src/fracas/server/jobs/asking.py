"""Routes that ask for a job: what is asked is checked and priced first, with all problems at once."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response

from fracas.server.http.answers import ROOT, Body, answers
from fracas.server.http.authorisation import Needs, Scope, require_scope
from fracas.server.http.context import context_of, principal_of
from fracas.server.http.idempotency import created
from fracas.server.jobs import bodies, service
from fracas.server.resolver import budgets, threads
from fracas.server.resolver.routes import part_of, priced
from fracas.server.resolver.service import is_solved
from fracas.server_models.jobs import Job
from fracas.version import __version__

router = APIRouter(prefix=ROOT)

_ASKS = answers(
    202, Job, needs=Needs.NOTHING, rate="run", errors=("over-budget", "invalid-input", "forbidden", "conflict")
)


async def ask(request: Request, kind: str, body: Body) -> Response:
    """Check, price and queue a job.

    Raises:
        ApiProblem: 403, nobody asks for a solved duel; 422 or 429, the price does not fit.
        InputError: everything that is wrong with the request.
    """
    context, caller, part = context_of(request), principal_of(request), part_of(request)
    if caller.is_somebody:
        require_scope(caller, Scope.PLAY)
    asked = body.model_dump()
    games, now = context.settings.games, context.clock.now_ms()
    planned = partial(_planned, part.prices, kind, asked, games)
    if any(map(is_solved, _documents(asked))):
        # To check it is to solve it, which costs as much as to run it.
        job = await priced(request, "titans", True, planned)
    else:
        job = await part.threads.run(planned, threads.SECONDS_OF_READING)
    allowance = budgets.allowance_of(caller, context.settings, now)
    work = partial(service.ask, caller=caller, allowance=allowance, asked=job, now=now)
    return await created(request, work, status=202)


def _documents(asked: dict[str, Any]) -> list[Any]:
    """The scenarios of a request, wherever they are in it."""
    lists = [each for name in ("entrants", "against", "held_out") for each in asked.get(name, ())]
    return [asked.get("scenario"), asked.get("other"), *(each["scenario"] for each in lists), *asked.get("sources", ())]


def _planned(prices: budgets.Prices, kind: str, asked: dict[str, Any], games: tuple[str, ...]) -> service.Asked:
    """A request, checked and priced.

    Raises:
        InputError: everything that is wrong with it.
    """
    # The lab takes a second to import, which servers without jobs need not wait for.
    from fracas.server.jobs.studies import plan_of

    plan = plan_of(kind, asked, games)
    made_with: dict[str, Any] = {"fracas": __version__}
    price = budgets.Price(0, 0)
    if plan.scenario is not None:
        rules = plan.scenario.ruleset
        solved = plan.loads if any(map(is_solved, _documents(asked))) else 0
        counts = (plan.battles + plan.rollouts, plan.logged, plan.loads, solved, plan.states)
        price = prices.of_study(rules, *counts)
        made_with |= {"ruleset": rules.name, "rules_version": rules.rules_version, "rules": rules.rules_hash}
    return service.Asked(kind, plan.title, {"request": asked, "made_with": made_with}, price)


@router.post("/jobs/simulate", **_ASKS)
async def simulate(request: Request, body: bodies.Simulate) -> Response:
    """Ask for many battles of a scenario, counted."""
    return await ask(request, "simulate", body)


@router.post("/jobs/compare", **_ASKS)
async def compare(request: Request, body: bodies.Compare) -> Response:
    """Ask which of two scenarios is better."""
    return await ask(request, "compare", body)


@router.post("/jobs/odds", **_ASKS)
async def odds(request: Request, body: bodies.Odds) -> Response:
    """Ask for the odds of a battle, exactly where possible."""
    return await ask(request, "odds", body)


@router.post("/jobs/sweep", **_ASKS)
async def sweep(request: Request, body: bodies.Sweep) -> Response:
    """Ask what values of a scenario do."""
    return await ask(request, "sweep", body)


@router.post("/jobs/sensitivity", **_ASKS)
async def sensitivity(request: Request, body: bodies.Sensitivity) -> Response:
    """Ask what one more point of each stat is worth."""
    return await ask(request, "sensitivity", body)


@router.post("/jobs/matchups", **_ASKS)
async def matchups(request: Request, body: bodies.Matchups) -> Response:
    """Ask for everyone against everyone."""
    return await ask(request, "matchups", body)


@router.post("/jobs/optimise", **_ASKS)
async def optimise(request: Request, body: bodies.Optimise) -> Response:
    """Ask for a better strategy, queue, build or line-up."""
    return await ask(request, "optimise", body)


@router.post("/jobs/why", **_ASKS)
async def why(request: Request, body: bodies.Why) -> Response:
    """Ask why a battle was won or lost."""
    return await ask(request, "why", body)


@router.post("/jobs/report", **_ASKS)
async def report(request: Request, body: bodies.Report) -> Response:
    """Ask for one page about scenarios and results."""
    return await ask(request, "report", body)
