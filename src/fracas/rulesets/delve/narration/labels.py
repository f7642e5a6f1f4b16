"""Labels for a delve story: unique display names, HP, and queue conditions as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fracas.conditions import parse, to_text
from fracas.errors import InputError
from fracas.events.styled_text import SIDE_1, SIDE_2
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.content.vocabulary import VOCABULARY
from fracas.rulesets.delve.rules.constants import SIDE_SLOTS

LONGEST_TITLE = 14

Books = Mapping[str, Sequence[Any]]


@dataclass(slots=True)
class Character:
    """A member or an enemy in a story."""

    title: str
    side: int
    max_hp: int
    data: Document
    queue: Sequence[Document]
    evasion: int
    speed: int
    conditions: set[str] = field(default_factory=set)

    @property
    def role(self) -> str:
        """The text role of its side."""
        return (SIDE_1, SIDE_2)[self.side]

    def enter(self, phase: int) -> Document:
        """Apply what a phase replaces, and return the phase."""
        phases = self.data.get("phases") or []
        entered: Document = phases[phase] if phase < len(phases) else {}
        self.queue = entered.get("queue") or self.queue
        self.evasion = self.evasion if entered.get("evasion") is None else entered["evasion"]
        speed = (entered.get("attributes") or {}).get("speed")
        self.speed = self.speed if speed is None else speed
        return entered


class Participants:
    """All characters of a battle, by their names in events."""

    def __init__(self, books: Books, document: Document) -> None:
        self.document = document
        quest = document.get("quest")
        self.encounters: list[Document] = (
            quest["encounters"] if quest else [{"type": "combat", "enemies": document["enemies"]}]
        )
        self.skills: Document = document["skills"]
        self.characters: dict[str, Character] = {}
        self.spellings: dict[str, str] = {}
        self.names = list(books["unit"])
        taken: set[str] = set()
        for name, member in zip(self.names, document["party"], strict=False):
            self.characters[name] = _character(member, 0, member["hp"], _title(member["name"], taken))
        self.foes: list[list[str]] = []
        following = iter(self.names[SIDE_SLOTS:])
        for encounter in self.encounters:
            self.foes.append([])
            known = set(taken)
            for enemy in roster_of(encounter):
                name = next(following)
                hp = max(1, document["difficulty"]["creature_hp"] * enemy["hp"] // 100)
                self.characters[name] = _character(enemy, 1, hp, _title(enemy["name"], known))
                self.foes[-1].append(name)

    def of(self, name: str) -> Character:
        """The character of that name."""
        return self.characters[name]

    def members(self) -> list[Character]:
        """The party."""
        return [character for character in self.characters.values() if character.side == 0]

    def skill_name(self, skill: str) -> str:
        """A skill's display name."""
        return str(self.skills[skill]["name"])

    def encounter(self, number: int) -> Document:
        """An encounter of the quest by number; empty if there is none."""
        return self.encounters[number] if 0 <= number < len(self.encounters) else {}

    def foes_of(self, number: int) -> list[str]:
        """The names of all enemies that may appear in an encounter."""
        return self.foes[number] if 0 <= number < len(self.foes) else []

    def begin(self, number: int, others: Sequence[str] = ()) -> list[Character]:
        """Begin an encounter: clear all conditions, and return everybody who may take part."""
        present = [*self.members(), *(self.of(name) for name in (others or self.foes_of(number)))]
        for character in present:
            character.conditions.clear()
        return present

    def slot(self, name: str, index: int) -> tuple[str, str]:
        """A queue slot: its skill's display name, and its condition as text, empty if it has none."""
        slots = self.of(name).queue
        if index >= len(slots):
            return "", ""
        when = slots[index].get("when")
        key = repr(when)
        if key not in self.spellings:
            self.spellings[key] = condition_text(when)
        return self.skill_name(slots[index]["skill"]), self.spellings[key]


def _character(data: Document, side: int, max_hp: int, title: str) -> Character:
    return Character(title, side, max_hp, data, data["queue"], data.get("evasion") or 0, data["attributes"]["speed"])


def short(name: str) -> str:
    """A name that fits into a column: "Skreeta, Queen of the Warrens" is Skreeta, "Knight of the Crypt" is Knight."""
    title = name.split(",")[0].removeprefix("The ")
    for word in (" of ", " under ", " the "):
        start = title.lower().find(word)
        if len(title) > LONGEST_TITLE and start > 0:
            title = title[:start]
    return title


def _title(name: str, taken: set[str]) -> str:
    """A display name that is unique in the encounter: the second of the same name gets a number."""
    name = short(name)
    title, number = name, 1
    while title in taken:
        number += 1
        title = f"{name} {number}"
    taken.add(title)
    return title


def roster_of(encounter: Document) -> Iterator[Document]:
    """All enemies that may appear in an encounter, in roster order (delve/README.md, Event rows)."""
    yield from encounter.get("enemies") or []
    for branch in (encounter, *(encounter.get("options") or [])):
        for result in ("success", "failure"):
            yield from (branch.get(result) or {}).get("ambush") or []


def condition_text(when: Any) -> str:
    """A slot's condition as text, empty if it has none."""
    try:
        tree = parse(when, VOCABULARY, where="").tree
    except InputError:
        return str(when)
    return "" if tree is None else to_text(tree)
