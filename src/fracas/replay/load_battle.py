"""Load or verify a saved battle from a replay, a bundle or a finished duel by playing it again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fracas.engine.battle import Battle
from fracas.engine.player import Notice
from fracas.engine.replay_file import FORMAT, format_of
from fracas.errors import InputError
from fracas.files.read import FileLike
from fracas.replay.bundle import holds_bundle, verify_bundle
from fracas.replay.session_file import holds_session, replayed_session
from fracas.replay.verify import Verification, verify_replay
from fracas.rulesets.contract.plugin_kinds import Plugin


def is_replay_file(path: Path) -> bool:
    """Whether a file is a replay; False if it cannot be read."""
    return format_of(path) == FORMAT


def load_saved_battle(path: Path, plugins: Mapping[str, Plugin], notice: Notice | None = None) -> Battle | None:
    """Load the battle of a replay or of a finished duel; None if the file is neither.

    Raises:
        InputError: the file is not valid, or does not verify.
    """
    if holds_session(path):
        return replayed_session(path)
    if not is_replay_file(path):
        return None
    verification = verify_replay(path, plugins, notice)
    if not verification.matches:
        raise InputError.of(str(path), "does not verify", "fracas verify shows where it differs")
    return verification.battle


def verify_saved(
    path: FileLike, plugins: Mapping[str, Plugin] | None = None, notice: Notice | None = None, *, alone: bool = False
) -> Verification:
    """Verify a replay or a bundle by playing it again; `alone` as in `play_battle`.

    Raises:
        InputError: see `verify_replay` and `verify_bundle`.
    """
    if holds_bundle(path):
        return verify_bundle(path, notice, alone=alone)
    return verify_replay(path, plugins, notice, alone=alone)
