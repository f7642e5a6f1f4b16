"""Lays out the lines of a delve story in columns: actor, skill, target, roll, change, HP left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fracas.events.story_layout import LINE_WIDTH, MARGIN, RULE_WIDTH, hp_bar
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HELP, PLAIN, Span
from fracas.rulesets.delve.narration.labels import Character

BAR_WIDTH = 6
ROLL_WIDTH, CHANGE_WIDTH = 7, 5


class Page:
    """The column widths for the characters who are present."""

    def __init__(self) -> None:
        self.name_width = self.skill_width = self.hp_width = 0

    def measure(self, present: Sequence[Character], skills: Sequence[str]) -> None:
        """Set the column widths for these characters and skills."""
        self.name_width = max(len(character.title) for character in present)
        self.skill_width = max((len(skill) for skill in skills), default=0)
        self.hp_width = max(2 * len(str(character.max_hp)) + 1 for character in present)

    def doing(
        self,
        actor: Character | None,
        skill: str,
        target: Character | None,
        roll: str = "",
        change: int | str | None = None,
        hp: int | None = None,
        notes: Sequence[Span] = (),
        fell: bool = False,
    ) -> Iterator[list[Span]]:
        """One action in columns: actor, skill, target, d100 and chance, HP change, HP left."""
        line: list[Span] = [(MARGIN, PLAIN)]
        name = actor.title if actor else ""
        line += [(name.ljust(self.name_width + 1), actor.role if actor else PLAIN)]
        line += [(skill.ljust(self.skill_width), PLAIN)]
        if target is not None:
            line += [(" → ", ASIDE), (target.title.ljust(self.name_width), target.role)]
        whose = target or actor
        if roll or change is not None:
            line += [(roll.rjust(ROLL_WIDTH), ASIDE), _change(change)]
        if fell:
            line += [("  falls!", EMPHASIS)]
        elif whose is not None and hp is not None:
            line += self.health(whose, hp)
        yield from self.with_notes(line, notes)

    def with_notes(self, line: list[Span], notes: Sequence[Span]) -> Iterator[list[Span]]:
        """A line followed by notes; those that do not fit go below."""
        for words, role in notes:
            length = sum(len(text) for text, _ in line)
            if length + 2 + len(words) > LINE_WIDTH:
                yield line
                line = [(" " * (len(MARGIN) + self.name_width + self.skill_width + 4), PLAIN)]
                line.append((words, role))
            else:
                line.append((f"  {words}", role))
        yield line

    def health(self, character: Character, hp: int) -> list[Span]:
        """A character's HP as a bar and in figures."""
        return hp_bar(hp, character.max_hp, character.role, BAR_WIDTH, self.hp_width)


def _change(change: int | str | None) -> Span:
    """HP lost or restored, or a word instead."""
    if isinstance(change, int):
        return f"{change:+d}".rjust(CHANGE_WIDTH) if change else "0".rjust(CHANGE_WIDTH), HELP if change > 0 else HARM
    return f" {change}" if change else " " * CHANGE_WIDTH, ASIDE


def rule(left: str, right: str, dash: str = "─") -> list[Span]:
    """A heading, filled to the page's width with dashes."""
    line = dash * max(2, RULE_WIDTH - len(left) - len(right) - 2)
    return [(f"{left} ", EMPHASIS), (line, ASIDE), (f" {right}" if right else "", ASIDE)]


def plain_line(words: str, role: str = PLAIN) -> list[Span]:
    """A plain line of the story."""
    return [(MARGIN, PLAIN), (words, role)]
