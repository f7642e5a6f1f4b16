"""What a package index gets to know: a README without dead links, and the licences of everything inside."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from email import message_from_string
from email.message import Message

import pytest
from scripts.readme_for_index import readable
from tests.helpers.guards import ROOT

BUILD = "import sys; from hatchling.build import *; print(prepare_metadata_for_build_wheel(sys.argv[1]))"


@pytest.fixture(scope="module")
def metadata(tmp_path_factory) -> Message:
    """The metadata of a wheel built from these sources."""
    folder = tmp_path_factory.mktemp("metadata")
    subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], cwd=ROOT, env={**os.environ}, check=True, capture_output=True
    )
    (file,) = folder.glob("*.dist-info/METADATA")
    return message_from_string(file.read_text(encoding="utf-8"))


def test_the_readme_has_no_link_that_leads_nowhere(metadata):
    text = metadata.get_payload()
    assert "Compare two strategies" in text
    assert "# Fracas" in text
    assert re.findall(r"\]\((?![a-z]+://)", text) == []


def test_every_licence_is_named(metadata):
    files = metadata.get_all("License-File")
    # Not the files of a new game, which end in .py.txt and .toml.txt.
    texts = (ROOT / "src/fracas/data").rglob("*/*.txt")
    vendored = {str(file.relative_to(ROOT)) for file in texts if file.suffixes == [".txt"]}
    assert set(files) == {"LICENSE", *vendored}
    assert metadata["License-Expression"] == "Apache-2.0 AND MIT"


def test_links_to_other_hosts_stay():
    text = "a [link](docs/a.md#b), [there](https://example.org) ![a\npicture](docs/a.svg)\nend"
    assert readable(text) == "a link, [there](https://example.org) end"
