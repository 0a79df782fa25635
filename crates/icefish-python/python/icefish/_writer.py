"""Sealed files that are written."""

from __future__ import annotations

import io
import warnings
from typing import IO, TYPE_CHECKING, Any, Optional, Protocol

from . import _icefish
from ._secret import Secret

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Sink(Protocol):
    """What a writer writes to."""

    def update(self, data: Buffer) -> None: ...
    def finish(self) -> None: ...
    def discard(self) -> None: ...


class ObjectSink:
    """A file object, which is not closed. What was written to it stays, and cannot be opened if it is not complete."""

    def __init__(self, file: IO[bytes], secret: Secret) -> None:
        self._file = file
        self._sealer = _icefish.Sealer(secret)
        self._put(self._sealer.head)

    def update(self, data: Buffer) -> None:
        self._put(self._sealer.update(data))

    def finish(self) -> None:
        self._put(self._sealer.finish())
        self._file.flush()

    def discard(self) -> None:
        pass

    def _put(self, sealed: bytes) -> None:
        rest = memoryview(sealed)
        while rest:
            # A raw file may write a part; other files return all, and some nothing.
            written = self._file.write(rest)
            rest = rest[written:] if isinstance(written, int) else rest[:0]


class SealedWriter(io.BufferedIOBase):
    """A sealed file that is written: `icefish.open(..., "wb")`.

    A file of a path appears under its name when it is closed, complete and on the disk. If it is left by an exception, or never
    closed, nothing is left of it, and what had that name before stays. Long writes are encrypted on all cores.
    """

    mode = "wb"

    def __init__(self, sink: Sink, name: object = None, autocommit: bool = True) -> None:
        self._sink: Optional[Sink] = sink
        self._autocommit = autocommit
        self._position = 0
        self.name = name

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        self._open_sink()
        return self._position

    def write(self, data: Buffer, /) -> int:
        """Takes all of `data`; returns its length in bytes."""
        length = len(data) if isinstance(data, bytes) else memoryview(data).nbytes
        sink = self._open_sink()
        try:
            sink.update(data)
        except BaseException:
            self.discard()
            raise
        self._position += length
        return length

    def flush(self) -> None:
        """Nothing: chunks are written when they are full."""

    def close(self) -> None:
        """Completes the file, and gives it its name."""
        if not self.closed:
            try:
                if self._autocommit:
                    self.commit()
            finally:
                super().close()

    def commit(self) -> None:
        """Completes the file of a transaction."""
        sink, self._sink = self._sink, None
        if sink is not None:
            try:
                sink.finish()
            except BaseException:
                sink.discard()
                raise

    def discard(self) -> None:
        """Closes the file and leaves nothing of it."""
        sink, self._sink = self._sink, None
        if sink is not None:
            sink.discard()
        super().close()

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()

    def __del__(self) -> None:
        if getattr(self, "_sink", None) is not None and self._autocommit:
            warnings.warn(f"unclosed sealed file {self.name!r}: nothing was written", ResourceWarning, source=self, stacklevel=2)
            self.discard()

    def _open_sink(self) -> Sink:
        if self.closed or self._sink is None:
            raise ValueError("I/O operation on closed file")
        return self._sink

    def __repr__(self) -> str:
        return f"<icefish.SealedWriter {self.name!r}>"

    def __reduce__(self) -> str:
        raise TypeError("a writer does not go into a pickle, since it has a key")
