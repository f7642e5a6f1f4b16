"""One battle that has been played: its outcome, its events, and what can be made of them."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass, fields
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from fracas.content.validate import LARGEST_SHOWN, shown
from fracas.engine.player import Notice, Player, make_player
from fracas.engine.replay_file import (
    BATTLE_LIMIT,
    FORMAT,
    FORMAT_VERSION,
    Decisions,
    Outcome,
    PluginRecord,
    Replay,
    save_replay,
)
from fracas.engine.scenario import Scenario
from fracas.errors import UsageError
from fracas.errors.suggestions import listed, nearest
from fracas.events.digest import digest, tick_digests
from fracas.events.protocol import DETAILS, STORY, Event
from fracas.events.styled_text import Line, plain_text
from fracas.events.tick_labels import EncounterPlaces
from fracas.rulesets.contract.types import Rows

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, eq=False)
class Battle:
    """A resolved battle."""

    scenario: Scenario
    """What was played."""
    stream: int
    """The battle's number under the scenario's seed."""
    winner: int
    """1 or 2, or 0 for a draw."""
    reason: str
    """How it ended, in the ruleset's word."""
    rounds: int
    """The round in which it ended; of a run the rounds of all its fights."""
    hp_left: tuple[int, int]
    """HP that each side has left, all units together."""
    units_left: tuple[int, int]
    """Units that each side has left."""
    rows: Rows | None
    """The events as (n, 8) numbers, int32; None if it was played without a log."""
    decisions: Decisions | None = None
    """What agents decided in it; None if strategies and policies decided everything."""

    @cached_property
    def events(self) -> list[Event]:
        """The events as typed records, names in place of numbers.

        Raises:
            UsageError: the battle was played without a log.
        """
        return self.scenario.ruleset.protocol.decode(self._logged_rows(), self.scenario.compiled.books)

    @cached_property
    def digest(self) -> str:
        """blake3 over all rows, 64 hex digits."""
        return digest(self._logged_rows())

    @cached_property
    def tick_digests(self) -> dict[int, str]:
        """For each tick, blake3 over its rows."""
        return tick_digests(self._logged_rows())

    def place(self, tick: int) -> str:
        """What people call a tick: its round, and in a run the encounter first."""
        return self.scenario.ruleset.tick_labels(self.scenario.document).name(tick)

    def _logged_rows(self) -> Rows:
        if self.rows is None:
            raise UsageError.of("log", "this battle was played without a log", "ask for log=True")
        return self.rows

    def lines(self, detail: str = STORY) -> list[Line]:
        """The battle as lines of text, for detail `story`, `decisions` or `all`.

        Raises:
            UsageError: there is no such detail, or the battle was played without a log.
        """
        if detail not in DETAILS:
            hint = nearest(str(detail), DETAILS) or f"write {listed(DETAILS)}"
            raise UsageError.of("detail", f"there is no detail {shown(detail)}", hint)
        told: list[Line] = self.scenario.ruleset.narrate(
            self.events, self.scenario.compiled, self.scenario.document, detail
        )
        return told

    def story(self, detail: str = STORY) -> str:
        """The battle as plain text."""
        return plain_text(self.lines(detail))

    def table(self) -> polars.DataFrame:
        """The events as a Polars data frame: a row each, a column for each value that any of them has (extra `report`).

        `tick` and `kind` come first, then `when`, what people call the tick; a value that a kind of event does not have
        is null.

        Raises:
            UsageError: the table library is not installed, or the battle was played without a log.
        """
        if importlib.util.find_spec("polars") is None:
            raise UsageError.of("table", "tables need the library polars", "pip install 'fracas[report]'")
        import polars

        names = self.scenario.ruleset.tick_labels(self.scenario.document)
        rows = [event.as_json() for event in self.events]
        return polars.DataFrame(
            [{"tick": row["tick"], "kind": row["kind"], "when": names.name(row["tick"]), **row} for row in rows],
            infer_schema_length=None,
        )

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas run --format json` prints: no time, path or host."""
        told = {} if self.chronicle is None else {"chronicle": msgspec.json.decode(msgspec.json.encode(self.chronicle))}
        return {**self.outcome_json(), "events": [event.as_json() for event in self.events], **told}

    def outcome_json(self) -> dict[str, Any]:
        """Everything but the events; of a battle that was played without a log the digest is None."""
        scenario = self.scenario
        return {
            "ruleset": scenario.ruleset.name,
            "rules_version": scenario.ruleset.rules_version,
            "scenario": scenario.id,
            "seed": scenario.seed,
            "stream": self.stream,
            "profile": scenario.profile,
            "winner": self.winner,
            "reason": self.reason,
            "rounds": self.rounds,
            "digest": None if self.rows is None else self.digest,
        }

    @cached_property
    def chronicle(self) -> Any:
        """The battle as nested records, for rulesets that have such; None for the others.

        In delve a run is a `RunLog` with `encounters`, each with `rounds`, each with `actions`; a lone encounter is an
        `EncounterLog` (docs/reference/chronicle.md).

        Raises:
            UsageError: the battle was played without a log.
        """
        return self.scenario.ruleset.chronicle(self.events, self.scenario.document)

    def _as_replay(self) -> Replay:
        """Everything about the battle, as a replay holds it.

        Raises:
            UsageError: the battle was played without a log.
        """
        scenario = self.scenario
        rows = self._logged_rows()
        return Replay(
            format=FORMAT,
            format_version=FORMAT_VERSION,
            ruleset=scenario.ruleset.name,
            rules_version=scenario.ruleset.rules_version,
            content_fingerprint=scenario.fingerprint,
            scenario=scenario.document,
            profile=scenario.profile,
            seed=scenario.seed,
            stream=self.stream,
            plugins=[PluginRecord(plugin.name, plugin.source_hash) for plugin in scenario.compiled.plugins],
            choices=[],
            result=Outcome(self.winner, self.reason, self.rounds),
            event_count=len(rows),
            tick_digests=list(self.tick_digests.items()),
            digest=self.digest,
            events=[tuple(row) for row in rows.tolist()],
            decisions=self.decisions,
        )

    def save(self, path: str | Path) -> None:
        """Write a replay that `fracas verify` can check.

        Raises:
            InputError: the file cannot be written, or the battle was played without a log.
        """
        save_replay(self._as_replay(), Path(path))

    def _repr_html_(self) -> str:
        from fracas.events.html import page_fragment

        return page_fragment(self.lines(STORY)) if self.rows is not None else f"<pre>{self!r}</pre>"

    def __reduce__(self) -> tuple[Any, ...]:
        """For `pickle`: the scenario, the outcome and the rows; what is made of them is made again."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    def __repr__(self) -> str:
        who = f"side {self.winner} wins" if self.winner else "draw"
        is_one_fight = not isinstance(self.scenario.ruleset.tick_labels(self.scenario.document), EncounterPlaces)
        when = f"in round {self.rounds}" if is_one_fight else f"after {self.rounds} rounds"
        return f"<Battle {self.scenario.id!r} #{self.stream}: {who} ({self.reason}) {when}>"


def check_whole(where: str, number: Any, least: int, most: int) -> None:
    """Refuse what is no whole number, or out of range.

    Raises:
        UsageError: it is.
    """
    if isinstance(number, bool) or not isinstance(number, Integral):
        raise UsageError.of(where, f"{shown(number)} is not a whole number")
    if not least <= int(number) <= most:
        # Of a number with thousands of digits Python writes none.
        said = f"{number:,}" if abs(int(number)) < LARGEST_SHOWN else shown(int(number))
        raise UsageError.of(where, f"{said} is out of range: {least:,} to {most:,}")


def check_stream(stream: Any, where: str) -> None:
    """Refuse what cannot be the number of a battle.

    Raises:
        UsageError: no whole number, below 0 or beyond 2^63 - 1.
    """
    check_whole(where, stream, 0, BATTLE_LIMIT)


def play_battle(
    scenario: Scenario, stream: int = 0, *, log: bool = True, notice: Notice | None = None, alone: bool = False
) -> Battle:
    """Play one battle; `alone` says that it is the only one of this process.

    Raises:
        FaultError: the battle ran into a limit of ours.
    """
    return battle_of(scenario, make_player(scenario, logged=log, battles=1, notice=notice, alone=alone), stream)


def battle_of(scenario: Scenario, player: Player, stream: int) -> Battle:
    """The battle of a stream, as a player plays it."""
    return battle_from(scenario, stream, player.play(stream, 1)[0], None if player.log is None else player.rows())


def battle_from(
    scenario: Scenario, stream: int, result: Any, rows: Rows | None, decisions: Decisions | None = None
) -> Battle:
    """A battle from its result row and its event rows."""
    return Battle(
        scenario=scenario,
        stream=stream,
        winner=int(result.winner),
        reason=scenario.ruleset.reasons[int(result.reason)],
        rounds=int(result.rounds),
        hp_left=(int(result.hp_left[0]), int(result.hp_left[1])),
        units_left=(int(result.units_left[0]), int(result.units_left[1])),
        rows=rows,
        decisions=decisions,
    )
