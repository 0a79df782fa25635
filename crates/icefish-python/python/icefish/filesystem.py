"""Sealed files wherever they are: a filesystem of fsspec that wraps any other.

`pandas.read_parquet("icefish::s3://bucket/table.parquet", storage_options={"icefish": {"key_env": "TABLE_KEY"}})`
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NoReturn, Optional, Union

import fsspec
from fsspec.implementations.local import LocalFileSystem
from fsspec.spec import AbstractFileSystem

from . import _icefish
from ._errors import InvalidTag
from ._reader import Ranges, SealedReader, reader
from ._secret import Secret, key_of_environment, key_of_file
from ._writer import ObjectSink, SealedWriter

try:
    from fsspec.implementations.chained import ChainedFileSystem as Base
except ImportError:
    Base = AbstractFileSystem

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._secret import Cost, Passphrase


# What is asked for at once when reads follow each other, unless the caller says how much: a short request takes its time too.
BLOCK = 4 << 20


class RemoteSource(Ranges):
    """A file of another filesystem: each part is one request, since the place of every chunk is known."""

    def __init__(self, fs: Any, path: str, secret: Secret) -> None:
        self._fs = fs
        self._path = path
        length = fs.info(path)["size"]
        if length is None:
            raise OSError(f"{path} has no known length, which a sealed file needs to be read")
        super().__init__(length, path, secret)

    def read(self, start: int, end: int) -> bytes:
        data: bytes = self._fs.cat_file(self._path, start=start, end=end)
        if len(data) != end - start:
            raise OSError(
                f"{self._path} gave {len(data)} bytes where {end - start} were asked for; it changed, or its server has no ranges"
            )
        return data


class RemoteSink(ObjectSink):
    """A file of another filesystem, which appears when it is complete, if that filesystem can do so."""

    def __init__(self, fs: Any, path: str, mode: str, secret: Secret) -> None:
        self._before = fs.exists(path)
        if "x" in mode and self._before:
            raise FileExistsError(path)
        self._fs = fs
        self._path = path
        self._inner = fs.open(path, "wb")
        super().__init__(self._inner, secret)

    def finish(self) -> None:
        self._put(self._sealer.finish())
        self._inner.close()

    def discard(self) -> None:
        # Closing would upload what was written; it is thrown away instead. A file that was not there before is removed. One that
        # was there stays: an object store still has it, and where opening has emptied it, what is left cannot be opened.
        stop = getattr(self._inner, "discard", None)
        try:
            if stop is not None:
                stop()
        finally:
            if hasattr(self._inner, "closed"):
                try:
                    self._inner.closed = True
                except AttributeError:
                    self._inner.close()
            if not self._before and self._fs.exists(self._path):
                self._fs.rm_file(self._path)


class SealedFileSystem(Base):  # type: ignore[misc]
    """A filesystem whose files are sealed (Cobblestone) on another: `fsspec.filesystem("icefish", fs=..., key_env=...)`.

    The other is `fs`, or `target_protocol` with `target_options`; URLs chain it: `icefish::memory://folder/file`. Lengths are
    those of the plaintext; names are not encrypted.

    The key is one of: `key`, 16 or 32 bytes; `key_file`, the path of a file with hexadecimal digits; `key_env`, a variable of the
    environment with them; `passphrase`, which costs 0.2 s and 64 MiB for each file. Only a filesystem with `key_file` or
    `key_env` goes into a pickle, and so to other processes: these read the key themselves. `context` goes with a key, `cost` and
    `max_memory` with a passphrase, as in `icefish.open`.
    """

    protocol = "icefish"
    root_marker = ""

    def __init__(
        self,
        fs: Any = None,
        target_protocol: Optional[str] = None,
        target_options: Optional[dict[str, Any]] = None,
        fo: Optional[str] = None,
        key: Optional[Buffer] = None,
        key_file: Union[str, os.PathLike[str], None] = None,
        key_env: Optional[str] = None,
        passphrase: Optional[Passphrase] = None,
        context: Buffer = b"",
        cost: Optional[Cost] = None,
        max_memory: Optional[int] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if sum(way is not None for way in (key, key_file, key_env, passphrase)) != 1:
            raise ValueError("a sealed filesystem takes one of key=, key_file=, key_env= and passphrase=")
        if key_file is not None:
            key = key_of_file(key_file)
        if key_env is not None:
            key = key_of_environment(key_env)
        self._portable = key_file is not None or key_env is not None
        self._secret = Secret(key, passphrase, context, cost, max_memory)
        self.fs = fs if fs is not None else fsspec.filesystem(target_protocol or "file", **(target_options or {}))

    def _inner(self, path: str) -> str:
        inner: str = self.fs._strip_protocol(self._strip_protocol(path))
        return inner

    def _open(
        self,
        path: str,
        mode: str = "rb",
        block_size: Optional[int] = None,
        autocommit: bool = True,
        cache_options: Optional[dict[str, Any]] = None,
        **kwargs: Any,
    ) -> Union[SealedReader, SealedWriter]:
        inner = self._inner(path)
        local = isinstance(self.fs, LocalFileSystem)
        if mode == "rb":
            if local:
                return reader(lambda: _icefish.FileOpener(inner, self._secret), path)
            return reader(lambda: RemoteSource(self.fs, inner, self._secret), path, block_size or BLOCK)
        if mode not in ("wb", "xb"):
            raise ValueError(f"the mode is {mode!r}; a sealed file takes rb, wb or xb: nothing can be changed or appended")
        if local:
            if self.fs.auto_mkdir:
                self.fs.makedirs(self.fs._parent(inner), exist_ok=True)
            return SealedWriter(_icefish.FileSealer(inner, mode == "wb", self._secret), path, autocommit)
        return SealedWriter(RemoteSink(self.fs, inner, mode, self._secret), path, autocommit)

    def cat_file(self, path: str, start: Optional[int] = None, end: Optional[int] = None, **kwargs: Any) -> bytes:
        """A part of a file, verified: the bytes from `start` to `end`, which count from the end if they are negative."""
        with self._open(path) as file:
            assert isinstance(file, SealedReader)
            first, last, _ = slice(start, end).indices(file.size)
            file.seek(first)
            return file.read(max(last - first, 0))

    def pipe_file(self, path: str, value: Buffer, mode: str = "overwrite", **kwargs: Any) -> None:
        """Writes a file."""
        with self.open(path, "xb" if mode == "create" else "wb") as file:
            file.write(value)

    def _plain(self, info: dict[str, Any]) -> dict[str, Any]:
        if info.get("type") != "file" or info.get("size") is None:
            return info
        try:
            size: Optional[int] = _icefish.plain_length(info["size"], self._secret.passphrase is not None)
        except (InvalidTag, ValueError):
            # No sealed file has this length.
            size = None
        return {**info, "size": size, "sealed_size": info["size"]}

    def info(self, path: str, **kwargs: Any) -> dict[str, Any]:
        """As of the other filesystem, with the length of the plaintext, which is not verified, and `sealed_size`."""
        return self._plain(self.fs.info(self._inner(path), **kwargs))

    def ls(self, path: str, detail: bool = True, **kwargs: Any) -> list[Any]:
        """As of the other filesystem, with lengths of plaintexts."""
        found = self.fs.ls(self._inner(path), detail=True, **kwargs)
        return [self._plain(info) for info in found] if detail else [info["name"] for info in found]

    def exists(self, path: str, **kwargs: Any) -> bool:
        return bool(self.fs.exists(self._inner(path), **kwargs))

    def created(self, path: str) -> Any:
        return self.fs.created(self._inner(path))

    def modified(self, path: str) -> Any:
        return self.fs.modified(self._inner(path))

    def mkdir(self, path: str, create_parents: bool = True, **kwargs: Any) -> None:
        self.fs.mkdir(self._inner(path), create_parents=create_parents, **kwargs)

    def makedirs(self, path: str, exist_ok: bool = False) -> None:
        self.fs.makedirs(self._inner(path), exist_ok=exist_ok)

    def rmdir(self, path: str) -> None:
        self.fs.rmdir(self._inner(path))

    def rm_file(self, path: str) -> None:
        self.fs.rm_file(self._inner(path))

    def rm(self, path: Any, recursive: bool = False, maxdepth: Optional[int] = None) -> None:
        paths = [path] if isinstance(path, str) else path
        self.fs.rm([self._inner(one) for one in paths], recursive=recursive, maxdepth=maxdepth)

    def cp_file(self, path1: str, path2: str, **kwargs: Any) -> None:
        """Copies a sealed file as it is."""
        self.fs.cp_file(self._inner(path1), self._inner(path2), **kwargs)

    def mv(self, path1: str, path2: str, recursive: bool = False, maxdepth: Optional[int] = None, **kwargs: Any) -> None:
        self.fs.mv(self._inner(path1), self._inner(path2), recursive=recursive, maxdepth=maxdepth, **kwargs)

    def invalidate_cache(self, path: Optional[str] = None) -> None:
        self.fs.invalidate_cache(None if path is None else self._inner(path))

    def to_dict(self, *, include_password: bool = True) -> dict[str, Any]:
        self._refuse()
        made: dict[str, Any] = super().to_dict(include_password=include_password)
        return made

    def __reduce__(self) -> Any:
        self._refuse()
        return super().__reduce__()

    def _refuse(self) -> Union[NoReturn, None]:
        if not self._portable:
            raise TypeError(
                "a key does not go into a pickle; give the filesystem key_file=... or key_env=..., which name where it is"
            )
        return None
