"""What a table's page says of proofs: whole ones, edited ones, and those that an operator makes up afterwards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.javascript import LIBRARY, output_of
from tests.server.tables.conftest import NONCES

from fracas.replay.table_file import read_proof, table_salt_seal
from fracas.rulesets.shared.commit_reveal import commitment_of, handshake_of, seal_of
from fracas.web.modules import FOLDER

# The server has no module of the game: the events are left to `fracas verify`.
PROGRAM = """
import { parsed, problemIn, stepsOfCheck } from "./table-proof.mjs";
globalThis.fetch = async () => ({ status: 404, json: async () => ({ detail: "No module." }) });
const { readFileSync } = await import("node:fs");
const answers = [];
for (const { text, noted, id } of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const steps = [];
  for await (const step of stepsOfCheck(parsed(text), noted, id)) steps.push(step);
  answers.push({ ...(await problemIn(text, noted, id)), steps });
}
console.log(JSON.stringify(answers));
"""
Proof = dict[str, Any]


@pytest.fixture
def checked(tmp_path: Path):
    """The answers of the page's check to proofs with what a device noted."""

    def check(*asked: tuple[Proof, dict[str, str], str]) -> list[dict[str, Any]]:
        program, jobs = tmp_path / "check.mjs", tmp_path / "jobs.json"
        program.write_text(PROGRAM, encoding="utf-8")
        # They stand side by side at a server.
        (tmp_path / "fracas.mjs").write_text(LIBRARY.read_text(encoding="utf-8"), encoding="utf-8")
        checks = (FOLDER / "table-proof.js").read_text(encoding="utf-8").replace("./fracas.js", "./fracas.mjs")
        (tmp_path / "table-proof.mjs").write_text(checks, encoding="utf-8")
        told = [{"text": json.dumps(proof), "noted": noted, "id": table} for proof, noted, table in asked]
        jobs.write_text(json.dumps(told), encoding="utf-8")
        answers: list[dict[str, Any]] = json.loads(output_of([str(program), str(jobs)]))
        return answers

    return check


def sealed(proof: Proof, **other: Any) -> Proof:
    """A proof with other contents, as who runs the server can make it: its seal and its commitment fit."""
    made = {**proof, **other}
    made["seal"] = seal_of({key: value for key, value in made.items() if key != "seal"})
    made["commitment"] = commitment_of(made["server_seed"], read_proof(made, "made").terms)
    return {**made, "seal": seal_of({key: value for key, value in made.items() if key != "seal"})}


def test_a_made_up_proof_is_refused_by_whoever_noted_the_promise(new_table, checked):
    table = new_table().begin()
    table.choose(0, 1, "rock")
    table.choose(1, 1, "paper")
    table.sockets[1].hear("round")
    table.sockets[1].say("resign")
    table.sockets[1].hear("over")
    proof, mine = table.proof(), {"salt": "salt 0"}
    handshake = handshake_of(proof["commitment"], proof["salt_seals"])
    noted = {**mine, "commitment": proof["commitment"], "handshake": handshake}
    other_seed = sealed(proof, server_seed="0" * 64)
    salts = ["salt 0", "a better one"]
    seals = [table_salt_seal(side + 1, salts[side], NONCES[side]) for side in (0, 1)]
    other_salt = sealed(proof, salts=salts, salt_seals=seals)
    answers = checked(
        (proof, noted, table.id),
        (proof, {}, table.id),
        ({**proof, "seconds": 61}, noted, table.id),
        (proof, noted, "0" * 26),
        (other_seed, {}, table.id),
        (other_seed, noted, table.id),
        (other_salt, {}, table.id),
        (other_salt, noted, table.id),
        ({**other_seed, **proof, "server_seed": "0" * 64}, {}, table.id),
    )
    whole, unnoted, edited, foreign, *made_up = [each["problem"] for each in answers]
    assert [len(each["steps"]) for each in answers[:2]] == [9, 6]
    assert all(step["problem"] == "" and step["told"].endswith(".") for step in answers[0]["steps"])
    assert "this device noted, and were kept" in answers[0]["told"]
    assert "this device noted none before" in answers[1]["told"]
    assert (whole, unnoted) == ("", "")
    assert edited == "the file was edited."
    assert foreign == "it is of another table."
    # Without a note a file that fits itself is all that can be asked for.
    assert made_up[0] == made_up[2] == ""
    assert made_up[1] == "it promises something else than you were shown."
    assert made_up[3] == "the sealed salts are not those you were shown."
    assert made_up[4] == "the file was edited."


def test_a_table_that_ended_before_the_dice_were_known_has_a_proof_too(new_table, checked):
    table = new_table().sit()
    table.sockets = [table.connect(0), table.connect(1)]
    table.seal(0)
    table.sockets[1].say("resign")
    table.sockets[1].hear("over")
    proof = table.proof()
    [answer] = checked((proof, {}, table.id))
    assert answer["problem"] == ""
    assert [step["told"] for step in answer["steps"]][3:5] == [
        f"Side {side} never opened a salt, and nothing was played." for side in (1, 2)
    ]
