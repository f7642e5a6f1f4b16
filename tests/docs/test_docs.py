"""What the documentation shows is what the program does: commands, outputs, files, links, generated parts, figures."""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from benchmarks import balance, balance_delve, balance_relics, balance_squads, balance_stacks, figures
from scripts import pages
from scripts.pages import Block, PageError, Shown, agrees, blocks_of, edit, is_run, renewed, run_page
from tests.helpers import soak
from tests.helpers.commands import call

import fracas
from fracas.conditions import parse
from fracas.content.packs import examples_folder
from fracas.engine.replay_file import Replay
from fracas.lab.store.parquet import measured_columns
from fracas.rulesets import registry

ROOT = pages.ROOT
PAGES = pages.pages()
# test_own_move_type.py does what this page says, in a folder outside the project.
OUTSIDE = ROOT / "docs/tutorial/your-own-move-type.md"
# A page without blocks to run has nothing that could be wrong.
IN_PLACE = [page for page in PAGES if page != OUTSIDE and any(is_run(block) for block in blocks_of(page.read_text()))]
# Pages about long studies and many battles, and one that compiles two versions of its game, which a soak reads: they
# take two thirds of all pages' time.
LONG = [
    ROOT / "docs" / f"{name}.md"
    for name in (
        "tutorial/balance-a-fight",
        "tutorial/your-own-game",
        "how-to/why-did-i-lose",
        "how-to/search-over-snapshots",
        "how-to/odds-of-a-run",
        "how-to/find-a-better-strategy",
        "how-to/many-battles",
        "how-to/sweep-and-sensitivity",
        "how-to/share-a-report",
        "how-to/ladder-and-swaps",
        "how-to/train-on-your-game",
        "how-to/compare-two-strategies",
        "how-to/reproduce-one-of-a-million",
        "explanation/pairing-and-peeking",
        "explanation/luck-and-decisions",
        "explanation/profiles",
        "explanation/what-if-in-a-run",
        "explanation/canvas-and-game",
        "how-to/creatures-items-quests",
        "how-to/items-sets-enemies-in-a-pack",
        "how-to/results-in-a-notebook",
        "how-to/balance-in-ci",
        "how-to/batched-training",
        "how-to/several-machines",
        "how-to/write-a-queue",
        "how-to/rank-a-roster",
    )
]
RULE_BOOKS = [ROOT / "src/fracas/rulesets" / name / "README.md" for name in registry.NAMES]
SQUADS_BOOK = ROOT / "src/fracas/rulesets/squads/README.md"
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture(autouse=True)
def usual_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers have no setting of their own."""
    monkeypatch.delenv("FRACAS_JIT", raising=False)


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[soak.only] if page in LONG else [], id=str(page.relative_to(ROOT)))
        for page in IN_PLACE
    ],
)
def test_a_page_shows_what_really_happens(page, tmp_path):
    wrong = [str(shown) for shown in run_page(page, tmp_path) if not shown.is_right]
    assert not wrong, "\n\n".join([*wrong, "python scripts/pages.py --write puts the real output there"])


def test_every_generated_part_is_up_to_date(monkeypatch, capsys):
    # As python scripts/generate_docs.py --check, without importing everything once more.
    monkeypatch.syspath_prepend(ROOT / "scripts")
    monkeypatch.setattr(sys, "argv", ["generate_docs.py", "--check"])
    status = import_module("generate_docs").main()
    assert status == 0, f"{capsys.readouterr().out}\npython scripts/generate_docs.py writes them anew"


def test_the_plug_in_page_gives_all_that_is_needed_outside_the_project(tmp_path, monkeypatch, capsys):
    files = [
        block for block in blocks_of((ROOT / "docs/how-to/write-a-damage-stage.md").read_text()) if block.mark == "file"
    ]
    for block in files:
        (tmp_path / block.value).write_text(block.text)
    monkeypatch.chdir(tmp_path)
    done = call(capsys, "run", "duel.toml", "--plugin", "blood_price.py", "--detail", "all")
    assert done.status == 0, done.err
    hurt = [line for line in done.out.splitlines() if "critical 100% = 18, blood_price = 27" in line]
    fresh = [line for line in done.out.splitlines() if "critical 100% = 18, blood_price = 18" in line]
    assert hurt
    assert fresh


def test_every_link_leads_somewhere():
    linked = [(page, target) for page in [*PAGES, *RULE_BOOKS] for target in LINK.findall(page.read_text())]
    assert len(linked) > 500
    assert [f"{page.relative_to(ROOT)}: {target}" for page, target in linked if not leads_somewhere(page, target)] == []


def leads_somewhere(page: Path, target: str) -> bool:
    file, _, anchor = target.partition("#")
    linked = (page.parent / file).resolve() if file else page
    return linked.exists() and (not anchor or anchor in anchors(linked))


@cache
def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_an_extra_is_added_to_the_fracas_that_is_installed():
    """Installing the folder with an extra would put a copy in the place of an editable install."""
    wrong = [str(page.relative_to(ROOT)) for page in PAGES if re.search(r"pip install '?\.\[", page.read_text())]
    assert wrong == []


def test_the_site_has_every_page_once():
    listed = re.findall(r"^ +- (?:[\w ]+: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    docs = ROOT / "docs"
    wanted = [str(page.relative_to(docs)) for page in docs.rglob("*.md")]
    assert sorted(listed) == sorted(wanted)


def test_the_first_page_leads_to_every_page():
    """Decisions have a list of their own."""
    docs = ROOT / "docs"
    for index, listed in (
        (docs / "index.md", [page for page in docs.rglob("*.md") if page.parent.name != "adr"]),
        (docs / "adr" / "README.md", list((docs / "adr").glob("0*.md"))),
    ):
        linked = {(index.parent / target.partition("#")[0]).resolve() for target in LINK.findall(index.read_text())}
        assert len(listed) > 30
        assert [str(page.relative_to(docs)) for page in listed if page not in {*linked, index}] == []


def test_pictures_fetch_nothing():
    pictures = list((ROOT / "docs" / "images").glob("*.svg"))
    assert pictures
    for picture in pictures:
        text = picture.read_text().replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert "://" not in text
        assert not re.search(r"@import|@font-face|href|url\(", text)


def test_the_replay_page_lists_every_key():
    text = (ROOT / "docs/reference/replay-format.md").read_text()
    listed = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    assert listed == list(Replay.__struct_fields__)


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_the_lint_table_has_every_rule(ruleset):
    page = (ROOT / "docs/reference/command-line.md").read_text()
    rows = page[page.index(f"Rules of {ruleset}:") :].split("\n\n")[1].splitlines()[2:]
    told = {rule for row in rows for rule in re.findall(r"`([a-z-]+)`", row.split(" | ")[0])}
    content = ROOT / "src/fracas/rulesets" / ruleset / "content"
    texts = [file.read_text() for file in (*content.glob("lint*.py"), *content.glob("lint/*.py"))]
    shared = {name for text in texts for name in re.findall(r"from fracas\.rulesets\.shared\.(\w+) import", text)}
    texts += [(ROOT / f"src/fracas/rulesets/shared/{name}.py").read_text() for name in shared]
    known = {rule for text in texts for rule in re.findall(r'(?:Finding\(\s*| rule = )"([a-z-]+)"', text)}
    assert told == known


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_a_rule_book_and_the_page_on_errors_say_how_much_a_log_holds(ruleset):
    room = f"{registry.get(ruleset).kernels.log_type['rows'].shape[0]:,}"
    book = (ROOT / "src/fracas/rulesets" / ruleset / "README.md").read_text(encoding="utf-8")
    assert f"The log of one battle holds {room} rows" in book
    assert room in (ROOT / "docs/reference/errors.md").read_text(encoding="utf-8")


def test_the_page_on_statistics_names_every_column():
    rows = re.findall(r"^\| (`.+`) \| int64 \|", (ROOT / "docs/reference/statistics.md").read_text(), re.MULTILINE)
    # What stands in capitals is the name of a member, a skill, a slot or a rarity.
    named = [re.sub("[A-Z]+", ".+", name.replace(".", "[.]")) for row in rows for name in re.findall("`(.+?)`", row)]
    scenario = fracas.load(examples_folder() / "delve" / "standard-run.toml")
    measures = scenario.ruleset.measures(scenario.compiled, scenario.document)
    columns = list(measured_columns(np.zeros(1, scenario.ruleset.kernels.result_type), measures))
    assert [column for column in columns if not any(re.fullmatch(name, column) for name in named)] == []
    assert [name for name in named if not any(re.fullmatch(name, column) for column in columns)] == []


def test_the_conditions_that_the_queue_page_proposes_mean_something():
    page = (ROOT / "docs/how-to/write-a-queue.md").read_text()
    rows = re.findall(r"^\| .+ \| (`.+`.*) \|$", page[page.index("## Turns of phrase") :], re.MULTILINE)
    proposed = [text for row in rows for text in re.findall("`(.+?)`", row) if not text.startswith("target")]
    assert len(proposed) > 5
    for text in proposed:
        assert parse(text, registry.get("delve").vocabulary, where=text, strict=True).tree is not None


@pytest.mark.parametrize("ruleset", balance.RULESETS)
def test_the_figures_on_balance_are_the_same_wherever_they_stand(ruleset):
    measured = balance.measurements(ruleset)
    found = [figures.marked(measured.MARK).search(page.read_text()) for page in measured.PAGES]
    assert all(found)
    assert len({match[0] for match in found if match}) == 1


def test_a_figure_on_balance_is_what_the_engine_measures():
    fight = balance_squads.formation_fight("balanced", "flanking", "tuned", None, balance_squads.BATTLES)
    row = next(line for line in formations_of("tuned").splitlines() if line.startswith("| balanced |"))
    assert row.split(" | ")[4] == figures.share(fight.wins[0], fight.battles)


def formations_of(profile: str) -> str:
    text = SQUADS_BOOK.read_text()
    return text[text.index(f"**Formations, profile {profile}**") :]


def test_a_figure_on_quests_is_what_the_engine_measures():
    results = balance_delve.run_results("goblin_warrens", "hard", balance_delve.BATTLES)
    (page,) = balance_delve.PAGES
    row = next(line for line in page.read_text().splitlines() if line.startswith("| The Goblin Warrens |"))
    assert row.split(" | ")[6] == figures.share(results.wins[0], results.battles)


def test_a_figure_on_orders_is_what_the_engine_measures():
    fight = balance_stacks.equal_fight(balance_stacks.STACKS["eight archers"], order="id")
    results = fracas.simulate(fight, balance_stacks.BATTLES)
    (page,) = balance_stacks.PAGES
    row = next(line for line in page.read_text().splitlines() if line.startswith("| eight archers |"))
    assert row.split(" | ")[2] == balance_stacks.decided(results)


def test_a_figure_on_items_is_what_the_engine_measures():
    one, other = balance_relics.resolved(balance_relics.build("Pack", 3), balance_relics.build("Winter", 3))
    (page,) = balance_relics.PAGES
    row = next(line for line in page.read_text().splitlines() if line.startswith("| Pack |"))
    against = list(balance_relics.BUILDS).index("Winter")
    assert row.split(" | ")[1 + against] == f"{balance_relics.won(one, other, balance_relics.BATTLES):.0f}"


# The runner itself: each thing that it should notice, planted.


def page_with(text: str, folder: Path) -> list[Shown]:
    page = folder / "page.md"
    page.write_text(text)
    return list(run_page(page, folder / "run"))


def test_a_wrong_output_is_noticed(tmp_path):
    (shown,) = page_with("```console\n$ fracas --version\n9.9.9\n```\n", tmp_path)
    assert not shown.is_right
    assert "9.9.9" in str(shown)


def test_a_gap_stands_for_anything_but_what_is_shown(tmp_path):
    text = "```console\n$ fracas content show squads scout\n…\n  class    {}\n…\n```\n"
    right, wrong = (page_with(text.format(word), tmp_path / word) for word in made(tmp_path, "ranger", "tank"))
    assert right[0].is_right
    assert not wrong[0].is_right


def made(folder: Path, *names: str) -> list[str]:
    for name in names:
        (folder / name).mkdir()
    return list(names)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```console\n$ fracas run nothing.toml\n```\n", "ends with status 2, not 0"),
        ("<!-- exit: 1 -->\n```console\n$ fracas --version\n```\n", "ends with status 0, not 1"),
        ("```console\n$ ls\n```\n", "only fracas can be run"),
        ("```console\nfracas --version\n```\n", "begins with a command"),
        ("```python\nraise KeyError('x')\n```\n", "page.md:2: KeyError"),
        ("<!-- edit: examples/squads/stun.toml -->\n```diff\n-never there\n+new\n```\n", "has the old lines 0 times"),
        ("```console\n$ fracas --version\n", "is not closed"),
    ],
)
def test_a_block_that_does_not_do_what_it_says_is_noticed(text, said, tmp_path):
    with pytest.raises(PageError, match=said):
        page_with(text, tmp_path)


def test_a_python_block_is_compared_with_what_it_prints(tmp_path):
    text = "```python\nprint(6 * 7)\n```\n\n<!-- output -->\n```text\n{}\n```\n"
    right, wrong = (page_with(text.format(value), tmp_path / value) for value in made(tmp_path, "42", "43"))
    assert [right[0].is_right, wrong[0].is_right] == [True, False]


def test_durations_are_not_compared():
    shown = "10,000 battles in 0.05 s (212,636 battles/s on 2 threads)"
    assert agrees([shown], ["10,000 battles in 1.25 s (8,000 battles/s on 16 threads)"])
    assert not agrees([shown], ["20,000 battles in 0.05 s (212,636 battles/s on 2 threads)"])


def test_an_edit_changes_the_file_it_names(tmp_path):
    file = tmp_path / "x.toml"
    file.write_text("a = 1\nb = 2\n")
    edit(file, (" a = 1", "-b = 2", "+b = 3", "+c = 4"), "here")
    assert file.read_text() == "a = 1\nb = 3\nc = 4\n"


def test_renewing_an_output_keeps_its_gaps():
    assert renewed(["head 1", "…", "tail 1"], ["head 2", "left", "out", "tail 2"]) == ["head 2", "…", "tail 2"]


def test_comments_above_blocks_are_read():
    (block,) = blocks_of("<!-- file: a/b.toml -->\n```toml\nx = 1\n```\n")
    assert block == Block("toml", "file", "a/b.toml", ("x = 1",), 3)


def test_examples_and_templates_have_one_spelling_of_a_key_that_has_two():
    files = [*examples_folder().rglob("*.toml"), *(ROOT / "src").rglob("*.toml"), *PAGES]
    assert len(files) > 100
    # The seed's own file and the generated tables of keys have the other one, which stays readable.
    others = ("targetPriority", "allyPriority")
    wrong = [
        file for file in files if file.parent.name != "reference" and any(key in file.read_text() for key in others)
    ]
    assert not [file for file in wrong if file.name != "CHANGELOG.md"]
