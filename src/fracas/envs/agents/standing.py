"""How a battle stands, by what a side sees: its HP against the enemy's."""

from __future__ import annotations

import numpy as np

from fracas.envs.batch import Array
from fracas.rulesets.contract.agents import Feature


class Standing:
    """A side's HP less the enemy's, of both together: from -1 to 1, 0 if equal. Only numbers that an agent sees."""

    def __init__(self, features: list[Feature]) -> None:
        names = {feature.name: place for place, feature in enumerate(features)}
        vitals = [feature.name for feature in features if feature.is_vital]
        self._vitals = [
            np.array([names[name] for name in vitals if name.startswith(whose)], np.int64) for whose in ("own", "enemy")
        ]
        if vitals:
            return
        stems = [name.removesuffix(".side") for name in names if name.endswith(".side")]
        # Where slots belong to either side, an entry of each says whose it is.
        self._sides = np.array([names[f"{stem}.side"] for stem in stems], np.int64)
        self._health = np.array([names[f"{stem}.health_points"] for stem in stems], np.int64)
        full = [name.removesuffix(".full_hp") for name in names if name.endswith(".full_hp")]
        own, enemy = ([stem for stem in full if stem.startswith(whose)] for whose in ("own", "enemy"))
        self._own, self._enemy = self._places(names, own), self._places(names, enemy)

    @staticmethod
    def _places(names: dict[str, int], stems: list[str]) -> Array:
        """The entries of share and full HP, (slots, 2)."""
        return np.array([[names[f"{stem}.hp"], names[f"{stem}.full_hp"]] for stem in stems], np.int64).reshape(-1, 2)

    def of(self, seen: Array) -> Array:
        """The standing in each observation (n, features): (n,) float64."""
        if len(self._vitals[0]):
            own, enemy = (np.maximum(seen[:, places], 0).sum(axis=1) for places in self._vitals)
        elif len(self._sides):
            whose, health = seen[:, self._sides], np.maximum(seen[:, self._health], 0)
            own, enemy = ((health * (whose == sign)).sum(axis=1) for sign in (1, -1))
        else:
            own, enemy = (
                (seen[:, places[:, 0]] * seen[:, places[:, 1]]).sum(axis=1) for places in (self._own, self._enemy)
            )
        both = own + enemy
        standing: Array = np.where(both > 0, (own - enemy) / np.where(both > 0, both, 1), 0.0).astype(np.float64)
        return standing
