"""Agents in games of the kit: steps, masks, actions, decisions and what is seen."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers import soak
from tests.kit import small_games
from tests.kit.choosing import CHOOSING, document_of, random_actions, used
from tests.kit.small_games import text_of

import fracas
from fracas.engine.decided_battle import play_decisions
from fracas.engine.replay_file import Decisions
from fracas.engine.scenario import Scenario
from fracas.envs.batch import BattleBatch
from fracas.envs.battles.match import Match
from fracas.errors import InputError, UsageError
from fracas.kernel.event_log import NOBODY
from fracas.kernel.stepping import DISABLED, PLAYING, SAME_STEP
from fracas.kit import Game, load
from fracas.kit.derive.agents import ActionCoder, agent_kernels
from fracas.kit.derive.decisions import Action
from fracas.kit.derive.functions import Play

pytestmark = pytest.mark.usefixtures("fresh")

WRITTEN = ("seen", "masks", "rewards", "ended", "finals", "streams", "was_legal")


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain Python, without compiling."""
    monkeypatch.setenv("FRACAS_JIT", "0")


each_game = pytest.mark.parametrize("name", CHOOSING)


def played(batch: BattleBatch, steps: int, mode: int = SAME_STEP) -> Iterator[Any]:
    """Play a batch on with random legal actions."""
    rng = np.random.default_rng(5)
    batch.begin()
    yield None
    for _ in range(steps):
        actions = random_actions(batch, rng)
        batch.step(actions, mode)
        yield actions


SEEN = '''

class Seen(NamedTuple):
    """What players look at."""

    own_hp: float
    """One's own hit points."""
    lead: float


@rule
def observation(battle: Duel, me: Player) -> Seen:
    """Only what matters."""
    other = battle.sides[1 - me.number]
    return Seen(me.hp / 30, (me.hp - other.hp) / 10)


game = Game('''
OWN_VIEW = (
    ("from enum import IntEnum\n", "from enum import IntEnum\nfrom typing import NamedTuple\n"),
    ("\n\ngame = Game(", SEEN),
)


@pytest.mark.parametrize("name", soak.some(["roshambo", "guess", "brawl", "race"], 1))
def test_compiled_battles_are_the_plain_ones(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An author's own view, and one small game of each shape with choices: larger ones only take longer to compile."""
    if name == "roshambo":
        scenario = used(tmp_path, name, *OWN_VIEW)
    else:
        small_games.used(tmp_path, name)
        scenario = fracas.load(small_games.document_of(name))
    batches = {}
    for setting in ("0", "1"):
        monkeypatch.setenv("FRACAS_JIT", setting)
        batches[setting] = BattleBatch([scenario], (0, 1), 3, keeps_finals=True)
        batches[setting].reseed(["7"])
    one, other = batches["0"], batches["1"]
    endings = 0
    # The compiled batch gets the same actions because its masks are the same.
    for _ in zip(played(one, 60), played(other, 60), strict=True):
        for array in WRITTEN:
            assert np.array_equal(getattr(one, array), getattr(other, array)), array
        endings += int(one.ended.sum())
    assert endings


@each_game
def test_masks_are_never_empty_and_every_legal_action_acts(name: str, tmp_path: Path, plain: None) -> None:
    scenario = used(tmp_path / name, name)
    batch = BattleBatch([scenario], (0, 1), 2, keeps_finals=True)
    take = kernels(scenario).take
    record, logs = np.zeros(1, batch.kind), np.zeros(1, scenario.ruleset.kernels.log_type)
    tried = set()
    rng = np.random.default_rng(1)
    batch.begin()
    for _ in range(15):
        decides = np.asarray(batch.masks.any(axis=2))
        assert decides.any(axis=1).all()
        deciding = int(decides[0].argmax())
        for action in np.flatnonzero(batch.masks[0, deciding]).tolist():
            record[0] = batch.battles[0]
            logs[0].count = 0
            actions = random_actions(batch, rng)[0]
            actions[deciding] = action
            take(record[0], batch.agents, actions, batch.cursors[0].copy(), logs[0])
            # A hit that misses changes nothing, but it is told.
            is_changed = record[0].sides.tobytes() != batch.battles[0].sides.tobytes()
            assert is_changed or logs[0].count, action
            tried.add(action)
        batch.step(random_actions(batch, rng), SAME_STEP)
    assert len(tried) >= 4


def test_masks_have_no_units_that_are_not_there(tmp_path: Path, plain: None) -> None:
    """The skirmish's `legal` does not ask whether a target stands: the kit does."""
    scenario = used(tmp_path / "skirmish", "skirmish")
    batch = BattleBatch([scenario], (0, 1), 1)
    game = scenario.ruleset
    assert isinstance(game, Game)
    actions, capacity = game.built.actions, game.built.shape.capacity
    rng = np.random.default_rng(3)
    batch.begin()
    while batch.masks.any():
        side = int(batch.masks[0].any(axis=1).argmax())
        for action in np.flatnonzero(batch.masks[0, side]).tolist():
            target = (actions[action][1] + side * capacity) % (2 * capacity)
            assert batch.battles[0].sides[target // capacity].units[target % capacity].hp > 0
        batch.step(random_actions(batch, rng), DISABLED)


def kernels(scenario: Scenario) -> Any:
    game = scenario.ruleset
    assert isinstance(game, Game)
    return agent_kernels(game.agent_parts)


@each_game
def test_decided_battles_verify(name: str, tmp_path: Path, plain: None) -> None:
    scenario = used(tmp_path / name, name)
    match = Match([scenario], (0, 1))
    match.begin_at("luck", 4)
    rng = np.random.default_rng(2)
    while not match.is_over:
        match.play(random_actions(match.batch, rng)[0].tolist())
    battle = match.battle()
    battle.save(tmp_path / "battle.json")
    assert fracas.verify(tmp_path / "battle.json").matches
    # A decision that is not legal is refused with its number.
    rows = list(match._decisions().rows)
    rows[3] = (rows[3][0], rows[3][1], 0, 9_999)
    decisions = Decisions([1, 2], rows)
    assert play_decisions(battle.scenario, 4, decisions).used == 3


@each_game
def test_agents_that_choose_like_the_rules_play_the_same_battle(name: str, tmp_path: Path, plain: None) -> None:
    """What the rules choose, put in as decisions, gives the rows of the battle that nobody decides from outside."""
    # Dice of choices have addresses of their own; without dice an agent can copy the choices exactly.
    scenario = used(tmp_path / name, name)
    game = scenario.ruleset
    assert isinstance(game, Game)
    match = Match([scenario], (0, 1))
    match.begin_at(scenario.seed, 0)
    coder = ActionCoder(game.agent_parts)
    while not match.is_over:
        record = match.batch.battles[:1].copy()
        actions = [0, 0]
        for side in match.deciding():
            chosen = choice_of_rules(game, record[0], side, match.batch.cursors[0])
            decided = [coder.absolute(side, action) for action in range(match.batch.interface.actions)]
            actions[side] = decided.index(chosen)
        assert all(match.play(actions))
    assert match.battle().digest == fracas.run(scenario).digest


def choice_of_rules(game: Game, battle: Any, side: int, cursor: Any) -> Action:
    """What the rules choose for a side in a battle, as a choice and two parts."""
    from fracas.kernel.dice import open_address
    from fracas.kernel.turn_order import LAST_NUMBER
    from fracas.kit.declare.dice import CHOICE_LANES

    loops = game.built.loops
    if game.built.functions.play is Play.BOTH:
        return int(loops["kit_choice_of"](battle, side)), 0, 0
    if game.built.functions.play is Play.TURNS:
        unit = loops["kit_unit"](battle, int(battle.kit_order[cursor[0]]) & LAST_NUMBER)
        open_address(battle.dice, battle.tick, CHOICE_LANES + unit.number)
        choice, first, second = loops["kit_choose"](battle, unit)
        return int(choice), int(first), int(second)
    loops["kit_choose_for"](battle, side)
    return int(battle.kit_choice[side]), int(battle.kit_parts[side, 0]), 0


@each_game
def test_actions_decisions_and_names_agree(name: str, tmp_path: Path, plain: None) -> None:
    scenario = used(tmp_path / name, name)
    interface = scenario.ruleset.agent_interface()
    battle = scenario.compiled.own_record()[0]
    for side in range(2):
        pairs = [interface.decode(side, action) for action in range(interface.actions)]
        assert len(set(pairs)) == interface.actions
        assert [interface.encode(battle, side, *pair) for pair in pairs] == list(range(interface.actions))
        assert len(interface.action_names(scenario.document, side)) == interface.actions
    assert interface.encode(battle, 0, 99, NOBODY) == NOBODY


def test_names_say_whom(tmp_path: Path, plain: None) -> None:
    scenario = used(tmp_path / "skirmish", "skirmish")
    names = scenario.ruleset.agent_interface().action_names(scenario.document, 1)
    assert names[:2] == ["strike: Hedge Nun", "strike: Knife Dancer"]
    assert names[4] == "strike: Outrider"
    twins = document_of("skirmish")
    twins["sides"][1]["units"] = twins["sides"][0]["units"][:2]
    names = scenario.ruleset.agent_interface().action_names(fracas.load(twins).document, 1)
    assert names[0] == "strike: Outrider"
    assert names[2] == ""
    assert names[4] == "strike: Outrider (enemy)"


def test_what_is_seen_is_scaled_by_declared_bounds(tmp_path: Path, plain: None) -> None:
    scenario = used(tmp_path / "skirmish", "skirmish")
    batch = BattleBatch([scenario], (0, 1), 1, keeps_finals=True)
    batch.begin()
    places = {feature.name: place for place, feature in enumerate(batch.interface.features)}
    first, second = batch.seen[0]
    assert first[places["own.units.1.hp"]] == pytest.approx(batch.battles[0].sides[0].units[0].hp / 200)
    assert first[places["own.units.1.speed"]] == pytest.approx(batch.battles[0].sides[0].units[0].speed / 20)
    assert first[places["own.units_count"]] == 1
    assert first[places["round"]] == np.float32(0.01)
    assert first[places["enemy.units.2.hp"]] == second[places["own.units.2.hp"]]
    acting = [name for name, place in places.items() if name.endswith(".acting") and first[place]]
    assert len(acting) == 1
    low, high = (np.array([getattr(each, end) for each in batch.interface.features]) for end in ("low", "high"))
    for _ in played(batch, 200):
        assert (batch.seen >= low).all()
        assert (batch.seen <= high).all()


def test_hidden_state_is_not_a_feature_of_the_other_side(tmp_path: Path, plain: None) -> None:
    interface = used(tmp_path / "cards", "cards").ruleset.agent_interface()
    names = {feature.name for feature in interface.features}
    assert {"own.hand.1", "own.pile.24", "own.hand_count", "enemy.hand_count", "enemy.discard.1"} <= names
    assert not [name for name in names if name.startswith(("enemy.hand.", "enemy.pile.", "options.round_cap"))]
    assert "Player.hand" in interface.terms.hidden


def test_bounds_make_another_observation_and_comments_do_not(tmp_path: Path) -> None:
    hashes = {}
    for number, change in enumerate(
        [("", ""), ("number(1, 30)", "number(1, 31)"), ("class Fighter(", "# Strong.\nclass Fighter(")]
    ):
        with load.fresh():
            scenario = used(tmp_path / str(number), "roshambo", change)
            hashes[number] = scenario.ruleset.agent_interface().observation_hash
            rules = scenario.ruleset.rules_hash
            assert hashes[number] != rules
    assert hashes[0] == hashes[2]
    assert hashes[0] != hashes[1]


def test_an_author_decides_what_is_seen(tmp_path: Path, plain: None) -> None:
    scenario = used(tmp_path / "roshambo", "roshambo", *OWN_VIEW)
    batch = BattleBatch([scenario], (0, 1), 1)
    batch.begin()
    assert [feature.name for feature in batch.interface.features] == ["own_hp", "lead"]
    assert batch.interface.features[0].meaning == "One's own hit points"
    assert batch.seen[0, 0] == pytest.approx([14 / 30, 0.2])
    assert batch.seen[0, 1] == pytest.approx([12 / 30, -0.2])


def test_an_own_view_without_names_is_refused(tmp_path: Path) -> None:
    change = (
        "\n\ngame = Game(",
        "\n\n@rule\ndef observation(battle: Duel, me: Player) -> int:\n    return 1\n\n\ngame = Game(",
    )
    scenario = used(tmp_path / "roshambo", "roshambo", change)
    with pytest.raises(InputError, match=r"roshambo\.py: observation: returns int, and entries need names"):
        scenario.ruleset.agent_interface()


def test_games_without_choices_have_no_agents(tmp_path: Path) -> None:
    file = tmp_path / "line.py"
    file.write_text(text_of("line"))
    game = fracas.use(file)
    with pytest.raises(UsageError, match="line has no decisions for agents in its battles"):
        game.agent_interface()


def test_training_needs_a_network(tmp_path: Path) -> None:
    from fracas.envs.agents.training import Trainer

    with pytest.raises(UsageError, match="training needs network="):
        Trainer(used(tmp_path / "roshambo", "roshambo", (', network="trained.json"', "")))


def test_a_trained_policy_is_kept_with_the_observation_that_it_reads(tmp_path: Path, plain: None) -> None:
    from fracas.envs.agents import load_policy, network_of, reference_agents, save_policy, strength_table
    from fracas.envs.agents.training import Settings, Trainer

    scenario = used(tmp_path / "roshambo", "roshambo")
    trainer = Trainer(scenario, Settings(hidden=4))
    batch = BattleBatch([scenario], (0, 1), 4)
    before = trainer.layers.first.copy()
    trainer.iterate(batch, [0, 1], {}, "lesson")
    assert (trainer.layers.first != before).any()
    file = scenario.ruleset.agent_interface().trained_file
    assert file == tmp_path / "roshambo" / "trained.json"
    assert "trained" not in [player.name for player in reference_agents("roshambo")]
    save_policy(file, network_of("roshambo", trainer.layers, mixes=True))
    players = [each for each in reference_agents("roshambo") if each.name in ("random", "trained")]
    table = strength_table("roshambo", players, 4, scenario)
    shown = scenario.ruleset.agent_interface().observation_hash
    assert table.as_json()["observation"] == shown
    file.write_text(file.read_text().replace(shown, "0" * 64))
    with pytest.raises(InputError, match=r"trained\.json: observation: reads the observation 00000000.*shows"):
        load_policy(file)


def test_a_game_in_which_nobody_chooses_has_no_network(tmp_path: Path) -> None:
    text = text_of("line").replace("reasons=End", 'reasons=End, network="trained.json"')
    file = tmp_path / "line.py"
    file.write_text(text)
    with pytest.raises(InputError, match="Game: has a network, and nobody chooses"):
        fracas.use(file)


def test_an_agent_does_not_change_the_dice_of_the_other_side(tmp_path: Path, plain: None) -> None:
    """Side 2 chooses by its rules; whatever the agent of side 1 does in the first round, side 2 throws the same."""
    scenario = used(tmp_path / "roshambo", "roshambo")
    throws = set()
    for action in range(3):
        match = Match([scenario], (0,))
        match.begin_at("dice", 3)
        match.play([action])
        throws.add(int(match.batch.battles[0].sides[1].throw))
    assert len(throws) == 1


def test_batches_that_are_over_stay_over(tmp_path: Path, plain: None) -> None:
    scenario = used(tmp_path / "roshambo", "roshambo")
    batch = BattleBatch([scenario], (0, 1), 4)
    for _ in played(batch, 100, DISABLED):
        pass
    assert not (batch.states == PLAYING).any()
    assert not batch.masks.any()


def test_numbers_of_files_that_nothing_bounds_are_not_cut(tmp_path: Path, plain: None) -> None:
    """Contents that differ never look equal; where all numbers have bounds, the observation hash stays."""
    scenario = used(tmp_path / "roshambo", "roshambo", ("number(1, 30)", "number(1)"))
    features = scenario.ruleset.agent_interface().features
    (place,) = [place for place, each in enumerate(features) if each.name == "own.fighter.health"]
    assert (features[place].unit, features[place].low) == ("hundreds", 0.01)
    seen = []
    for health in (150, 200):
        document = copy.deepcopy(dict(scenario.document))
        document["sides"][0]["fighter"]["health"] = health
        match = Match([Scenario(scenario.ruleset, document, scenario.ruleset.compile(document, {}))], (0, 1))
        match.begin_at("7", 0)
        seen.append(float(match.seen_by(0)["observation"][place]))
    assert seen == [1.5, 2.0]
