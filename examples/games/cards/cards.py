"""Cards: a duel of two decks. Hands are hidden; a turn is any number of cards that the energy allows, then its end."""

from enum import IntEnum

from fracas.kit import Battle, Content, Game, Log, Options, Side, ask, below, choice, count, event, hidden, next_round
from fracas.kit import number, rule, state, up_to, win

DECK, HAND, EMPTY = 24, 6, 0


# -- What files may say ------------------------------------------------------------------------------------------------


class Do(IntEnum):
    """What a player may do, again and again until the turn ends."""

    END = 0
    """end the turn"""
    PLAY = 1
    """play the card in one place of the hand"""


class Effect(IntEnum):
    """What a card does."""

    NOTHING = 0
    HIT = 1
    """damage to the other player"""
    WARD = 2
    """a ward that takes damage until one's own next turn"""
    HEAL = 3
    """hp for oneself"""
    DRAIN = 4
    """damage to the other player, and as much hp for oneself as gets through"""
    POISON = 5
    """poison, which hurts the other player at the start of each turn and wears off by 1"""
    DRAW = 6
    """more cards"""
    ROB = 7
    """cards at random from the other hand go to the discard pile"""


class Style(IntEnum):
    """Which cards a player likes best when nobody else chooses."""

    RUSH = 0
    """whatever hurts"""
    WALL = 1
    """wards and healing"""
    SCHEME = 2
    """more cards, and robbery"""


class End(IntEnum):
    """How a duel ends."""

    DOWN = 1
    """the other player is down"""
    TIRED = 2
    """the other player is too tired to go on"""


class Card(Content, kind="cards"):
    """A card: what it costs, and one or two things that it does."""

    cost: int = number(0, 9)
    """The energy that it takes."""
    effect: Effect
    """The first thing that it does."""
    amount: int = number(0, 20, default=0)
    """How much of it."""
    also: Effect = choice(default=Effect.NOTHING)
    """The second thing."""
    bonus: int = number(0, 20, default=0)
    """How much of that."""


class Rules(Options):
    """What both players agree on."""

    opening: int = number(0, HAND - 1, default=3)
    """The cards at the start; who is second has one more."""
    most_energy: int = number(1, 20, default=6)
    """Energy grows by 1 with each turn of a player, up to this."""
    fatigue: int = number(1, 20, default=3)
    """The hp that the first shuffle costs; the second costs twice as much, and so on."""


class Player(Side):
    """One of the two players."""

    deck: list[Card] = up_to(DECK, least=8)
    """The cards; the same card may be in it several times."""
    deck_count: int = count("deck")
    """How many cards it has."""
    style: Style
    """How this player plays."""
    health: int = number(1, 99, default=30)
    """The hp at the start."""
    hp: int = state(starts="health", of="health")
    """The hp left."""
    energy: int = state(shown=True)
    """What this turn's cards may still cost."""
    ward: int = state(shown=True)
    """Damage that will not be felt."""
    poison: int = state(shown=True)
    """Damage at the start of the next turn."""
    shuffles: int = state()
    """How often the discard pile has become the pile again."""
    pile: list[int] = hidden(capacity=DECK)
    """Places in the deck of the cards still to draw, in no order: every draw takes one at random."""
    pile_count: int = state()
    """How many cards are still to draw."""
    hand: list[int] = hidden(capacity=HAND)
    """Places in the deck of the cards in hand, plus 1; a 0 is an empty place."""
    hand_count: int = state(shown=True)
    """How many cards are in hand: this both players may know."""
    discard: list[int] = state(capacity=DECK)
    """Places in the deck of the cards that were played or lost."""
    discard_count: int = state()
    """How many these are."""


class Duel(Battle[Player, Rules]):
    """A duel; every round is the turn of one player."""

    playing: bool = state()
    """Whether a turn goes on."""


# -- What the story tells ----------------------------------------------------------------------------------------------


@event("{actor} has {energy} energy")
def begins(actor: Player, energy: int) -> None:
    """A turn begins."""


@event("{actor} draws {card}", seen_by="actor")
def draws(actor: Player, card: Card) -> None:
    """A card goes from the pile to the hand; only its owner sees which."""


@event("{actor} shuffles the discard pile, and that costs {damage} hp: {hp} left")
def shuffles(actor: Player, shuffles: int, damage: int, hp: int) -> None:
    """The discard pile becomes the pile, and its owner is tired."""


@event("{actor} plays {card}: {energy} energy left")
def plays(actor: Player, card: Card, energy: int) -> None:
    """A card is paid for, and does what it says."""


@event("{actor} hits {target} for {damage}: {hp} hp left")
def hits(actor: Player, target: Player, damage: int, hp: int) -> None:
    """Damage, after what the ward took."""


@event("The ward of {target} takes {blocked}: {ward} left")
def blocks(target: Player, blocked: int, ward: int) -> None:
    """A ward takes damage."""


@event("{actor} raises a ward: {ward}")
def wards(actor: Player, ward: int) -> None:
    """A ward grows."""


@event("{actor} heals {amount}: {hp} hp")
def heals(actor: Player, amount: int, hp: int) -> None:
    """A player regains hp."""


@event("{actor} poisons {target}: {poison} next turn")
def poisons(actor: Player, target: Player, poison: int) -> None:
    """Poison adds up."""


@event("The poison takes {damage} hp from {target}: {hp} left")
def suffers(target: Player, damage: int, hp: int, poison: int) -> None:
    """A turn begins poisoned."""


@event("{actor} robs {target} of {card}")
def robs(actor: Player, target: Player, card: Card) -> None:
    """A card of a hand is lost, and everybody sees it."""


# -- Turns and cards ---------------------------------------------------------------------------------------------------


@rule
def set_up(battle: Duel, log: Log | None) -> None:
    """Both pile up their decks and draw."""
    for player in battle.sides:
        player.pile_count = player.deck_count
        for place in range(player.deck_count):
            player.pile[place] = place
        for _ in range(battle.options.opening + player.number):
            draw_card(battle, player, log)


@rule
def advance(battle: Duel, log: Log | None) -> None:
    """Go on to the next question: what does the player whose turn it is do?"""
    if not battle.playing and next_round(battle):
        begin_turn(battle, battle.sides[(battle.tick + 1) % 2], log)
    if battle.reason == 0:
        side = (battle.tick + 1) % 2
        ask(battle, battle.sides[side])


@rule
def begin_turn(battle: Duel, me: Player, log: Log | None) -> None:
    """Energy comes, the old ward goes, the poison bites, and a card is drawn."""
    battle.playing = True
    me.energy = min((battle.tick + 1) // 2, battle.options.most_energy)
    me.ward = 0
    begins(battle, log, me, me.energy)
    if me.poison > 0:
        damage = me.poison
        me.hp = max(me.hp - damage, 0)
        me.poison -= 1
        suffers(battle, log, me, damage, me.hp, me.poison)
        if me.hp == 0:
            win(battle, 1 - me.number, End.DOWN)
            return
    draw_card(battle, me, log)


@rule
def legal(battle: Duel, me: Player, choice: Do, place: int) -> bool:
    """A turn may always end; a card must be in its place and affordable."""
    return choice == Do.END or (me.hand[place] != EMPTY and me.deck[me.hand[place] - 1].cost <= me.energy)


@rule
def act(battle: Duel, me: Player, choice: Do, place: int, log: Log | None) -> None:
    """End the turn, or pay for a card and do what it says."""
    if choice == Do.END:
        battle.playing = False
        return
    card = me.deck[me.hand[place] - 1]
    me.energy -= card.cost
    plays(battle, log, me, card, me.energy)
    throw_away(me, place)
    do(battle, me, card.effect, card.amount, log)
    do(battle, me, card.also, card.bonus, log)


@rule
def choose(battle: Duel, me: Player) -> tuple[Do, int]:
    """The affordable card that is worth most to this player; with none, the turn ends."""
    best, most = -1, 0
    for place in range(HAND):
        if legal(battle, me, Do.PLAY, place):
            value = worth(battle, me, me.deck[me.hand[place] - 1])
            if value > most:
                best, most = place, value
    return (Do.PLAY, best) if best >= 0 else (Do.END, 0)


@rule
def worth(battle: Duel, me: Player, card: Card) -> int:
    """Dear cards are worth more, favourites twice as much, and healing nothing to the unhurt."""
    value = 0 if card.effect == Effect.HEAL and me.hp == me.health else card.cost + 1
    match card.effect:
        case Effect.WARD | Effect.HEAL:
            liked = me.style == Style.WALL
        case Effect.DRAW | Effect.ROB:
            liked = me.style == Style.SCHEME
        case _:
            liked = me.style == Style.RUSH
    return 2 * value if liked else value


@rule
def do(battle: Duel, me: Player, effect: Effect, amount: int, log: Log | None) -> None:
    """One of the two things that a card does."""
    other = battle.sides[1 - me.number]
    match effect:
        case Effect.HIT:
            hurt(battle, me, other, amount, log)
        case Effect.WARD:
            me.ward += amount
            wards(battle, log, me, me.ward)
        case Effect.HEAL:
            heal(battle, me, amount, log)
        case Effect.DRAIN:
            heal(battle, me, hurt(battle, me, other, amount, log), log)
        case Effect.POISON:
            other.poison += amount
            poisons(battle, log, me, other, other.poison)
        case Effect.DRAW:
            for _ in range(amount):
                draw_card(battle, me, log)
        case Effect.ROB:
            for _ in range(amount):
                rob(battle, me, other, log)


@rule
def hurt(battle: Duel, me: Player, other: Player, damage: int, log: Log | None) -> int:
    """Damage goes to the ward first, then to the hp. Answer how much got through."""
    blocked = min(other.ward, damage)
    if blocked > 0:
        other.ward -= blocked
        blocks(battle, log, other, blocked, other.ward)
    other.hp = max(other.hp - (damage - blocked), 0)
    hits(battle, log, me, other, damage - blocked, other.hp)
    if other.hp == 0:
        win(battle, me.number, End.DOWN)
    return damage - blocked


@rule
def heal(battle: Duel, me: Player, amount: int, log: Log | None) -> None:
    """Hp come back, but never more than there were at the start."""
    healed = min(amount, me.health - me.hp)
    if healed > 0:
        me.hp += healed
        heals(battle, log, me, healed, me.hp)


@rule
def rob(battle: Duel, me: Player, other: Player, log: Log | None) -> None:
    """The other player loses a card at random."""
    if other.hand_count > 0:
        pick = below(battle, other.hand_count)
        for place in range(HAND):
            if other.hand[place] != EMPTY:
                if pick == 0:
                    robs(battle, log, me, other, other.deck[other.hand[place] - 1])
                    throw_away(other, place)
                    return
                pick -= 1


@rule
def draw_card(battle: Duel, me: Player, log: Log | None) -> None:
    """A card at random goes from the pile to the first empty place; a full hand draws nothing."""
    if me.hand_count < HAND and me.pile_count == 0:
        shuffle(battle, me, log)
    for place in range(HAND):
        if me.hand[place] == EMPTY and me.pile_count > 0:
            pick = below(battle, me.pile_count)
            card = me.pile[pick]
            me.pile_count -= 1
            me.pile[pick] = me.pile[me.pile_count]
            me.hand[place] = card + 1
            me.hand_count += 1
            draws(battle, log, me, me.deck[card])
            return


@rule
def shuffle(battle: Duel, me: Player, log: Log | None) -> None:
    """The discard pile becomes the pile, and each time this costs more hp."""
    for place in range(me.discard_count):
        me.pile[place] = me.discard[place]
    me.pile_count = me.discard_count
    me.discard_count = 0
    me.shuffles += 1
    damage = battle.options.fatigue * me.shuffles
    me.hp = max(me.hp - damage, 0)
    shuffles(battle, log, me, me.shuffles, damage, me.hp)
    if me.hp == 0:
        win(battle, 1 - me.number, End.TIRED)


@rule
def throw_away(me: Player, place: int) -> None:
    """A card goes from the hand to the discard pile."""
    me.discard[me.discard_count] = me.hand[place] - 1
    me.discard_count += 1
    me.hand[place] = EMPTY
    me.hand_count -= 1


def choice_words(own: dict[str, list[dict[str, str]]], battle: Duel, me: Player, do: Do, place: int) -> tuple[str, str]:
    """What a button says: the card with what it does, and what it costs."""
    card = own["deck"][me.hand[place] - 1]
    also = "" if card["also"] == "nothing" else f", {card['also']} {card['bonus']}"
    return f"{card['name']}: {card['effect']} {card['amount']}{also}", f"{card['cost']} energy"


game = Game("cards", version=1, battle=Duel, reasons=End, targets=HAND, untargeted=(Do.END,), content="content")
