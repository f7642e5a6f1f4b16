"""Every op that an effect can use, declared once.

Models, the compiler, schemas, the tables of the rule book, reference pages and item texts are generated from this table
and from those in `triggers.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fracas.rulesets.relics.declarations.types import Argument, ArgumentKind, OpForm
from fracas.rulesets.relics.rules import constants as codes

_AMOUNT = Argument("amount", ArgumentKind.AMOUNT)
_ANY_AMOUNT = Argument("amount", ArgumentKind.AMOUNT_OR_ALL)
_STAT = Argument("stat", ArgumentKind.STAT)
_STATUS = Argument("status", ArgumentKind.STATUS_WORD)
_ON_SELF = Argument("target", ArgumentKind.TARGET, "self")
_ON_ENEMY = Argument("target", ArgumentKind.TARGET, "enemy")
_TARGET = Argument("target", ArgumentKind.TARGET)

_SELF: Mapping[str, str | int] = {"target": "self"}
_ENEMY: Mapping[str, str | int] = {"target": "enemy"}

_VERB_OPS = {
    form.name: form
    for form in (
        OpForm(
            "gain",
            codes.GAIN,
            (_STAT, _AMOUNT, _ON_SELF),
            "A stat grows; `health` raises the maximum and HP alike.",
            "{who} gain{s} {amount} {stat}",
            "gain {amount} {stat}",
        ),
        OpForm(
            "lose",
            codes.LOSE,
            (_STAT, _ANY_AMOUNT, _ON_SELF),
            "A stat shrinks: ARMOR down to 0, ATK and SPEED below it, `health` (the maximum) down to 1.",
            "{who} lose{s} {amount} {stat}",
            "lose {amount} {stat}",
            on_hit=codes.REMOVING,
        ),
        OpForm(
            "temporary_attack",
            codes.GAIN,
            (_AMOUNT, _ON_SELF),
            "ATK for the rest of the target's turn, or for its next turn outside of it.",
            "{who} gain{s} {amount} attack for a turn",
            "gain {amount} attack for a turn",
            fixed={"stat": "temp_attack"},
        ),
        OpForm(
            "set",
            codes.SET,
            (_STAT, Argument("amount", ArgumentKind.NUMBER), _ON_SELF),
            "A stat becomes a number.",
            "set {whose} {stat} to {amount}",
        ),
        OpForm("double", codes.DOUBLE, (_STAT, _ON_SELF), "Doubles a stat that is above 0.", "double {whose} {stat}"),
        OpForm(
            "halve",
            codes.HALVE,
            (_STAT, _ON_ENEMY),
            "Halves a stat that is above 0, rounded down.",
            "halve {whose} {stat}",
            on_hit=codes.REMOVING,
        ),
        OpForm(
            "restore",
            codes.RESTORE,
            (_STAT, _ON_SELF),
            "A stat that is below its base grows up to it.",
            "restore {whose} base {stat}",
        ),
        OpForm(
            "steal",
            codes.STEAL,
            (_STAT, _ANY_AMOUNT),
            "The enemy loses up to the amount of a stat, and the owner gains what it lost.",
            "steal {amount} {stat}",
            fixed=_ENEMY,
        ),
        OpForm(
            "heal",
            codes.HEAL,
            (_AMOUNT, _ON_SELF),
            "HP grows, at most to the maximum.",
            "heal {whom} for {amount}",
            "heal {amount}",
        ),
        OpForm(
            "heal_full", codes.HEAL_FULL, (_ON_SELF,), "Heals all missing HP.", "heal {whom} to full", "heal to full"
        ),
        OpForm(
            "deal",
            codes.DEAL,
            (_AMOUNT, _ON_ENEMY),
            "Damage, to ARMOR first.",
            "deal {amount} damage to {whom}",
            "take {amount} damage",
            on_hit=codes.EXTRA,
        ),
        OpForm(
            "pierce",
            codes.PIERCE,
            (_AMOUNT, _ON_ENEMY),
            "Damage straight to HP.",
            "deal {amount} damage through armor to {whom}",
            "take {amount} damage through armor",
            on_hit=codes.EXTRA,
        ),
        OpForm(
            "lose_hp",
            codes.LOSE,
            (_AMOUNT, _ON_SELF),
            "The target loses HP; this is not damage.",
            "{who} lose{s} {amount} HP",
            "lose {amount} HP",
            fixed={"stat": "hp"},
            on_hit=codes.EXTRA,
        ),
        OpForm(
            "execute",
            codes.EXECUTE,
            (Argument("amount", ArgumentKind.NUMBER), _ON_ENEMY),
            "A target with HP above 0 and at most the amount loses all of it; this is not damage.",
            "execute {whom} at {amount} HP or less",
            on_hit=codes.EXTRA,
        ),
        OpForm(
            "give",
            codes.GAIN,
            (_STATUS, _AMOUNT, _TARGET),
            "Adds stacks of a status.",
            "give {whom} {amount} {status}",
            "gain {amount} {status}",
        ),
        OpForm(
            "remove",
            codes.LOSE,
            (_STATUS, _ANY_AMOUNT, _TARGET),
            "Removes stacks of a status, at most as many as there are.",
            "remove {amount} {status} from {whom}",
            "lose {amount} {status}",
            on_hit=codes.REMOVING,
        ),
        OpForm(
            "move",
            codes.MOVE,
            (Argument("status", ArgumentKind.STATUS_WORD), _ANY_AMOUNT, Argument("to", ArgumentKind.FIGHTER, "enemy")),
            "Stacks of a status move from one fighter to the other.",
            "move {amount} {status} to {whom}",
            "take {amount} {status} from the enemy",
        ),
        OpForm(
            "convert",
            codes.CONVERT,
            (
                Argument("from", ArgumentKind.QUANTITY_WORD),
                Argument("to", ArgumentKind.QUANTITY),
                _ANY_AMOUNT,
                _ON_SELF,
            ),
            "The target loses up to the amount of one quantity and gains as much of another.",
            "convert {amount} of {whose} {from} into {to}",
        ),
        OpForm(
            "spend",
            codes.SPEND,
            (Argument("what", ArgumentKind.QUANTITY), _ANY_AMOUNT),
            "The owner pays exactly this amount, and the effect goes on; if it has less, the effect ends here.",
            "spend {amount} {what}",
            fixed=_SELF,
        ),
        OpForm(
            "extra_strikes",
            codes.EXTRA_STRIKES,
            (_AMOUNT, Argument("when", ArgumentKind.MOMENT, "now"), _ON_SELF),
            "More strikes, in this turn, the next, or every turn.",
            "{who} strike{s} {amount} more time(s) {when}",
            "strike {amount} more time(s) {when}",
        ),
        OpForm(
            "retrigger",
            codes.RETRIGGER,
            (
                Argument("trigger", ArgumentKind.TRIGGER),
                Argument("which", ArgumentKind.SELECTION, "all"),
                Argument("tag", ArgumentKind.TAG, ""),
            ),
            "Effects of other pieces of the owner run once more.",
            "run “{trigger}” of {which} again",
            fixed=_SELF,
        ),
        OpForm(
            "hasten",
            codes.HASTEN,
            (_AMOUNT, _ON_SELF),
            "Shortens running countdowns; one that reaches 0 runs at once.",
            "shorten {whose} countdowns by {amount}",
        ),
        OpForm(
            "delay",
            codes.DELAY,
            (_AMOUNT, _ON_ENEMY),
            "Lengthens running countdowns.",
            "lengthen {whose} countdowns by {amount}",
        ),
        OpForm(
            "reset_countdowns",
            codes.RESET_COUNTDOWNS,
            (_ON_SELF,),
            "All countdowns start again, including those that have run.",
            "restart {whose} countdowns",
        ),
        OpForm("count", codes.COUNT, (_AMOUNT,), "The item's own counter grows.", "count up by {amount}", fixed=_SELF),
        OpForm(
            "set_counter",
            codes.SET_COUNTER,
            (Argument("amount", ArgumentKind.NUMBER),),
            "The item's own counter becomes a number.",
            "set the counter to {amount}",
            fixed=_SELF,
        ),
    )
}


def _seed(
    name: str, general: str, doc: str, text: str = "", *, when: str = "", on_hit: bool = False, **fixed: str
) -> OpForm:
    """An op of the seed: a general one, some of whose arguments its name implies; `text` replaces that one's text."""
    form = _VERB_OPS[general]
    left = tuple(argument for argument in form.arguments if argument.name not in fixed)
    texts: dict[str, Any] = {"text": text, "self_text": ""} if text else {}
    return replace(form, name=name, arguments=left, doc=doc, fixed=fixed, when=when, on_hit_only=on_hit, **texts)


_SEED_OPS = (
    _seed("gain_armor", "gain", "The owner gains ARMOR.", stat="armor", target="self"),
    _seed("gain_thorns", "give", "The owner gains Thorns.", status="thorns", target="self"),
    _seed("gain_freeze", "give", "The owner gains Freeze.", status="freeze", target="self"),
    _seed("gain_speed", "gain", "The owner gains SPEED.", stat="speed", target="self"),
    _seed("gain_atk", "gain", "The owner gains ATK.", stat="attack", target="self"),
    _seed(
        "enemy_hp_minus",
        "pierce",
        "The enemy takes damage straight to HP.",
        "deal {amount} damage through armor",
        target="enemy",
    ),
    _seed("self_hp_plus", "heal", "The owner is healed.", target="self"),
    OpForm(
        "enemy_hp_to_enemy_armor_pct",
        codes.CORRODE,
        (Argument("percent", ArgumentKind.PERCENT),),
        "The enemy loses that share of its present HP, and the same number becomes ARMOR.",
        "convert {percent}% of the enemy's HP into armor",
        fixed=_ENEMY,
    ),
    OpForm(
        "onhit_extra_damage",
        codes.EXTRA_DAMAGE,
        (_AMOUNT,),
        "The enemy takes extra damage that Freeze does not halve.",
        "deal {amount} extra damage",
        fixed=_ENEMY,
        on_hit=codes.EXTRA,
        on_hit_only=True,
    ),
    _seed(
        "onhit_remove_enemy_armor",
        "lose",
        "The enemy loses all ARMOR.",
        "remove all of the enemy's armor",
        on_hit=True,
        stat="armor",
        amount="all",
        target="enemy",
    ),
    _seed("onhit_gain_armor", "gain", "The owner gains ARMOR.", on_hit=True, stat="armor", target="self"),
    _seed("onhit_gain_thorns", "give", "The owner gains Thorns.", on_hit=True, status="thorns", target="self"),
    _seed(
        "if_have_armor_heal",
        "heal",
        "The owner is healed if it has ARMOR.",
        "heal {amount} if you have armor",
        when="have_armor",
        target="self",
    ),
    _seed(
        "if_wounded_heal",
        "heal",
        "The owner is healed if its HP is at or below half of the maximum.",
        "heal {amount} if you have at most half of your HP",
        when="wounded",
        target="self",
    ),
)

OPS: Mapping[str, OpForm] = {form.name: form for form in _SEED_OPS} | _VERB_OPS
