"""What a job is asked for: the options of the commands, under their names, with documents in place of files."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from fracas.server.http.answers import Body

SCENARIO = {"ruleset": "relics", "left": {"items": ["horned_helm"]}, "right": {"items": []}}
# The commands' own checks say what is out of range; these only keep what is held small.
LONGEST_TEXT = 1_000
MOST_DOCUMENTS = 200

Scenario = Annotated[
    dict[str, Any],
    Field(examples=[SCENARIO], description="The keys of a scenario file, without references to files; at most 256 kB."),
]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Seed = Annotated[Text | None, Field(description="The seed text. Default: the scenario's.", examples=["tuesday"])]
Battles = Annotated[int | None, Field(description="As -n of the command, with its default.", examples=[1_000])]
Precision = Annotated[float | None, Field(description="In place of n: the 95% half-width to reach, in percent.")]
Side = Annotated[int, Field(description="1 or 2.")]


class OfScenario(Body):
    """A study of one scenario."""

    scenario: Scenario
    seed: Seed = None


class Simulate(OfScenario):
    """Play many battles and count how they end, as `fracas simulate`."""

    n: Battles = None
    precision: Precision = None
    contributions: int | None = Field(None, description="Battles whose abilities are reported. Default: units only.")
    timeline: int = Field(0, description="Battles whose HP is reported by round.")
    start: int = Field(0, description="The number of the first battle.")


class Compare(OfScenario):
    """Test which of two scenarios is better, as `fracas compare`."""

    other: Scenario | None = Field(None, description="B. Default: A, changed by b_set.")
    b_set: list[Text] = Field([], max_length=100, description="Values to replace in B.", examples=[["left.items=[]"]])
    side: Side = 1
    delta: float = Field(0.02, description="The smallest relevant effect.")
    all: bool = Field(False, description="Play all n pairs, even if the test decides sooner.")
    n: Battles = None


class Odds(OfScenario):
    """The odds of a battle, exactly where possible, as `fracas odds`."""

    n: Battles = None
    precision: Precision = None
    budget: int | None = Field(None, description="The most states to enumerate.")
    simulate: bool = Field(False, description="Simulate, even if exact odds are possible.")


class Sweep(OfScenario):
    """Vary values of a scenario, as `fracas lab sweep`."""

    ranges: list[Text] = Field(
        max_length=20, description="PATH=LO:HI:STEP or PATH=a,b,c.", examples=[["sides.0.units.0.attack=21:29:2"]]
    )
    side: Side = 1
    n: Battles = None


class Sensitivity(OfScenario):
    """What one more point of each stat is worth, as `fracas lab sensitivity`."""

    side: Side = 1
    step: float = Field(1, description="Points to add to each stat.")
    costs: dict[Text, float] = Field({}, max_length=200, description="The cost of one point, by the stat's name.")
    pairs: int = Field(0, description="Also try pairs of this many of the best stats.")
    n: Battles = None


class Entrant(Body):
    """One side of a scenario."""

    scenario: Scenario
    side: Side = 1


Entrants = Annotated[list[Entrant], Field(max_length=MOST_DOCUMENTS)]


class Matchups(Body):
    """Play everyone against everyone and rank them, as `fracas lab matchups`."""

    entrants: Entrants = Field(examples=[[{"scenario": SCENARIO}, {"scenario": SCENARIO, "side": 2}]])
    against: Entrants = Field([], description="Then the entrants play only these.")
    seed: Text | None = Field(None, description="The seed text of all battles. Default: the first entrant's.")
    n: Battles = None
    precision: Precision = None


class Optimise(OfScenario):
    """Search for a better strategy, queue, build or line-up, as `fracas optimise`."""

    side: Side = 1
    part: Text | None = Field(None, description="What to search. Default: the first that the ruleset has.")
    against: Entrants = Field([], description="Opponents. Default: the other side.")
    held_out: Entrants = Field([], description="Opponents that the search never sees; only they decide.")
    search_seed: Text | None = None
    trials: int | None = None
    stages: list[float] | None = Field(None, max_length=20, description="The half-width of each stage, in percent.")
    keep: list[int] | None = Field(None, max_length=20)
    budget: int | None = Field(None, description="Battles for the whole search.", examples=[20_000])
    pairs: int | None = Field(None, description="Pairs of unused battles in the final test.", examples=[500])


class Why(OfScenario):
    """Explain one battle, as `fracas why`."""

    stream: int = Field(0, description="The battle's number under the seed.")
    n: int | None = Field(None, description="Rollouts from each round.", examples=[100])
    part: Text | None = None


class Report(Body):
    """Put scenarios and results on one page, as `fracas report`."""

    sources: list[dict[str, Any]] = Field(
        max_length=32, description="Scenarios, and results as commands and jobs give them.", examples=[[SCENARIO]]
    )
    seed: Text | None = None
    n: Battles = None
    side: Side = 1
    stream: int | None = None
    battles: bool = Field(True, description="Show battles to watch.")


BODIES: dict[str, type[Body]] = {
    each.__name__.lower(): each
    for each in (Simulate, Compare, Odds, Sweep, Sensitivity, Matchups, Optimise, Why, Report)
}
