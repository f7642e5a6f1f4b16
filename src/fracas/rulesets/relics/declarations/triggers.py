"""Every trigger, flag, modifier and status, declared once. Ops are in `ops.py`."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.rulesets.relics.declarations.types import Argument, FlagForm, Kind, ModifierForm, StatusForm, TriggerForm
from fracas.rulesets.relics.rules import constants as codes

_NONE = "0"
TRIGGERS: Mapping[str, TriggerForm] = {
    form.name: form
    for form in (
        TriggerForm("pre", codes.PRE, "Before battle start, right then left.", _NONE, "Before battle"),
        TriggerForm("battle_start", codes.BATTLE_START, "At battle start, left then right.", _NONE, "Battle start"),
        TriggerForm("first_turn", codes.FIRST_TURN, "At the start of the owner's first turn.", _NONE, "First turn"),
        TriggerForm("turn_start", codes.TURN_START, "At the start of each of the owner's turns.", _NONE, "Turn start"),
        TriggerForm("turn_end", codes.TURN_END, "At the end of each of the owner's turns.", _NONE, "Turn end"),
        TriggerForm(
            "every_other_turn",
            codes.EVERY_OTHER_TURN,
            "At the end of the owner's turns 2, 4, 6…",
            _NONE,
            "Every other turn",
        ),
        TriggerForm(
            "every_n_turns",
            codes.EVERY_N_TURNS,
            "At the start of the owner's turns n, 2n, 3n…",
            _NONE,
            "Every {n} turns",
            takes_n=True,
        ),
        TriggerForm(
            "countdown",
            codes.COUNTDOWN,
            "At the start of the owner's turn n, once; hasten, delay and reset_countdowns change it.",
            _NONE,
            "Countdown {n}",
            takes_n=True,
        ),
        TriggerForm(
            "every_n_strikes",
            codes.EVERY_N_STRIKES,
            "After the owner's on-hit effects, at strikes n, 2n, 3n… that it made in this battle.",
            "the strikes made",
            "Every {n} strikes",
            takes_n=True,
        ),
        TriggerForm("on_hit", codes.ON_HIT, "When the owner has made a strike.", "ARMOR and HP it took", "On hit"),
        TriggerForm(
            "on_struck",
            codes.ON_STRUCK,
            "When the enemy has made a strike on the owner, after on_hit and every_n_strikes.",
            "ARMOR and HP it took",
            "When struck",
        ),
        TriggerForm(
            "on_damaged",
            codes.ON_DAMAGED,
            "When damage by the enemy took ARMOR or HP of the owner, unless a retaliation caused it.",
            "ARMOR and HP lost",
            "When damaged",
        ),
        TriggerForm("hp_lost", codes.HP_LOST, "When the owner lost HP in any way.", "HP lost", "When you lose HP"),
        TriggerForm(
            "armor_lost",
            codes.ARMOR_LOST,
            "When the owner lost ARMOR in any way.",
            "ARMOR lost",
            "When you lose armor",
        ),
        TriggerForm(
            "armor_gained",
            codes.ARMOR_GAINED,
            "When the owner gained ARMOR.",
            "ARMOR gained",
            "When you gain armor",
        ),
        TriggerForm(
            "speed_gained",
            codes.SPEED_GAINED,
            "When the owner gained SPEED.",
            "SPEED gained",
            "When you gain speed",
        ),
        TriggerForm("on_heal", codes.ON_HEAL, "When a heal raised the owner's HP.", "HP gained", "When healed"),
        TriggerForm(
            "on_overheal",
            codes.ON_OVERHEAL,
            "When a heal exceeded the missing HP.",
            "the excess",
            "When overhealed",
        ),
        TriggerForm(
            "status_gained",
            codes.STATUS_GAINED,
            "When the owner gained stacks of a status.",
            "stacks gained",
            "When you gain {of}",
            takes_status=True,
        ),
        TriggerForm(
            "thorns_gained",
            codes.THORNS_GAINED,
            "When the owner gained Thorns, after status_gained.",
            "stacks gained",
            "When you gain Thorns",
        ),
        TriggerForm(
            "enemy_status_gained",
            codes.ENEMY_STATUS_GAINED,
            "When the enemy gained stacks of a status, after its own triggers.",
            "stacks gained",
            "When the enemy gains {of}",
            takes_status=True,
        ),
        TriggerForm(
            "status_lost",
            codes.STATUS_LOST,
            "When the owner lost stacks of a status in any way.",
            "stacks lost",
            "When you lose {of}",
            takes_status=True,
        ),
        TriggerForm(
            "status_ticked",
            codes.STATUS_TICKED,
            "When Poison, Acid, Riptide or Regen changed the owner's HP or ARMOR at its time.",
            "HP and ARMOR lost or gained",
            "When {of} ticks on you",
            takes_status=True,
        ),
        TriggerForm(
            "strike_skipped",
            codes.STRIKE_SKIPPED,
            "When a stun cost the owner a strike.",
            "stun left",
            "When you skip a strike",
        ),
        TriggerForm("exposed", codes.EXPOSED, "When the owner's ARMOR falls to 0, once.", _NONE, "Exposed"),
        TriggerForm(
            "wounded",
            codes.WOUNDED,
            "When the owner's HP falls to half of its maximum or below, once.",
            _NONE,
            "Wounded",
        ),
        TriggerForm(
            "enemy_exposed",
            codes.ENEMY_EXPOSED,
            "When the enemy becomes Exposed, after its own triggers.",
            _NONE,
            "Enemy exposed",
        ),
        TriggerForm(
            "enemy_wounded",
            codes.ENEMY_WOUNDED,
            "When the enemy becomes Wounded, after its own triggers.",
            _NONE,
            "Enemy wounded",
        ),
        TriggerForm(
            "on_kill",
            codes.ON_KILL,
            "In the death check, when the enemy is at 0 HP or below and the owner is not.",
            "how far below 0 the enemy is",
            "On kill",
        ),
        TriggerForm("speed_lost", codes.SPEED_LOST, "When the owner lost SPEED.", "SPEED lost", "When you lose speed"),
        TriggerForm(
            "attack_gained",
            codes.ATTACK_GAINED,
            "When the owner gained ATK that is not temporary.",
            "ATK gained",
            "When you gain attack",
        ),
        TriggerForm(
            "damage_outside_strikes",
            codes.DAMAGE_OUTSIDE_STRIKES,
            "When the owner's Thorns, or ops of its pieces, damaged the enemy, after the enemy's own triggers.",
            "ARMOR and HP it took",
            "When you deal damage outside strikes",
        ),
    )
}

FLAGS: Mapping[str, FlagForm] = {
    form.name: form
    for form in (
        FlagForm("cant_attack", False, "The owner makes no strikes.", modifier="cannot_attack"),
        FlagForm(
            "on_damaged_deal_damage",
            True,
            "Each time the owner is damaged, it deals this much damage, to ARMOR first.",
            trigger="on_damaged",
            op="deal",
        ),
        FlagForm(
            "on_damaged_gain_thorns",
            True,
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

_BONUS = Argument("amount", Kind.BONUS)
_PERCENT = Argument("percent", Kind.BONUS_PERCENT)
MODIFIERS: Mapping[str, ModifierForm] = {
    form.name: form
    for form in (
        ModifierForm("attack", codes.ATTACK_BONUS, (_BONUS,), "Added to the ATK part.", "{amount} more attack"),
        ModifierForm("attack_pct", codes.ATTACK_PCT, (_PERCENT,), "Per cent of the ATK part.", "{percent} attack"),
        ModifierForm(
            "damage_dealt",
            codes.DAMAGE_DEALT,
            (_BONUS,),
            "Added to each packet of the owner's strikes and ops against the enemy.",
            "deal {amount} more damage",
            takes_tag=True,
            sources=DEALING,
        ),
        ModifierForm(
            "damage_dealt_pct",
            codes.DAMAGE_DEALT_PCT,
            (_PERCENT,),
            "Per cent of each of these packets.",
            "deal {percent} damage",
            takes_tag=True,
            sources=DEALING,
        ),
        ModifierForm(
            "damage_taken",
            codes.DAMAGE_TAKEN,
            (_BONUS,),
            "Added to each packet that the owner takes.",
            "take {amount} more damage",
            takes_tag=True,
            sources=TAKING,
        ),
        ModifierForm(
            "damage_taken_pct",
            codes.DAMAGE_TAKEN_PCT,
            (_PERCENT,),
            "Per cent of each of these packets.",
            "take {percent} damage",
            takes_tag=True,
            sources=TAKING,
        ),
        ModifierForm(
            "healing",
            codes.HEALING,
            (_BONUS,),
            "Added to each heal of the owner.",
            "{amount} more HP from each heal",
            takes_tag=True,
            sources=HEALING,
        ),
        ModifierForm(
            "healing_pct",
            codes.HEALING_PCT,
            (_PERCENT,),
            "Per cent of each of these heals.",
            "{percent} HP from heals",
            takes_tag=True,
            sources=HEALING,
        ),
        ModifierForm(
            "armor_gained",
            codes.ARMOR_GAIN,
            (_BONUS,),
            "Added to each gain of ARMOR by gain, gain_armor and onhit_gain_armor.",
            "gain {amount} more armor each time",
            takes_tag=True,
        ),
        ModifierForm(
            "stacks_given",
            codes.STACKS_GIVEN,
            (Argument("status", Kind.STATUS), _BONUS),
            "Added to the stacks of this status each time the owner's give, gain_thorns or similar op gives some.",
            "give {amount} more {status} each time",
            takes_tag=True,
        ),
        ModifierForm(
            "strikes",
            codes.STRIKES,
            (_BONUS,),
            "Added to the strikes of the owner's turn, asked once before its first.",
            "strike {amount} more time(s) each turn",
        ),
        ModifierForm(
            "on_hit_runs",
            codes.ON_HIT_RUNS,
            (_BONUS,),
            "All on-hit effects run this many more times after each strike.",
            "on-hit effects run {amount} more time(s)",
        ),
        ModifierForm(
            "immune",
            codes.IMMUNE,
            (Argument("status", Kind.STATUS),),
            "The owner gains no stacks of this status.",
            "you cannot gain {status}",
        ),
        ModifierForm(
            "thorns_kept",
            codes.THORNS_KEPT,
            (),
            "The owner keeps its Thorns at the end of a turn.",
            "you keep your Thorns",
        ),
        ModifierForm(
            "ignores_armor",
            codes.IGNORES_ARMOR,
            (),
            "The ATK part of the owner's strikes goes to HP.",
            "strikes ignore armor",
        ),
        ModifierForm("cannot_attack", codes.CANNOT_ATTACK, (), "The owner makes no strikes.", "you cannot attack"),
    )
}

STATUS_FORMS: Mapping[str, StatusForm] = {
    form.name: form
    for form in (
        StatusForm("freeze", codes.FREEZE, "The ATK part of a strike on its owner is halved, rounded down."),
        StatusForm("thorns", codes.THORNS, "A fighter that strikes its owner takes this much damage, to ARMOR first."),
        StatusForm(
            "poison", codes.POISON, "At the start of its owner's turn, if it has no ARMOR: this much damage to HP."
        ),
        StatusForm("acid", codes.ACID, "At the start of its owner's turn: lose this much ARMOR."),
        StatusForm("riptide", codes.RIPTIDE, "At the end of its owner's turn: 5 damage."),
        StatusForm("stun", codes.STUN, "Its owner's next strike is skipped."),
        StatusForm("regen", codes.REGEN, "At the end of its owner's turn: heal this much."),
    )
}
