"""Seals or opens a file: python3 pyca CLASS KEY INPUT OUTPUT. Needs pyca/cryptography 50 or later."""

import sys

import cryptography
from cryptography import cobblestone

if sys.argv[1] == "version":
    sys.exit(print(cryptography.__version__))
with open(sys.argv[2]) as key:
    work = getattr(cobblestone, sys.argv[1])(bytes.fromhex(key.read()), context=b"")
with open(sys.argv[3], "rb", buffering=0) as source, open(sys.argv[4], "xb", buffering=0) as output:
    while piece := source.read(1 << 20):
        output.write(work.update(piece))
    output.write(work.finalize())
