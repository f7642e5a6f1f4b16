"""All that items can be made of: triggers, ops, flags, modifiers and statuses, each declared once.

Models, compiling, schemas, the tables of the rule book, reference pages and the texts of items are made from these
tables. In texts {who}/{s} is the target as the one who does something, {whom} the one to whom it is done, {whose} whose
it is; every other name in braces is an argument.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from fracas.rulesets.relics import constants as codes
from fracas.rulesets.relics.constants import STATS, STATUSES


class Kind(Enum):
    """What an argument may be."""

    AMOUNT = "an amount"
    AMOUNT_OR_ALL = "an amount or all"
    NUMBER = "a number that tiers leave alone"
    STAT = "a stat"
    STATUS = "a status"
    STATUS_WORD = "a status, random or each"
    QUANTITY = "hp, a stat or a status"
    QUANTITY_WORD = "hp, a stat, a status or random"
    TARGET = "self, enemy, both or random"
    FIGHTER = "self or enemy"
    MOMENT = "now, next_turn or every_turn"
    TRIGGER = "a trigger"
    SELECTION = "all, random, left or right"
    TAG = "a tag"
    PERCENT = "a percentage"
    BONUS = "an amount that may be below 0"
    BONUS_PERCENT = "a percentage that may be below 0"


# What one can spend and convert. `health` is left out: hp is what is there, health the maximum.
CONVERTIBLE = ("hp", "armor", "attack", "speed", *STATUSES)
WORDS: Mapping[Kind, tuple[str, ...]] = {
    Kind.STAT: STATS,
    Kind.STATUS: STATUSES,
    Kind.STATUS_WORD: (*STATUSES, "random", "each"),
    Kind.QUANTITY: CONVERTIBLE,
    Kind.QUANTITY_WORD: (*CONVERTIBLE, "random"),
    Kind.TARGET: codes.TARGETS,
    Kind.FIGHTER: ("self", "enemy"),
    Kind.MOMENT: codes.MOMENTS,
    Kind.TRIGGER: codes.TRIGGERS,
    Kind.SELECTION: codes.SELECTIONS,
}
AMOUNTS = (Kind.AMOUNT, Kind.AMOUNT_OR_ALL, Kind.BONUS)


@dataclass(frozen=True, slots=True)
class Argument:
    """Something that an op or a modifier is told; one with a default may be left out."""

    name: str
    kind: Kind
    default: str | int | None = None

    @property
    def tiered(self) -> bool:
        """True if a golden or diamond item multiplies it."""
        return self.kind in AMOUNTS


@dataclass(frozen=True, slots=True)
class OpForm:
    """An op as items write it, and what kernels make of it."""

    name: str
    verb: int
    arguments: tuple[Argument, ...]
    doc: str
    text: str
    self_text: str = ""
    """The text if the target is oneself; empty: the same."""
    fixed: Mapping[str, str | int] = field(default_factory=dict)
    """What the name itself says: arguments, by name, that are not written."""
    when: str = ""
    """A condition that the name implies."""
    on_hit: int = codes.OTHER_ON_HIT
    """Its class among on-hit effects."""
    on_hit_only: bool = False
    seed: bool = False
    """True if it is one of the seed's ops."""

    @property
    def needed(self) -> tuple[Argument, ...]:
        """The arguments that cannot be left out."""
        return tuple(argument for argument in self.arguments if argument.default is None)


@dataclass(frozen=True, slots=True)
class TriggerForm:
    """A moment at which effects run."""

    name: str
    code: int
    doc: str
    payload: str
    text: str
    takes_n: bool = False
    takes_status: bool = False


@dataclass(frozen=True, slots=True)
class FlagForm:
    """A word of an item's `flags`, and the effect or modifier that it stands for."""

    name: str
    takes_number: bool
    doc: str
    trigger: str = ""
    op: str = ""
    modifier: str = ""


@dataclass(frozen=True, slots=True)
class ModifierForm:
    """Something that holds as long as its item is worn and its condition is true."""

    name: str
    code: int
    arguments: tuple[Argument, ...]
    doc: str
    text: str


@dataclass(frozen=True, slots=True)
class StatusForm:
    """A status."""

    name: str
    code: int
    doc: str


_AMOUNT = Argument("amount", Kind.AMOUNT)
_ANY_AMOUNT = Argument("amount", Kind.AMOUNT_OR_ALL)
_ALL = Argument("amount", Kind.AMOUNT_OR_ALL, "all")
_STAT = Argument("stat", Kind.STAT)
_STATUS = Argument("status", Kind.STATUS_WORD)
_ON_SELF = Argument("target", Kind.TARGET, "self")
_ON_ENEMY = Argument("target", Kind.TARGET, "enemy")
_TARGET = Argument("target", Kind.TARGET)

_SELF: Mapping[str, str | int] = {"target": "self"}
_ENEMY: Mapping[str, str | int] = {"target": "enemy"}

SEED_OPS = (
    OpForm(
        "gain_armor",
        codes.GAIN,
        (_AMOUNT,),
        "The owner gains ARMOR.",
        "gain {amount} armor",
        fixed={"stat": "armor", **_SELF},
        seed=True,
    ),
    OpForm(
        "gain_thorns",
        codes.GAIN,
        (_AMOUNT,),
        "The owner gains Thorns.",
        "gain {amount} Thorns",
        fixed={"status": "thorns", **_SELF},
        seed=True,
    ),
    OpForm(
        "gain_freeze",
        codes.GAIN,
        (_AMOUNT,),
        "The owner gains Freeze.",
        "gain {amount} Freeze",
        fixed={"status": "freeze", **_SELF},
        seed=True,
    ),
    OpForm(
        "gain_speed",
        codes.GAIN,
        (_AMOUNT,),
        "The owner gains SPEED.",
        "gain {amount} speed",
        fixed={"stat": "speed", **_SELF},
        seed=True,
    ),
    OpForm(
        "gain_atk",
        codes.GAIN,
        (_AMOUNT,),
        "The owner gains ATK.",
        "gain {amount} attack",
        fixed={"stat": "attack", **_SELF},
        seed=True,
    ),
    OpForm(
        "enemy_hp_minus",
        codes.PIERCE,
        (_AMOUNT,),
        "The enemy takes damage straight to HP.",
        "deal {amount} damage through armor",
        fixed=_ENEMY,
        on_hit=codes.EXTRA,
        seed=True,
    ),
    OpForm(
        "self_hp_plus",
        codes.HEAL,
        (_AMOUNT,),
        "The owner is healed.",
        "heal {amount}",
        fixed=_SELF,
        seed=True,
    ),
    OpForm(
        "enemy_hp_to_enemy_armor_pct",
        codes.CORRODE,
        (Argument("percent", Kind.PERCENT),),
        "The enemy loses that share of its present HP, and the same number becomes ARMOR.",
        "convert {percent}% of the enemy's HP into armor",
        fixed=_ENEMY,
        seed=True,
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
        seed=True,
    ),
    OpForm(
        "onhit_remove_enemy_armor",
        codes.LOSE,
        (),
        "The enemy loses all ARMOR.",
        "remove all of the enemy's armor",
        fixed={"stat": "armor", "amount": "all", **_ENEMY},
        on_hit=codes.REMOVING,
        on_hit_only=True,
        seed=True,
    ),
    OpForm(
        "onhit_gain_armor",
        codes.GAIN,
        (_AMOUNT,),
        "The owner gains ARMOR.",
        "gain {amount} armor",
        fixed={"stat": "armor", **_SELF},
        on_hit_only=True,
        seed=True,
    ),
    OpForm(
        "onhit_gain_thorns",
        codes.GAIN,
        (_AMOUNT,),
        "The owner gains Thorns.",
        "gain {amount} Thorns",
        fixed={"status": "thorns", **_SELF},
        on_hit_only=True,
        seed=True,
    ),
    OpForm(
        "if_have_armor_heal",
        codes.HEAL,
        (_AMOUNT,),
        "The owner is healed if it has ARMOR.",
        "if you have armor, heal {amount}",
        fixed=_SELF,
        when="have_armor",
        seed=True,
    ),
    OpForm(
        "if_wounded_heal",
        codes.HEAL,
        (_AMOUNT,),
        "The owner is healed if its HP is at or below half of the maximum.",
        "if you are wounded, heal {amount}",
        fixed=_SELF,
        when="wounded",
        seed=True,
    ),
)

VERB_OPS = (
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
        "ATK for the rest of the target's turn; outside of it, for its next.",
        "{who} gain{s} {amount} attack for a turn",
        "gain {amount} attack for a turn",
        fixed={"stat": "temp_attack"},
    ),
    OpForm(
        "set",
        codes.SET,
        (_STAT, Argument("amount", Kind.NUMBER), _ON_SELF),
        "A stat becomes a number.",
        "set {whose} {stat} to {amount}",
    ),
    OpForm(
        "double",
        codes.DOUBLE,
        (_STAT, _ON_SELF),
        "A stat above 0 grows by as much as it is.",
        "double {whose} {stat}",
    ),
    OpForm(
        "halve",
        codes.HALVE,
        (_STAT, _ON_ENEMY),
        "A stat above 0 shrinks by half of what it is, rounded up, so that half rounded down is left.",
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
        "The enemy loses of a stat what it has of it, at most the amount, and the owner gains as much.",
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
        "heal_full",
        codes.HEAL_FULL,
        (_ON_SELF,),
        "Heals all that is missing.",
        "heal {whom} to full",
        "heal to full",
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
        "HP is lost; that is no damage.",
        "{who} lose{s} {amount} HP",
        "lose {amount} HP",
        fixed={"stat": "hp"},
        on_hit=codes.EXTRA,
    ),
    OpForm(
        "execute",
        codes.EXECUTE,
        (Argument("amount", Kind.NUMBER), _ON_ENEMY),
        "Whoever has at most so many HP, and more than 0, loses them all; that is no damage.",
        "execute {whom} at {amount} HP or less",
        on_hit=codes.EXTRA,
    ),
    OpForm(
        "give",
        codes.GAIN,
        (_STATUS, _AMOUNT, _TARGET),
        "Stacks of a status are added.",
        "give {whom} {amount} {status}",
        "gain {amount} {status}",
    ),
    OpForm(
        "remove",
        codes.LOSE,
        (_STATUS, _ANY_AMOUNT, _TARGET),
        "Stacks of a status are taken away, as many as there are.",
        "remove {amount} {status} from {whom}",
        "lose {amount} {status}",
        on_hit=codes.REMOVING,
    ),
    OpForm(
        "move",
        codes.MOVE,
        (
            Argument("status", Kind.STATUS_WORD),
            _ANY_AMOUNT,
            Argument("to", Kind.FIGHTER, "enemy"),
        ),
        "Stacks of a status go from the one fighter to the other.",
        "move {amount} {status} to {whom}",
        "take over {amount} {status}",
    ),
    OpForm(
        "convert",
        codes.CONVERT,
        (
            Argument("from", Kind.QUANTITY_WORD),
            Argument("to", Kind.QUANTITY),
            _ANY_AMOUNT,
            _ON_SELF,
        ),
        "Something is lost, at most what is there, and as much of something else gained.",
        "convert {amount} of {whose} {from} into {to}",
    ),
    OpForm(
        "spend",
        codes.SPEND,
        (Argument("what", Kind.QUANTITY), _ANY_AMOUNT),
        "The owner loses exactly so much, and the effect goes on; if it has less, the effect ends here.",
        "spend {amount} {what}",
        fixed=_SELF,
    ),
    OpForm(
        "extra_strikes",
        codes.EXTRA_STRIKES,
        (_AMOUNT, Argument("when", Kind.MOMENT, "now"), _ON_SELF),
        "More strikes, in this turn, the next, or every turn.",
        "{who} strike{s} {amount} more time(s) {when}",
        "strike {amount} more time(s) {when}",
    ),
    OpForm(
        "retrigger",
        codes.RETRIGGER,
        (
            Argument("trigger", Kind.TRIGGER),
            Argument("which", Kind.SELECTION, "all"),
            Argument("tag", Kind.TAG, ""),
        ),
        "Effects of other pieces of the owner run once more.",
        "retrigger {trigger} of {which} {tag} piece(s)",
        fixed=_SELF,
    ),
    OpForm(
        "hasten",
        codes.HASTEN,
        (_AMOUNT, _ON_SELF),
        "Countdowns that are running come nearer; one that reaches 0 runs at once.",
        "{whose} countdowns come {amount} nearer",
    ),
    OpForm(
        "delay",
        codes.DELAY,
        (_AMOUNT, _ON_ENEMY),
        "Countdowns that are running move away.",
        "{whose} countdowns move {amount} away",
    ),
    OpForm(
        "reset_countdowns",
        codes.RESET_COUNTDOWNS,
        (_ON_SELF,),
        "All countdowns begin anew, those that have run as well.",
        "{whose} countdowns begin anew",
    ),
    OpForm(
        "count",
        codes.COUNT,
        (_AMOUNT,),
        "The item's own counter grows.",
        "count up by {amount}",
        fixed=_SELF,
    ),
    OpForm(
        "set_counter",
        codes.SET_COUNTER,
        (Argument("amount", Kind.NUMBER),),
        "The item's own counter becomes a number.",
        "set the counter to {amount}",
        fixed=_SELF,
    ),
)

OPS: Mapping[str, OpForm] = {form.name: form for form in (*SEED_OPS, *VERB_OPS)}

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
            "When a heal was more than was missing.",
            "what was too much",
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
    )
}

FLAGS: Mapping[str, FlagForm] = {
    form.name: form
    for form in (
        FlagForm("cant_attack", False, "The owner makes no strikes.", modifier="cannot_attack"),
        FlagForm(
            "on_damaged_deal_damage",
            True,
            "Each time the owner is damaged it deals so much damage, to ARMOR first.",
            trigger="on_damaged",
            op="deal",
        ),
        FlagForm(
            "on_damaged_gain_thorns",
            True,
            "Each time the owner is damaged it gains so much Thorns.",
            trigger="on_damaged",
            op="gain_thorns",
        ),
    )
}

_BONUS = Argument("amount", Kind.BONUS)
_PERCENT = Argument("percent", Kind.BONUS_PERCENT)
MODIFIERS: Mapping[str, ModifierForm] = {
    form.name: form
    for form in (
        ModifierForm("attack", codes.ATTACK_BONUS, (_BONUS,), "Added to the ATK part.", "{amount} more attack"),
        ModifierForm(
            "attack_pct", codes.ATTACK_PCT, (_PERCENT,), "Per cent of the ATK part.", "attack changed by {percent}%"
        ),
        ModifierForm(
            "damage_dealt",
            codes.DAMAGE_DEALT,
            (_BONUS,),
            "Added to each packet of the owner's strikes and ops against the enemy.",
            "deal {amount} more damage",
        ),
        ModifierForm(
            "damage_dealt_pct",
            codes.DAMAGE_DEALT_PCT,
            (_PERCENT,),
            "Per cent of such a packet.",
            "damage you deal changed by {percent}%",
        ),
        ModifierForm(
            "damage_taken",
            codes.DAMAGE_TAKEN,
            (_BONUS,),
            "Added to each packet that the owner takes.",
            "take {amount} more damage",
        ),
        ModifierForm(
            "damage_taken_pct",
            codes.DAMAGE_TAKEN_PCT,
            (_PERCENT,),
            "Per cent of such a packet.",
            "damage you take changed by {percent}%",
        ),
        ModifierForm(
            "healing", codes.HEALING, (_BONUS,), "Added to each heal of the owner.", "heals are {amount} stronger"
        ),
        ModifierForm(
            "healing_pct", codes.HEALING_PCT, (_PERCENT,), "Per cent of such a heal.", "heals changed by {percent}%"
        ),
        ModifierForm(
            "armor_gained",
            codes.ARMOR_GAIN,
            (_BONUS,),
            "Added to each gain of ARMOR by gain, gain_armor and onhit_gain_armor.",
            "gain {amount} more armor each time",
        ),
        ModifierForm(
            "stacks_given",
            codes.STACKS_GIVEN,
            (Argument("status", Kind.STATUS), _BONUS),
            "Added to the stacks of this status each time the owner's give, gain_thorns and the like give some.",
            "give {amount} more {status} each time",
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
            "All on-hit effects run so many more times after each strike.",
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
            "thorns_kept", codes.THORNS_KEPT, (), "The end of a turn leaves the owner's Thorns.", "you keep your Thorns"
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
        StatusForm("thorns", codes.THORNS, "Whoever strikes its owner takes so much damage, to ARMOR first."),
        StatusForm("poison", codes.POISON, "At the start of its owner's turn, without ARMOR: so much damage to HP."),
        StatusForm("acid", codes.ACID, "At the start of its owner's turn so much ARMOR is lost."),
        StatusForm("riptide", codes.RIPTIDE, "At the end of its owner's turn 5 damage."),
        StatusForm("stun", codes.STUN, "Its owner's next strike is skipped."),
        StatusForm("regen", codes.REGEN, "At the end of its owner's turn so much healing."),
    )
}
