"""The files of authored bots, in `data/bots`: documents, stories and strengths.

A strength is measured (`benchmarks/bots.py`) and stays.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from fracas.content.validate import Model, validate
from fracas.files.read import read_document
from fracas.server.arena.league import Id, League
from fracas.server.arena.ratings import MU, SHOWN_BASE, SHOWN_SCALE, Rating

FOLDER = Path(__file__).parents[2] / "data" / "bots"
# How sure a measured strength is.
SIGMA = 1.0


class Bot(Model):
    """An authored entry."""

    id: Annotated[Id, Field(min_length=3, max_length=24)]
    """Also the handle of its account."""
    name: Annotated[str, Field(min_length=1, max_length=80)]
    story: Annotated[str, Field(min_length=1, max_length=200)]
    """One line about it."""
    strength: Annotated[int, Field(ge=0, le=5000)]
    """Its shown rating, measured against the other bots of its league, whose mean is 1500."""
    entry: dict[str, Any]

    @property
    def rating(self) -> Rating:
        """Its fixed rating."""
        return Rating(MU + (self.strength - SHOWN_BASE) / SHOWN_SCALE, SIGMA)


class BotsFile(Model):
    """The bots of a league."""

    bots: Annotated[list[Bot], Field(max_length=100)]


def authored_bots(league: League) -> list[Bot]:
    """The bots of a league as they are written, not checked against it.

    Raises:
        InputError: the file is not one of bots.
    """
    file = bots_file(league)
    return validate(BotsFile, read_document(file), file.name).bots if file.is_file() else []


def bots_file(league: League) -> Path:
    """Where the bots of a league are; it need not exist."""
    return FOLDER / f"{league.file.bots or league.id}.toml"
