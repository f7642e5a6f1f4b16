"""Plug-ins: named by whoever plays, run as any stage, kept by their hash, and never loaded because a file says so."""

from __future__ import annotations

import json

import pytest
from blake3 import blake3
from tests.helpers.replays import DOUBLE, chain_with, plugin_file, put, saved, tampered
from tests.helpers.scenarios import attempt, duel, events_of, fighter, loaded, problems_of

import fracas
from fracas.files.process_cache import Memory
from fracas.kernel import jit
from fracas.plugins import compile
from fracas.plugins.loader import load_plugins
from fracas.replay.verify import narrate_replay
from fracas.rulesets.squads.content.plugin_stages import DAMAGE_STAGE

STAGE = "import fracas\n\n\n@fracas.damage_stage\ndef {name}(battle, actor, target, value):\n    {body}\n"


def stage(body: str, name: str = "mine") -> str:
    return STAGE.format(name=name, body=body)


@pytest.fixture
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


def with_stage(folder, body: str = "return value * 2", **options):
    """The duel with one stage of one's own between the first and the last."""
    return loaded(duel(options=chain_with("mine")), plugins=[plugin_file(folder, stage(body))], **options)


def stages_of(battle, name: str = "mine"):
    return events_of(battle, "stage", stage=name)


def test_a_stage_of_ones_own_changes_the_damage_and_says_so(tmp_path, plain):
    battle = fracas.run(with_stage(tmp_path))
    stages = stages_of(battle)
    assert stages
    assert all(event.after == 2 * event.before for event in stages)
    assert all(event.figure == 0 for event in stages)
    assert [hit.damage for hit in events_of(battle, "hit")] == [event.after for event in stages]


@pytest.mark.parametrize(("body", "after"), [("return -5", 0), ("return 10**15", 10**9), ("return value", 20)])
def test_what_a_stage_returns_is_held_to_0_to_a_thousand_million(tmp_path, plain, body, after):
    assert stages_of(fracas.run(with_stage(tmp_path, body)))[0].after == after


def test_a_stage_sees_attacker_and_target(tmp_path, plain):
    body = "return battle.units[actor].attack * 1000 + battle.units[target].max_hp"
    document = duel(options=chain_with("mine"))
    document["sides"][0]["units"] = [fighter(attack=21, hp=70, speed=99)]
    document["sides"][1]["units"] = [fighter("mira", attack=22, hp=71)]
    scenario = loaded(document, plugins=[plugin_file(tmp_path, stage(body))])
    assert stages_of(fracas.run(scenario))[0].after == 21_071


def test_stages_run_in_the_order_of_the_chain(tmp_path, plain):
    text = stage("return value * 2") + stage("return value + 3", "other").removeprefix("import fracas\n")
    file = plugin_file(tmp_path, text)
    for order, expected in ((("mine", "other"), 43), (("other", "mine"), 46)):
        scenario = loaded(duel(options=chain_with(*order)), plugins=[file])
        assert events_of(fracas.run(scenario), "hit")[0].damage == expected


def test_a_stage_may_stand_in_the_chain_twice(tmp_path, plain):
    document = duel(options=chain_with("mine", "mine"))
    scenario = loaded(document, plugins=[plugin_file(tmp_path, stage("return value * 2"))])
    assert events_of(fracas.run(scenario), "hit")[0].damage == 80


BODIES = {
    "a product": "return value * 2",
    "a share of what is left": "return value * battle.units[target].hp // battle.units[target].max_hp",
    "a branch": "return value * 3 if battle.units[actor].hp * 2 < battle.units[actor].max_hp else value",
    "a negative number": "return value - 18",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_stage_is_the_same_plain_and_compiled(monkeypatch, tmp_path, body):
    scenario = loaded(duel(options=chain_with("mine", "critical")), plugins=[plugin_file(tmp_path, stage(body))])
    rows = []
    for setting in ("0", "1"):
        monkeypatch.setenv("FRACAS_JIT", setting)
        rows.append([fracas.run(scenario, stream=stream).rows for stream in range(3)])
    assert all((plain == compiled).all() for plain, compiled in zip(*rows, strict=True))


def test_sixteen_stages_fit_and_a_seventeenth_does_not(tmp_path, plain):
    names = [f"stage_{number}" for number in range(17)]
    text = "".join(stage("return value + 1", name) for name in names)
    file = plugin_file(tmp_path, text)
    most = {"chain": {"stages": [{"stage": name} for name in names[:16]]}}
    battle = fracas.run(loaded(duel(options=most), plugins=[file]))
    assert events_of(battle, "hit")[0].damage == 36
    most["chain"]["stages"].append({"stage": names[16]})
    assert problems_of(loaded, duel(options=most), plugins=[file])


def test_a_scenario_whose_stage_nobody_brings_is_refused():
    [problem] = problems_of(loaded, duel(options=chain_with("mine")))
    assert problem.where == "scenario: options.chain.stages.1.stage"
    assert problem.message == 'there is no stage "mine"'
    assert "plugins=[FILE]" in (problem.suggestion or "")


def test_a_mistyped_stage_is_told_with_the_plug_ins_name(tmp_path):
    file = plugin_file(tmp_path, stage("return value", "blood_price"))
    [problem] = problems_of(loaded, duel(options=chain_with("blood_prise")), plugins=[file])
    assert problem.suggestion == 'did you mean "blood_price"?'


@pytest.mark.parametrize("key", ["plugin", "plugins", "plug_ins", "import", "module"])
def test_a_scenario_cannot_name_code_to_load(tmp_path, key):
    marker = tmp_path / "ran"
    file = plugin_file(tmp_path, f"open({str(marker)!r}, 'w').close()\n")
    for name in (str(file), "stages", [str(file)]):
        assert problems_of(loaded, duel(**{key: name}))
    for name in (str(file), "../stages", "stages.py"):
        assert problems_of(loaded, duel(options={"chain": {"stages": [{"stage": name}]}}))
    assert not marker.exists()


# Files that are no plug-ins.


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("1 / 0\n", ":1", "cannot be loaded: ZeroDivisionError"),
        ("import fracas\n\nimport there_is_no_such_module\n", ":3", "cannot be loaded: ModuleNotFoundError"),
        ("def broken(:\n", None, "cannot be loaded: SyntaxError"),
        ("raise SystemExit(0)\n", None, "cannot be loaded: SystemExit"),
        ("", "", "has no plug-in"),
        ("def mine(battle, actor, target, value):\n    return value\n", "", "has no plug-in"),
    ],
)
def test_a_file_that_brings_no_plug_in_is_refused_with_its_line(tmp_path, text, line, words):
    file = plugin_file(tmp_path, text)
    [problem] = problems_of(load_plugins, [file])
    assert problem.where.startswith(str(file))
    assert line is None or problem.where == f"{file}{line}"
    assert problem.message.startswith(words)


@pytest.mark.parametrize(
    "parameters",
    [
        "",
        "value",
        "battle, actor, target",
        "battle, actor, target, value, more",
        "*all",
        "battle, actor, target, value=1",
        "battle, actor, target, *, value",
        "battle, actor, target, value, **more",
    ],
)
def test_wrong_parameters_are_refused_and_the_right_ones_shown(tmp_path, parameters):
    file = plugin_file(tmp_path, stage("return 1").replace("battle, actor, target, value", parameters))
    [problem] = problems_of(load_plugins, [file])
    assert problem.where == str(file)
    assert problem.message.endswith("does not take what a damage stage takes")
    assert problem.suggestion == "write mine(battle, actor, target, value)"


def test_other_names_of_the_parameters_are_fine(tmp_path):
    file = plugin_file(tmp_path, stage("return d").replace("battle, actor, target, value", "a, b, c, d"))
    assert list(load_plugins([file])) == ["mine"]


@pytest.mark.parametrize("name", ["missing.py", "folder"])
def test_a_plug_in_is_a_file_that_is_there(tmp_path, name):
    (tmp_path / "folder").mkdir()
    [problem] = problems_of(load_plugins, [tmp_path / name])
    assert problem.where == str(tmp_path / name)


def test_two_files_cannot_bring_the_same_stage(tmp_path):
    first = plugin_file(tmp_path, stage("return value"), "first.py")
    second = plugin_file(tmp_path, stage("return value"), "second.py")
    [problem] = problems_of(load_plugins, [first, second])
    assert (problem.where, problem.message) == (str(second), f'"mine" is already provided by {first}')


def test_a_stage_cannot_take_the_name_of_a_shipped_one(tmp_path, plain):
    file = plugin_file(tmp_path, stage("return 1000", "formation"))
    assert problems_of(loaded, duel(), plugins=[file])


def test_all_broken_files_are_told_at_once(tmp_path):
    files = [plugin_file(tmp_path, "1 / 0", f"{name}.py") for name in "ab"]
    problems = problems_of(load_plugins, [*files, tmp_path / "missing.py"])
    assert [problem.where.removesuffix(":1") for problem in problems] == [
        *map(str, files),
        str(tmp_path / "missing.py"),
    ]


FAILURES = ["raise ValueError('no')", "return value // (value - value)", "return battle.nothing", "return None"]


@pytest.mark.parametrize("body", [*FAILURES, "return value * 1.5", "return 2**70", "return 'much'", "return True"])
def test_a_stage_that_never_works_is_refused_before_anything_is_played(tmp_path, body):
    _, problems = attempt(with_stage, tmp_path, body)
    assert problems[0].where.startswith(str(tmp_path / "stages.py"))
    assert "mine" in str(problems[0])


def test_a_stage_that_changes_the_battle_is_refused(tmp_path):
    body = "battle.units[target].hp = 1\n    return value"
    _, problems = attempt(with_stage, tmp_path, body)
    assert "changes the battle" in problems[0].message


@pytest.mark.parametrize("setting", ["0", "1"])
@pytest.mark.parametrize("body", [*FAILURES, "return value * 1.5"])
def test_a_stage_that_fails_in_the_middle_of_a_battle_is_its_authors_error_not_ours(
    monkeypatch, tmp_path, body, setting
):
    monkeypatch.setenv("FRACAS_JIT", setting)
    scenario = with_stage(tmp_path, f"if battle.tick < 2:\n        return value\n    {body}")
    battle, problems = attempt(fracas.run, scenario)
    if body == "return value * 1.5" and not problems:
        # Whatever becomes of half a point of damage, it becomes the same plain and compiled.
        monkeypatch.setenv("FRACAS_JIT", "0" if setting == "1" else "1")
        assert fracas.run(scenario).digest == battle.digest
        return
    assert problems[0].where.startswith(str(tmp_path / "stages.py"))
    assert "mine" in str(problems[0])


def test_a_stage_that_cannot_be_compiled_is_told_with_its_file(monkeypatch, tmp_path):
    monkeypatch.setenv("FRACAS_JIT", "1")
    scenario = with_stage(tmp_path, "return eval('value')")
    [problem] = problems_of(fracas.run, scenario)
    assert problem.where == str(tmp_path / "stages.py")
    assert problem.message.startswith('"mine" cannot be compiled: ')
    assert "eval" in problem.message
    assert "\n" not in problem.message


def test_a_stage_that_draws_is_refused_because_no_event_would_say_so(tmp_path):
    text = f"from fracas.kernel.dice import d100\n{stage('return value + d100(battle.dice)')}"
    file = plugin_file(tmp_path, text)
    [problem] = problems_of(loaded, duel(options=chain_with("mine")), plugins=[file])
    assert (problem.where, problem.message) == (f"{file}: mine", "draws from the dice")


@pytest.mark.parametrize("setting", ["0", "1"])
def test_a_stage_that_fails_in_a_simulation_is_its_authors_error_too(monkeypatch, tmp_path, setting):
    monkeypatch.setenv("FRACAS_JIT", setting)
    scenario = with_stage(tmp_path, "return value if battle.tick < 2 else value // (value - value)")
    [problem] = problems_of(fracas.simulate, scenario, n=20)
    assert problem.where == f"{tmp_path / 'stages.py'}: mine"
    assert "ZeroDivisionError" in problem.message


@pytest.mark.parametrize("divisor", ["(value - value)", "(battle.tick - battle.tick)"])
def test_nothing_is_divided_by_0_in_silence(tmp_path, plain, divisor):
    scenario = with_stage(tmp_path, f"return value if battle.tick < 2 else battle.tick // {divisor}")
    [problem] = problems_of(fracas.run, scenario)
    assert "Error for a damage of" in problem.message


def test_a_stage_that_leaves_the_program_does_not_leave_it(tmp_path, plain):
    for body in ("raise SystemExit(3)", "if battle.tick < 2:\n        return value\n    raise SystemExit(3)"):
        _, problems = attempt(lambda body=body: fracas.run(with_stage(tmp_path, body)))
        assert "raises SystemExit" in problems[0].message


def test_a_stage_whose_fractions_would_be_cut_off_is_not_compiled(monkeypatch, tmp_path):
    monkeypatch.setenv("FRACAS_JIT", "1")
    scenario = with_stage(tmp_path, "return value if battle.tick < 2 else value * 1.5")
    [problem] = problems_of(fracas.run, scenario)
    assert problem.message == '"mine" cannot be compiled: it returns float64'


def test_a_stage_of_another_kind_of_integer_is_the_same_plain_and_compiled(monkeypatch, tmp_path):
    text = f"import numpy\n{stage('return numpy.int32(value) // numpy.int32(2)')}"
    scenario = loaded(duel(options=chain_with("mine")), plugins=[plugin_file(tmp_path, text)])
    digests = set()
    for setting in ("0", "1"):
        monkeypatch.setenv("FRACAS_JIT", setting)
        digests.add(fracas.run(scenario).digest)
    assert len(digests) == 1


@pytest.mark.parametrize("name", DAMAGE_STAGE.taken_names)
def test_every_shipped_stage_keeps_its_name(tmp_path, name):
    file = plugin_file(tmp_path, stage("return value", name))
    [problem] = problems_of(load_plugins, [file])
    assert problem.message == f'"{name}" is the name of a damage stage that ships with Fracas'


# Replays.


def test_a_replay_keeps_the_hash_of_the_plug_ins_source_and_not_its_path(tmp_path, plain):
    path = saved(tmp_path, with_stage(tmp_path))
    document = json.loads(path.read_text())
    source = (tmp_path / "stages.py").read_bytes()
    assert document["plugins"] == [{"name": "mine", "source_hash": blake3(source).hexdigest()}]
    assert "stages.py" not in path.read_text()


def test_a_replay_with_its_plug_in_verifies_and_without_it_is_refused(tmp_path, plain):
    path = saved(tmp_path, with_stage(tmp_path))
    assert fracas.verify(path, plugins=[tmp_path / "stages.py"]).matches
    [problem] = problems_of(fracas.verify, path)
    assert problem.message == 'was made with the plug-in "mine"'
    assert problem.suggestion == "add its file: plugins=[FILE]"


def test_a_replay_with_another_version_of_its_plug_in_is_refused(tmp_path, plain):
    path = saved(tmp_path, with_stage(tmp_path))
    file = plugin_file(tmp_path, stage("return value * 2  # but with a remark"))
    [problem] = problems_of(fracas.verify, path, plugins=[file])
    assert problem.message == f'was made with another version of the plug-in "mine" than {file}'


def test_a_replays_plug_in_is_tried_before_it_verifies_anything(tmp_path, plain, monkeypatch):
    path = saved(tmp_path, with_stage(tmp_path))
    file = plugin_file(tmp_path, stage("battle.units[target].hp = 1\n    return value * 2"))
    tampered(path, put("plugins", 0, "source_hash", value=blake3(file.read_bytes()).hexdigest()))
    [problem] = problems_of(fracas.verify, path, plugins=[file])
    assert "stages.py: mine" in problem.where


def test_a_replay_that_hides_its_plug_in_is_refused(tmp_path, plain):
    path = saved(tmp_path, with_stage(tmp_path))
    tampered(path, put("plugins", value=[]))
    assert problems_of(fracas.verify, path)
    file = plugin_file(tmp_path, stage("return value * 3"))
    verification, problems = attempt(fracas.verify, path, plugins=[file])
    assert problems or not verification.matches


def test_a_plug_in_that_did_not_take_part_is_not_in_the_replay(tmp_path, plain):
    path = saved(tmp_path, loaded(plugins=[plugin_file(tmp_path, DOUBLE)]))
    assert json.loads(path.read_text())["plugins"] == []
    assert fracas.verify(path).matches


def test_telling_a_replay_needs_no_plug_in(tmp_path, plain):
    battle = fracas.run(with_stage(tmp_path))
    battle.save(tmp_path / "battle.json")
    assert narrate_replay(tmp_path / "battle.json").story("all") == battle.story("all")


def test_the_plug_in_is_part_of_what_simulations_play(tmp_path, plain):
    plugin = fracas.simulate(with_stage(tmp_path, "return 0 if actor >= 8 else value"), n=20)
    assert plugin.wins == (20, 0)


# Compiled once.


@pytest.fixture
def compilations(monkeypatch, tmp_path):
    """The functions that were handed to the compiler, by name; whatever was compiled before is forgotten."""
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(compile, "_compiled_before", Memory(1000))
    names: list[str] = []
    alone = jit.native_alone

    def noting(function, *given):
        names.append(function.__name__)
        return alone(function, *given)

    monkeypatch.setattr(jit, "native_alone", noting)
    return names


def answers(scenario) -> list[int]:
    """What the compiled stage makes of some damages."""
    kernels = scenario.ruleset.kernels
    functions = compile.native_plugins(kernels, scenario.compiled.plugins)
    assert functions is not None
    return [functions[0](scenario.compiled.record[0], 0, 8, value) for value in (1, 10)]


def test_a_stage_is_compiled_once_in_a_process(tmp_path, compilations):
    for _ in range(3):
        assert answers(with_stage(tmp_path)) == [2, 20]
    assert sorted(compilations) == ["leave_unchanged", "mine"]
    assert answers(with_stage(tmp_path, "return value * 3")) == [3, 30]
    assert sorted(compilations) == ["leave_unchanged", "mine", "mine"]


def test_a_stage_is_loaded_by_the_next_process(tmp_path, compilations, monkeypatch, caplog):
    caplog.set_level("INFO", "fracas")
    answers(with_stage(tmp_path))
    assert len([each for each in caplog.messages if "Compiling plugin-" in each]) == 2
    monkeypatch.setattr(compile, "_compiled_before", Memory(1000))
    caplog.clear()
    assert answers(with_stage(tmp_path)) == [2, 20]
    assert not caplog.messages


def test_a_stage_that_reads_what_cannot_be_told_is_compiled_each_time(tmp_path, compilations):
    for factor in (2, 3):
        text = f"import numpy\nFACTORS = numpy.array([{factor}])\n" + stage("return value * FACTORS[0]")
        scenario = loaded(duel(options=chain_with("mine")), plugins=[plugin_file(tmp_path, text)])
        assert answers(scenario) == [factor, 10 * factor]
    assert compilations.count("mine") == 2
    assert not [file.name for file in (tmp_path / "cache").rglob("plugin-*") if "mine" in file.read_text("latin1")]


def test_a_number_of_the_file_is_part_of_what_is_compiled(tmp_path, compilations, monkeypatch):
    # Python takes bytecode of a file of the same size and second for that of the file.
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    for factor in (2, 3, 2):
        text = f"FACTOR = {factor}\n" + stage("return value * FACTOR")
        scenario = loaded(duel(options=chain_with("mine")), plugins=[plugin_file(tmp_path, text)])
        assert answers(scenario) == [factor, 10 * factor]
    assert compilations.count("mine") == 2
