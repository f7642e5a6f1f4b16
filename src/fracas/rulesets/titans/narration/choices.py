"""What a player can choose, in a few words."""

from __future__ import annotations

from typing import Any

from fracas.rulesets.contract.types import Document


def basic_choices(options: Document) -> dict[str, str]:
    """What the choices do that every titan has, by name."""
    return {
        "attack": "Attack times 1 to 2, minus the opponent's Defense",
        "defend": f"Defense counts 1.5 to 2 times; +{options['defend_charge']} charge if attacked",
        "rest": f"+{options['rest_charge']} charge",
    }


def effect_words(effect: dict[str, Any]) -> str:
    """Describe an ability's effect in a few words."""
    kind = effect["type"]
    amount = effect.get("amount")
    if effect.get("stat") is not None and kind != "change":
        amount = f"{effect['times']:g} x {effect['stat']}"
    elif effect.get("dealt") is not None:
        amount = f"{effect['dealt']}% of the damage"
    whose = "own " if effect.get("on") == "self" else "the opponent's "
    if kind == "change":
        rounds = effect["rounds"]
        return f"{whose}{effect['stat']} {effect['percent']:+}% for {rounds} round{'s' if rounds != 1 else ''}"
    if kind in ("charge", "set_charge"):
        return (
            f"{whose}charge {'to ' if kind == 'set_charge' else ''}{amount if kind == 'set_charge' else f'{amount:+}'}"
        )
    return "removes effects that lower a stat" if kind == "cleanse" else f"{kind} {amount}"
