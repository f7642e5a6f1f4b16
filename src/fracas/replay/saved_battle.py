"""A battle that was kept in a file, be it a replay, a bundle or a duel between people, played again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fracas.engine.battle import Battle
from fracas.engine.player import Notice
from fracas.engine.replay_file import FORMAT, format_of
from fracas.errors import InputError
from fracas.replay.bundle import holds_bundle, verify_bundle
from fracas.replay.session_file import holds_session, told_session_again
from fracas.replay.verify import Verification, verify_replay
from fracas.rulesets.contract.plugin_kinds import Plugin


def is_replay_file(path: Path) -> bool:
    """Whether a file holds a replay; what cannot be read holds none."""
    return format_of(path) == FORMAT


def load_saved_battle(path: Path, plugins: Mapping[str, Plugin], notice: Notice | None = None) -> Battle | None:
    """The battle of a replay or of a finished duel; None if the file is neither.

    Raises:
        InputError: it is one, and unsound, or does not come out as it is kept.
    """
    if holds_session(path):
        return told_session_again(path)
    if not is_replay_file(path):
        return None
    verification = verify_replay(path, plugins, notice)
    if not verification.matches:
        raise InputError.of(str(path), "does not come out as it is kept", "fracas verify says where it differs")
    return verification.battle


def verify_saved(
    path: Path, plugins: Mapping[str, Plugin] | None = None, notice: Notice | None = None, *, alone: bool = False
) -> Verification:
    """Play the battle of a replay or of a bundle again and compare; `alone` as in `play_battle`.

    Raises:
        InputError: see `verify_replay` and `verify_bundle`.
    """
    if holds_bundle(path):
        return verify_bundle(path, notice, alone=alone)
    return verify_replay(path, plugins, notice, alone=alone)
