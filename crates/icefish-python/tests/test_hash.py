"""Hashes and codes, as hashlib has them."""

from __future__ import annotations

import copy
import hashlib
import io
import os
from typing import Any

import pytest
from cryptography.hazmat.primitives import cmac
from cryptography.hazmat.primitives.ciphers.algorithms import AES

import icefish

from .vectors import FOLDER, rows, wycheproof


def test_skein_vectors() -> None:
    done = 0
    for row in rows("threefish/skein13_golden_kat.csv"):
        if int(row["msg_bits"]) % 8 or int(row["tree_leaf"]):
            continue
        message = bytes.fromhex(row["msg_hex"])[: int(row["msg_bits"]) // 8]
        key = bytes.fromhex(row["mac_key_hex"]) or None
        made = icefish.new(f"skein-{row['state_bits']}", key=key, digest_size=int(row["out_bits"]) // 8)
        for at in range(0, len(message), 13):
            made.update(message[at : at + 13])
        assert made.hexdigest() == row["digest_hex"].lower()
        made.verify(bytes.fromhex(row["digest_hex"]))
        done += 1
    assert done > 20


def test_xoodyak_vectors() -> None:
    done = 0
    for record in (FOLDER / "xoodoo/LWC_HASH_KAT_256.txt").read_text().split("\n\n"):
        of = {name.strip(): value.strip() for name, _, value in (line.partition("=") for line in record.splitlines())}
        if "MD" in of:
            assert icefish.new("xoodyak", bytes.fromhex(of["Msg"])).digest() == bytes.fromhex(of["MD"])
            done += 1
    assert done == 1025


def test_cmac_vectors() -> None:
    done = 0
    for group, test in wycheproof("aes/wycheproof/aes_cmac_test.json"):
        key, message, tag = (bytes.fromhex(test[name]) for name in ("key", "msg", "tag"))
        if group["keySize"] not in (128, 192, 256):
            continue
        made = icefish.new(f"aes-{group['keySize']}-cmac", message, key=key, digest_size=group["tagSize"] // 8)
        if test["result"] == "valid":
            assert made.digest() == tag
            made.verify(tag)
        else:
            with pytest.raises(icefish.InvalidTag):
                made.verify(tag)
        done += 1
    assert done > 200


def test_cmac_as_pyca() -> None:
    key, data = os.urandom(32), os.urandom(12_345)
    theirs = cmac.CMAC(AES(key))
    theirs.update(data)
    assert icefish.new("aes-256-cmac", data, key=key).digest() == theirs.finalize()


@pytest.mark.parametrize("name", [*icefish.algorithms()["hash"], "threefish-512-cmac"])
def test_shape_of_hashlib(name: str) -> None:
    key = bytes(range(64)) if name == "threefish-512-cmac" else None
    made, theirs = icefish.new(name, key=key), hashlib.sha256()
    for attribute in ("name", "digest_size", "block_size", "update", "digest", "hexdigest", "copy"):
        assert type(getattr(made, attribute)) is type(getattr(theirs, attribute))
    made.update(b"attack ")
    first = made.digest()
    assert made.digest() == first and len(first) == made.digest_size and made.hexdigest() == first.hex()
    other = made.copy()
    other.update(b"at dawn")
    assert made.digest() == first
    third = copy.copy(made)
    third.update(bytearray(b"at dawn"))
    want = icefish.new(name, b"attack at dawn", key=key).digest()
    assert other.digest() == third.digest() == want != first
    # A copy outlives what it was made from.
    del made, third
    assert other.digest() == want
    with pytest.raises(icefish.InvalidTag):
        other.verify(first)
    with pytest.raises(ValueError):
        other.verify(first[:-1])
    assert name in repr(other)


def test_file_digest() -> None:
    data = os.urandom(3_000_001)
    want = icefish.new("skein-512", data).digest()
    assert icefish.file_digest(io.BytesIO(data), "skein-512").digest() == want

    class OnlyRead:
        def __init__(self) -> None:
            self.inner = io.BytesIO(data)

        def read(self, size: int) -> bytes:
            return self.inner.read(size)

    file: Any = OnlyRead()
    assert icefish.file_digest(file, "skein-512").digest() == want


def test_refusals() -> None:
    with pytest.raises(ValueError, match="no hash has this name"):
        icefish.new("md5")
    with pytest.raises(ValueError, match="needs a key"):
        icefish.new("aes-128-cmac")
    with pytest.raises(ValueError, match="this hash takes none"):
        icefish.new("xoodyak", key=b"key")
    with pytest.raises(ValueError, match="at least 1"):
        icefish.new("skein-512", digest_size=0)
    with pytest.raises(TypeError):
        icefish.new("skein-512", "text")  # type: ignore[arg-type]
