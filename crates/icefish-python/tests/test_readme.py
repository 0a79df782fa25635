"""The examples of the README run as they are."""

from __future__ import annotations

import pathlib
import re

import pytest

EXAMPLES = re.findall(r"```python\n(.*?)```", (pathlib.Path(__file__).parents[1] / "README.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(example: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLE_KEY", "")
    exec(compile(example, "README.md", "exec"), {})


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 4
