"""A game's battles for people who play live: what each side sees of them, and what choices say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.kernel.event_log import NOBODY
from fracas.kit.declare.records import Unit
from fracas.kit.derive.bind import BoundEvent
from fracas.kit.derive.compile import shown_titles, unit_titles
from fracas.kit.derive.decisions import Decider, open_choice
from fracas.kit.derive.functions import Play
from fracas.kit.derive.shape import Field, Form, Plan, Shape, file_name, texts_below
from fracas.rulesets.contract.standing import ChoiceWords, ShownBody, ShownSide, ShownValue, Standing
from fracas.rulesets.contract.types import Compiled, Document, Rows
from fracas.rulesets.shared.event_totals import ACTOR, KIND

# A list of State is shown up to here.
MOST_SHOWN = 12


@dataclass(frozen=True)
class GameTables:
    """What people see who play a game live, derived from its declarations. `contract/features.py`, Tables."""

    shape: Shape
    decider: Decider
    events: Sequence[BoundEvent]
    decode: Callable[[int, int], tuple[int, int]]
    """The choice and the target of a side's action."""

    @property
    def hides(self) -> bool:
        """Whether a field is hidden, or an event is for one side."""
        fields = [each for plan in self.shape.plans.values() for each in plan.fields]
        return any(each.spec.is_hidden and not each.spec.is_chosen for each in fields) or any(
            each.declared.seen_by for each in self.events
        )

    def standing(self, scenario: Compiled, document: Document, record: Any, side: int | None, actor: int) -> Standing:
        """State of the battle, of both sides and of their units; of another side nothing that is hidden."""
        shape = self.shape
        sides = [
            ShownSide(name, *self._side(document, record, number, number == side, actor))
            for number, name in enumerate(side_names(document))
        ]
        # The rules may keep in the battle itself what no side should see.
        return Standing(int(record.tick), tuple(self._values(shape.battle, record, record, is_own=False)), sides)

    def _side(
        self, document: Document, record: Any, number: int, is_own: bool, actor: int
    ) -> tuple[tuple[ShownValue, ...], tuple[ShownBody, ...]]:
        shape, side = self.shape, record.sides[number]
        values = tuple(self._values(shape.side, side, record, is_own=is_own))
        if shape.units is None:
            return values, ()
        titles = self.titles(document)[number * shape.capacity :]
        asked = actor if self.decider.functions.chooser_is_unit else NOBODY
        there = side[shape.units.name][: int(side[shape.side.counts[shape.units.name]])]
        return values, tuple(
            ShownBody(
                titles[place],
                tuple(self._values(shape.unit, unit, record, is_own=is_own)),
                is_own and int(unit.number) == asked,
            )
            for place, unit in enumerate(there)
        )

    def titles(self, document: Document) -> list[str]:
        """What people call the units, by number."""
        return [
            name for names in unit_titles(self.shape, document) for name in shown_titles(names, self.shape.capacity)
        ]

    def _values(self, plan: Plan, record: Any, battle: Any, *, is_own: bool) -> Iterator[ShownValue]:
        """The State of a record: its bar, then what is not 0."""
        vital = self.shape.vital(plan)
        if vital is not None and (is_own or not vital.spec.is_hidden):
            yield ShownValue(_words(vital), int(record[vital.name]), _most_of(record, battle, vital))
        for each in plan.states:
            # A choice of the last round is in the story; the next one is nobody's business.
            if each is vital or each.spec.is_chosen or each.form is Form.RECORD:
                continue
            if each.spec.is_hidden and not is_own:
                continue
            value = record[each.name]
            if each.is_list:
                if any(int(one) for one in value):
                    numbers = " ".join(str(int(one)) for one in value[:MOST_SHOWN])
                    yield ShownValue(_words(each), numbers + (" ..." if len(value) > MOST_SHOWN else ""))
            elif each.form is Form.FLAG:
                if value:
                    yield ShownValue(_words(each), "yes")
            elif each.form is Form.ENUM:
                name = next((file_name(one) for one in each.enum if int(one) == int(value)), str(int(value)))
                yield ShownValue(_words(each), name.replace("_", " "))
            elif value:
                yield ShownValue(_words(each), int(value))

    def is_seen(self, rows: Rows, side: int | None) -> Rows:
        """All rows but those that only the other side sees."""
        is_seen = np.ones(len(rows), bool)
        for each in self.events:
            if each.declared.seen_by:
                is_unit = issubclass(each.who["actor"].kind, Unit)
                sides = rows[:, ACTOR] // self.shape.capacity if is_unit else rows[:, ACTOR]
                is_seen &= (rows[:, KIND] != each.kind) | (sides == (NOBODY if side is None else side))
        return is_seen

    def default(self, record: Any, side: int, actor: int) -> tuple[int, int]:
        """What the game's own `choose` takes."""
        loops, functions = self.decider.loops, self.decider.functions
        if functions.play is Play.BOTH:
            return int(loops["kit_choice_of"](record, side)), NOBODY
        if functions.play is Play.TURNS:
            unit = loops["kit_unit"](record, actor)
            open_choice(record, actor)
            choice, *parts = (int(each) for each in loops["kit_choose"](record, unit))
        else:
            loops["kit_choose_for"](record, side)
            choice, parts = int(record.kit_choice[side]), [int(each) for each in record.kit_parts[side]]
        if not functions.parts or choice in self.decider.untargeted:
            return choice, NOBODY
        second = functions.parts[1].size if len(functions.parts) > 1 else 1
        return choice, parts[0] * second + (parts[1] if len(functions.parts) > 1 else 0)

    def _parts(self, target: int) -> tuple[int, ...]:
        """The parts of an action whose target this is."""
        sizes = [each.size for each in self.decider.functions.parts]
        return divmod(target, sizes[1]) if len(sizes) > 1 else (target,) * len(sizes)

    def with_choices(self, document: Document, decisions: Sequence[Sequence[int]]) -> None:
        """Nothing: scenarios of games hold no choices."""

    def choice_words(
        self, document: Document, record: Any, side: int, legal: Mapping[str, int]
    ) -> Mapping[str, ChoiceWords]:
        """What the author wrote below each choice, and what the game's own `choice_words` says of targets."""
        functions = self.decider.functions
        assert functions.choices is not None
        texts = texts_below(functions.choices)
        kinds = {file_name(each).replace("_", " "): ChoiceWords(texts.get(each.name, "")) for each in functions.choices}
        own = functions.replaced.get("choice_words")
        if own is None:
            return kinds
        me = record.sides[side]
        if functions.chooser_is_unit:
            me = self.decider.loops["kit_unit"](record, int(record.actor))
        said = {}
        for name, action in legal.items():
            choice, target = self.decode(side, action)
            if target != NOBODY:
                parts = self._parts(target)
                said[name] = ChoiceWords(*own(document["sides"][side], record, me, functions.choices(choice), *parts))
        return {**kinds, **said}


def side_names(document: Document) -> tuple[str, str]:
    """What both sides are called."""
    first, second = (str(side["name"]) for side in document["sides"])
    return first, second


def _words(field: Field) -> str:
    return field.name.replace("_", " ")


def _most_of(record: Any, battle: Any, vital: Field) -> int:
    """What a bar is a part of."""
    found, path = record, vital.spec.of
    if path.startswith("options."):
        found, path = battle.options, path.removeprefix("options.")
    for part in path.split("."):
        found = found[part]
    return int(found)
