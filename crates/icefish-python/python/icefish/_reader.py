"""Sealed files that are read."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Optional, Protocol

from . import _icefish
from ._errors import InvalidTag
from ._secret import Secret

if TYPE_CHECKING:
    from typing_extensions import Buffer

CHUNK = _icefish.CHUNK

# What is decrypted ahead when reads follow each other: enough for several cores.
AHEAD = 64 * CHUNK


class Source(Protocol):
    """What a reader reads from: parts of a plaintext, verified."""

    @property
    def size(self) -> int: ...
    def open(self, start: int, length: int) -> bytes: ...
    def open_into(self, start: int, out: Buffer) -> None: ...
    def close(self) -> None: ...


class Ranges:
    """A sealed file of which ranges can be read; `read` is for subclasses, and may be called by several threads."""

    def __init__(self, length: int, name: str, secret: Secret) -> None:
        head = self.read(0, min(length, _icefish.HEAD))
        self._opener = _icefish.Opener(secret, head, length, name)
        size = self._opener.size
        self._opener.verify_end(self.read(*self._opener.span(size, size)))

    @property
    def size(self) -> int:
        return self._opener.size

    def open(self, start: int, length: int) -> bytes:
        return self._opener.open(start, length, self.read(*self._opener.span(start, start + length)))

    def open_into(self, start: int, out: Buffer) -> None:
        end = start + memoryview(out).nbytes
        self._opener.open_into(start, self.read(*self._opener.span(start, end)), out)

    def read(self, start: int, end: int) -> Buffer:
        """The bytes of the sealed file from `start` to `end`."""
        raise NotImplementedError

    def close(self) -> None:
        pass


class ObjectSource(Ranges):
    """A file object that can seek. It is not closed."""

    def __init__(self, file: IO[bytes], secret: Secret) -> None:
        self._file = file
        self._lock = threading.Lock()
        super().__init__(file.seek(0, os.SEEK_END), str(getattr(file, "name", "the file")), secret)

    def read(self, start: int, end: int) -> bytes:
        parts = []
        with self._lock:
            self._file.seek(start)
            while start < end:
                part = self._file.read(end - start)
                if not part:
                    raise OSError("the sealed file became shorter while it was read; try again when nobody writes to it")
                parts.append(part)
                start += len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)


def named(name: object, error: InvalidTag) -> InvalidTag:
    """The same with the name of the file: who reads many files asks which one."""
    return error if name is None else InvalidTag(f"{name}: {error}")


def reader(make: Callable[[], Source], name: object, ahead: int = AHEAD) -> SealedReader:
    """A reader of what `make` opens."""
    try:
        source = make()
    except InvalidTag as error:
        raise named(name, error) from None
    return SealedReader(source, name, ahead)


class SealedReader(io.BufferedIOBase):
    """A sealed file that is read: `icefish.open(..., "rb")`.

    Positions and lengths are those of the plaintext. Each chunk of 16 KiB is verified before any of its bytes is returned, and
    the length of the file when it is opened. Long reads are decrypted on all cores.
    """

    mode = "rb"

    def __init__(self, source: Source, name: object = None, ahead: int = AHEAD) -> None:
        self._source = source
        self._ahead = max(ahead, CHUNK)
        self._position = 0
        # Decrypted bytes, and where they are in the plaintext.
        self._window = b""
        self._start = -1
        self.name = name

    @property
    def size(self) -> int:
        """Length of the plaintext in bytes."""
        return self._source.size

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        self._check()
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._check()
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self.size}.get(whence)
        if base is None:
            raise ValueError(f"whence is {whence}; it is 0, 1 or 2")
        if base + offset < 0:
            raise ValueError(f"the position {base + offset} is negative")
        self._position = base + offset
        return self._position

    def read(self, size: Optional[int] = -1, /) -> bytes:
        """Up to `size` bytes, fewer only at the end; all that is left for -1. Raises InvalidTag for a chunk that was changed."""
        self._check()
        left = max(self.size - self._position, 0)
        length = left if size is None or size < 0 else min(size, left)
        part = self._buffered(length)
        rest = length - len(part)
        if rest == 0:
            data = part
        elif rest >= self._ahead // 4:
            data = self._open(self._position + len(part), rest)
            data = part + data if part else data
        else:
            self._fill(self._position + len(part), rest)
            begin = self._position + len(part) - self._start
            data = part + self._window[begin : begin + rest]
        self._position += length
        return data

    def read1(self, size: int = -1, /) -> bytes:
        return self.read(self._ahead if size < 0 else size)

    def readinto(self, buffer: Buffer, /) -> int:
        """Fills `buffer`, as far as the file goes; returns the number of bytes. Long parts are decrypted in their place."""
        self._check()
        with memoryview(buffer) as view, view.cast("B") as out:
            length = min(len(out), max(self.size - self._position, 0))
            if length >= self._ahead // 4:
                try:
                    self._source.open_into(self._position, out[:length])
                except InvalidTag as error:
                    raise named(self.name, error) from None
                self._position += length
            else:
                out[:length] = self.read(length)
        return length

    def readinto1(self, buffer: Buffer, /) -> int:
        return self.readinto(buffer)

    def peek(self, size: int = 0, /) -> bytes:
        """Some bytes from the position on. The position does not change."""
        self._check()
        if not self._buffered(1) and self._position < self.size:
            self._fill(self._position, 1)
        begin = self._position - self._start
        return self._window[begin:] if 0 <= begin else b""

    def close(self) -> None:
        if not self.closed:
            self._window = b""
            self._source.close()
        super().close()

    def _open(self, start: int, length: int) -> bytes:
        try:
            return self._source.open(start, length)
        except InvalidTag as error:
            raise named(self.name, error) from None

    def _buffered(self, length: int) -> bytes:
        begin = self._position - self._start
        return self._window[begin : begin + length] if 0 <= begin else b""

    def _fill(self, start: int, length: int) -> None:
        """Decrypts the chunks of a part; and more if it begins where the last ones ended."""
        begin = start // CHUNK * CHUNK
        need = min(-(-(start + length) // CHUNK) * CHUNK, self.size)
        end = need
        if start == self._start + len(self._window):
            end = min(max(need, begin + self._ahead // CHUNK * CHUNK), self.size)
        try:
            window = self._source.open(begin, end - begin)
        except InvalidTag as error:
            if end == need:
                raise named(self.name, error) from None
            # The wrong chunk may be one that was only read ahead: try those that were asked for.
            window = self._open(begin, need - begin)
        self._window = window
        self._start = begin

    def _check(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file")

    def __repr__(self) -> str:
        return f"<icefish.SealedReader {self.name!r}>"

    def __reduce__(self) -> str:
        raise TypeError("a reader does not go into a pickle, since it has a key")
