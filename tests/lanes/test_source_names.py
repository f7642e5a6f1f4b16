"""Entry points for lanes are named after their sources, so that edited rules are never played by older code."""

from __future__ import annotations

from pathlib import Path

from fracas.lanes.source_names import lane_sources, named_after_sources, source_name
from fracas.rulesets.relics.lockstep import entry_points as relics
from fracas.rulesets.squads.lockstep import entry_points

ROOM = Path(entry_points.__file__).parent


def test_every_file_of_the_room_and_of_lanes_counts() -> None:
    names = {file.name for file in lane_sources(ROOM)}
    assert {"native_operations.py", "operations.py", "rounds.py", "state.py", "entry_points.py"} <= names


def test_entry_points_carry_the_name_of_their_sources() -> None:
    for module in (entry_points, relics):
        made_from = source_name(lane_sources(Path(module.__file__ or "").parent))
        for entry in (module.plan_battles, module.play_in_lanes, module.resume_in_lanes):
            assert entry.__name__.endswith(made_from)


def test_an_edit_gives_another_name(tmp_path: Path) -> None:
    file = tmp_path / "rounds.py"
    file.write_text("SLOTS = 16\n")
    before = source_name([file])
    file.write_text("SLOTS = 17\n")
    assert source_name([file]) != before


def test_the_name_begins_with_the_functions_own() -> None:
    def play_here() -> None:
        """An entry point in this file."""

    assert named_after_sources(play_here).__name__.startswith("play_here_")
