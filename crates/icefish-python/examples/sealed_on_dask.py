"""A sealed data set on Dask: written and read in partitions, by as many processes as there are.

    python sealed_on_dask.py FOLDER [--mebibytes 2048] [--parts 16] [--workers 1 2]

draws a data set, writes it below FOLDER as sealed Parquet files, reads it back, reads one sealed file in ranges, and prints a
table of times. FOLDER is a path or any URL that fsspec knows; the key is made in `table.key` in the current folder.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import dask.dataframe as dd
import fsspec
import numpy as np
import pandas as pd
from dask.distributed import Client, LocalCluster

# A row is an integer and a float of 8 bytes each.
ROW = 16


@contextmanager
def cluster(workers: int, memory: str = "2GiB") -> Iterator[Client]:
    """Processes of one thread each. A worker that dies is started again."""
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, memory_limit=memory, dashboard_address=":0") as processes,
        Client(processes) as client,
    ):
        yield client


def draw(part: int, rows: int) -> pd.DataFrame:
    """Partition `part` of the data set: the same whenever it is drawn. Sums of its integers do not wrap."""
    source = np.random.default_rng(part)
    return pd.DataFrame({"count": source.integers(0, 1 << 32, rows), "share": source.random(rows)})


def drawn(mebibytes: int, parts: int) -> Any:
    """The data set, which nobody holds as a whole."""
    return dd.from_map(draw, range(parts), rows=(mebibytes << 20) // ROW // parts)


def write(data: Any, url: str, options: dict[str, Any]) -> None:
    """One sealed Parquet file for each partition. Ciphertext cannot be compressed, so Parquet may do that before."""
    data.to_parquet(f"icefish::{url}", storage_options=options, write_index=False)


def read(url: str, options: dict[str, Any]) -> Any:
    """The data set again, a partition for each file."""
    return dd.read_parquet(f"icefish::{url}", storage_options=options)


def sum_of_range(url: str, options: dict[str, Any], start: int, end: int) -> int:
    """The sum of the integers of 8 bytes in a range of a sealed file. Only the chunks of that range are read and verified."""
    files, path = fsspec.url_to_fs(f"icefish::{url}", **options)
    return int(np.frombuffer(files.cat_file(path, start, end), np.uint64).sum())


def write_numbers(url: str, options: dict[str, Any], mebibytes: int) -> int:
    """A sealed file of integers, one MiB after the other; returns their sum modulo 2^64."""
    total = 0
    with fsspec.open(f"icefish::{url}", "wb", **options) as file:
        for part in range(mebibytes):
            numbers = np.random.default_rng(part).integers(0, 1 << 60, (1 << 20) // 8, np.uint64)
            total += int(numbers.sum())
            file.write(numbers)
    return total % (1 << 64)


def sum_in_ranges(client: Client, url: str, options: dict[str, Any], mebibytes: int, step: int = 64) -> int:
    """The same sum from ranges of `step` MiB, by all workers."""
    starts = range(0, mebibytes << 20, step << 20)
    ends = [min(start + (step << 20), mebibytes << 20) for start in starts]
    parts = client.map(sum_of_range, [url] * len(ends), [options] * len(ends), list(starts), ends, pure=False)
    total: int = sum(client.gather(parts))
    return total % (1 << 64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--mebibytes", type=int, default=2048, help="of the table; the file of ranges has twice as much")
    parser.add_argument("--parts", type=int, default=16)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    given = parser.parse_args()

    key_file = os.path.abspath("table.key")
    if not os.path.exists(key_file):
        with open(os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(os.urandom(32).hex())
    # What goes into the graph, and to the workers: where the key is, not the key.
    options = {"icefish": {"key_file": key_file}}
    table, numbers = f"{given.folder}/table", f"{given.folder}/numbers"

    print("| workers | write the table | read and sum it | the same, not sealed | sum one file in ranges |")
    print("|---|---|---|---|---|")
    want = None
    for workers in given.workers:
        with cluster(workers) as client:
            data = drawn(given.mebibytes, given.parts)
            if want is None:
                want = (data["count"].sum().compute(), write_numbers(numbers, options, 2 * given.mebibytes))
                data.to_parquet(f"{given.folder}/plain", write_index=False)
            times = [time.perf_counter()]
            write(data, table, options)
            times.append(time.perf_counter())
            assert read(table, options)["count"].sum().compute() == want[0]
            times.append(time.perf_counter())
            assert dd.read_parquet(f"{given.folder}/plain")["count"].sum().compute() == want[0]
            times.append(time.perf_counter())
            assert sum_in_ranges(client, numbers, options, 2 * given.mebibytes) == want[1]
            times.append(time.perf_counter())
            took = [f"{after - before:.2f} s" for before, after in zip(times, times[1:])]
            print(f"| {workers} | {' | '.join(took)} |", flush=True)


if __name__ == "__main__":
    main()
