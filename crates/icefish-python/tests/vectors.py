"""The vectors of the library's tests."""

from __future__ import annotations

import csv
import json
import pathlib
from collections.abc import Iterator
from typing import Any

FOLDER = pathlib.Path(__file__).parents[2] / "icefish" / "tests" / "vectors"


def rows(name: str) -> Iterator[dict[str, str]]:
    with open(FOLDER / name, newline="") as file:
        yield from csv.DictReader(file)


def wycheproof(name: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each test with its group."""
    for group in json.loads((FOLDER / name).read_text())["testGroups"]:
        for test in group["tests"]:
            yield group, test
