"""Attacks for the oracle of stacks: what is rare, once each, where random scenarios seldom or never come.

Every scenario is a document to load. `field` places stacks around the tile (3, 3): by direction, by owner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Document = dict[str, Any]

TILE = (3, 3)
AROUND = {
    "hex": [(3, 2), (4, 3), (4, 4), (3, 4), (2, 4), (2, 3)],
    "square4": [(3, 2), (4, 3), (3, 4), (2, 3)],
    "square8": [(3, 2), (4, 2), (4, 3), (4, 4), (3, 4), (2, 4), (2, 3), (2, 2)],
}
RED, BLUE, BOTH, NEITHER, RED_FRIEND, BLUE_FRIEND = "red", "blue", "gold", "grey", "rose", "teal"
FACTIONS: Document = {
    RED: {"allies": [RED_FRIEND]},
    BLUE: {},
    BOTH: {"allies": [RED, BLUE]},
    NEITHER: {"allies": [RED_FRIEND], "enemies": [RED]},
    RED_FRIEND: {},
    BLUE_FRIEND: {"allies": [BLUE]},
}


def unit(*moves: str, health: int = 10, scores: Sequence[int] = (4, 3, 4), **more: int) -> Document:
    """A unit with attack, defence and damage as `scores`."""
    attack, defence, damage = scores
    numbers = {"attack": attack, "defence": defence, "damage": damage, "health": health, **more}
    return {**numbers, "moves": list(moves)}


def stack(number: int, owner: str, place: tuple[int, int], units: list[Document]) -> Document:
    """A stack, whose units are called by their places."""
    named = [{"id": f"unit-{slot}", **each} for slot, each in enumerate(units)]
    return {"id": f"stack-{number}", "owner": owner, "at": list(place), "units": named}


def field(*stacks: tuple[str, int, list[Document]], kind: str = "hex", **more: Any) -> Document:
    """An attack by the first of these stacks, each an owner, a direction and units; other keywords are options."""
    places = [*AROUND[kind], TILE]
    named = [stack(number, owner, places[direction], units) for number, (owner, direction, units) in enumerate(stacks)]
    document: Document = {
        "ruleset": "stacks",
        "id": "crafted",
        "map": {"kind": kind, "width": 7, "height": 7},
        "factions": FACTIONS,
        "tiles": more.pop("tiles", {}),
        "stacks": named,
        "attack": {"stack": "stack-0", "tile": list(TILE), "number": more.pop("number", 0)},
    }
    return document | {"profile": more.pop("profile", "seed"), "options": more}


STRIKER = unit("strike")
ARCHER = unit("archery", scores=(4, 1, 3), health=8)
BOMBER = unit("bombard", scores=(6, 1, 6), health=12)
HEALER = unit("healing", scores=(0, 2, 0), health=9)
ALL = ("archery", "charge", "healing", "strike", "bombard", "javelin", "sacrifice")


def splash(kind: str, **options: Any) -> Document:
    """Bombards of both sides where everybody has neighbours, some of whom are bystanders, and stacks die out."""
    last = len(AROUND[kind])
    frail = [unit("strike", health=3, scores=(3, 0, 2)), unit("archery", health=5, scores=(5, 1, 2))]
    ring = [BLUE, RED_FRIEND, NEITHER, BLUE_FRIEND, RED, BLUE, BOTH, BLUE]
    others = [(ring[direction], direction, [*frail, BOMBER]) for direction in range(1, last)]
    return field(
        (RED, 0, [BOMBER, unit("bombard", scores=(1, 0, 1)), BOMBER]),
        (BLUE, last, frail * 2),
        *others,
        kind=kind,
        **options,
    )


def splash_beside_the_tile() -> Document:
    """On square8 the target's lowest neighbour is another one for every target."""
    group = [unit("strike", health=4, scores=(2, 0, 1))] * 3
    others = [(BLUE, direction, group) for direction in (1, 3, 6)]
    return field((RED, 0, [BOMBER] * 3), (BLUE, 8, group), *others, kind="square8")


def extinct_stacks_shield_nobody() -> Document:
    """The lower of two neighbouring stacks dies out, and the splash goes on to the other."""
    low = [unit("strike", health=1, scores=(9, 0, 9))]
    wall = [unit("strike", health=60, scores=(0, 0, 0)), unit("strike", health=4, scores=(0, 0, 0))]
    return field((RED, 0, [BOMBER] * 3), (BLUE, 6, wall), (BLUE, 1, low), (BLUE, 4, wall), order="id")


def javelins(**options: Any) -> Document:
    """Thrown once each, by those who can do nothing else as well."""
    thrower, only = unit("javelin", "strike", scores=(3, 2, 3)), unit("javelin", scores=(2, 1, 1))
    return field((RED, 0, [thrower, only, thrower]), (BLUE, 6, [only, thrower, STRIKER]), **options)


def sacrifices(**options: Any) -> Document:
    """Small ones for large ones: worth something, nothing, and less than nothing."""
    small = unit("sacrifice", "strike", health=3, scores=(1, 0, 1))
    large = [unit("strike", health=40, current=current, scores=(6, 3, 5)) for current in (5, 37, 39, 40)]
    return field((RED, 0, [small, *large, small]), (BLUE, 6, [small, small, *large]), **options)


def healers(**options: Any) -> Document:
    """More to heal than the limits allow."""
    hurt = [unit("strike", health=20, current=current) for current in (3, 17, 19)]
    mender = unit("healing", "archery", health=12, current=4, scores=(1, 2, 1))
    return field((RED, 0, [mender, HEALER, *hurt]), (BLUE, 6, [*hurt, mender, mender]), **options)


def healers_when_all_is_over() -> Document:
    """The other side falls in the first turn; healers still take theirs."""
    hurt = unit("healing", health=20, current=3, scores=(0, 0, 0))
    return field((RED, 0, [unit("archery", scores=(90, 0, 90)), hurt, hurt]), (BLUE, 6, [unit("strike", health=1)]))


def for_ever(**options: Any) -> Document:
    """Two who mend what they suffer, up to the cap."""
    eternal = unit("archery", "healing", health=30, scores=(3, 3, 2))
    rules = {"heal_limit": 0, "idle_turns": 1000, "stale_turns": 0, **options}
    return field((RED, 0, [eternal]), (BLUE, 6, [eternal]), **rules)


def nobody_hurts(**options: Any) -> Document:
    """Attackers who cannot hit, and one who heals; defenders who can do no harm."""
    blunt = unit("strike", scores=(2, 0, 0))
    return field((RED, 0, [blunt, HEALER]), (BLUE, 6, [blunt, unit(scores=(0, 0, 0))]), **options)


def defenders_hit_back(**options: Any) -> Document:
    """Attackers take no health for many turns, while they lose some."""
    wall = unit("strike", health=50, scores=(4, 900, 2))
    return field((RED, 0, [unit("strike", health=60, scores=(2, 2, 2))]), (BLUE, 6, [wall]), **options)


def answers_that_kill(**options: Any) -> Document:
    """Strikers who die of the answer between two repeats, and answers with scores of nothing."""
    rash = unit("strike", "charge", health=2, scores=(9, 0, 1))
    hard = unit("strike", health=30, scores=(9, 1, 9))
    weak = unit("strike", health=12, scores=(0, 0, 0))
    return field((RED, 0, [rash, rash, hard]), (BLUE, 6, [weak, hard, rash]), **options)


def idle_but_for_answers() -> Document:
    """The attackers' answers alone take health from the defenders."""
    patient = unit("strike", health=40, scores=(3, 3, 3))
    return field(
        (RED, 0, [unit("strike", "healing", health=90, current=20, scores=(9, 2, 1))]),
        (BLUE, 6, [patient]),
        heal_limit=0,
        heal_self=True,
    )


def everything(**options: Any) -> Document:
    """All move types on both sides, wounded and whole, with unequal sides and gaps between ids."""
    whole = unit(*ALL, health=14, scores=(5, 3, 4), initiative=2)
    hurt = unit("strike", "healing", "charge", health=20, current=6, scores=(4, 2, 5), initiative=5)
    shot = unit("javelin", "archery", "bombard", health=9, scores=(5, 1, 3), initiative=2)
    meek = unit("healing", "sacrifice", "charge", health=5, scores=(1, 1, 1), initiative=9)
    guards = (BLUE, 6, [hurt, whole, shot, HEALER])
    others = [(BLUE_FRIEND, 2, [shot, meek]), (RED_FRIEND, 4, [whole]), (BOTH, 1, [hurt]), (NEITHER, 3, [hurt])]
    return field((RED, 0, [whole, hurt, meek]), guards, *others, **options)


def faint(**options: Any) -> Document:
    """Scores of 0 and 1, where the least score and the points that moves add or take away show."""
    none, one = unit(*ALL, health=6, scores=(0, 0, 0)), unit(*ALL, health=6, current=5, scores=(1, 1, 1))
    return field((RED, 0, [none, one, one]), (BLUE, 6, [one, none]), (BLUE, 1, [one]), **options)


def ties(**options: Any) -> Document:
    """The same initiative on both sides, on different stacks."""
    one, two = unit("strike", health=8, initiative=3), unit("strike", health=8, initiative=4)
    return field((RED, 3, [one, two, one]), (BLUE, 6, [two, one]), (BLUE, 0, [one, two]), (RED, 5, [two]), **options)


def long_and_short(**options: Any) -> Document:
    """Eight against two, whose partners fall."""
    frail, sturdy = unit("strike", health=9, scores=(4, 1, 3)), unit("strike", health=40, scores=(4, 3, 3))
    return field((RED, 1, [frail] * 8), (BLUE, 6, [sturdy, sturdy]), **options)


def unopposed(**options: Any) -> Document:
    """An owned tile without anybody, beside stacks that stay out."""
    tiles = {"3,3": {"owner": BLUE, "name": "The Gap"}}
    return field((RED, 0, [STRIKER]), (NEITHER, 1, [ARCHER]), (BOTH, 4, [ARCHER]), tiles=tiles, number=7, **options)


def edge(kind: str) -> Document:
    """A tile in the corner of the map, where most directions are empty."""
    stacks = [
        stack(0, RED, (1, 0), [STRIKER, BOMBER]),
        stack(1, BLUE, (0, 0), [ARCHER, STRIKER]),
        stack(2, BLUE, (0, 1), [STRIKER]),
        stack(3, BLUE, (1, 1), [ARCHER]),
        stack(4, BLUE, (6, 6), [ARCHER]),
    ]
    document = field((RED, 0, []), kind=kind)
    return document | {"stacks": stacks, "attack": {"stack": "stack-0", "tile": [0, 0]}}


def an_ally_owns_the_tile(**options: Any) -> Document:
    """The owner of the tile is allied with the attacker, who stands against the stack on it."""
    tiles = {"3,3": {"owner": RED_FRIEND}}
    others = [(BLUE, 1, [ARCHER]), (NEITHER, 2, [ARCHER]), (RED_FRIEND, 4, [ARCHER])]
    return field((RED, 0, [STRIKER, ARCHER]), (BLUE_FRIEND, 6, [STRIKER]), *others, tiles=tiles, **options)


def a_bystander_on_the_tile(**options: Any) -> Document:
    """Who stands on the tile is allied with both sides, so that nobody can move there."""
    tiles = {"3,3": {"owner": BLUE, "name": "The Inn"}}
    sure = unit("archery", health=30, scores=(90, 9, 90))
    return field((RED, 0, [sure]), (BOTH, 6, [STRIKER]), (BLUE, 2, [unit("strike", health=3)]), tiles=tiles, **options)


def a_stranger_on_the_tile() -> Document:
    """The owner of the tile is attacked, and not that of the stack on it."""
    tiles = {"3,3": {"owner": BLUE}}
    return field((RED, 0, [STRIKER]), (NEITHER, 6, [STRIKER]), (BLUE_FRIEND, 2, [STRIKER]), tiles=tiles)


def an_ally_wins_alone(**options: Any) -> Document:
    """The stack that attacks is wiped out, and its ally wins."""
    sure = unit("archery", health=30, scores=(90, 9, 90))
    doomed = unit("strike", health=1, scores=(0, 0, 0))
    target = unit("archery", health=40, scores=(90, 0, 90))
    return field((RED, 0, [doomed]), (BLUE, 6, [target] * 2), (RED_FRIEND, 1, [sure] * 2), order="id", **options)


def strong(**options: Any) -> Document:
    """Scores and healths as high as they may be."""
    giant = unit(*ALL, health=10_000, current=9_000, scores=(1000, 1000, 1000))
    return field((RED, 0, [giant, giant]), (BLUE, 6, [giant]), (BLUE, 1, [giant]), turn_cap=6, **options)


def own_moves(**options: Any) -> Document:
    """Plug-ins on both sides, whose place in the registry is their place among those that somebody here has."""
    whirl = unit("whirl", "strike", "daze", "flurry", health=16, scores=(5, 2, 4), initiative=1)
    flurry = unit("flurry", health=12, scores=(3, 2, 3), initiative=7)
    witch = unit("hex", "raise", "javelin", health=20, scores=(4, 1, 4))
    fodder = unit("strike", "raise", health=2, scores=(4, 0, 3), initiative=2)
    others = [(BLUE, 2, [fodder, whirl, flurry]), (NEITHER, 4, [unit("doom")]), (RED_FRIEND, 1, [flurry, fodder])]
    return field((RED, 0, [whirl, witch, fodder]), (BLUE, 6, [fodder, witch, flurry]), *others, **options)


def doomed(**options: Any) -> Document:
    """In turn 2 nobody is left."""
    last = unit("doom", "strike", health=30, scores=(1, 3, 1))
    return field((RED, 0, [last]), (BLUE, 6, [unit("strike", health=40, scores=(1, 3, 1))]), **options)


def conquest() -> Document:
    """A campaign on a square map of sure victories, and of all that stands in the way of an attack."""
    sure = unit("archery", "strike", health=90, scores=(90, 9, 90))
    frail = unit("strike", health=2, scores=(9, 0, 9))
    stacks = [
        stack(0, RED, (1, 1), [sure, frail]),
        stack(1, BLUE, (2, 1), [frail] * 2),
        stack(2, BLUE, (3, 2), [frail, unit("healing", health=30, current=7, scores=(0, 0, 0))]),
        stack(3, RED_FRIEND, (2, 2), [frail]),
        stack(4, BOTH, (4, 2), [sure]),
        stack(5, BLUE, (5, 5), [frail]),
        stack(6, NEITHER, (5, 4), [sure]),
    ]
    attacks = [
        ("stack-0", (2, 1)),  # won: it moves there
        ("stack-0", (0, 1)),  # no neighbour any more
        ("stack-0", (1, 1)),  # nobody's now
        ("stack-1", (1, 1)),  # gone
        ("stack-0", (2, 2)),  # an ally's
        ("stack-0", (3, 1)),  # owned, and unopposed but for who stands beside it
        ("stack-4", (5, 2)),  # unopposed
        ("stack-5", (5, 4)),  # lost
    ]
    tiles = {"3,1": {"owner": BLUE}, "5,2": {"owner": NEITHER, "name": "The Well"}, "0,1": {"owner": BLUE}}
    document = field(kind="square4", tiles=tiles)
    del document["attack"]
    return document | {"stacks": stacks, "attacks": [{"stack": who, "tile": list(tile)} for who, tile in attacks]}


def among_friends(**options: Any) -> Document:
    """Attackers hurt each other, which is no reason to go on."""
    mad = unit("gore", "strike", health=40, scores=(0, 0, 0))
    return field((RED, 0, [mad, mad]), (BLUE, 6, [unit(health=9, current=4), mad]), **options)


def among_witches() -> Document:
    """What attackers do to defenders has an effect, and takes no health."""
    witch = unit("hex", health=90, scores=(0, 0, 0))
    return field((RED, 0, [witch] * 3), (BLUE, 6, [unit("strike", health=9, scores=(0, 0, 0))]))


OWN: dict[str, Callable[[], Document]] = {
    "own moves": own_moves,
    "own moves by initiative": lambda: own_moves(order="initiative", riposte_to="strike", least_score=1),
    "own moves as published": lambda: own_moves(profile="original"),
    "among friends": among_friends,
    "among witches": among_witches,
    "among friends anyone": lambda: among_friends(idle_rule="anyone", turn_cap=9),
    "doomed": doomed,
    "doomed and idle": lambda: doomed(idle_turns=3, idle_rule="anyone", stale_turns=3),
}

# For every option other values than the usual one.
VALUES: dict[str, list[Any]] = {
    "sides": ["factions"],
    "order": ["id", "initiative"],
    "valuation": ["sampled"],
    "charge_estimate": ["value"],
    "charge_damage": ["attack"],
    "riposte_damage": ["attack"],
    "riposte_to": ["strike"],
    "least_score": [1],
    "heal_limit": [0, 1, 2],
    "heal_self": [False],
    "idle_rule": ["anyone"],
    "first_turn_idle": [False],
    "idle_turns": [1, 2],
    "stale_turns": [1, 2],
    "turn_cap": [1, 4],
    "advance": [False],
}


def wavering(**options: Any) -> Document:
    """Unequal, wounded, able to do most things, and short: where each option makes a difference."""
    rider = unit("charge", "strike", health=12, scores=(4, 3, 2), initiative=3)
    lancer = unit("charge", health=6, scores=(5, 1, 3))
    mender = unit("healing", "strike", health=14, current=5, scores=(0, 1, 2), initiative=1)
    others = [(BLUE_FRIEND, 1, [rider]), (NEITHER, 4, [mender])]
    return field((RED, 0, [rider, mender, lancer]), (BLUE, 6, [rider, mender, mender]), *others, **options)


# Where an option makes no difference there, it does here.
ELSEWHERE: dict[str, Callable[..., Document]] = {
    "first_turn_idle": nobody_hurts,
    "idle_turns": nobody_hurts,
    "advance": unopposed,
}


CRAFTED: dict[str, Callable[[], Document]] = {
    **{f"splash on {kind}": lambda kind=kind: splash(kind) for kind in AROUND},  # type: ignore[misc]
    **{f"the corner of {kind}": lambda kind=kind: edge(kind) for kind in AROUND},  # type: ignore[misc]
    "splash, sampled": lambda: splash("hex", valuation="sampled", turn_cap=3),
    "splash beside the tile": splash_beside_the_tile,
    "extinct stacks shield nobody": extinct_stacks_shield_nobody,
    "javelins": javelins,
    "javelins, sampled": lambda: javelins(valuation="sampled"),
    "sacrifices": sacrifices,
    "sacrifices by id": lambda: sacrifices(order="id"),
    "healers": healers,
    "healers of others": lambda: healers(heal_self=False, heal_limit=2),
    "healers when all is over": healers_when_all_is_over,
    "stale": lambda: for_ever(stale_turns=20),
    "nobody hurts": nobody_hurts,
    "nobody hurts anyone": lambda: nobody_hurts(idle_rule="anyone", idle_turns=4, first_turn_idle=False),
    "nobody hurts but once": lambda: nobody_hurts(first_turn_idle=False, idle_turns=1),
    "defenders hit back": defenders_hit_back,
    "defenders hit back anyone": lambda: defenders_hit_back(idle_rule="anyone", turn_cap=12),
    "answers that kill": answers_that_kill,
    "answers that kill by attack": lambda: answers_that_kill(riposte_damage="attack", riposte_to="strike"),
    "idle but for answers": idle_but_for_answers,
    "everything": lambda: everything(turn_cap=8),
    "faint": lambda: faint(turn_cap=9),
    "faint, as published": lambda: faint(profile="original", turn_cap=4),
    "ties": lambda: ties(order="initiative"),
    "ties by id": lambda: ties(order="id"),
    "long and short": long_and_short,
    "unopposed": unopposed,
    "unopposed and staying": lambda: unopposed(advance=False),
    "unopposed no more": lambda: unopposed(sides="factions"),
    "an ally owns the tile": an_ally_owns_the_tile,
    "an ally owns the tile of factions": lambda: an_ally_owns_the_tile(sides="factions"),
    "a bystander on the tile": a_bystander_on_the_tile,
    "a stranger on the tile": a_stranger_on_the_tile,
    "an ally wins alone": an_ally_wins_alone,
    "strong": strong,
}
