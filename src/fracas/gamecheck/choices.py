"""Choices: there always is one, every legal one acts, and hidden State shows to nobody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.errors import Problem
from fracas.gamecheck import watching
from fracas.gamecheck.report import Check
from fracas.gamecheck.subject import Played, Subject
from fracas.gamecheck.watching import ending
from fracas.kernel.dice import open_address, seek_stream
from fracas.kernel.event_log import NOBODY
from fracas.kernel.snapshots import mutable_spans, save_snapshot
from fracas.kernel.turn_order import LAST_NUMBER
from fracas.kit.author_errors.running import explained, strict
from fracas.kit.declare.dice import CHOICE_LANES
from fracas.kit.declare.records import Side
from fracas.kit.derive.decisions import Action
from fracas.kit.derive.functions import Play
from fracas.kit.derive.loops import MOST_EVENTS, UNDECIDED
from fracas.kit.derive.shape import Field
from fracas.rulesets.contract.types import Rows

MOST_BATTLES, MOST_ASKS, MOST_TRIED = 12, 25, 12
_NO_SPANS = frozenset[str]()


@dataclass
class Ask:
    """A moment in which a side chooses."""

    records: Rows
    """The battle before anybody has chosen, an array of one."""
    side: int
    who: int
    """The unit that chooses; in games without units, the side."""
    chosen: Action
    choose: Callable[[Any], Action]
    """Let the rules choose again, in a battle like this one."""
    act: Callable[[Any, Action, Any], None]
    """Act in a battle like this one, with a log or None."""

    @property
    def tick(self) -> int:
        """The round."""
        return int(self.records[0].tick)


def asks_of(subject: Subject, played: Played) -> Iterator[Ask]:
    """Every moment of a battle in which somebody chooses, played in plain Python."""
    loops = subject.game.built.loops
    records = played.scenario.compiled.own_record()
    battle = records[0]
    seek_stream(battle.dice, played.number)
    loops["kit_set_up"](battle, None)
    walk = {Play.BOTH: _both, Play.TURNS: _turns, Play.ADVANCE: _advance}[subject.play]
    while battle.reason == UNDECIDED:
        yield from walk(subject, records)


def _both(subject: Subject, records: Rows) -> Iterator[Ask]:
    loops, battle = subject.game.built.loops, records[0]
    battle.tick += 1
    before = records.copy()
    chosen = [int(loops["kit_choice_of"](battle, side)) for side in range(2)]
    for side in range(2):

        def choose(other: Any, side: int = side) -> Action:
            return int(loops["kit_choice_of"](other, side)), 0, 0

        def act(other: Any, action: Action, log: Any, side: int = side) -> None:
            both = [*chosen]
            both[side] = action[0]
            loops["kit_take"](other, both[0], both[1], log)

        yield Ask(before, side, side, (chosen[side], 0, 0), choose, act)
    loops["kit_take"](battle, chosen[0], chosen[1], None)


def _turns(subject: Subject, records: Rows) -> Iterator[Ask]:
    loops, battle = subject.game.built.loops, records[0]
    loops["kit_begin_round"](battle, None)
    for index in range(int(battle.kit_turns)):
        number = int(battle.kit_order[index]) & LAST_NUMBER
        unit = loops["kit_unit"](battle, number)
        if battle.reason != UNDECIDED:
            return
        if not loops["kit_can_act"](battle, unit):
            continue
        if subject.game.built.functions.has("take_turn"):
            loops["kit_turn"](battle, unit, None)
            continue

        def choose(other: Any, number: int = number) -> Action:
            open_address(other.dice, other.tick, CHOICE_LANES + number)
            return _action(loops["kit_choose"](other, loops["kit_unit"](other, number)))

        def act(other: Any, action: Action, log: Any, number: int = number) -> None:
            loops["kit_act"](other, loops["kit_unit"](other, number), *action, log)

        before = records.copy()
        ask = Ask(before, int(unit.side), number, choose(battle), choose, act)
        yield ask
        act(battle, ask.chosen, None)
    if battle.reason == UNDECIDED:
        loops["kit_end_round"](battle, None)


def _advance(subject: Subject, records: Rows) -> Iterator[Ask]:
    loops, battle = subject.game.built.loops, records[0]
    loops["kit_advance"](battle, None)
    if battle.reason != UNDECIDED:
        return
    is_unit = subject.game.built.functions.chooser_is_unit
    asked = [side for side in range(2) if int(battle.asked) >> side & 1]
    before = records.copy()
    for side in asked:
        loops["kit_choose_for"](battle, side)
    for side in asked:

        def choose(other: Any, side: int = side) -> Action:
            loops["kit_choose_for"](other, side)
            return _stored(other, side)

        def act(other: Any, action: Action, log: Any, side: int = side) -> None:
            other.kit_choice[side] = action[0]
            for index in range(other.kit_parts.shape[1]):
                other.kit_parts[side, index] = action[1 + index]
            loops["kit_act"](other, side, log)

        yield Ask(before, side, int(battle.actor) if is_unit else side, _stored(battle, side), choose, act)
    loops["kit_act_all"](battle, None)


def _action(found: Any) -> Action:
    choice, first, second = (int(each) for each in found)
    return choice, first, second


def _stored(battle: Any, side: int) -> Action:
    parts = [*(int(each) for each in battle.kit_parts[side]), 0][:2]
    return int(battle.kit_choice[side]), parts[0], parts[1]


def _chooser(subject: Subject, battle: Any, ask: Ask) -> Any:
    """Who chooses, in a battle like that of the ask."""
    if subject.play is Play.TURNS or (subject.play is Play.ADVANCE and subject.game.built.functions.chooser_is_unit):
        return subject.game.built.loops["kit_unit"](battle, ask.who)
    return battle.sides[ask.side]


def _mask(subject: Subject, battle: Any, ask: Ask) -> list[Action]:
    decider = subject.game.built.decider
    me = _chooser(subject, battle, ask)
    return [each for each in decider.actions if decider.is_legal(battle, me, each)]


def _asks(subject: Subject, status: str) -> Iterator[tuple[Played, Ask]]:
    for each in subject.watched(subject.some(MOST_BATTLES), status):
        for index, ask in enumerate(asks_of(subject, each)):
            if index >= MOST_ASKS:
                break
            yield each, ask


def _said(subject: Subject, played: Played, ask: Ask) -> str:
    return f"random scenario {played.number}, battle {played.number}, round {ask.tick}, side {ask.side + 1}"


def _who_chooses(subject: Subject) -> str:
    """Why there are no choices to check; nothing if there are some."""
    if subject.play is Play.ROUNDS or subject.game.built.functions.has("take_turn"):
        return "nobody chooses in this game"
    return "" if subject.sound else "no battle was played in plain Python"


def choices(subject: Subject) -> Check:
    """Masks are never empty, what the rules choose is legal, every legal choice acts, and asking changes nothing."""
    check = Check("choices", "there is a legal choice, and every one acts")
    why = _who_chooses(subject)
    if why:
        return check.skip(why)
    decider = subject.game.built.decider
    asked = tried = refused = 0
    log = subject.log()
    try:
        with strict():
            for played, ask in _asks(subject, "choices"):
                asked += 1
                with ending(watching.LONGEST_SECONDS):
                    legal, some = _asked(subject, check, played, ask, log[0])
                tried += some
                refused += len(decider.actions) - legal
    except Exception as error:
        check.complain(explained(error, subject.files) or Problem(subject.where, f"{type(error).__name__}: {error}"))
    check.counted = f"{asked:,} asks, {tried:,} choices tried, {refused:,} illegal"
    return check


def _asked(subject: Subject, check: Check, played: Played, ask: Ask, log: Any) -> tuple[int, int]:
    """Check one moment; returns how many choices are legal, and how many of them were tried."""
    where, decider = _said(subject, played, ask), subject.game.built.decider
    before = _words(ask.records)
    legal = _mask(subject, ask.records[0], ask)
    if (_words(ask.records) != before).any():
        check.complain(Problem(where, "legal() changes the battle", "let it only read"))
    copy = ask.records.copy()
    ask.choose(copy[0])
    if (_words(copy, subject) != _words(ask.records, subject)).any():
        check.complain(Problem(where, "choose() changes State", "let it only read and roll dice"))
    if not legal:
        hint = "leave one open, such as to wait, or let can_act() say no"
        check.complain(Problem(where, "has no legal choice", hint))
        return 0, 0
    if ask.chosen not in legal:
        message = f"choose() chooses {decider.label(ask.chosen)}, and legal() says no"
        check.complain(Problem(where, message, "choose only what legal() allows"))
    tried = legal[:: max(1, len(legal) // MOST_TRIED)]
    for action in tried:
        copy = ask.records.copy()
        log.count = 0
        ask.act(copy[0], action, log)
        # The kit's own rows tell of changes that silent play before has not told.
        told = (log.rows[: log.count, 1] <= MOST_EVENTS).any()
        if not told and (_words(copy, subject) == _words(ask.records, subject)).all():
            message = f"{decider.label(action)} is legal and does nothing"
            check.complain(Problem(where, message, "let legal() say no, or emit an event"))
    return len(legal), len(tried)


def _words(records: Rows, subject: Subject | None = None) -> Rows:
    """The words of a battle without its dice; with a subject, only those that are State."""
    if subject is None:
        return save_snapshot(records, mutable_spans(records.dtype, _NO_SPANS))
    battle, found = records[0], []
    for path in subject.game.built.records.state:
        value: Any = battle
        for part in path.split("."):
            value = value[int(part)] if part.isdecimal() else value[part]
        found.append(np.frombuffer(np.asarray(value).tobytes(), np.int64))
    return np.concatenate(found)


# -- Hidden State ------------------------------------------------------------------------------------------------------


def hidden(subject: Subject) -> Check:
    """Change only hidden State of one side: what the other side may do, does, and sees must stay the same."""
    check = Check("hidden", "hidden State does not show")
    shape = subject.game.built.shape
    of_side = [each for each in shape.side.states if _is_hidden(each)]
    of_units = [each for each in shape.unit.states if _is_hidden(each)] if shape.units is not None else []
    if not of_side and not of_units:
        return check.skip("no State is hidden")
    why = _who_chooses(subject)
    if why:
        return check.skip(why)
    seen: dict[int, list[dict[tuple[int, str], Any]]] = {0: [], 1: []}
    compared = 0
    battle_before = -1
    for played, ask in _asks(subject, "hidden State"):
        if played.number != battle_before:
            seen, battle_before = {0: [], 1: []}, played.number
        owner = 1 - ask.side
        now = _hidden_words(subject, ask.records, owner, of_side, of_units)
        for other in [_turned(now), *seen[owner][-2:]]:
            if not any(np.any(now[key] != other[key]) for key in now):
                continue
            compared += 1
            copy = ask.records.copy()
            _put(subject, copy, owner, other)
            problem = _shows(subject, played, ask, copy)
            if problem is not None:
                check.complain(problem)
        seen[owner].append(now)
    check.counted = f"{compared:,} moments compared"
    return check


def _is_hidden(field: Field) -> bool:
    # What is chosen at once is hidden by the order of play: both choose before either is stored.
    return field.spec.is_hidden and not field.spec.is_chosen


def _hidden_words(
    subject: Subject, records: Rows, side: int, of_side: list[Field], of_units: list[Field]
) -> dict[tuple[int, str], Any]:
    """The hidden words of a side: by the place of the unit, or -1 for the side, and the name of the field."""
    shape = subject.game.built.shape
    row = records[0].sides[side]
    found = {(-1, each.name): np.array(row[each.name]) for each in of_side}
    if shape.units is not None:
        for index in range(shape.capacity):
            for each in of_units:
                found[index, each.name] = np.array(row[shape.units.name][index][each.name])
    return found


def _turned(words: dict[tuple[int, str], Any]) -> dict[tuple[int, str], Any]:
    """Other values that are as likely: lists turned by one place."""
    return {key: np.roll(value, 1) if value.ndim else value for key, value in words.items()}


def _put(subject: Subject, records: Rows, side: int, words: dict[tuple[int, str], Any]) -> None:
    units = subject.game.built.shape.units
    row = records[0].sides[side]
    for (place, name), value in words.items():
        if place < 0:
            row[name] = value
        elif units is not None:
            row[units.name][place][name] = value


def _shows(subject: Subject, played: Played, ask: Ask, copy: Rows) -> Problem | None:
    """What the other side notices of changed hidden State; None if it notices nothing."""
    where = _said(subject, played, ask)
    decider = subject.game.built.decider
    try:
        if _mask(subject, ask.records[0], ask) != _mask(subject, copy[0], ask):
            return Problem(
                where, "legal() depends on hidden State of the other side", "let it read what this side sees"
            )
        chosen = ask.choose(copy.copy()[0])
    except Exception:
        # The values are those of another moment, and rules need not bear them.
        return None
    if chosen != ask.chosen:
        words = f"{decider.label(ask.chosen)} or {decider.label(chosen)}"
        message = f"choose() depends on hidden State of the other side: {words}"
        return Problem(where, message, "let it read what this side sees")
    told = []
    for records in (ask.records, copy):
        log, battle = subject.log(), records.copy()[0]
        try:
            with ending(watching.LONGEST_SECONDS):
                ask.act(battle, ask.chosen, log[0])
        except Exception:
            return None
        told.append(_rows_before(subject, np.array(log[0].rows[: log[0].count]), 1 - ask.side))
    length = min(len(each) for each in told)
    if (told[0][:length] != told[1][:length]).any():
        row = next(index for index in range(length) if (told[0][index] != told[1][index]).any())
        names = {event.kind: event.declared.name for event in subject.game.built.events}
        name = names.get(int(told[0][row][1]), "a row of the kit")
        return Problem(where, f"{name} tells hidden State of the other side", 'declare the event with seen_by="actor"')
    return None


def _rows_before(subject: Subject, rows: Rows, owner: int) -> Rows:
    """The rows before the first one of the owner or a unit of the owner, which may act upon hidden State."""
    built = subject.game.built
    kinds = {event.kind: event for event in built.events}
    for index, row in enumerate(rows.tolist()):
        event = kinds.get(row[1])
        for name, number in (("actor", row[2]), ("target", row[3])):
            if number == NOBODY:
                continue
            column = event.who.get(name) if event is not None else None
            is_side = column is not None and issubclass(column.kind, Side)
            if event is None:
                is_side = built.shape.units is None
            side = number if is_side else number // max(built.shape.capacity, 1)
            if side == owner:
                return np.array(rows[:index])
    return rows
