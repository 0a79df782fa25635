"""Sealed files: as file objects, and in memory."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Literal, Optional, Union, overload

from . import _icefish
from ._reader import ObjectSource, SealedReader, Source, reader
from ._secret import Secret
from ._writer import ObjectSink, SealedWriter, Sink

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._secret import Cost, Passphrase

    Path = Union[str, "os.PathLike[str]"]


@overload
def open(
    file: Union[Path, IO[bytes]],
    mode: Literal["rb", "r"] = "rb",
    *,
    key: Optional[Buffer] = None,
    passphrase: Optional[Passphrase] = None,
    context: Buffer = b"",
    cost: Optional[Cost] = None,
    max_memory: Optional[int] = None,
) -> SealedReader: ...
@overload
def open(
    file: Union[Path, IO[bytes]],
    mode: Literal["wb", "w", "xb", "x"],
    *,
    key: Optional[Buffer] = None,
    passphrase: Optional[Passphrase] = None,
    context: Buffer = b"",
    cost: Optional[Cost] = None,
    max_memory: Optional[int] = None,
) -> SealedWriter: ...
def open(
    file: Union[Path, IO[bytes]],
    mode: str = "rb",
    *,
    key: Optional[Buffer] = None,
    passphrase: Optional[Passphrase] = None,
    context: Buffer = b"",
    cost: Optional[Cost] = None,
    max_memory: Optional[int] = None,
) -> Union[SealedReader, SealedWriter]:
    """Opens a sealed file (Cobblestone) as a file object: "rb" reads, "wb" writes, "xb" writes a file that is not there yet.

    `file` is a path, or a file object; to be read, it must be able to seek. `key` has 32 bytes, or 16 for Cobblestone-128. Or
    `passphrase` is text or bytes, and the file begins with a header that says how Argon2id derives the key; `cost` is the memory
    in KiB, the passes and the lanes of Argon2id for a new file, and `max_memory` the most KiB that the header of a file may ask
    for (2 GiB).
    `context` is data that both sides know and that is not in the file; it goes with a key.

    Raises InvalidTag for another key, passphrase or context and for a file that was changed or cut short; ValueError for a wrong
    length; OSError for what the operating system refuses.
    """
    secret = Secret(key, passphrase, context, cost, max_memory)
    name = file if isinstance(file, (str, os.PathLike)) else getattr(file, "name", None)
    if mode in ("rb", "r"):

        def source() -> Source:
            if isinstance(file, (str, os.PathLike)):
                return _icefish.FileOpener(os.fspath(file), secret)
            return ObjectSource(file, secret)

        return reader(source, name)
    if mode not in ("wb", "w", "xb", "x"):
        raise ValueError(f'the mode is {mode!r}; it is "rb", "wb" or "xb", and io.TextIOWrapper makes text of it')
    sink: Sink
    if isinstance(file, (str, os.PathLike)):
        sink = _icefish.FileSealer(os.fspath(file), "x" not in mode, secret)
    else:
        sink = ObjectSink(file, secret)
    return SealedWriter(sink, name)


def seal(
    data: Buffer,
    *,
    key: Optional[Buffer] = None,
    passphrase: Optional[Passphrase] = None,
    context: Buffer = b"",
    cost: Optional[Cost] = None,
) -> bytes:
    """The sealed file (Cobblestone) of `data`, on all cores; arguments as of `open`. `open_bytes` opens it."""
    return _icefish.seal(data, Secret(key, passphrase, context, cost))


def open_bytes(
    data: Buffer,
    *,
    key: Optional[Buffer] = None,
    passphrase: Optional[Passphrase] = None,
    context: Buffer = b"",
    max_memory: Optional[int] = None,
) -> bytes:
    """The plaintext of a sealed file in memory, on all cores. Raises as `open`."""
    return _icefish.open_bytes(data, Secret(key, passphrase, context, None, max_memory))
