"""An arena on each database."""

from __future__ import annotations

import pytest
from tests.helpers.arena import Playground

from fracas.server.clock import SteppingClock
from fracas.server.database.engine import Database


@pytest.fixture
def playground(database: Database, clock: SteppingClock) -> Playground:
    """An arena with one squads league, on SQLite and on PostgreSQL."""
    return Playground(database, clock)


@pytest.fixture
def small(one_database: Database, clock: SteppingClock) -> Playground:
    """An arena with one squads league, on one database: SQLite unless the environment says otherwise."""
    return Playground(one_database, clock)
