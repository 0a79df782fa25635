"""Authenticated encryption: vectors, pyca, buffers, refusals."""

from __future__ import annotations

import json
import mmap
import os
import pickle
import threading
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from cryptography.exceptions import InvalidTag as TheirInvalidTag
from cryptography.hazmat.primitives.ciphers import aead as pyca

import icefish

from .vectors import FOLDER, wycheproof

KEY = bytes(range(32))
NONCE = bytes(range(12))


@pytest.mark.parametrize("mode", ["gcm", "gcm_siv", "eax"])
@pytest.mark.parametrize("backend", icefish.backends())
def test_wycheproof(mode: str, backend: str) -> None:
    done = 0
    for group, test in wycheproof(f"aes/wycheproof/aes_{mode}_test.json"):
        key, nonce, associated, plain, sealed, tag = (
            bytes.fromhex(test[name]) for name in ("key", "iv", "aad", "msg", "ct", "tag")
        )
        if not nonce or (mode == "gcm_siv" and len(nonce) != 12):
            continue
        made = icefish.Aead(f"aes-{len(key) * 8}-{mode.replace('_', '-')}", key, group["tagSize"] // 8, backend=backend)
        done += 1
        if test["result"] == "valid":
            assert made.encrypt(nonce, plain, associated) == sealed + tag
            assert made.decrypt(nonce, sealed + tag, associated) == plain
        else:
            with pytest.raises(icefish.InvalidTag):
                made.decrypt(nonce, sealed + tag, associated)
    assert done > 50


@pytest.mark.parametrize("name", [name for name in icefish.algorithms()["aead"] if name.startswith("aegis")])
def test_aegis(name: str) -> None:
    done = 0
    for test in json.loads((FOLDER / f"aegis/{name}-test-vectors.json").read_text()):
        if not {"key", "nonce", "ct", "tag128"} <= test.keys():
            continue
        key, nonce, associated, sealed = (bytes.fromhex(test.get(part, "")) for part in ("key", "nonce", "ad", "ct"))
        for length in (16, 32):
            made = icefish.Aead(name, key, length)
            tag = bytes.fromhex(test[f"tag{length * 8}"])
            if "error" in test:
                with pytest.raises(icefish.InvalidTag):
                    made.decrypt(nonce, sealed + tag, associated)
            else:
                plain = bytes.fromhex(test["msg"])
                assert made.encrypt(nonce, plain, associated) == sealed + tag
                assert made.decrypt(nonce, sealed + tag, associated) == plain
            done += 1
    assert done >= 4


def test_xoodyak() -> None:
    done = 0
    for record in (FOLDER / "xoodoo/LWC_AEAD_KAT_128_128_round3.txt").read_text().split("\n\n"):
        of = {name.strip(): value.strip() for name, _, value in (line.partition("=") for line in record.splitlines())}
        if "CT" not in of:
            continue
        key, nonce, plain, associated, sealed = (bytes.fromhex(of[name]) for name in ("Key", "Nonce", "PT", "AD", "CT"))
        assert icefish.Aead("xoodyak", key).encrypt(nonce, plain, associated) == sealed
        done += 1
    assert done == 1089


PEERS = [
    ("aes-128-gcm", pyca.AESGCM),
    ("aes-256-gcm", pyca.AESGCM),
    ("aes-256-gcm-siv", pyca.AESGCMSIV),
]


@pytest.mark.parametrize(("name", "peer"), PEERS)
@pytest.mark.parametrize("length", [0, 1, 15, 16, 100, 4095, 4096, 16384, 1_000_003])
def test_pyca_agrees(name: str, peer: Any, length: int) -> None:
    key = os.urandom(16 if "128" in name else 32)
    ours, theirs = icefish.Aead(name, key), peer(key)
    data, associated = os.urandom(length), os.urandom(length % 37)
    sealed = theirs.encrypt(NONCE, data, associated) if length else ours.encrypt(NONCE, data, associated)
    assert ours.encrypt(NONCE, data, associated) == sealed
    assert ours.decrypt(NONCE, sealed, associated) == data
    changed = bytearray(sealed)
    changed[length // 2] ^= 1
    with pytest.raises(icefish.InvalidTag):
        ours.decrypt(NONCE, changed, associated)
    with pytest.raises(TheirInvalidTag):
        theirs.decrypt(NONCE, bytes(changed), associated)


@pytest.mark.parametrize("length", [0, 5, 5000])
def test_any_buffer(length: int, tmp_path: Any) -> None:
    made = icefish.Aead("aes-256-gcm-siv", KEY)
    data = os.urandom(length)
    sealed = made.encrypt(NONCE, data)
    buffers: list[Any] = [
        bytearray(data),
        memoryview(data),
        memoryview(bytearray(data)),
        np.frombuffer(data, np.uint8),
        pa.py_buffer(data),
    ]
    if length:
        path = tmp_path / "data"
        path.write_bytes(data)
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            assert made.encrypt(NONCE, mapped) == sealed
    for buffer in buffers:
        assert made.encrypt(np.frombuffer(NONCE, np.uint8), buffer) == sealed
    doubles = np.arange(1000.0).reshape(10, 100)
    assert made.encrypt(NONCE, doubles) == made.encrypt(NONCE, doubles.tobytes())


def test_what_is_no_buffer() -> None:
    made = icefish.Aead("aes-256-gcm", KEY)
    for wrong in ("text", 1, None, [1, 2]):
        with pytest.raises(TypeError):
            made.encrypt(NONCE, wrong)  # type: ignore[arg-type]
    with pytest.raises(BufferError):
        made.encrypt(NONCE, np.zeros((10, 10), np.uint8)[:, ::2])


@pytest.mark.parametrize("length", [0, 1, 100, 10_000])
def test_into(length: int) -> None:
    made = icefish.Aead("aegis-128x2", KEY[:16], 16)
    nonce, data = KEY[:16], os.urandom(length)
    sealed = made.encrypt(nonce, data, b"to: all")
    out = bytearray(length + 16)
    assert made.encrypt_into(nonce, data, b"to: all", out) == length + 16
    assert out == sealed
    # In place.
    out[:length] = data
    assert made.encrypt_into(nonce, memoryview(out)[:length], b"to: all", out) == length + 16
    assert out == sealed
    assert made.decrypt_into(nonce, out, b"to: all", memoryview(out)[:length]) == length
    assert out[:length] == data
    plain = np.zeros(length, np.uint8)
    assert made.decrypt_into(nonce, sealed, b"to: all", plain) == length
    assert plain.tobytes() == data
    with pytest.raises(icefish.InvalidTag):
        made.decrypt_into(nonce, sealed, b"to: nobody", plain)
    assert not plain.any()


def test_overlap_and_outputs() -> None:
    made = icefish.Aead("aes-256-gcm", KEY)
    room = bytearray(200)
    with pytest.raises(ValueError, match="overlaps"):
        made.encrypt_into(NONCE, memoryview(room)[1:101], None, memoryview(room)[:116])
    with pytest.raises(ValueError, match="overlaps"):
        made.encrypt_into(memoryview(room)[:12], bytes(100), None, memoryview(room)[:116])
    with pytest.raises(ValueError, match="output buffer has 115 bytes, this call needs 116"):
        made.encrypt_into(NONCE, bytes(100), None, memoryview(room)[:115])
    with pytest.raises(BufferError, match="read-only"):
        made.encrypt_into(NONCE, bytes(100), None, bytes(116))


def test_refusals() -> None:
    with pytest.raises(ValueError, match="the key has 31 bytes, this cipher takes 32"):
        icefish.Aead("aes-256-gcm", KEY[:31])
    with pytest.raises(ValueError, match="no cipher has this name"):
        icefish.Aead("rot-13", KEY)
    with pytest.raises(ValueError, match="no backend has this name"):
        icefish.Aead("aes-256-gcm", KEY, backend="mmx")
    with pytest.raises(ValueError, match="tag"):
        icefish.Aead("aes-256-gcm", KEY, 3)
    made = icefish.Aead("aes-256-gcm-siv", KEY)
    with pytest.raises(ValueError, match="the IV has 11 bytes, this mode takes 12"):
        made.encrypt(NONCE[:11], b"")
    with pytest.raises(icefish.InvalidTag, match="fewer than its tag"):
        made.decrypt(NONCE, bytes(15))


def test_key_stays() -> None:
    made = icefish.Aead("aes-256-gcm", KEY)
    assert repr(made) == "<icefish.Aead aes-256-gcm>"
    with pytest.raises(TypeError):
        pickle.dumps(made)


def test_threads_share_a_key() -> None:
    made, data = icefish.Aead("aes-256-gcm", KEY), bytes(1 << 20)
    want = made.encrypt(NONCE, data)
    wrong: list[bool] = []

    def work() -> None:
        wrong.extend(made.encrypt(NONCE, data) != want for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(wrong) == 80 and not any(wrong)


def test_a_buffer_in_use_is_held() -> None:
    """A call holds a bytearray as a memoryview does: nobody can shrink it meanwhile."""
    made, data, shrunk = icefish.Aead("aes-256-gcm", KEY), bytearray(64 << 20), []
    held = threading.Event()

    def shrink() -> None:
        held.wait()
        for _ in range(100_000):
            try:
                data.append(0)
                data.pop()
            except BufferError:
                shrunk.append(False)
                return

    thread = threading.Thread(target=shrink)
    thread.start()
    held.set()
    while thread.is_alive():
        made.encrypt(NONCE, data)
    assert shrunk == [False]


@pytest.mark.parametrize("name", ["aes-256-gcm", "aes-256-gcm-siv", "aegis-256", "threefish-256-eax"])
def test_a_long_message_in_pieces_is_the_same(name: str) -> None:
    """From 1 MiB on, a message that is not in place goes in pieces."""
    made, data = icefish.Aead(name, bytes(range(32))), os.urandom((1 << 20) + 77)
    nonce, out, whole = os.urandom(made.nonce_length), bytearray(len(data) + made.tag_length), bytearray(data)
    whole.extend(bytes(made.tag_length))
    made.encrypt_into(nonce, memoryview(whole)[: len(data)], b"to: all", whole)
    made.encrypt_into(nonce, data, b"to: all", out)
    assert out == whole
    assert made.encrypt(nonce, data, b"to: all") == whole
    if "eax" not in name:
        with pytest.raises(ValueError, match="bytes"):
            made.encrypt(b"", data)
