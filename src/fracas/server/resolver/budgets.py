"""Budgets: how many battles and how much processor time a caller may use. The price is known before anything starts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, select, update

from fracas.portable.artefacts import rates
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.server.clock import DAY, HOUR, SECOND, day_of
from fracas.server.database.tables import budget
from fracas.server.database.upsert import insert_if_absent
from fracas.server.http.authorisation import Principal
from fracas.server.http.problems import ApiProblem
from fracas.server.settings import Settings
from fracas.server_models import resolver

# Milliseconds of processor time for one battle with its events, compiled: the least that a battle is priced at.
# benchmarks: squads 1.5, delve 2.6, stacks 0.4, relics 2.5, titans 1.3; loading the document comes on top.
SHIPPED_MS = {"squads": 1.5, "delve": 2.6, "stacks": 0.4, "relics": 2.5, "titans": 1.3}
LOADING_MS = 10.0
# A state of exact odds. Measured: squads 4 us, relics and titans 6, stacks 9, delve 10.
STATE_MS = 0.010
# Solving a duel for the policy "equilibrium".
EQUILIBRIUM_MS = 10_000.0
KEPT = 2 * DAY


@dataclass(frozen=True, slots=True)
class Price:
    """What something costs: battles, and processor time in milliseconds."""

    battles: int
    cpu_ms: int

    def as_answer(self) -> resolver.Price:
        """The price as answers show it."""
        return resolver.Price(battles=self.battles, cpu_seconds=round(self.cpu_ms / SECOND, 3))

    def as_json(self) -> dict[str, Any]:
        """The price as plain values."""
        return self.as_answer().as_json()


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a caller may use in a window."""

    battles: int
    cpu_ms: int
    window: str
    """The window's name: an hour of UTC for an address, a day for an account."""
    ends_at: int


ADDRESS = Price(50_000, 20 * SECOND)
ACCOUNT = Price(2_000_000, 600 * SECOND)


class Prices:
    """The price of a battle of each ruleset: as measured at the start, and never below the shipped figure."""

    def __init__(self) -> None:
        self._ms = dict(SHIPPED_MS)

    def measured(self, ruleset: str, milliseconds: float) -> None:
        """Note how long a battle took on this machine."""
        self._ms[ruleset] = max(SHIPPED_MS.get(ruleset, 0.0), milliseconds)

    def of_battle(self, ruleset: str, *, is_solved: bool = False) -> Price:
        """The price of loading and playing one battle."""
        extra = EQUILIBRIUM_MS if is_solved else 0.0
        return Price(1, round(LOADING_MS + self._ms.get(ruleset, max(self._ms.values())) + extra + 0.5))

    def of_study(self, rules: Ruleset, battles: int, logged: int, loads: int, solved: int, states: int) -> Price:
        """The most that a study costs.

        Args:
            rules: its ruleset.
            battles: battles that only count.
            logged: battles with events.
            loads: scenarios that are compiled.
            solved: those of them with solved duels.
            states: states of an enumeration.
        """
        name = rules.name
        shipped = SHIPPED_MS.get(name, max(SHIPPED_MS.values()))
        # A machine on which a battle with events takes longer needs as much longer for the others.
        slower = max(1.0, self._ms.get(name, shipped) / shipped)
        each = slower * SECOND / rates(rules.identity).wasm
        own = battles * each + slower * (logged * shipped + loads * LOADING_MS + states * STATE_MS)
        own += solved * EQUILIBRIUM_MS
        return Price(battles + logged, round(own + 0.5))


def allowance_of(caller: Principal, settings: Settings, now: int) -> Allowance | None:
    """What a caller may use in the running window; None if there is no limit."""
    if settings.budget <= 0:
        return None
    whole, length = (ACCOUNT, DAY) if caller.is_somebody else (ADDRESS, HOUR)
    begins = now - now % length
    name = day_of(begins) if length == DAY else datetime.fromtimestamp(begins / SECOND, UTC).strftime("%Y-%m-%dT%H")
    scale = settings.budget
    return Allowance(int(whole.battles * scale), int(whole.cpu_ms * scale), name, begins + length)


def reserve(connection: Connection, caller: Principal, price: Price, allowance: Allowance, now: int) -> None:
    """Take a price from a caller's budget before anything starts.

    Raises:
        ApiProblem: 422, the price is above the whole budget; 429, above what is left, with Retry-After.
    """
    limit = {"battles": allowance.battles, "cpu_seconds": round(allowance.cpu_ms / SECOND, 3)}
    if price.battles > allowance.battles or price.cpu_ms > allowance.cpu_ms:
        detail = "This costs more than the whole budget."
        raise ApiProblem("over-budget", detail, more={"price": price.as_json(), "limit": limit})
    mine = (budget.c.subject == caller.subject) & (budget.c.window == allowance.window)
    row = {"subject": caller.subject, "window": allowance.window, "battles": 0, "cpu_ms": 0}
    insert_if_absent(connection, budget, row)
    taken = connection.execute(
        update(budget)
        .where(
            mine,
            budget.c.battles + price.battles <= allowance.battles,
            budget.c.cpu_ms + price.cpu_ms <= allowance.cpu_ms,
        )
        .values(battles=budget.c.battles + price.battles, cpu_ms=budget.c.cpu_ms + price.cpu_ms)
        .returning(budget.c.battles)
    ).scalar_one_or_none()
    if taken is None:
        used = connection.execute(select(budget.c.battles, budget.c.cpu_ms).where(mine)).one()
        left = Price(max(0, allowance.battles - used.battles), max(0, allowance.cpu_ms - used.cpu_ms))
        seconds = max(1, (allowance.ends_at - now) // SECOND)
        raise ApiProblem(
            "too-many-requests",
            "Your budget is used up until the window ends.",
            headers={"Retry-After": str(seconds)},
            more={"price": price.as_json(), "left": left.as_json(), "limit": limit},
        )


def settle(connection: Connection, caller: Principal, allowance: Allowance, price: Price, cpu_ms: int) -> None:
    """Replace the reserved processor time by what was used; nobody gets more back than was reserved."""
    mine = (budget.c.subject == caller.subject) & (budget.c.window == allowance.window)
    change = max(-price.cpu_ms, cpu_ms - price.cpu_ms)
    connection.execute(update(budget).where(mine).values(cpu_ms=budget.c.cpu_ms + change))


def settle_whole(connection: Connection, payer: str, window: str, reserved: Price, used: Price) -> None:
    """Replace what a job reserved by what it used, battles too; nobody is charged more than was reserved."""
    mine = (budget.c.subject == payer) & (budget.c.window == window)
    battles, cpu_ms = min(reserved.battles, used.battles), min(reserved.cpu_ms, used.cpu_ms)
    values = {
        "battles": budget.c.battles - (reserved.battles - battles),
        "cpu_ms": budget.c.cpu_ms - (reserved.cpu_ms - cpu_ms),
    }
    connection.execute(update(budget).where(mine).values(**values))


def used(connection: Connection, caller: Principal, allowance: Allowance) -> Price:
    """What a caller has used in the window."""
    row = connection.execute(
        select(budget.c.battles, budget.c.cpu_ms).where(
            budget.c.subject == caller.subject, budget.c.window == allowance.window
        )
    ).one_or_none()
    return Price(0, 0) if row is None else Price(row.battles, row.cpu_ms)


def forget_old(connection: Connection, now: int) -> int:
    """Delete what was used in windows that ended two days ago: it names addresses. Return how many rows."""
    before = (datetime.fromtimestamp(now / SECOND, UTC) - timedelta(milliseconds=KEPT)).date().isoformat()
    return int(connection.execute(delete(budget).where(budget.c.window < before)).rowcount)
