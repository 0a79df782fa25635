"""Sealed data sets on Dask: two worker processes, forged chunks, a worker that is killed.

`ICEFISH_DASK_MEBIBYTES` is the size of the data set, 64 by default; the file that is read in ranges has twice as much.
"""

import os
import pickle
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dask.dataframe")
pytest.importorskip("distributed")

import dask.dataframe as dd  # noqa: E402
from dask.distributed import Client, wait  # noqa: E402

import icefish  # noqa: E402

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

import sealed_on_dask as example  # noqa: E402

MEBIBYTES = int(os.environ.get("ICEFISH_DASK_MEBIBYTES", "64"))
PARTS = 16


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with example.cluster(2) as client:
        yield client


@pytest.fixture(scope="module")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("key") / "table.key"
    path.write_text(os.urandom(32).hex())
    return path


@pytest.fixture(scope="module")
def options(key_file: Path) -> dict[str, Any]:
    return {"icefish": {"key_file": str(key_file)}}


@pytest.fixture
def table(tmp_path: Path, client: Client, options: dict[str, Any]) -> Path:
    path = tmp_path / "table"
    example.write(example.drawn(MEBIBYTES, PARTS), str(path), options)
    return path


def resident() -> int:
    """Bytes of memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def most_resident() -> int:
    """The most bytes of memory that this process has had."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def test_sums_are_those_of_the_plaintext(table: Path, options: dict[str, Any]) -> None:
    want = example.drawn(MEBIBYTES, PARTS).sum().compute()
    read = example.read(str(table), options)
    assert read.npartitions == PARTS
    assert read.sum().compute().equals(want)
    with pytest.raises(Exception, match="(?i)parquet"):
        dd.read_parquet(str(table)).sum().compute()


def test_keys_do_not_travel(table: Path, key_file: Path, options: dict[str, Any]) -> None:
    graph = dict(example.read(str(table), options).__dask_graph__())
    travels = pickle.dumps(graph)
    key = bytes.fromhex(key_file.read_text())
    assert key not in travels and key.hex().encode() not in travels
    assert str(key_file).encode() in travels


def test_one_flipped_chunk_fails_its_partition(table: Path, client: Client, options: dict[str, Any]) -> None:
    forged = table / "part.5.parquet"
    sealed = bytearray(forged.read_bytes())
    sealed[len(sealed) // 2] ^= 1
    forged.write_bytes(sealed)
    parts = [client.compute(part.sum()) for part in example.read(str(table), options).partitions]
    wait(parts)
    failed = [i for i, part in enumerate(parts) if part.status == "error"]
    assert len(failed) == 1
    error = parts[failed[0]].exception()
    assert isinstance(error, icefish.InvalidTag)
    assert "part.5.parquet" in str(error)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="a signal of Unix")
def test_a_killed_worker_is_replaced(table: Path, client: Client, options: dict[str, Any]) -> None:
    before = client.run(os.getpid)
    data = example.read(str(table), options)
    futures = client.compute([part["count"].sum() for part in data.partitions])
    os.kill(next(iter(before.values())), signal.SIGKILL)
    assert sum(client.gather(futures)) == example.drawn(MEBIBYTES, PARTS)["count"].sum().compute()
    deadline = time.monotonic() + 60
    while len(client.run(os.getpid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    after = set(client.run(os.getpid).values())
    assert len(after) == 2 and after != set(before.values())


def test_one_file_in_ranges(tmp_path: Path, client: Client, options: dict[str, Any]) -> None:
    url = str(tmp_path / "numbers")
    want = example.write_numbers(url, options, 2 * MEBIBYTES)
    assert example.sum_in_ranges(client, url, options, 2 * MEBIBYTES, step=8) == want


def test_a_worker_holds_a_few_partitions(tmp_path: Path, client: Client, options: dict[str, Any]) -> None:
    """Not the table: what a worker has grows by some copies of one partition, of which Parquet and pandas make most.

    The table is large enough that half of it, which is what each of two workers would hold, is more than the limit.
    """
    mebibytes, parts = max(MEBIBYTES, 512), 64
    path = tmp_path / "large"
    example.write(example.drawn(mebibytes, parts), str(path), options)
    # Imports and the allocator's arenas do not grow with the data.
    limit = 8 * ((mebibytes << 20) // parts) + (128 << 20)
    with example.cluster(2) as fresh:
        fresh.run(__import__, "pyarrow.parquet")
        before = max(fresh.run(resident).values())
        read = example.read(str(path), options)
        fresh.gather(fresh.compute([part["count"].sum() for part in read.partitions]))
        assert max(fresh.run(most_resident).values()) - before < limit
        # A worker that does hold its share is above it.
        held = fresh.persist(read)
        wait(held)
        assert max(fresh.run(most_resident).values()) - before > limit
