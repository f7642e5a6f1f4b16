"""Every trigger, flag, modifier and status, declared once. Ops are in `ops.py`."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.rulesets.relics.declarations.types import (
    Argument,
    ArgumentKind,
    FlagForm,
    ModifierForm,
    Payload,
    TriggerForm,
)

TRIGGERS: Mapping[str, TriggerForm] = {
    form.name: form
    for form in (
        TriggerForm("pre", "Before battle start, right then left.", "Before battle"),
        TriggerForm("battle_start", "At battle start, left then right.", "Battle start"),
        TriggerForm("first_turn", "At the start of the owner's first turn.", "First turn"),
        TriggerForm("turn_start", "At the start of each of the owner's turns.", "Turn start"),
        TriggerForm("turn_end", "At the end of each of the owner's turns.", "Turn end"),
        TriggerForm("every_other_turn", "At the end of the owner's turns 2, 4, 6…", "Every other turn"),
        TriggerForm("every_n_turns", "At the start of the owner's turns n, 2n, 3n…", "Every {n} turns"),
        TriggerForm(
            "countdown",
            "At the start of the owner's turn n, once; hasten, delay and reset_countdowns change it.",
            "Countdown {n}",
        ),
        TriggerForm(
            "every_n_strikes",
            "After the owner's on-hit effects, at strikes n, 2n, 3n… that it made in this battle.",
            "Every {n} strikes",
            Payload("the strikes made", "the number of your strikes"),
        ),
        TriggerForm(
            "on_hit",
            "When the owner has made a strike.",
            "On hit",
            Payload("ARMOR and HP it took", "the strike's damage"),
        ),
        TriggerForm(
            "on_struck",
            "When the enemy has made a strike on the owner, after on_hit and every_n_strikes.",
            "When struck",
            Payload("ARMOR and HP it took", "the strike's damage"),
        ),
        TriggerForm(
            "on_damaged",
            "When damage by the enemy took ARMOR or HP of the owner, unless a retaliation caused it.",
            "When damaged",
            Payload("ARMOR and HP lost", "the damage"),
        ),
        TriggerForm(
            "hp_lost", "When the owner lost HP in any way.", "When you lose HP", Payload("HP lost", "the loss")
        ),
        TriggerForm(
            "armor_lost",
            "When the owner lost ARMOR in any way.",
            "When you lose armor",
            Payload("ARMOR lost", "the loss"),
        ),
        TriggerForm(
            "armor_gained", "When the owner gained ARMOR.", "When you gain armor", Payload("ARMOR gained", "the gain")
        ),
        TriggerForm(
            "speed_gained", "When the owner gained SPEED.", "When you gain speed", Payload("SPEED gained", "the gain")
        ),
        TriggerForm("on_heal", "When a heal raised the owner's HP.", "When healed", Payload("HP gained", "the heal")),
        TriggerForm(
            "on_overheal",
            "When a heal exceeded the missing HP.",
            "When overhealed",
            Payload("the excess", "the excess"),
        ),
        TriggerForm(
            "status_gained",
            "When the owner gained stacks of a status.",
            "When you gain {of}",
            Payload("stacks gained", "the gain"),
        ),
        TriggerForm(
            "thorns_gained",
            "When the owner gained Thorns, after status_gained.",
            "When you gain Thorns",
            Payload("stacks gained", "the gain"),
        ),
        TriggerForm(
            "enemy_status_gained",
            "When the enemy gained stacks of a status, after its own triggers.",
            "When the enemy gains {of}",
            Payload("stacks gained", "the gain"),
        ),
        TriggerForm(
            "status_lost",
            "When the owner lost stacks of a status in any way.",
            "When you lose {of}",
            Payload("stacks lost", "the loss"),
        ),
        TriggerForm(
            "status_ticked",
            "When Poison, Acid, Riptide or Regen changed the owner's HP or ARMOR at its time.",
            "When {of} ticks on you",
            Payload("HP and ARMOR lost or gained", "the tick"),
        ),
        TriggerForm(
            "strike_skipped",
            "When a stun cost the owner a strike.",
            "When you skip a strike",
            Payload("stun left", "the remaining Stun"),
        ),
        TriggerForm("exposed", "When the owner's ARMOR falls to 0, once.", "Exposed"),
        TriggerForm("wounded", "When the owner's HP falls to half of its maximum or below, once.", "Wounded"),
        TriggerForm("enemy_exposed", "When the enemy becomes Exposed, after its own triggers.", "Enemy exposed"),
        TriggerForm("enemy_wounded", "When the enemy becomes Wounded, after its own triggers.", "Enemy wounded"),
        TriggerForm(
            "on_kill",
            "In the death check, when the enemy is at 0 HP or below and the owner is not.",
            "On kill",
            Payload("how far below 0 the enemy is", "the excess"),
        ),
        TriggerForm(
            "speed_lost", "When the owner lost SPEED.", "When you lose speed", Payload("SPEED lost", "the loss")
        ),
        TriggerForm(
            "attack_gained",
            "When the owner gained ATK that is not temporary.",
            "When you gain attack",
            Payload("ATK gained", "the gain"),
        ),
        TriggerForm(
            "damage_outside_strikes",
            "When the owner's Thorns, or ops of its pieces, damaged the enemy, after the enemy's own triggers.",
            "When you deal damage outside strikes",
            Payload("ARMOR and HP it took", "the damage"),
        ),
    )
}

FLAGS: Mapping[str, FlagForm] = {
    form.name: form
    for form in (
        FlagForm("cant_attack", "The owner makes no strikes.", modifier="cannot_attack"),
        FlagForm(
            "on_damaged_deal_damage",
            "Each time the owner is damaged, it deals this much damage, to ARMOR first.",
            trigger="on_damaged",
            op="deal",
        ),
        FlagForm(
            "on_damaged_gain_thorns",
            "Each time the owner is damaged, it gains this much Thorns.",
            trigger="on_damaged",
            op="gain_thorns",
        ),
    )
}

# The sources that a modifier may be limited to: pieces or a rule.
DEALING = ("strike", "pieces")
TAKING = ("strike", "pieces", "thorns", "poison", "riptide")
HEALING = ("pieces", "regen")
SOURCES = tuple(dict.fromkeys((*DEALING, *TAKING, *HEALING)))

_BONUS = Argument("amount", ArgumentKind.BONUS)
_PERCENT = Argument("percent", ArgumentKind.BONUS_PERCENT)
MODIFIERS: Mapping[str, ModifierForm] = {
    form.name: form
    for form in (
        ModifierForm("attack", (_BONUS,), "Added to the ATK part.", "{amount} more attack"),
        ModifierForm("attack_pct", (_PERCENT,), "Per cent of the ATK part.", "{percent} attack"),
        ModifierForm(
            "damage_dealt",
            (_BONUS,),
            "Added to each packet of the owner's strikes and ops against the enemy.",
            "deal {amount} more damage",
            sources=DEALING,
        ),
        ModifierForm(
            "damage_dealt_pct",
            (_PERCENT,),
            "Per cent of each of these packets.",
            "deal {percent} damage",
            sources=DEALING,
        ),
        ModifierForm(
            "damage_taken",
            (_BONUS,),
            "Added to each packet that the owner takes.",
            "take {amount} more damage",
            sources=TAKING,
        ),
        ModifierForm(
            "damage_taken_pct",
            (_PERCENT,),
            "Per cent of each of these packets.",
            "take {percent} damage",
            sources=TAKING,
        ),
        ModifierForm(
            "healing", (_BONUS,), "Added to each heal of the owner.", "{amount} more HP from each heal", sources=HEALING
        ),
        ModifierForm(
            "healing_pct", (_PERCENT,), "Per cent of each of these heals.", "{percent} HP from heals", sources=HEALING
        ),
        ModifierForm(
            "armor_gained",
            (_BONUS,),
            "Added to each gain of ARMOR by gain, gain_armor and onhit_gain_armor.",
            "gain {amount} more armor each time",
            sources=(),
        ),
        ModifierForm(
            "stacks_given",
            (Argument("status", ArgumentKind.STATUS), _BONUS),
            "Added to the stacks of this status each time the owner's give, gain_thorns or similar op gives some.",
            "give {amount} more {status} each time",
            sources=(),
        ),
        ModifierForm(
            "strikes",
            (_BONUS,),
            "Added to the strikes of the owner's turn, asked once before its first.",
            "strike {amount} more time(s) each turn",
        ),
        ModifierForm(
            "on_hit_runs",
            (_BONUS,),
            "All on-hit effects run this many more times after each strike.",
            "on-hit effects run {amount} more time(s)",
        ),
        ModifierForm(
            "immune",
            (Argument("status", ArgumentKind.STATUS),),
            "The owner gains no stacks of this status.",
            "you cannot gain {status}",
        ),
        ModifierForm("thorns_kept", (), "The owner keeps its Thorns at the end of a turn.", "you keep your Thorns"),
        ModifierForm("ignores_armor", (), "The ATK part of the owner's strikes goes to HP.", "strikes ignore armor"),
        ModifierForm("cannot_attack", (), "The owner makes no strikes.", "you cannot attack"),
    )
}

# What each status does.
STATUS_DOCS: Mapping[str, str] = {
    "freeze": "The ATK part of a strike on its owner is halved, rounded down.",
    "thorns": "A fighter that strikes its owner takes this much damage, to ARMOR first.",
    "poison": "At the start of its owner's turn, if it has no ARMOR: this much damage to HP.",
    "acid": "At the start of its owner's turn: lose this much ARMOR.",
    "riptide": "At the end of its owner's turn: 5 damage.",
    "stun": "Its owner's next strike is skipped.",
    "regen": "At the end of its owner's turn: heal this much.",
}
