"""A played battle: its outcome, its events, and their conversion to text, JSON, tables and replays."""

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
    GameRecord,
    PluginRecord,
    Replay,
    StoredOutcome,
    replay_bytes,
    save_replay,
)
from fracas.engine.scenario import Scenario
from fracas.errors import UsageError
from fracas.errors.suggestions import listed, nearest
from fracas.events.chronicle import Chronicle
from fracas.events.digest import digest, tick_digests
from fracas.events.styled_text import Line, plain_text
from fracas.events.tick_labels import EncounterPlaces
from fracas.kernel.event_protocol import DETAILS, STORY, Event
from fracas.rulesets.contract.types import Rows

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, eq=False)
class Battle:
    """A resolved battle."""

    scenario: Scenario
    """The scenario that was played."""
    stream: int
    """The battle's number under the scenario's seed."""
    winner: int
    """1 or 2, or 0 for a draw."""
    reason: str
    """How it ended, as the ruleset names it."""
    rounds: int
    """The round in which it ended; for a run, the rounds of all its fights."""
    hp_left: tuple[int, int]
    """HP that each side has left, summed over its units."""
    units_left: tuple[int, int]
    """Number of units that each side has left."""
    rows: Rows | None
    """The event rows, (n, 8) int32; None if it was played without a log."""
    decisions: Decisions | None = None
    """The decisions of agents; None if strategies and policies decided everything."""

    @cached_property
    def events(self) -> list[Event]:
        """The events as typed records, with names instead of numbers.

        Narrow one by its class: `isinstance(event, squads.events.Hit)` after `from fracas import squads`
        (docs/reference/event-types.md).

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
        """The label of a tick: its round, preceded in a run by the encounter."""
        return self.scenario.ruleset.tick_labels(self.scenario.document).name(tick)

    def _logged_rows(self) -> Rows:
        if self.rows is None:
            raise UsageError.of("log", "this battle was played without a log", "pass log=True")
        return self.rows

    def lines(self, detail: str = STORY) -> list[Line]:
        """The battle as lines of text, for detail `story`, `decisions` or `all`.

        Raises:
            UsageError: there is no such detail, or the battle was played without a log.
        """
        if detail not in DETAILS:
            hint = nearest(str(detail), DETAILS) or f"write {listed(DETAILS)}"
            raise UsageError.of("detail", f"there is no detail {shown(detail)}", hint)
        lines: list[Line] = self.scenario.ruleset.narrate(
            self.events, self.scenario.compiled, self.scenario.document, detail
        )
        return lines

    def story(self, detail: str = STORY) -> str:
        """The battle as plain text."""
        return plain_text(self.lines(detail))

    def table(self) -> polars.DataFrame:
        """The events as a Polars data frame: a row per event, a column per value (extra `report`).

        `tick` and `kind` come first, then `when`, the tick label. A value that a kind of event does not have is null.

        Raises:
            UsageError: the table library is not installed, or the battle was played without a log.
        """
        if importlib.util.find_spec("polars") is None:
            raise UsageError.of("table", "requires the library polars", "pip install 'fracas[report]'")
        import polars

        names = self.scenario.ruleset.tick_labels(self.scenario.document)
        rows = [event.as_json() for event in self.events]
        return polars.DataFrame(
            [{"tick": row["tick"], "kind": row["kind"], "when": names.name(row["tick"]), **row} for row in rows],
            infer_schema_length=None,
        )

    def as_json(self) -> dict[str, Any]:
        """The document that `fracas run --format json` prints. It has no time, path or host name."""
        chronicle = (
            {} if self.chronicle is None else {"chronicle": msgspec.json.decode(msgspec.json.encode(self.chronicle))}
        )
        return {**self.outcome_json(), "events": [event.as_json() for event in self.events], **chronicle}

    def outcome_json(self) -> dict[str, Any]:
        """The document without the events; the digest is None for a battle played without a log."""
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
    def chronicle(self) -> Chronicle | None:
        """The battle as nested records, if the ruleset offers them; otherwise None.

        Narrow it by its class: in delve a run is a `RunLog` of `fracas.delve.chronicle`, a single encounter an
        `EncounterLog`; in relics it is a `BattleLedgers` of `fracas.relics.chronicle`; in games of your own it is a
        `GameLog` of `fracas.kit.derive.chronicle` (docs/reference/chronicle.md).

        Raises:
            UsageError: the battle was played without a log.
        """
        return self.scenario.ruleset.chronicle(self.events, self.scenario.document)

    def as_replay(self) -> Replay:
        """The battle as a replay.

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
            result=StoredOutcome(self.winner, self.reason, self.rounds),
            event_count=len(rows),
            tick_digests=list(self.tick_digests.items()),
            digest=self.digest,
            events=[tuple(row) for row in rows.tolist()],
            decisions=self.decisions,
            game=GameRecord.of(scenario.ruleset),
        )

    def replay_bytes(self) -> bytes:
        """The bytes that `save` writes, for a database or a message; `fracas.verify` takes them as they are.

        Raises:
            UsageError: the battle was played without a log.
        """
        return replay_bytes(self.as_replay())

    def save(self, path: str | Path) -> None:
        """Write a replay that `fracas verify` can check.

        Raises:
            InputError: the file cannot be written, or the battle was played without a log.
        """
        save_replay(self.as_replay(), Path(path))

    def _repr_html_(self) -> str:
        from fracas.events.html import page_fragment

        return page_fragment(self.lines(STORY)) if self.rows is not None else f"<pre>{self!r}</pre>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Support `pickle` with the scenario, the outcome and the rows; derived values are computed again."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    def __repr__(self) -> str:
        who = f"side {self.winner} wins" if self.winner else "draw"
        is_one_fight = not isinstance(self.scenario.ruleset.tick_labels(self.scenario.document), EncounterPlaces)
        when = f"in round {self.rounds}" if is_one_fight else f"after {self.rounds} rounds"
        return f"<Battle {self.scenario.id!r} #{self.stream}: {who} ({self.reason}) {when}>"


def check_whole(where: str, number: Any, least: int, most: int) -> None:
    """Refuse anything but a whole number from `least` to `most`.

    Raises:
        UsageError: the value is not a whole number, or out of range.
    """
    if isinstance(number, bool) or not isinstance(number, Integral):
        raise UsageError.of(where, f"{shown(number)} is not a whole number")
    if not least <= int(number) <= most:
        # Python refuses to format numbers with thousands of digits.
        said = f"{number:,}" if abs(int(number)) < LARGEST_SHOWN else shown(int(number))
        raise UsageError.of(where, f"{said} is out of range: {least:,} to {most:,}")


def check_stream(stream: Any, where: str) -> None:
    """Refuse an invalid stream, the number of a battle.

    Raises:
        UsageError: not a whole number from 0 to 2^63 - 1.
    """
    check_whole(where, stream, 0, BATTLE_LIMIT)


def play_battle(
    scenario: Scenario, stream: int = 0, *, log: bool = True, notice: Notice | None = None, alone: bool = False
) -> Battle:
    """Play one battle; `alone` means that this process plays no other.

    Raises:
        FaultError: the battle hit a limit of the engine.
    """
    return battle_of(scenario, make_player(scenario, logged=log, battles=1, notice=notice, alone=alone), stream)


def battle_of(scenario: Scenario, player: Player, stream: int) -> Battle:
    """Play the battle of a stream with a player."""
    return battle_from(scenario, stream, player.play(stream, 1)[0], None if player.log is None else player.rows())


def battle_from(
    scenario: Scenario, stream: int, result: Any, rows: Rows | None, decisions: Decisions | None = None
) -> Battle:
    """Make a battle from its result row and its event rows."""
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
