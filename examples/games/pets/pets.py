"""Pets: two line-ups of up to five. The front pets bite each other, abilities answer, until one line-up is gone."""

from enum import IntEnum

from fracas.kit import Battle, Content, Game, Log, Options, Side, Unit, below, choice, count, drain, draw, event
from fracas.kit import join, later, number, ref, rule, state, unit_at, up_to, win

PLACES = 5
NOBODY = -1


# -- What files may say ------------------------------------------------------------------------------------------------


class Trigger(IntEnum):
    """When an ability happens."""

    NEVER = 0
    START = 1
    """when the battle begins"""
    BITES = 2
    """when it has bitten"""
    HURT = 3
    """when it has lost hp and still stands"""
    FAINTS = 4
    """when it faints"""
    FRIEND_BITES = 5
    """when the friend right ahead has bitten"""
    FRIEND_FAINTS = 6
    """when any friend has fainted"""


class Effect(IntEnum):
    """What an ability does."""

    NOTHING = 0
    SPIT = 1
    """hurts an enemy at random"""
    PRICK = 2
    """hurts the enemy that it has to do with: the one that was bitten, or the one that hurt"""
    HOWL = 3
    """hurts every enemy"""
    FEED = 4
    """gives hp to the friend right behind"""
    CHEER = 5
    """gives power to every friend behind"""
    GROW = 6
    """gives itself hp and power"""
    SHELL = 7
    """gives itself a shield"""
    CALL = 8
    """calls young ones to the end of the line"""


class End(IntEnum):
    """How a battle ends."""

    GONE = 1
    """the other line-up is gone"""
    BOTH_GONE = 2
    """both line-ups are gone"""


class Breed(Content, kind="breeds"):
    """A breed of pet: how hard it bites, how much it endures, and its ability."""

    attack: int = number(0, 50)
    """The damage of its bite."""
    health: int = number(1, 50)
    """The hp that it brings."""
    trigger: Trigger = choice(default=Trigger.NEVER)
    """When its ability happens."""
    effect: Effect = choice(default=Effect.NOTHING)
    """What its ability does."""
    amount: int = number(0, 20)
    """How much the ability does, for each level; for young ones, how many come."""
    young: int = ref("options.young")
    """What it calls."""


class Rules(Options):
    """What both owners agree on."""

    young: list[Breed] = up_to(4)
    """The breeds that pets can call."""
    training: int = number(0, 10, default=1)
    """Attack and health that a pet gains with each level above the first."""


class Pet(Unit):
    """A pet in its place; the first place is the front."""

    breed: Breed
    """What it is."""
    level: int = number(1, 3, default=1)
    """How well trained it is."""
    now: Breed = state(starts="breed")
    """What it is for the rules: its breed, or the young one that took this place."""
    rank: int = state(starts="level")
    """Its level for the rules: young ones have their caller's."""
    most: int = state()
    """The most hp it has had."""
    hp: int = state(of="most")
    """How much it still endures."""
    power: int = state(shown=True)
    """The damage of its bite now."""
    shield: int = state(shown=True)
    """Damage that it will not feel."""


class Team(Side):
    """A line-up of pets, front first; two places stay free for young ones."""

    units: list[Pet] = up_to(PLACES, least=1, reserve=2)
    """The pets."""
    units_count: int = count("units")
    """The places in use."""


class Pets(Battle[Team, Rules]):
    """A battle of two line-ups."""


pet_at = unit_at(Pet)


# -- What the story tells ----------------------------------------------------------------------------------------------


@event("{actor} bites {target} for {damage}: {hp} hp left")
def bites(actor: Pet, target: Pet, damage: int, hp: int) -> None:
    """A front pet bites the other front pet."""


@event("{actor} hurts {target} for {damage} from where it stands: {hp} hp left")
def harms(actor: Pet, target: Pet, damage: int, hp: int) -> None:
    """An ability does damage."""


@event("The shield of {target} takes {blocked}: {shield} left")
def shields(target: Pet, blocked: int, shield: int) -> None:
    """A shield takes damage before its pet feels it."""


@event("{actor} feeds {target} {amount}: {hp} hp")
def feeds(actor: Pet, target: Pet, amount: int, hp: int) -> None:
    """A friend gains hp."""


@event("{actor} cheers {target} on by {amount}: bites for {power} now")
def cheers(actor: Pet, target: Pet, amount: int, power: int) -> None:
    """A friend gains power."""


@event("{actor} grows by {amount}: {hp} hp, bites for {power}")
def grows(actor: Pet, amount: int, hp: int, power: int) -> None:
    """A pet gains hp and power."""


@event("{actor} pulls into its shell: a shield of {shield}")
def hides(actor: Pet, shield: int) -> None:
    """A pet gains a shield."""


@event("{actor} calls {breed}: {hp} hp, bites for {power}")
def calls(actor: Pet, target: Pet, breed: Breed, hp: int, power: int) -> None:
    """A young one joins the end of the line."""


@event("{target} faints")
def faints(target: Pet) -> None:
    """A pet is out of the battle."""


# -- How a battle goes -------------------------------------------------------------------------------------------------


@rule
def set_up(battle: Pets, log: Log | None) -> None:
    """Every pet arrives, trained to its level."""
    for team in battle.sides:
        for pet in team.units[: team.units_count]:
            arrive(battle, pet)


@rule
def play_round(battle: Pets, log: Log | None) -> None:
    """The front pets bite at the same time; then all abilities that this has triggered happen."""
    if battle.tick == 1:
        for team in battle.sides:
            for pet in team.units[: team.units_count]:
                trigger(battle, pet, Trigger.START, pet)
        drain(battle, log)
    left, right = place_from(battle.sides[0], 0), place_from(battle.sides[1], 0)
    if left != NOBODY and right != NOBODY:
        bite_each_other(battle, battle.sides[0].units[left], battle.sides[1].units[right], log)
        drain(battle, log)
    left, right = place_from(battle.sides[0], 0), place_from(battle.sides[1], 0)
    if left == NOBODY and right == NOBODY:
        draw(battle, End.BOTH_GONE)
    elif left == NOBODY or right == NOBODY:
        win(battle, 0 if right == NOBODY else 1, End.GONE)


@rule
def bite_each_other(battle: Pets, left: Pet, right: Pet, log: Log | None) -> None:
    """Both bite before either can faint. Then come the pain, and the abilities that waited for the bites."""
    right_lost = bite(battle, left, right, log)
    left_lost = bite(battle, right, left, log)
    suffer(battle, right, right_lost, left, log)
    suffer(battle, left, left_lost, right, log)
    after_bite(battle, left, right)
    after_bite(battle, right, left)


@rule
def bite(battle: Pets, pet: Pet, enemy: Pet, log: Log | None) -> int:
    """One bite. Answer the hp that it took."""
    lost = lose(battle, enemy, pet.power, log)
    bites(battle, log, pet, enemy, lost, enemy.hp)
    return lost


@rule
def after_bite(battle: Pets, pet: Pet, enemy: Pet) -> None:
    """The ability of the biter, and that of the friend right behind."""
    trigger(battle, pet, Trigger.BITES, enemy)
    team = battle.sides[pet.side]
    behind = place_from(team, pet.place + 1)
    if behind != NOBODY:
        trigger(battle, team.units[behind], Trigger.FRIEND_BITES, enemy)


@rule
def trigger(battle: Pets, pet: Pet, what: Trigger, target: Pet) -> None:
    """Remember an ability that waits for this. It happens later: once in a chain, so that no chain goes on for ever."""
    if pet.now.trigger == what:
        later(battle, pet, what, target)


@rule
def happen(battle: Pets, me: Pet, what: Trigger, target: Pet, log: Log | None) -> None:
    """An ability happens. Who has fainted meanwhile does nothing, unless fainting is the trigger."""
    if me.hp == 0 and what != Trigger.FAINTS:
        return
    team, enemies = battle.sides[me.side], battle.sides[1 - me.side]
    amount = me.now.amount * me.rank
    match me.now.effect:
        case Effect.SPIT:
            enemy_number = any_of(battle, enemies)
            if enemy_number != NOBODY:
                harm(battle, me, pet_at(battle, enemy_number), amount, log)
        case Effect.PRICK:
            if target.side != me.side and target.hp > 0:
                harm(battle, me, target, amount, log)
        case Effect.HOWL:
            for enemy in enemies.units[: enemies.units_count]:
                if enemy.hp > 0:
                    harm(battle, me, enemy, amount, log)
        case Effect.FEED:
            behind = place_from(team, me.place + 1)
            if behind != NOBODY:
                friend = team.units[behind]
                friend.hp += amount
                friend.most = max(friend.most, friend.hp)
                feeds(battle, log, me, friend, amount, friend.hp)
        case Effect.CHEER:
            for friend in team.units[: team.units_count]:
                if friend.hp > 0 and friend.place > me.place:
                    friend.power += amount
                    cheers(battle, log, me, friend, amount, friend.power)
        case Effect.GROW:
            me.hp += amount
            me.power += amount
            me.most = max(me.most, me.hp)
            grows(battle, log, me, amount, me.hp, me.power)
        case Effect.SHELL:
            me.shield += amount
            hides(battle, log, me, me.shield)
        case Effect.CALL:
            for _ in range(me.now.amount):
                call(battle, me, team, log)


# -- Hurting -----------------------------------------------------------------------------------------------------------


@rule
def harm(battle: Pets, me: Pet, enemy: Pet, damage: int, log: Log | None) -> None:
    """An ability hurts an enemy."""
    lost = lose(battle, enemy, damage, log)
    harms(battle, log, me, enemy, lost, enemy.hp)
    suffer(battle, enemy, lost, me, log)


@rule
def lose(battle: Pets, pet: Pet, damage: int, log: Log | None) -> int:
    """Take damage from the shield first, then from the hp. Answer what the pet felt."""
    blocked = min(pet.shield, damage)
    if blocked > 0:
        pet.shield -= blocked
        shields(battle, log, pet, blocked, pet.shield)
    pet.hp = max(pet.hp - (damage - blocked), 0)
    return damage - blocked


@rule
def suffer(battle: Pets, pet: Pet, lost: int, by: Pet, log: Log | None) -> None:
    """Whoever has no hp left faints, and others may answer; whoever still stands may answer the pain."""
    if lost == 0:
        return
    if pet.hp > 0:
        trigger(battle, pet, Trigger.HURT, by)
        return
    faints(battle, log, pet)
    trigger(battle, pet, Trigger.FAINTS, by)
    team = battle.sides[pet.side]
    for friend in team.units[: team.units_count]:
        if friend.hp > 0:
            trigger(battle, friend, Trigger.FRIEND_FAINTS, by)


# -- Arriving ----------------------------------------------------------------------------------------------------------


@rule
def arrive(battle: Pets, pet: Pet) -> None:
    """A pet begins with the hp and the power of its breed, and a little more for each level."""
    gain = battle.options.training * (pet.rank - 1)
    pet.hp = pet.now.health + gain
    pet.most = pet.hp
    pet.power = pet.now.attack + gain
    pet.shield = 0


@rule
def call(battle: Pets, me: Pet, team: Team, log: Log | None) -> None:
    """A young one joins in the first place behind the line-up that is free; with none, it stays away."""
    if me.now.young == 0:
        return
    for pet in team.units[PLACES:]:
        if pet.hp == 0:
            pet.now = battle.options.young[me.now.young - 1]
            pet.rank = me.rank
            arrive(battle, pet)
            join(battle, pet)
            calls(battle, log, me, pet, pet.now, pet.hp, pet.power)
            return


# -- Looking along the line --------------------------------------------------------------------------------------------


@rule
def place_from(team: Team, first: int) -> int:
    """The first place from `first` on where a pet stands, or NOBODY."""
    for pet in team.units[first : team.units_count]:
        if pet.hp > 0:
            return pet.place
    return NOBODY


@rule
def any_of(battle: Pets, team: Team) -> int:
    """The number of a standing pet at random, or NOBODY."""
    standing = 0
    for pet in team.units[: team.units_count]:
        standing += pet.hp > 0
    if standing > 0:
        pick = below(battle, standing)
        for pet in team.units[: team.units_count]:
            if pet.hp > 0:
                if pick == 0:
                    return pet.number
                pick -= 1
    return NOBODY


game = Game("pets", version=1, battle=Pets, reasons=End, content="content")
