"""Sealed files: the format, file objects, what is left of a failure."""

from __future__ import annotations

import gc
import io
import json
import os
import pathlib
import pickle
import random
import struct
import subprocess
import sys
import zlib
from hashlib import sha512
from typing import Any

import pytest
from cryptography.cobblestone import Cobblestone256Decryptor, Cobblestone256Encryptor
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

import icefish

from .vectors import FOLDER, rows

KEY = bytes(range(32))
CHUNK = 16384
CHEAP = (64, 1, 1)
LENGTHS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 32 * CHUNK, 32 * CHUNK + 5, 64 * CHUNK, 3_000_001]


def theirs_of(data: bytes, context: bytes = b"") -> bytes:
    made = Cobblestone256Encryptor(KEY, context)
    return made.update(data) + made.finalize()


def test_wycheproof() -> None:
    tests = json.loads((FOLDER / "cobblestone/c2sp_chunked_encryption_aes_128_gcm_test.json").read_text())["testGroups"]
    done = 0
    for test in (test for group in tests for test in group["tests"]):
        key, context, sealed = bytes.fromhex(test["key"]), bytes.fromhex(test["ctx"]), zlib.decompress(bytes.fromhex(test["ct"]))
        done += 1
        if test["result"] == "valid":
            plain = icefish.open_bytes(sealed, key=key, context=context)
            assert len(plain) == test["msgLength"] and sha512(plain).hexdigest() == test["msgSha512"]
            with icefish.open(io.BytesIO(sealed), key=key, context=context) as file:
                assert file.read() == plain
        else:
            with pytest.raises(icefish.InvalidTag if len(key) == 16 else ValueError):
                icefish.open_bytes(sealed, key=key, context=context)
            with pytest.raises(icefish.InvalidTag if len(key) == 16 else ValueError):
                icefish.open(io.BytesIO(sealed), key=key, context=context).read()
    assert done > 20


def test_messages_of_pyca() -> None:
    text = (FOLDER / "cobblestone/messages.csv").read_text().splitlines()
    for row in (dict(zip(text[1].split(","), line.split(","))) for line in text[2:]):
        key, context, plain, sealed = (bytes.fromhex(row[name]) for name in ("key", "context", "plain", "sealed"))
        assert icefish.open_bytes(sealed, key=key, context=context) == plain
    assert len(list(rows("ice/ice_vectors.csv"))) > 1


@pytest.mark.parametrize("length", LENGTHS)
def test_pyca_agrees(length: int, tmp_path: pathlib.Path) -> None:
    data = os.urandom(length)
    path = tmp_path / "sealed"
    with icefish.open(path, "wb", key=KEY, context=b"to: all") as file:
        assert file.write(data) == length
    for sealed in (icefish.seal(data, key=KEY, context=b"to: all"), path.read_bytes()):
        made = Cobblestone256Decryptor(KEY, b"to: all")
        assert made.update(sealed) + made.finalize() == data
    path.write_bytes(theirs_of(data))
    assert icefish.open_bytes(path.read_bytes(), key=KEY) == data
    with icefish.open(path, key=KEY) as file:
        assert file.size == length and file.read() == data and file.read() == b""


@pytest.mark.parametrize("where", ["path", "object"])
@pytest.mark.parametrize("length", LENGTHS)
def test_written_in_pieces(where: str, length: int, tmp_path: pathlib.Path) -> None:
    data, lengths = os.urandom(length), random.Random(length)
    target: Any = tmp_path / "sealed" if where == "path" else io.BytesIO()
    with icefish.open(target, "wb", key=KEY) as file:
        at = 0
        while at < length:
            size = lengths.choice([1, 100, CHUNK, 50_000, 2_000_000])
            assert file.tell() == at
            file.write(memoryview(data)[at : at + size])
            at += size
    sealed = target.read_bytes() if where == "path" else target.getvalue()
    assert icefish.open_bytes(sealed, key=KEY) == data


@pytest.mark.parametrize("where", ["path", "object", "raw"])
def test_reads_as_a_plain_file(where: str, tmp_path: pathlib.Path) -> None:
    """The same calls on a sealed file and on a plain one."""
    data, calls = os.urandom(2_500_000), random.Random(7)
    path = tmp_path / "sealed"
    path.write_bytes(icefish.seal(data, key=KEY))
    with (
        open(path, "rb", buffering=0 if where == "raw" else -1) as inner,
        icefish.open(path if where == "path" else inner, key=KEY) as file,
    ):
        plain = io.BytesIO(data)
        for _ in range(2000):
            size = calls.choice([0, 1, 100, 4096, CHUNK, 100_000, 700_000])
            match = calls.randrange(6)
            if match == 0:
                assert file.read(size) == plain.read(size)
            elif match == 1:
                ours, theirs = bytearray(size), bytearray(size)
                assert file.readinto(ours) == plain.readinto(theirs) and ours == theirs
            elif match == 2:
                place = calls.randrange(len(data) + 10)
                assert file.seek(place) == plain.seek(place)
            elif match == 3:
                back = calls.randrange(200_000)
                assert file.seek(-back, os.SEEK_END) == plain.seek(-back, os.SEEK_END)
            elif match == 4:
                place = plain.tell()
                peeked = file.peek()
                assert data[place:].startswith(peeked) and (peeked or place >= len(data))
            else:
                assert file.readline() == plain.readline()
            assert file.tell() == plain.tell()


def test_text_and_lines() -> None:
    text = "".join(f"line {number}\n" for number in range(50_000))
    sealed = io.BytesIO(icefish.seal(text.encode(), key=KEY))
    with io.TextIOWrapper(icefish.open(sealed, key=KEY), encoding="utf-8") as file:
        assert file.read() == text
    with icefish.open(sealed, key=KEY) as lines:
        assert b"".join(lines) == text.encode()


def test_every_change_is_found(tmp_path: pathlib.Path) -> None:
    data = os.urandom(5 * CHUNK + 100)
    sealed = icefish.seal(data, key=KEY)
    path = tmp_path / "sealed"
    for at in (0, 30, 56, 56 + 16400, len(sealed) - 1, len(sealed) - 110):
        changed = bytearray(sealed)
        changed[at] ^= 1
        path.write_bytes(changed)
        for where in (path, io.BytesIO(changed)):
            with pytest.raises(icefish.InvalidTag), icefish.open(where, key=KEY) as file:
                file.read()
        with pytest.raises(icefish.InvalidTag):
            icefish.open_bytes(changed, key=KEY)
    for length in (0, 10, 56, 71, 72, 56 + 16400, 56 + 16416, len(sealed) - 1):
        path.write_bytes(sealed[:length])
        with pytest.raises(icefish.InvalidTag):
            icefish.open(path, key=KEY)
    for wrong in ({"key": KEY[::-1]}, {"key": KEY, "context": b"x"}):
        with pytest.raises(icefish.InvalidTag, match="another key or context"):
            icefish.open_bytes(sealed, **wrong)  # type: ignore[arg-type]


def test_a_wrong_chunk_fails_where_it_is(tmp_path: pathlib.Path) -> None:
    data = os.urandom(40 * CHUNK)
    sealed = bytearray(icefish.seal(data, key=KEY))
    sealed[56 + 7 * 16400 + 5] ^= 1
    path = tmp_path / "sealed"
    path.write_bytes(sealed)
    with icefish.open(path, key=KEY) as file:
        assert file.read(CHUNK) == data[:CHUNK]
        file.seek(7 * CHUNK + 10)
        with pytest.raises(icefish.InvalidTag, match="chunk 7 "):
            file.read(10)
        file.seek(8 * CHUNK)
        assert file.read() == data[8 * CHUNK :]
        file.seek(0)
        out = bytearray(b"x" * len(data))
        with pytest.raises(icefish.InvalidTag, match="chunk 7 "):
            file.readinto(out)
        assert not any(out)
    # The last chunk is verified when the file is opened, and what is wrong then has the name too.
    sealed[-1] ^= 1
    path.write_bytes(sealed)
    for key in (KEY, bytes(32)):
        with pytest.raises(icefish.InvalidTag, match=f"^{path}: "):
            icefish.open(path, key=key)


def test_passphrase_by_another_argon2(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "sealed"
    with icefish.open(path, "wb", passphrase="pässword", cost=CHEAP) as file:
        file.write(b"attack at dawn")
    sealed = path.read_bytes()
    assert sealed[:8] == b"icefish\x01" and struct.unpack(">3I", sealed[8:20]) == CHEAP
    derive = Argon2id(salt=sealed[20:36], length=32, iterations=1, lanes=1, memory_cost=64)
    made = Cobblestone256Decryptor(derive.derive("pässword".encode()), sealed[:36])
    assert made.update(sealed[36:]) + made.finalize() == b"attack at dawn"
    for where in (path, io.BytesIO(sealed)):
        with icefish.open(where, passphrase="pässword".encode()) as back:
            assert back.read() == b"attack at dawn"
    with pytest.raises(icefish.InvalidTag):
        icefish.open(path, passphrase="password")
    with pytest.raises(ValueError, match="sealed with a passphrase, and a key was given"):
        icefish.open(path, key=KEY)
    with pytest.raises(ValueError, match="not sealed with a passphrase"):
        icefish.open_bytes(icefish.seal(b"", key=KEY), passphrase="x")
    costly = sealed[:8] + struct.pack(">I", 1 << 30) + sealed[12:]
    with pytest.raises(ValueError, match="allowed are"):
        icefish.open_bytes(costly, passphrase="x")
    with pytest.raises(ValueError, match="allowed are"):
        icefish.open_bytes(sealed, passphrase="x", max_memory=32)


def test_nothing_is_left_of_a_failure(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "sealed"
    path.write_bytes(b"before")
    with pytest.raises(ZeroDivisionError), icefish.open(path, "wb", key=KEY) as file:
        file.write(bytes(3_000_000))
        1 / 0  # noqa: B018
    assert path.read_bytes() == b"before" and os.listdir(tmp_path) == ["sealed"]
    writer = icefish.open(path, "wb", key=KEY)
    writer.write(bytes(3_000_000))
    with pytest.warns(ResourceWarning, match="nothing was written"):
        del writer
        gc.collect()
    assert path.read_bytes() == b"before" and os.listdir(tmp_path) == ["sealed"]
    with pytest.raises(FileExistsError):
        icefish.open(path, "xb", key=KEY)
    with icefish.open(path, "wb", key=KEY) as file:
        file.write(b"after")
        assert path.read_bytes() == b"before"
    assert icefish.open_bytes(path.read_bytes(), key=KEY) == b"after"
    with icefish.open(tmp_path / "new", "xb", key=KEY) as file:
        assert not (tmp_path / "new").exists()
    assert (tmp_path / "new").stat().st_size == 72


def test_refusals(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        icefish.open(tmp_path / "none", key=KEY)
    assert missing.value.filename == str(tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        icefish.open(tmp_path, key=KEY)
    with pytest.raises(FileNotFoundError):
        icefish.open(tmp_path / "none" / "x", "wb", key=KEY).close()
    with pytest.raises(ValueError, match="the key has 31 bytes, a sealed file takes 32"):
        icefish.seal(b"", key=KEY[:31])
    with pytest.raises(ValueError, match="one of them"):
        icefish.seal(b"")
    with pytest.raises(ValueError, match="one of them"):
        icefish.seal(b"", key=KEY, passphrase="x")
    with pytest.raises(ValueError, match="no other context"):
        icefish.seal(b"", passphrase="x", context=b"x")
    with pytest.raises(ValueError, match="Argon2 takes no memory"):
        icefish.seal(b"", passphrase="x", cost=(1, 1, 1))
    with pytest.raises(ValueError, match="the mode is 'rt'"):
        icefish.open(tmp_path / "x", "rt", key=KEY)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        icefish.seal("text", key=KEY)  # type: ignore[arg-type]


def test_closed_files_and_what_they_can(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "sealed"
    writer = icefish.open(path, "wb", key=KEY)
    assert writer.writable() and not writer.readable() and not writer.seekable()
    writer.close()
    writer.close()
    with pytest.raises(ValueError, match="closed file"):
        writer.write(b"")
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(writer)
    reader = icefish.open(path, key=KEY)
    assert reader.readable() and reader.seekable() and not reader.writable()
    with pytest.raises(io.UnsupportedOperation):
        reader.write(b"")
    with pytest.raises(ValueError, match="negative"):
        reader.seek(-1)
    reader.close()
    for call in (reader.read, reader.tell, reader.peek):
        with pytest.raises(ValueError, match="closed file"):
            call()
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(reader)
    assert "sealed" in repr(reader)


def test_after_a_fork(tmp_path: pathlib.Path) -> None:
    """No thread outlives a call, so a process may fork between two."""
    code = f"""
import os, sys, icefish
data = bytes(8 << 20)
sealed = icefish.seal(data, key=bytes(32))
child = os.fork()
if child == 0:
    os._exit(0 if icefish.open_bytes(sealed, key=bytes(32)) == data else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
