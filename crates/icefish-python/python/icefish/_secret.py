"""What a sealed file is sealed with."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Optional, Union

if TYPE_CHECKING:
    from typing_extensions import Buffer

    Passphrase = Union[str, Buffer]
    Cost = tuple[int, int, int]


class Secret:
    """A key or a passphrase, and what goes with it. Neither `repr` nor a pickle has it."""

    __slots__ = ("context", "cost", "key", "max_memory", "passphrase")

    def __init__(
        self,
        key: Optional[Buffer] = None,
        passphrase: Optional[Passphrase] = None,
        context: Buffer = b"",
        cost: Optional[Cost] = None,
        max_memory: Optional[int] = None,
    ) -> None:
        self.key = key
        self.passphrase = passphrase.encode() if isinstance(passphrase, str) else passphrase
        self.context = context
        self.cost = cost
        self.max_memory = max_memory

    def __repr__(self) -> str:
        return "<icefish secret>"

    def __reduce__(self) -> str:
        raise TypeError("a secret does not go into a pickle; give key_file=... or key_env=... instead")


def key_of_text(text: str, name: str) -> bytes:
    """The key of hexadecimal digits, as `icefish encrypt --generate-key` writes it."""
    try:
        return bytes.fromhex(text.strip())
    except ValueError:
        raise ValueError(
            f"{name} is not a key; it takes hexadecimal digits, such as `icefish encrypt --generate-key` writes"
        ) from None


def key_of_file(path: Union[str, os.PathLike[str]]) -> bytes:
    """The key in a file, in hexadecimal digits."""
    with open(path, encoding="ascii", errors="replace") as file:
        return key_of_text(file.read(4096), os.fspath(path))


def key_of_environment(name: str) -> bytes:
    """The key in a variable of the environment, in hexadecimal digits."""
    text = os.environ.get(name)
    if text is None:
        raise ValueError(f"the environment has no variable {name}; set it to the key, in hexadecimal digits")
    return key_of_text(text, f"the environment variable {name}")
