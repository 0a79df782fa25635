"""Many values in one call: lists, offsets, digests."""

from __future__ import annotations

import os
import random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import icefish

KEY = bytes(range(32))
NAMES = ["aes-256-gcm-siv", "aegis-256", "threefish-256-eax"]


def some(count: int) -> list[bytes]:
    lengths = random.Random(count)
    return [os.urandom(lengths.randrange(300)) for _ in range(count)]


def nonces_of(made: icefish.Aead, count: int) -> Any:
    return np.frombuffer(os.urandom(count * made.nonce_length), np.uint8).reshape(count, made.nonce_length)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [0, 1, 2, 3, 10, 10_000])
@pytest.mark.parametrize("width", [np.int32, np.int64])
def test_many_are_one_after_the_other(name: str, count: int, width: Any) -> None:
    made, values = icefish.Aead(name, KEY), some(count)
    nonces = nonces_of(made, count)
    want = [made.encrypt(nonce, value, b"to: all") for nonce, value in zip(nonces, values)]
    assert made.encrypt_many(nonces, values, b"to: all") == want
    assert made.encrypt_many([bytes(nonce) for nonce in nonces], tuple(values), b"to: all") == want
    offsets = np.cumsum([0, *map(len, values)]).astype(width)
    sealed, sealed_offsets = made.encrypt_many(nonces, b"".join(values), b"to: all", offsets=offsets)
    assert sealed == b"".join(want)
    assert sealed_offsets.tolist() == [0, *np.cumsum([len(value) for value in want]).tolist()]
    assert sealed_offsets.itemsize == offsets.itemsize
    plain, plain_offsets = made.decrypt_many(nonces, sealed, b"to: all", offsets=sealed_offsets)
    assert plain == b"".join(values)
    assert plain_offsets.tolist() == offsets.tolist()
    assert made.decrypt_many(nonces, want, b"to: all") == values
    out = bytearray(len(sealed))
    same, _ = made.encrypt_many(nonces, b"".join(values), b"to: all", offsets=offsets, out=out)
    assert same is out and out == sealed


def test_arrow() -> None:
    """A column of strings and back, without a copy of a value in Python. It is a slice: offsets do not begin at 0."""
    column = pa.array(["zero", "one", "", "three and more"], pa.binary())[1:]
    made = icefish.Aead("aes-256-gcm-siv", KEY)
    nonces = nonces_of(made, 3)
    _, offsets, data = column.buffers()
    offsets = np.frombuffer(offsets, np.int32)[1:5]
    sealed, sealed_offsets = made.encrypt_many(nonces, data, offsets=offsets)
    array = pa.Array.from_buffers(pa.binary(), 3, [None, pa.py_buffer(sealed_offsets), pa.py_buffer(sealed)])
    assert [made.decrypt(nonce, value.as_py()) for nonce, value in zip(nonces, array)] == [b"one", b"", b"three and more"]


def test_a_forgery_has_its_index() -> None:
    made, values = icefish.Aead("aes-256-gcm", KEY), some(5000)
    nonces = nonces_of(made, 5000)
    sealed = made.encrypt_many(nonces, values)
    sealed[4321] = sealed[4321][:-1] + bytes([sealed[4321][-1] ^ 1])
    with pytest.raises(icefish.InvalidTag, match="^value 4321: "):
        made.decrypt_many(nonces, sealed)
    offsets = np.cumsum([0, *map(len, sealed)])
    out = bytearray(b"x" * (int(offsets[-1]) - 16 * 5000))
    with pytest.raises(icefish.InvalidTag, match="^value 4321: "):
        made.decrypt_many(nonces, b"".join(sealed), offsets=offsets, out=out)
    assert not any(out)


def test_refusals() -> None:
    made = icefish.Aead("aes-256-gcm", KEY)
    with pytest.raises(TypeError, match="not a list"):
        made.encrypt_many(bytes(24), b"ab")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="int32 or int64"):
        made.encrypt_many(bytes(24), b"ab", offsets=np.array([0.0, 1.0, 2.0]))
    with pytest.raises(TypeError, match="int32 or int64"):
        made.encrypt_many(bytes(24), b"ab", offsets=b"\0\1\2")
    for offsets, sentence in (([], "no offsets"), ([0, 2, 1], "smaller"), ([0, -1], "negative"), ([0, 1, 3], "last offset is 3")):
        with pytest.raises(ValueError, match=sentence):
            made.encrypt_many(bytes(24), b"ab", offsets=np.array(offsets, np.int32))
    with pytest.raises(ValueError, match="nonces have 23 bytes"):
        made.encrypt_many(bytes(23), [b"a", b"b"])
    with pytest.raises(ValueError, match="1 nonces for 2 values"):
        made.encrypt_many([bytes(12)], [b"a", b"b"])
    with pytest.raises(icefish.InvalidTag):
        made.decrypt_many(bytes(12), [b"short"])
    with pytest.raises(ValueError, match="output buffer"):
        made.encrypt_many(bytes(12), b"ab", offsets=np.array([0, 2]), out=bytearray(17))


@pytest.mark.parametrize("name", [*icefish.algorithms()["hash"], "aes-256-cmac"])
@pytest.mark.parametrize("count", [0, 1, 9, 3000])
def test_digests(name: str, count: int) -> None:
    values = some(count)
    key = KEY if name == "aes-256-cmac" else None
    want = [icefish.new(name, value, key=key).digest() for value in values]
    assert icefish.digest_many(name, values, key=key) == want
    offsets = np.cumsum([0, *map(len, values)])
    assert icefish.digest_many(name, b"".join(values), offsets=offsets, key=key) == b"".join(want)
    out = bytearray(len(b"".join(want)))
    assert icefish.digest_many(name, b"".join(values), offsets=offsets, key=key, out=out) is out
    assert out == b"".join(want)
