"""Facts and conditions in English for item texts; "you" is the owner of the item."""

from __future__ import annotations

from math import gcd

from fracas.conditions import And, Comparison, Constant, Named, Not, Or, Status, Tree, Versus, parse
from fracas.conditions.tree import MULTIPLE_OF
from fracas.rulesets.relics.content.op_forms import AmountOf
from fracas.rulesets.relics.content.vocabulary import least_of, vocabulary_for
from fracas.rulesets.relics.declarations.triggers import TRIGGERS
from fracas.rulesets.relics.declarations.types import NO_PAYLOAD
from fracas.rulesets.relics.rules.constants import STATUSES

OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
HALF = 50

# Quantities of a fighter: singular and plural.
_STATS = {
    "hp": ("HP", "HP"),
    "hp_max": ("full HP", "full HP"),
    "attack": ("attack", "attack"),
    "temp_attack": ("temporary attack", "temporary attack"),
    "armor": ("armor", "armor"),
    "speed": ("speed", "speed"),
    "hp_missing": ("missing HP", "missing HP"),
    "base_attack": ("base attack", "base attack"),
    "base_armor": ("base armor", "base armor"),
    "base_speed": ("base speed", "base speed"),
    "items": ("item", "items"),
    "empty_slots": ("empty slot", "empty slots"),
}
_QUANTITIES = _STATS | {status: (status.capitalize(), status.capitalize()) for status in STATUSES}
# Achievements of a fighter: a verb and its object, singular and plural.
_DEEDS = {
    "phase": ("reached", "phase", "phases"),
    "strikes_made": ("made", "strike", "strikes"),
    "own_turn": ("had", "turn", "turns"),
}
# Yes-or-no facts of a fighter: affirmed and negated; `is` and `has` are conjugated.
_STATES = {
    "struck": ("{has} been struck", "{has} not been struck"),
    "was_exposed": ("{has} been exposed", "{has} not been exposed"),
    "was_wounded": ("{has} been wounded", "{has} not been wounded"),
    "faster": ("{is} faster", "{is} not faster"),
}
_MOMENTS = {
    "first_turn": ("it is your first turn", "it is not your first turn"),
    "is_own_turn": ("it is your turn", "it is not your turn"),
}
_FORMS = {
    "self": {"who": "you", "is": "are", "has": "have", "whose": "your"},
    "enemy": {"who": "the enemy", "is": "is", "has": "has", "whose": "its"},
}
_PAYLOAD = "{payload}"
_SUBJECTS = {"turn": "the turn", "strike": "the strike of the turn", "payload": _PAYLOAD, "counter": "the counter"}


def titled_status(name: str) -> str:
    """A status in words. Texts see only the item, so an own status is named by its id, made readable."""
    return name.replace("_", " ").title()


def _several(name: str) -> tuple[str, str]:
    """Singular and plural of a quantity; an unknown name is an own status."""
    return _QUANTITIES.get(name, (titled_status(name),) * 2)


def number_words(count: int) -> str:
    """How often: once, twice, 3 times."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def for_each(amount: AmountOf, factor: int, trigger: str = "") -> tuple[int, str]:
    """A counted amount as a number and a suffix, such as `2` and ` for each item you have`; negative takes away."""
    times = amount.times * (1 if amount.per == 100 else factor)
    shared = gcd(times, amount.per) or 1
    times, per = times // shared, amount.per // shared
    single, several = _counted(amount.of, trigger)
    rounded = ", rounded down" if per > 1 and abs(times) > 1 else ""
    return times, f" for each {single}{rounded}" if per == 1 else f" for every {per} {several}{rounded}"


def _counted(fact: str, trigger: str) -> tuple[str, str]:
    """Singular and plural of what an amount is counted from."""
    who, dot, name = fact.partition(".")
    if who == "tags":
        return f"{name} piece you wear", f"{name} pieces you wear"
    if dot:
        forms = _FORMS[who]
        if name in _DEEDS:
            deed, single, several = _DEEDS[name]
            ending = f" {forms['who']} {forms['has']} {deed}"
        else:
            single, several = _several(name)
            if single == several:
                single = several = f"point of {single}" if name in _STATS else f"stack of {single}"
                several = several.replace("point", "points").replace("stack", "stacks")
            ending = f" {forms['who']} {forms['has']}"
        return single + ending, several + ending
    return {
        "turn": ("turn of the battle", "turns of the battle"),
        "strike": ("strike this turn", "strikes this turn"),
        "payload": (f"point of {_payload(trigger)}", f"points of {_payload(trigger)}"),
        "counter": ("count", "counts"),
    }[fact]


def _payload(trigger: str) -> str:
    return TRIGGERS[trigger].payload.text if trigger else NO_PAYLOAD.text


def condition_words(condition: object, trigger: str = "") -> str:
    """A condition in English, to follow "if"; `trigger` names the payload that it may ask about.

    Raises:
        InputError: the condition is not valid in relics.
    """
    tree = parse(condition, vocabulary_for(condition), where="if", content=True).tree
    return "always" if tree is None else _words(tree, True).replace(_PAYLOAD, _payload(trigger))


def _words(tree: Tree, wanted: bool) -> str:
    """A tree in words, affirmed or negated."""
    match tree:
        case Named(_, inner):
            return _words(inner, wanted)
        case Not(part):
            return _words(part, not wanted)
        case And(parts) | Or(parts):
            word = "and" if isinstance(tree, And) == wanted else "or"
            return f" {word} ".join(_part(part, wanted) for part in parts)
        case Comparison(fact, operator, number):
            return _comparison(fact, operator, number, wanted)
        case Versus(fact, operator, other):
            return _contest(fact, operator if wanted else OPPOSITES[operator], other)
        case Status(subject, status):
            return _state(subject, status, wanted)
        case Constant(value):
            return "always" if value == wanted else "never"
    raise AssertionError(f"relics has no groups: {tree}")


def _part(tree: Tree, wanted: bool) -> str:
    bare = tree.tree if isinstance(tree, Named) else tree.part if isinstance(tree, Not) else tree
    text = _words(tree, wanted)
    return f"({text})" if isinstance(bare, And | Or) else text


def _state(subject: str, status: str, wanted: bool) -> str:
    if not subject:
        return _MOMENTS[status][not wanted]
    forms = _FORMS[subject]
    return f"{forms['who']} {_STATES[status][not wanted].format_map(forms)}"


def _comparison(fact: str, operator: str, number: int, wanted: bool) -> str:
    if operator == MULTIPLE_OF:
        # Only even_turn and odd_turn ask for multiples, always of the owner's turn.
        return f"your turn is {'even' if wanted else 'odd'}"
    relation = operator if wanted else OPPOSITES[operator]
    who, dot, name = fact.partition(".")
    if who == "tags":
        return f"you wear {_quantity(relation, number, f'{name} piece', f'{name} pieces')}"
    if not dot:
        return _of_the_moment(fact, relation, number)
    forms = _FORMS[who]
    subject = f"{forms['who']} {forms['has']}"
    if name == "hp_pct":
        share = "half" if number == HALF else f"{number}%"
        return f"{subject} {_relation(relation)} {share} of {forms['whose']} HP"
    if name in _DEEDS:
        deed, single, several = _DEEDS[name]
        return f"{subject} {deed} {_quantity(relation, number, single, several)}"
    if least_of(fact) < 0 and (number < 0 or relation not in (">", ">=")):
        # For quantities that may be negative, "no attack" would be ambiguous.
        return f"{subject} {_relation(relation)} {number} {_several(name)[number != 1]}"
    return f"{subject} {_quantity(relation, number, *_several(name))}"


def _contest(fact: str, relation: str, other: str) -> str:
    """One fact compared with another; names a shared quantity once."""
    left, right = _noun(fact), _noun(other)
    who, _, name = other.partition(".")
    if who == "enemy" and fact == f"self.{name}":
        right = "the enemy's"
    elif who == "self" and fact == f"enemy.{name}":
        right = "yours"
    return f"{left} is {_relation(relation)} {right}"


def _noun(fact: str) -> str:
    """A fact as a noun."""
    who, dot, name = fact.partition(".")
    if not dot:
        return _SUBJECTS[fact]
    if who == "tags":
        return f"the number of your {name} pieces"
    whose = {"self": "your", "enemy": "the enemy's"}[who]
    if name in _DEEDS:
        return f"{whose} phase" if name == "phase" else f"the number of {whose} {_DEEDS[name][2]}"
    if name == "hp_pct":
        return f"{whose} share of HP"
    single, several = _several(name)
    return f"{whose} {several}" if single == several else f"the number of {whose} {several}"


def _of_the_moment(fact: str, relation: str, number: int) -> str:
    """A comparison of a fact that belongs to neither fighter."""
    if fact == "strike" and (relation, number) == ("==", 1):
        return "it is the first strike of the turn"
    return f"{_SUBJECTS[fact]} is {_relation(relation)} {number}"


def _quantity(relation: str, number: int, single: str, several: str) -> str:
    """A relation to a number of things: `fewer than 3 items`, `no items`."""
    if (relation, number) in ((">", 0), (">=", 1), ("!=", 0)):
        return several
    if (relation, number) in (("==", 0), ("<=", 0), ("<", 1)):
        return f"no {several}"
    less = relation == "<" and single != several
    return f"{'fewer than' if less else _relation(relation)} {number} {single if number == 1 else several}"


def _relation(relation: str) -> str:
    return {
        "<": "less than",
        "<=": "at most",
        ">": "more than",
        ">=": "at least",
        "==": "exactly",
        "!=": "not exactly",
    }[relation]
