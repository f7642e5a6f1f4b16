"""Ctrl-C before the program is there."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.helpers.commands import INTERRUPTED

PRESS = """
import sys
from fracas.__main__ import main

class Press:
    def find_spec(self, name, *rest):
        if name == "fracas.cli.app":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Press())
sys.argv = {arguments}
main()
"""


@pytest.mark.parametrize("arguments", [["fracas"], ["fracas", "doctor", "--format", "json"]])
def test_ctrl_c_while_the_program_is_imported_ends_it_in_a_word(arguments):
    code = PRESS.format(arguments=arguments)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (INTERRUPTED, "interrupted\n")
    assert json.loads(ended.stdout or "null") == ({"interrupted": True} if "json" in arguments else None)
