"""What the package takes beside others, as a table in Markdown: `python bench.py [FOLDER]`.

Each line is timed in turns, ours and theirs, in this process; the figure is the ratio of medians. FOLDER takes files of 1 GiB.
"""

from __future__ import annotations

import argparse
import datetime
import os
import pathlib
import platform
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

import cryptography
import numpy as np
import pandas as pd
from cryptography.cobblestone import Cobblestone256Decryptor, Cobblestone256Encryptor
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import icefish

KEY = bytes(range(32))
NONCE = bytes(12)
MIB = 1 << 20
CHUNK = 16384


def seconds(work: Callable[[], object], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - start) / times


def turns(ours: Callable[[], object], theirs: Callable[[], object], times: int, rounds: int) -> tuple[float, float]:
    """The medians of both, in seconds."""
    ours(), theirs()
    pairs = [(seconds(ours, times), seconds(theirs, times)) for _ in range(rounds)]
    return statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs)


def spoken(time: float) -> str:
    if time >= 100:
        return f"{time:.0f} s"
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if time >= unit:
            return f"{time / unit:.3g} {name}"
    return f"{time * 1e9:.0f} ns"


def row(what: str, ours: float, theirs: float, goal: str, ratio: float | None = None) -> None:
    ratio = theirs / ours if ratio is None else ratio
    print(f"| {what} | {spoken(ours)} | {spoken(theirs)} | {ratio:.2f} | {goal} |", flush=True)


def messages() -> None:
    ours, theirs = icefish.Aead("aes-256-gcm", KEY), AESGCM(KEY)
    for length, name, times, goal in (
        (64, "64 B", 20_000, "1.2"),
        (CHUNK, "16 KiB", 1000, "1.0"),
        (16 * MIB, "16 MiB", 1, "1.0"),
    ):
        data = os.urandom(length)
        medians = turns(lambda: ours.encrypt(NONCE, data, None), lambda: theirs.encrypt(NONCE, data, None), times, 31)
        row(f"AES-256-GCM, one message of {name}", *medians, goal)


def values() -> None:
    ours, theirs, count = icefish.Aead("aes-256-gcm", KEY), AESGCM(KEY), 100_000
    data, offsets = os.urandom(100 * count), np.arange(count + 1, dtype=np.int32) * 100
    nonces = np.frombuffer(os.urandom(12 * count), np.uint8).reshape(count, 12)
    of_list, nonce_list = [data[at : at + 100] for at in range(0, len(data), 100)], [bytes(nonce) for nonce in nonces]
    out = bytearray(116 * count)

    def loop() -> list[bytes]:
        return [theirs.encrypt(nonce, value, None) for nonce, value in zip(nonce_list, of_list)]

    medians = turns(lambda: ours.encrypt_many(nonces, data, offsets=offsets, out=out), loop, 1, 15)
    row("100,000 values of 100 B, one buffer with offsets, `out=`", *medians, "20")
    row("the same, a list", *turns(lambda: ours.encrypt_many(nonces, of_list), loop, 1, 15), "")


def files(folder: pathlib.Path) -> None:
    size, piece = 1024 * MIB, os.urandom(16 * MIB)
    path, other = folder / "ours", folder / "theirs"

    # The file of the turn before goes first, so that both write to pages that are free.
    def write() -> None:
        path.unlink(missing_ok=True)
        with icefish.open(path, "wb", key=KEY) as file:
            for _ in range(size // len(piece)):
                file.write(piece)

    def their_write() -> None:
        other.unlink(missing_ok=True)
        made = Cobblestone256Encryptor(KEY, b"")
        with open(other, "wb") as file:
            for _ in range(size // len(piece)):
                file.write(made.update(piece))
            file.write(made.finalize())
            # As ours, it is on the disk.
            file.flush()
            os.fsync(file.fileno())

    def bare_write() -> None:
        other.unlink(missing_ok=True)
        with open(other, "wb") as file:
            for _ in range(size // len(piece)):
                file.write(piece)
            os.fsync(file.fileno())

    medians = turns(write, their_write, 1, 5)
    row("1 GiB sealed file: write, to `fsync`", *medians, "3")
    row("the same; other: not sealed at all, `open(path, \"wb\")`", medians[0], turns(bare_write, bare_write, 1, 3)[0], "")
    their_write()
    room = bytearray(16 * MIB)

    def read() -> None:
        with icefish.open(path, key=KEY) as file:
            while file.readinto(room):
                pass

    def their_read() -> None:
        made = Cobblestone256Decryptor(KEY, b"")
        with open(other, "rb") as file:
            while sealed := file.read(16 * MIB):
                made.update(sealed)
            made.finalize()

    row("1 GiB sealed file: read, from the page cache", *turns(read, their_read, 1, 5), "3")
    ranges(path, size)
    path.unlink()
    other.unlink()


def ranges(path: pathlib.Path, size: int) -> None:
    """pyca has no ranges: a part is as far away as its end."""
    places = random.Random(1).sample(range(size - 4096), 10_000)
    with icefish.open(path, key=KEY) as file:

        def ours() -> None:
            for place in places:
                file.seek(place)
                file.read(4096)

        one = turns(ours, lambda: None, 1, 5)[0]
    sealed = path.read_bytes()[: 128 * MIB]
    made = Cobblestone256Decryptor(KEY, b"")
    rate = seconds(lambda: made.update(sealed), 1) / len(sealed)
    # As if it could begin at the chunk, which it cannot: what it takes at least.
    least = rate * 20_480 * 10_000
    row(
        "10,000 random ranges of 4 KiB in it; pyca, computed from its rate: from the beginning to each",
        one,
        rate * size / 2 * 10_000,
        "5",
    )
    row("the same; pyca, computed: those chunks alone, which it does not offer", one, least, "")


def threads() -> None:
    made, data, outs = icefish.Aead("aes-256-gcm", KEY), os.urandom(16 * MIB), [bytearray(16 * MIB + 16) for _ in range(2)]

    def work(out: bytearray) -> None:
        for _ in range(8):
            made.encrypt_into(NONCE, data, None, out)

    def two() -> None:
        both = [threading.Thread(target=work, args=(out,)) for out in outs]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()

    one, together = turns(lambda: work(outs[0]), two, 1, 15)
    row("two threads, 16 MiB each, against one: throughput", together, one, "1.8", 2 * one / together)


def tables(folder: pathlib.Path) -> None:
    os.environ["ICEFISH_BENCH_KEY"] = KEY.hex()
    options = {"icefish": {"key_env": "ICEFISH_BENCH_KEY"}}
    frame = pd.DataFrame(np.random.default_rng(1).random((1_000_000, 10)), columns=list("abcdefghij"))
    plain, url = str(folder / "plain.parquet"), f"icefish::file://{folder}/sealed.parquet"
    frame.to_parquet(plain)
    frame.to_parquet(url, storage_options=options)
    sealed, bare = turns(lambda: pd.read_parquet(url, storage_options=options), lambda: pd.read_parquet(plain), 1, 15)
    row("pandas `read_parquet`, 80 MB, sealed against plain: time", sealed, bare, "<= 1.3", sealed / bare)
    (folder / "plain.parquet").unlink()
    (folder / "sealed.parquet").unlink()


def constructions() -> None:
    """What PyPI has of these: pyskein, in C, and nothing for Xoodyak that installs."""
    try:
        import skein  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        print("| Skein-512, Threefish-512: pyskein is not installed | | | | 5 |")
        return
    data = os.urandom(MIB)
    theirs: Any = skein
    medians = turns(lambda: icefish.new("skein-512", data).digest(), lambda: theirs.skein512(data).digest(), 1, 31)
    row("Skein-512 of 1 MiB against pyskein", *medians, "5")
    long = data * 16

    def tree() -> bytes:
        return icefish.new("skein-512-tree", long).digest()

    def their_tree() -> bytes:
        made: bytes = theirs.skein512(long, tree=(6, 6, 255)).digest()
        return made

    assert tree() == their_tree()
    row("Skein-512 as a tree, 16 MiB, against pyskein with the same tree", *turns(tree, their_tree, 1, 7), "5")
    many = os.urandom(100 * 100_000)
    short, offsets = [many[at : at + 100] for at in range(0, len(many), 100)], np.arange(100_001, dtype=np.int32) * 100
    out = bytearray(64 * 100_000)

    def loop() -> list[bytes]:
        return [theirs.skein512(message).digest() for message in short]

    medians = turns(lambda: icefish.digest_many("skein-512", many, offsets=offsets, out=out), loop, 1, 7)
    row("Skein-512 of 100,000 messages of 100 B, one buffer with offsets, `out=`", *medians, "5")
    row("the same, a list", *turns(lambda: icefish.digest_many("skein-512", short), loop, 1, 7), "")
    cipher, block = icefish.Cipher("threefish-512-ecb", bytes(64), padding="none"), bytes(64 * 1000)
    other = theirs.threefish(bytes(64), bytes(16))

    def blocks() -> None:
        for _ in range(1000):
            other.encrypt_block(block[:64])

    row("Threefish-512, 1000 blocks, against pyskein", *turns(lambda: cipher.encrypt(b"", block), blocks, 10, 31), "5")


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("folder", nargs="?", type=pathlib.Path, help="where files of 1 GiB go; a temporary folder without it")
    given = arguments.parse_args().folder
    command = " ".join(["python bench.py", *([str(given)] if given else [])])
    about = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in about if line.startswith("model name")), platform.processor())
    print(f"{model}, {os.cpu_count()} logical processors, {datetime.date.today()}:")
    print(f"icefish {icefish.__version__} ({icefish.backends()[-1]}),")
    print(f"Python {platform.python_version()}, pyca/cryptography {cryptography.__version__}. Command: `{command}`.\n")
    print("| | icefish | the other | ratio | goal |")
    print("|---|---|---|---|---|")
    messages()
    values()
    threads()
    constructions()
    with tempfile.TemporaryDirectory(dir=given) as folder:
        files(pathlib.Path(folder))
        tables(pathlib.Path(folder))


if __name__ == "__main__":
    main()
