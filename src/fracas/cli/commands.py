"""Every command of the program: those at the top level, and the groups of all others.

A command is imported when it runs; until then only its line here is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A command: its name, its function as `module:function`, and its line in the list of commands."""

    name: str
    path: str
    line: str


@dataclass(frozen=True)
class CommandGroup:
    """Commands that belong together: `fracas NAME COMMAND`. `about` is what its help tells below its line."""

    name: str
    line: str
    about: str
    commands: tuple[Command, ...]


TOP_LEVEL = (
    Command("run", "fracas.cli.play.run:run", "Play one battle and print its story."),
    Command("watch", "fracas.cli.play.watch:watch", "Watch a battle: a page that plays it, in one file."),
    Command("verify", "fracas.cli.check.verify:verify", "Play saved battles again and compare every event."),
    Command("simulate", "fracas.cli.measure.simulate:simulate", "Play many battles and count how they end."),
    Command("compare", "fracas.cli.measure.compare:compare", "Test which of two scenarios is better, by how much."),
    Command("odds", "fracas.cli.measure.odds:odds", "Compute each side's odds, exactly where possible."),
    Command("why", "fracas.cli.measure.why:why", "Explain why a battle was lost: odds, luck, decisions."),
    Command("optimise", "fracas.cli.measure.optimise:optimise", "Search for a better strategy, queue or line-up."),
    Command("report", "fracas.cli.measure.report:report", "Write results to one HTML file with charts and tables."),
    Command("validate", "fracas.cli.check.validate:validate", "Check files and list every error."),
    Command("new", "fracas.cli.lookup.new:new", "Write a commented scenario or content pack to start from."),
    Command("serve", "fracas.cli.serve.serve:serve", "Serve battles and leagues over HTTP."),
    Command("studio", "fracas.cli.play.studio:studio", "Write a scenario and see at once what it is worth."),
    Command("duel", "fracas.cli.play.duel:duel", "Play a duel yourself, against a policy."),
)

_CONTENT = CommandGroup(
    "content",
    "Units, items, quests: list and show them; examples, schemas, lint.",
    """\
A scenario names units, items and quests by their ids. They come from the content of its ruleset, and from your own
packs (--content DIR). These commands show what there is, and check what you write.

Try:

    fracas content examples --out .
    fracas content list squads units
    fracas content show squads bronze_knight
    fracas content schema squads scenario > squads.schema.json
    fracas content lint mine.toml""",
    (
        Command("list", "fracas.cli.lookup.content:list_", "List content by kind."),
        Command("show", "fracas.cli.lookup.content:show", "Show content entries in full."),
        Command("schema", "fracas.cli.lookup.content:schema", "Print the JSON Schema of a kind of file."),
        Command("examples", "fracas.cli.lookup.examples:examples", "List the shipped examples, or copy them."),
        Command("lint", "fracas.cli.check.lint:lint", "Report what is valid but probably a mistake."),
        Command("loot", "fracas.cli.measure.loot:loot", "Roll a quest's loot and compare it with its tables."),
        Command("enhance", "fracas.cli.lookup.enhance:enhance", "Try to enhance an item found in a run."),
        Command("modifiers", "fracas.cli.lookup.modifiers:modifiers", "Show the modifiers of the coming weeks."),
    ),
)
_LAB = CommandGroup(
    "lab",
    "More studies: match-ups, sweeps, swaps, ladders, exact duels.",
    """\
Studies of battles beside simulate, compare, odds, why and optimise. Some play many battles and say how sure they
are (matchups, sweep, sensitivity, variants, ladder, swaps), others look at a single battle (find, explain, replay).
With --format json the result can be saved, and fracas report makes a page of it.

Try:

    fracas lab matchups examples/squads/rosters/formations.toml -n 200
    fracas lab sensitivity examples/squads/standard-5v5.toml -n 2000
    fracas lab find examples/squads/standard-5v5.toml "winner == 2 and hp_left_2 < 5"
    fracas lab explain examples/squads/first-battle.toml --hit 1.scout 2""",
    (
        Command("matchups", "fracas.cli.measure.matchups:matchups", "Play everyone against everyone and rank them."),
        Command("variants", "fracas.cli.measure.variants:variants", "Compare named variants with a scenario."),
        Command("sweep", "fracas.cli.measure.sweep:sweep", "Vary values of a scenario and measure the effect."),
        Command("sensitivity", "fracas.cli.measure.sensitivity:sensitivity", "Measure what a stat is worth."),
        Command("swaps", "fracas.cli.measure.swaps:swaps", "Measure what replacing one item or unit would gain."),
        Command("ladder", "fracas.cli.measure.ladder:ladder", "Play a build against every opponent in the content."),
        Command("solve", "fracas.cli.measure.solve:solve", "Solve a duel with hidden choices: value, best play."),
        Command("find", "fracas.cli.measure.find:find", "Find the first battle whose outcome meets a condition."),
        Command("explain", "fracas.cli.check.explain:explain", "Evaluate a condition, or show what a hit does."),
        Command("replay", "fracas.cli.play.replay:replay", "Print the story of a saved battle."),
        Command("merge", "fracas.cli.measure.merge:merge", "Merge the parts of a simulation into one result."),
    ),
)
_WORLD = CommandGroup(
    "world",
    "Attacks on a map that change it: campaigns of stacks.",
    """\
A world of stacks is a map with its armies. An attack leaves its losses there: `campaign` fights a list of attacks one
after the other, `commit` applies a single battle that `fracas run --save` saved.

Try:

    fracas world campaign examples/stacks/campaigns/river-war.toml
    fracas run examples/stacks/first-attack.toml --save attack.json
    fracas world commit attack.json --out after.toml""",
    (
        Command("campaign", "fracas.cli.play.campaign:campaign", "Fight a list of attacks in order on one world."),
        Command("commit", "fracas.cli.play.commit:commit", "Apply the result of a saved battle to its world."),
    ),
)
_PUBLISH = CommandGroup(
    "publish",
    "Hand battles to others: sites, bundles for programs, share codes.",
    """\
Files for people and programs that have no Fracas. For one battle as a page take fracas watch, for results fracas
report.

Try:

    fracas publish site public --only titans
    fracas publish pack examples/squads/first-battle.toml --out battle.fracas.json
    fracas publish share examples/relics/standard.toml""",
    (
        Command("site", "fracas.cli.play.site:site", "Write a site of all examples, for any web host."),
        Command("pack", "fracas.cli.play.pack:pack", "Pack a battle for browsers and other languages."),
        Command("share", "fracas.cli.lookup.share:share", "Turn a build into a share code, or back."),
    ),
)
_GAME = CommandGroup(
    "game",
    "Your own games: begin one, check its rules, list those known.",
    """\
A game is a Python file. `--game FILE` names it to any command, FRACAS_GAMES to all of them (whole paths, separated as
in PATH), and an installed package offers it in the entry point group `fracas.games`. Scenarios, replays and bundles
name a game by its name only; they never load code.

Try:

    fracas game new pets
    fracas game check pets/pets.py
    fracas game list --game pets/pets.py
    fracas run pets/scenarios/first.toml --game pets/pets.py""",
    (
        Command("new", "fracas.cli.lookup.game:new_game", "Write a folder with a small game that works."),
        Command("list", "fracas.cli.lookup.game:list_games", "List the shipped rulesets and every game known here."),
        Command("check", "fracas.cli.game.check:check", "Check the rules of a game: play random scenarios."),
    ),
)
_SERVER = CommandGroup(
    "server",
    "Administer your server, or watch over somebody else's.",
    """\
`fracas serve` runs a server. All commands here but `witness` are for the machine it runs on: they read and change the
database that --database or FRACAS_SERVER_DATABASE names. `witness` asks a server that somebody else runs.

Try:

    fracas server create-admin ann
    fracas server reset-password zoe
    fracas server backup monday.db
    fracas server migrate --database postgresql://fracas@db/fracas
    fracas server unpark
    fracas server witness https://fracas.example""",
    (
        Command("create-admin", "fracas.cli.serve.admin:create_admin", "Create an operator's account."),
        Command("reset-password", "fracas.cli.serve.admin:reset_password", "Print a code that sets a new password."),
        Command("suspend", "fracas.cli.serve.admin:suspend", "Suspend an account with a reason, or let it in again."),
        Command("grant", "fracas.cli.serve.admin:grant", "Make an account an operator's, or a player's again."),
        Command("invite", "fracas.cli.serve.admin:invite", "Print invitation codes."),
        Command("backup", "fracas.cli.serve.admin:backup", "Write a backup, also while a server runs."),
        Command("restore", "fracas.cli.serve.admin:restore", "Fill an empty database from a backup or an export."),
        Command("export", "fracas.cli.serve.admin:export", "Export all tables to a zip file of JSON lines."),
        Command("import", "fracas.cli.serve.admin:import_", "Fill an empty database from an export."),
        Command("check", "fracas.cli.serve.admin:check", "Check everything that the arena has stored."),
        Command("migrate", "fracas.cli.serve.admin:migrate", "Bring the database to this release's schema."),
        Command("unpark", "fracas.cli.serve.admin:unpark", "Let parked tickets wait again."),
        Command("witness", "fracas.cli.serve.witness:witness", "Note what a server promises; compare it later."),
    ),
)
_MACHINE = CommandGroup(
    "machine",
    "This machine and others: what is compiled, speed, workers.",
    """\
What Fracas does on this machine, and how several machines share the battles of a run. `--verbose` with any command
tells how its battles are played. `fracas --install-completion` makes your shell complete commands and options.

Try:

    fracas machine doctor
    fracas machine compile squads
    fracas machine bench squads --seconds 5""",
    (
        Command("doctor", "fracas.cli.machine.doctor:doctor", "Show versions, the cache folder, what is compiled."),
        Command("compile", "fracas.cli.machine.compile:compile_kernels", "Compile all rules now, not at first use."),
        Command("bench", "fracas.cli.machine.bench:bench", "Measure battles per second, with checksums."),
        Command("scheduler", "fracas.cli.machine.scheduler:scheduler", "Hand out battles to workers."),
        Command("worker", "fracas.cli.machine.worker:worker", "Play battles for a scheduler."),
    ),
)
_AGENTS = CommandGroup(
    "agents",
    "Agents that learn: the environments, and how strong agents are.",
    """\
Learning environments for Gymnasium and PettingZoo (pip install 'fracas[envs]'), and what agents are worth in them.
Python trains an agent; what it learned is a file that scenarios name as a policy.

Try:

    fracas agents envs
    fracas agents strength titans --players "random,greedy,duelist" -n 400""",
    (
        Command("envs", "fracas.cli.lookup.envs:envs", "List the environments for agents that learn."),
        Command("strength", "fracas.cli.measure.strength:strength", "Measure agents, all against all."),
    ),
)

GROUPS = (_CONTENT, _LAB, _WORLD, _PUBLISH, _GAME, _SERVER, _MACHINE, _AGENTS)


def commands() -> Iterator[tuple[str, Command]]:
    """Every command with the words that call it, `run` or `lab matchups`, in the order of help."""
    yield from ((command.name, command) for command in TOP_LEVEL)
    for group in GROUPS:
        yield from ((f"{group.name} {command.name}", command) for command in group.commands)
