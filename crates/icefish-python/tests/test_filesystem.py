"""The filesystem of fsspec: any other below it, pandas, pyarrow, zarr, pickles."""

from __future__ import annotations

import io
import os
import pathlib
import pickle
from collections.abc import Iterator
from typing import Any

import fsspec
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
import zarr
from fsspec.implementations.memory import MemoryFileSystem
from fsspec.spec import AbstractFileSystem

import icefish

KEY = bytes(range(32))
CHUNK = 16384


class Counting(MemoryFileSystem):  # type: ignore[misc]
    """A filesystem as an object store: what is asked for is counted, and no file is opened to be read."""

    protocol = "counting"
    store: dict[str, Any] = {}
    pseudo_dirs = [""]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.asked: list[tuple[int, int]] = []

    def cat_file(self, path: str, start: Any = None, end: Any = None, **kwargs: Any) -> bytes:
        self.asked.append((start, end))
        data: bytes = self.store[self._strip_protocol(path)].getvalue()[start:end]
        return data

    def open(self, path: str, mode: str = "rb", *arguments: Any, **kwargs: Any) -> Any:
        assert mode != "rb"
        return super().open(path, mode, *arguments, **kwargs)


@pytest.fixture(params=["local", "memory"])
def place(request: Any, tmp_path: pathlib.Path) -> Iterator[tuple[Any, str]]:
    """A filesystem, and a folder in it."""
    if request.param == "local":
        yield fsspec.filesystem("file"), str(tmp_path)
    else:
        other = fsspec.filesystem("memory")
        yield other, "/folder"
        other.store.clear()


def test_write_and_read(place: tuple[Any, str]) -> None:
    other, folder = place
    fs = fsspec.filesystem("icefish", fs=other, key=KEY, skip_instance_cache=True)
    data = os.urandom(3_000_001)
    fs.makedirs(f"{folder}/a", exist_ok=True)
    with fs.open(f"{folder}/a/b", "wb") as file:
        file.write(data)
    assert icefish.open_bytes(other.cat_file(f"{folder}/a/b"), key=KEY) == data
    assert fs.info(f"{folder}/a/b")["size"] == fs.size(f"{folder}/a/b") == len(data)
    assert fs.info(f"{folder}/a/b")["sealed_size"] == other.size(f"{folder}/a/b")
    (listed,) = fs.ls(f"{folder}/a")
    assert listed["size"] == len(data) and fs.ls(f"{folder}/a", detail=False) == [listed["name"]]
    assert fs.glob(f"{folder}/*/b") == fs.find(folder) == [listed["name"]]
    with fs.open(f"{folder}/a/b") as file:
        file.seek(1_000_000)
        assert file.read(100_000) == data[1_000_000:1_100_000]
    for start, end in ((None, None), (5, 100), (-100, None), (0, -5), (2_999_990, 5_000_000), (100, 100), (200, 100)):
        assert fs.cat_file(f"{folder}/a/b", start, end) == data[start:end]
    assert fs.cat_ranges([f"{folder}/a/b"] * 2, [0, CHUNK], [10, CHUNK + 10]) == [data[:10], data[CHUNK : CHUNK + 10]]
    fs.pipe_file(f"{folder}/a/c", b"attack at dawn")
    assert fs.cat([f"{folder}/a/c"]) and fs.cat_file(f"{folder}/a/c") == b"attack at dawn"
    fs.cp_file(f"{folder}/a/c", f"{folder}/a/d")
    fs.mv(f"{folder}/a/d", f"{folder}/a/e")
    assert fs.cat_file(f"{folder}/a/e") == b"attack at dawn" and not fs.exists(f"{folder}/a/d")
    with fs.open(f"{folder}/a/e", "r") as text:
        assert text.read() == "attack at dawn"
    fs.rm(f"{folder}/a", recursive=True)
    assert not fs.exists(f"{folder}/a/e")


def test_failures(place: tuple[Any, str]) -> None:
    other, folder = place
    fs = fsspec.filesystem("icefish", fs=other, key=KEY, skip_instance_cache=True)
    fs.makedirs(folder, exist_ok=True)
    with pytest.raises(ZeroDivisionError), fs.open(f"{folder}/x", "wb") as file:
        file.write(bytes(3_000_000))
        1 / 0  # noqa: B018
    assert not fs.exists(f"{folder}/x")
    with pytest.raises(FileNotFoundError):
        fs.open(f"{folder}/x")
    fs.pipe_file(f"{folder}/x", b"attack at dawn")
    with pytest.raises(FileExistsError):
        fs.open(f"{folder}/x", "xb")
    with pytest.raises(ValueError, match="nothing can be changed or appended"):
        fs.open(f"{folder}/x", "ab")
    sealed = bytearray(other.cat_file(f"{folder}/x"))
    sealed[-1] ^= 1
    other.pipe_file(f"{folder}/x", bytes(sealed))
    with pytest.raises(icefish.InvalidTag):
        fs.cat_file(f"{folder}/x")
    other.pipe_file(f"{folder}/short", b"no sealed file")
    assert fs.info(f"{folder}/short")["size"] is None


def test_only_the_chunks_that_are_needed() -> None:
    other = Counting(skip_instance_cache=True)
    fs = fsspec.filesystem("icefish", fs=other, key=KEY, skip_instance_cache=True)
    data = os.urandom(100 * CHUNK + 7)
    fs.pipe_file("/x", data)
    with fs.open("/x") as file:
        assert other.asked == [(0, 92), (56 + 100 * 16400, 56 + 100 * 16400 + 7 + 16)]
        other.asked.clear()
        file.seek(50 * CHUNK - 2)
        assert file.read(4) == data[50 * CHUNK - 2 : 50 * CHUNK + 2]
        assert other.asked == [(56 + 49 * 16400, 56 + 51 * 16400)]
        assert file.read(CHUNK - 2) == data[50 * CHUNK + 2 : 51 * CHUNK]
        assert len(other.asked) == 1
    # Reads that follow each other ask for a block.
    other.asked.clear()
    with fs.open("/x", block_size=40 * CHUNK) as file:
        assert b"".join(iter(lambda: file.read(1000), b"")) == data
    assert len(other.asked) == 2 + 4
    other.store.clear()


class Upload(io.BytesIO):
    """A file of an object store: closing it uploads it."""

    def __init__(self, store: dict[str, bytes], path: str) -> None:
        super().__init__()
        self.store, self.path, self.kept = store, path, True

    def discard(self) -> None:
        self.kept = False

    def close(self) -> None:
        if not self.closed and self.kept:
            self.store[self.path] = self.getvalue()
        super().close()


class Objects(AbstractFileSystem):  # type: ignore[misc]
    """As little of an object store as a write needs."""

    cachable = False

    def __init__(self) -> None:
        super().__init__()
        self.objects: dict[str, bytes] = {}

    def exists(self, path: str, **kwargs: Any) -> bool:
        return path in self.objects

    def rm_file(self, path: str) -> None:
        del self.objects[path]

    def open(self, path: str, mode: str = "rb", **kwargs: Any) -> Upload:
        assert mode == "wb"
        return Upload(self.objects, path)


def test_an_object_stays_if_its_replacement_fails() -> None:
    other = Objects()
    fs = fsspec.filesystem("icefish", fs=other, key=KEY, skip_instance_cache=True)
    for before in ({}, {"x": b"before"}):
        other.objects = dict(before)
        with pytest.raises(ZeroDivisionError), fs.open("x", "wb") as file:
            file.write(bytes(3_000_000))
            1 / 0  # noqa: B018
        assert other.objects == before
    fs.pipe_file("x", b"after")
    assert icefish.open_bytes(other.objects["x"], key=KEY) == b"after"


def test_transaction(tmp_path: pathlib.Path) -> None:
    fs = fsspec.filesystem("icefish", key=KEY, skip_instance_cache=True)
    with pytest.raises(ZeroDivisionError), fs.transaction:
        fs.pipe_file(str(tmp_path / "a"), b"a")
        1 / 0  # noqa: B018
    assert os.listdir(tmp_path) == []
    with fs.transaction:
        with fs.open(str(tmp_path / "a"), "wb") as file:
            file.write(b"a")
        assert os.listdir(tmp_path) == []
    assert fs.cat_file(str(tmp_path / "a")) == b"a"


def test_pandas_and_pyarrow(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLE_KEY", KEY.hex())
    frame = pd.DataFrame({"a": np.arange(200_000), "b": np.random.default_rng(1).random(200_000), "c": ["x", "yy"] * 100_000})
    options: dict[str, Any] = {"icefish": {"key_env": "TABLE_KEY"}}
    in_memory = {"target_protocol": "memory", "key_env": "TABLE_KEY"}
    for url, options in (
        ("icefish://plain.parquet", in_memory),
        ("icefish::memory://table.parquet", options),
        (f"icefish::file://{tmp_path}/table.parquet", options),
    ):
        frame.to_parquet(url, storage_options=options)
        pd.testing.assert_frame_equal(pd.read_parquet(url, storage_options=options), frame)
        pd.testing.assert_frame_equal(pd.read_parquet(url, columns=["b"], storage_options=options), frame[["b"]])
    csv = f"icefish::file://{tmp_path}/table.csv"
    frame.to_csv(csv, index=False, storage_options=options)
    pd.testing.assert_frame_equal(pd.read_csv(csv, storage_options=options), frame)
    fs = fsspec.filesystem("icefish", key_env="TABLE_KEY")
    assert pq.read_table(str(tmp_path / "table.parquet"), filesystem=fs).num_rows == 200_000


def test_zarr(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each chunk of an array is a sealed file. Locally, zarr asks for a filesystem that makes folders."""
    monkeypatch.setenv("ARRAY_KEY", KEY.hex())
    numbers = np.arange(300 * 400).reshape(300, 400)
    for url in ("memory://array", f"file://{tmp_path}/array"):
        options: dict[str, Any] = {"icefish": {"key_env": "ARRAY_KEY"}}
        if url.startswith("file"):
            options["file"] = {"auto_mkdir": True}
        made = zarr.create_array(
            f"icefish::{url}", storage_options=options, shape=numbers.shape, chunks=(100, 100), dtype=numbers.dtype
        )
        made[:] = numbers
        back = zarr.open_array(f"icefish::{url}", mode="r", storage_options=options)
        assert np.array_equal(np.asarray(back[50:250, 7:390]), numbers[50:250, 7:390])
        other, path = fsspec.url_to_fs(url)
        chunk = next(name for name in other.find(path) if name.endswith("c/1/1"))
        sealed = bytearray(other.cat_file(chunk))
        sealed[-1] ^= 1
        other.pipe_file(chunk, bytes(sealed))
        with pytest.raises(icefish.InvalidTag, match="c/1/1"):
            back[150, 150]
        assert np.asarray(back[150, 250]) == numbers[150, 250]


def test_pickles_have_no_key(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fs = fsspec.filesystem("icefish", key=KEY, skip_instance_cache=True)
    for take in (pickle.dumps, lambda fs: fs.to_json(), lambda fs: fs.to_dict()):
        with pytest.raises(TypeError, match="does not go into a pickle"):
            take(fs)
    assert KEY.hex() not in repr(fs) and repr(KEY) not in repr(fs)
    monkeypatch.setenv("TABLE_KEY", KEY.hex())
    (tmp_path / "key").write_text(KEY.hex() + "\n")
    for options in ({"key_env": "TABLE_KEY"}, {"key_file": str(tmp_path / "key")}):
        fs = fsspec.filesystem("icefish", **options)
        fs.pipe_file(str(tmp_path / "x"), b"attack at dawn")
        pickled = pickle.dumps(fs)
        assert KEY not in pickled and KEY.hex().encode() not in pickled
        assert pickle.loads(pickled).cat_file(str(tmp_path / "x")) == b"attack at dawn"
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(fs._secret)


def test_refusals(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ValueError, match="takes one of"):
        fsspec.filesystem("icefish")
    with pytest.raises(ValueError, match="takes one of"):
        fsspec.filesystem("icefish", key=KEY, passphrase="x")
    with pytest.raises(ValueError, match="no variable NO_SUCH_KEY"):
        fsspec.filesystem("icefish", key_env="NO_SUCH_KEY")
    (tmp_path / "key").write_text("not a key")
    with pytest.raises(ValueError, match="hexadecimal digits"):
        fsspec.filesystem("icefish", key_file=tmp_path / "key")


def test_passphrase() -> None:
    fs = fsspec.filesystem("icefish", target_protocol="memory", passphrase="x", cost=(64, 1, 1))
    fs.pipe_file("/secret", b"attack at dawn")
    assert fs.size("/secret") == 14 and fs.cat_file("/secret") == b"attack at dawn"
    fs.rm("/secret")
