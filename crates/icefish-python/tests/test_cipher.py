"""Raw modes, ICE and scripts of games."""

from __future__ import annotations

import os
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher as TheirCipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC, CTR, ECB

import icefish

from .vectors import rows

KEY = bytes(range(128))


@pytest.mark.parametrize("backend", icefish.backends())
def test_vectors_of_threefish_and_ice(backend: str) -> None:
    done = 0
    for row in rows("threefish/threefish_official.csv"):
        key, tweak, plain, sealed = (bytes.fromhex(row[f"{name}_hex"]) for name in ("key", "tweak", "plaintext", "ciphertext"))
        made = icefish.Cipher(f"threefish-{len(key) * 8}-ecb", key, tweak=tweak, padding="none", backend=backend)
        assert made.encrypt(b"", plain) == sealed and made.decrypt(b"", sealed) == plain
        done += 1
    for row in rows("ice/ice_vectors.csv"):
        key, plain, sealed = (bytes.fromhex(row[f"{name}_hex"]) for name in ("key", "plaintext", "ciphertext"))
        made = icefish.Cipher(f"ice-{row['level']}-ecb", key, padding="none", backend=backend)
        assert made.encrypt(b"", plain * 100) == sealed * 100 and made.decrypt(b"", sealed) == plain
        done += 1
    assert done > 20


@pytest.mark.parametrize("length", [0, 1, 16, 100, 5000])
@pytest.mark.parametrize(("name", "mode"), [("aes-256-ctr", CTR), ("aes-256-cbc", CBC)])
def test_pyca_agrees(name: str, mode: Any, length: int) -> None:
    data, iv = os.urandom(length), os.urandom(16)
    ours = icefish.Cipher(name, KEY[:32])
    padded = data
    if mode is CBC:
        padded += bytes([16 - length % 16]) * (16 - length % 16)
    theirs = TheirCipher(AES(KEY[:32]), mode(iv)).encryptor()
    sealed = theirs.update(padded) + theirs.finalize()
    assert ours.encrypt(iv, data) == sealed
    assert ours.decrypt(iv, sealed) == data
    for message, whole, result in ((ours.encryptor(iv), data, sealed), (ours.decryptor(iv), sealed, data)):
        pieces = [message.update(whole[at : at + 37]) for at in range(0, len(whole), 37)]
        assert b"".join([*pieces, message.finalize()]) == result
        with pytest.raises(RuntimeError, match="has ended"):
            message.finalize()
        with pytest.raises(RuntimeError, match="has ended"):
            message.update(b"")


@pytest.mark.parametrize("name", icefish.algorithms()["cipher"])
def test_every_name(name: str) -> None:
    cipher = name.rsplit("-", 1)[0].removesuffix("-ctr").removesuffix("-ctr32").removesuffix("-ctr64")
    lengths = {"aes-128": 16, "aes-192": 24, "aes-256": 32, "threefish-256": 32, "threefish-512": 64, "threefish-1024": 128}
    level = int(cipher.removeprefix("ice-")) if cipher.startswith("ice-") else 0
    key = KEY[: lengths.get(cipher, 8 * max(level, 1))]
    made = icefish.Cipher(name, key, padding="iso7816")
    assert made.name == name and made.key_length == len(key)
    iv, data = os.urandom(made.iv_length), os.urandom(1000)
    sealed = made.encrypt(iv, data)
    assert sealed != data and made.decrypt(iv, sealed) == data
    if "ctr" in name:
        message = made.decryptor(iv)
        message.seek(500)
        assert message.update(sealed[500:]) + message.finalize() == data[500:]


def test_a_message_keeps_its_key() -> None:
    message = icefish.Cipher("aes-256-cbc", KEY[:32]).encryptor(bytes(16))
    want = icefish.Cipher("aes-256-cbc", KEY[:32]).encrypt(bytes(16), b"attack at dawn")
    assert message.update(b"attack at dawn") + message.finalize() == want


@pytest.mark.parametrize("level", [0, 1, 2, 4])
@pytest.mark.parametrize("length", [0, 7, 8, 1001, 100_000])
def test_scripts(level: int, length: int) -> None:
    key, data = KEY[: 8 * max(level, 1)], os.urandom(length)
    whole = length // 8 * 8
    sealed = icefish.encrypt_script(key, data, level=level)
    raw = icefish.Cipher(f"ice-{level}-ecb", key, padding="none")
    assert sealed == raw.encrypt(b"", data[:whole]) + data[whole:]
    assert icefish.decrypt_script(key, sealed, level=level) == data


def test_refusals() -> None:
    with pytest.raises(ValueError, match="no mode has this name"):
        icefish.Cipher("aes-256-xyz", KEY[:32])
    with pytest.raises(ValueError, match="no padding has this name"):
        icefish.Cipher("aes-256-cbc", KEY[:32], padding="pkcs1")
    with pytest.raises(ValueError, match="tweak"):
        icefish.Cipher("aes-256-cbc", KEY[:32], tweak=bytes(16))
    made = icefish.Cipher("aes-256-cbc", KEY[:32], padding="none")
    with pytest.raises(ValueError, match="not a multiple of the block"):
        made.encrypt(bytes(16), bytes(17))
    with pytest.raises(ValueError, match="the IV has 15 bytes"):
        made.encryptor(bytes(15))
    with pytest.raises(ValueError, match="only counter modes can seek"):
        made.encryptor(bytes(16)).seek(16)
    with pytest.raises(ValueError, match="the padding is not valid"):
        icefish.Cipher("aes-256-cbc", KEY[:32]).decrypt(bytes(16), bytes(16))
