"""Opens what `icefish encrypt --passphrase` wrote: python3 open-passphrase.py SEALED PLAINTEXT

Without a terminal, the passphrase is the first line of standard input. Needs argon2-cffi, and cryptography 50 or later.
"""

import getpass
import struct
import sys

from argon2.low_level import Type, hash_secret_raw
from cryptography.cobblestone import Cobblestone256Decryptor

with open(sys.argv[1], "rb") as sealed:
    header = sealed.read(36)
    magic, memory, passes, lanes, salt = struct.unpack(">8sIII16s", header)
    if magic != b"icefish\x01":
        sys.exit(f"{sys.argv[1]} is not sealed with a passphrase")
    line = getpass.getpass("Passphrase: ") if sys.stdin.isatty() else sys.stdin.readline()
    key = hash_secret_raw(line.rstrip("\r\n").encode(), salt, passes, memory, lanes, 32, Type.ID)
    opener = Cobblestone256Decryptor(key, context=header)
    with open(sys.argv[2], "xb") as plain:
        while piece := sealed.read(1 << 20):
            plain.write(opener.update(piece))
        plain.write(opener.finalize())
