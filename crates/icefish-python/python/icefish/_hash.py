"""Hashes of files."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Optional

from . import _icefish

if TYPE_CHECKING:
    from typing_extensions import Buffer


def file_digest(
    fileobj: IO[bytes],
    name: str,
    /,
    *,
    key: Optional[Buffer] = None,
    digest_size: Optional[int] = None,
) -> _icefish.Hash:
    """The hash of a file object from its position to its end, as `hashlib.file_digest`; arguments as of `new`."""
    made = _icefish.new(name, key=key, digest_size=digest_size)
    readinto = getattr(fileobj, "readinto", None)
    if readinto is None:
        while piece := fileobj.read(1 << 20):
            made.update(piece)
        return made
    room = bytearray(1 << 20)
    with memoryview(room) as view:
        while length := readinto(room):
            made.update(view[:length])
    return made
