"""The same fight in a terminal: two rows of figures in half blocks, their HP, the story below; 80 x 24 is enough."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from fracas.cli.shared.output import STYLES
from fracas.engine.battle import Battle
from fracas.errors.suggestions import visible
from fracas.events.styled_text import HEADING, SIDE_1, SIDE_2, Line, bar
from fracas.events.tick_labels import TICKS_PER_ENCOUNTER
from fracas.kit.game import Game
from fracas.lab.explain.turning_point import round_label
from fracas.lab.simulation.timeline import hp_readings
from fracas.web.battle import side_names
from fracas.web.stage_setup import stage_setup

COLUMNS, ROWS = 80, 24
# A figure's room on the stage, the most that it gets where few stand, and how many stand in a row.
CELL, WIDEST, MOST = 10, 16, 8
# The rows of both sides with their names and bars, the head, the rule and the foot.
STORY_ROWS = ROWS - 2 * 6 - 3
LINE_SECONDS, ROUND_SECONDS = 0.3, 0.8

# Six by six pixels, two to a letter: h hat, f face, b body, w weapon, l legs.
BODIES = {
    "fighter": (" hhhh ", " hffw ", "bbbbbw", "b bb w", "  bb  ", " l  l "),
    "robe": ("  hh w", " hffhw", " bbbbw", "bbbbbw", " bbbb ", "bbbbbb"),
    "bow": ("  hh  ", " fffww", "bbbb w", " bb  w", " bb ww", " l l  "),
    "guard": (" hhhh ", " hffww", "bbbwww", "b bwww", "  bbw ", " ll l "),
    "beast": ("     h", "h   hh", "bb bfh", "bbbbbb", "bbbbb ", "l l l "),
    "great": (" hhhh ", "hhffhh", "bbbbbb", "bbbbbb", "b bb b", "ll  ll"),
}
MARKS = {
    "robe": ("mage", "healer", "arcanist", "cantor", "hexer"),
    "bow": ("archer", "archery", "ranger", "footpad", "tracker", "javelin", "bombard"),
    "guard": ("tank", "warden", "oathkeeper"),
    "beast": ("charge",),
    "fighter": ("warrior", "vanguard", "reaver", "fighter"),
    "great": ("boss", "champion", "titan1", "titan2"),
}
SHAPES = {mark: shape for shape, marks in MARKS.items() for mark in marks}
# Whatever else somebody is, the name decides.
CREATURES, PEOPLE = ("beast", "great", "robe"), ("fighter", "guard", "bow", "robe")
# Whoever has just lost HP, or regained some.
HURT, HELPED = {"b": "red1", "h": "red1"}, {"b": "green3", "h": "green3"}
FALLEN = ("      ", "      ", "      ", "      ", " hbb  ", "hfbbll")
HATS = ("grey62", "gold3", "red3", "dark_sea_green4", "medium_purple3", "orange3")
SIDES: Mapping[int, Sequence[str]] = {
    1: ("dark_cyan", "steel_blue", "cadet_blue", "deep_sky_blue4"),
    2: ("dark_goldenrod", "orange4", "dark_khaki", "light_goldenrod3"),
}
FIXED = {"f": "navajo_white1", "w": "grey85", "l": "grey30"}


@dataclass
class _Unit:
    place: int
    side: int
    name: str
    mark: str
    most: int = 0
    hp: int | None = None
    """None until it enters."""

    @property
    def is_fallen(self) -> bool:
        return self.hp == 0

    def pixels(self, change: int) -> list[Text]:
        """The figure as three lines of half blocks, in another colour while its HP change."""
        number = crc32(f"{self.name} {self.place}".encode())
        others = CREATURES if self.mark == "creature" else PEOPLE
        shape = SHAPES.get(self.mark) or others[crc32(self.name.encode()) % len(others)]
        body = FALLEN if self.is_fallen else BODIES[shape]
        colours = FIXED | {"h": HATS[number % len(HATS)], "b": SIDES[self.side][number // 7 % len(SIDES[self.side])]}
        colours |= HURT if change < 0 else HELPED if change > 0 else {}
        rows = [row if self.side == 1 else row[::-1] for row in body]
        return [_half_blocks(upper, lower, colours) for upper, lower in zip(rows[::2], rows[1::2], strict=True)]


def _half_blocks(upper: str, lower: str, colours: Mapping[str, str]) -> Text:
    """Two rows of pixels as one line."""
    line = Text()
    for above, below in zip(upper, lower, strict=True):
        if above == " " and below == " ":
            line.append(" ")
        elif above == " ":
            line.append("▄", colours[below])
        elif below == " ":
            line.append("▀", colours[above])
        else:
            line.append("▀", f"{colours[above]} on {colours[below]}")
    return line


@dataclass
class _Stage:
    battle: Battle
    sides: list[str]
    units: dict[int, _Unit]
    told: list[Line] = field(default_factory=list)
    opening: list[Line] = field(default_factory=list)
    """What stands before the first round, where maps are drawn."""
    encounter: int = 0
    has_bars: bool = True
    is_over: bool = False

    def read(self, unit: int, hp: int, tick: int) -> int:
        """An event told a unit's HP; of a run only the foes of the encounter stand there. Returns the change."""
        if self.battle.scenario.ruleset.name == "delve" and tick // TICKS_PER_ENCOUNTER != self.encounter:
            self.encounter = tick // TICKS_PER_ENCOUNTER
            for foe in self.units.values():
                if foe.side == 2:
                    foe.hp = None
        if unit not in self.units:
            return 0
        found = self.units[unit]
        change = 0 if found.hp is None else hp - found.hp
        found.hp, found.most = hp, max(hp, found.most)
        return change

    def picture(self, changes: Mapping[int, int], tick: int) -> Group:
        """The terminal as it is now."""
        head = Text(f" {self.sides[0]}", STYLES[SIDE_1])
        head.append(" against ", "")
        head.append(self.sides[1], STYLES[SIDE_2])
        when = round_label(self.battle.scenario, tick)
        head.truncate(COLUMNS - len(when) - 2, overflow="ellipsis", pad=True)
        head.append(f" {when}", "bold")
        rows = [*self.row(2, changes), *self.row(1, changes)]
        rule = Text("─" * COLUMNS, "bright_black")
        shown = self.told[-STORY_ROWS:]
        story = [_line(line, line is shown[-1], is_drawn=line in self.opening) for line in shown]
        story += [Text()] * (STORY_ROWS - len(story))
        foot = Text("" if self.is_over else " Ctrl-C ends", "bright_black")
        return Group(head, *rows, rule, *story, foot)

    def row(self, side: int, changes: Mapping[int, int]) -> list[Text]:
        """A side: three lines of figures, their names, bars and HP."""
        present = [unit for unit in self.units.values() if unit.side == side and unit.hp is not None]
        standing = [unit for unit in present if not unit.is_fallen]
        shown = present if len(present) <= MOST else (standing or present)[:MOST]
        lines = [Text() for _ in range(6)]
        cell = min(WIDEST, COLUMNS // max(1, len(shown)))
        room = max(0, (COLUMNS - cell * len(shown)) // 2)
        for line in lines:
            line.append(" " * room)
        for unit in shown:
            change = changes.get(unit.place, 0)
            for line, pixels in zip(lines, unit.pixels(change), strict=False):
                sign = "  " if line is not lines[1] or change == 0 else "- " if change < 0 else "+ "
                line.append(sign, "bold").append(pixels).append(" " * (cell - 8))
            # The end tells those of the same name apart.
            name = unit.name if len(unit.name) < cell else f"{unit.name[: cell - 4]}…{unit.name[-2:]}"
            style = "bright_black" if unit.is_fallen else STYLES[SIDE_1 if side == 1 else SIDE_2]
            lines[3].append(visible(name).ljust(cell)[:cell], f"bold {style}" if change else style)
            if not self.has_bars:
                continue
            lines[4].append(bar(unit.hp or 0, unit.most, cell - 2).ljust(cell), style)
            lines[5].append(f"{unit.hp}/{unit.most}".ljust(cell)[:cell], "bright_black")
        if len(shown) < len(present):
            lines[0].append(f"+{len(present) - len(shown)}"[: max(0, COLUMNS - lines[0].cell_len)], "bright_black")
        return lines


def _line(line: Line, is_last: bool, *, is_drawn: bool) -> Text:
    text = Text(no_wrap=True, overflow="ellipsis")
    for said, role in line.spans:
        text.append(visible(said), STYLES[role])
    if not is_drawn:
        # The indent would cost the end of long lines.
        text = text[len(text.plain) - len(text.plain.lstrip()) :]
    if is_last:
        text.stylize("bold")
    text.truncate(COLUMNS, overflow="ellipsis")
    return text


def pictures(battle: Battle) -> Iterator[tuple[Group, float]]:
    """Every picture of a fight in order, and for how many seconds it stands."""
    assert battle.rows is not None, "the battle was played without a log"
    setup = stage_setup(battle.scenario)
    cast: Sequence[Mapping[str, Any]] = setup["units"]
    # A game need not have anything that bars show.
    has_bars = setup.get("vital") != ""
    units = {each["place"]: _Unit(each["place"], each["side"], each["name"], each["mark"]) for each in cast}
    stage = _Stage(battle, side_names(battle), units, has_bars=has_bars)
    start, readings = hp_readings(battle.scenario, battle.rows) if has_bars else ({}, [])
    for each in cast:
        # Without bars whoever is there from the start stands there.
        hp = start.get(each["place"], each["hp"]) if has_bars else None if each["spare"] else 1
        if hp is not None:
            stage.read(each["place"], hp, 0)
    calls = _calls(battle)
    ticks = battle.rows[:, 0].tolist()
    waiting = iter([*readings, (len(ticks), -1, 0)])
    following = next(waiting)
    tick = 0
    lines = [line for line in battle.lines() if line.text.strip()]
    # The totals after the result would push it away; the page and `fracas run` have them.
    told = [line.event for line in lines]
    lines = lines[: told.index(max(told, default=-1)) + 1 if told else 0]
    for line in lines:
        stage.is_over = line is lines[-1]
        changes: dict[int, int] = {}
        while following[0] <= line.event and following[1] >= 0:
            number, unit, hp = following
            changes[unit] = changes.get(unit, 0) + stage.read(unit, hp, ticks[number])
            following = next(waiting)
        while calls and calls[0][0] <= line.event:
            _, unit, name = calls.popleft()
            units[unit].name = units[unit].mark = name
        stage.told.append(line)
        tick = max(tick, line.tick)
        is_heading = any(role == HEADING for _, role in line.spans)
        if not is_heading and len(stage.told) == len(stage.opening) + 1:
            stage.opening.append(line)
        yield stage.picture(changes, tick), ROUND_SECONDS if is_heading else LINE_SECONDS


def _calls(battle: Battle) -> deque[tuple[int, int, str]]:
    """From which event on what newcomers of a game are called."""
    scenario = battle.scenario
    if not isinstance(scenario.ruleset, Game):
        return deque()
    return deque(scenario.ruleset.built.teller.called(battle.events, scenario.compiled, scenario.document))


def play_in_terminal(battle: Battle) -> None:
    """Show a fight in the terminal, at the pace of the page."""
    console = Console(highlight=False, width=min(COLUMNS, Console().width))
    with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
        for picture, seconds in pictures(battle):
            live.update(picture, refresh=True)
            time.sleep(seconds)
