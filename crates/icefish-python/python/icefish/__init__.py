"""Sealed files, authenticated encryption, ciphers and hashes as wide as the CPU.

Names choose what is done: `algorithms()` lists them. Whatever takes bytes takes any contiguous buffer where it is: `bytes`,
`bytearray`, `memoryview`, numpy, mmap, pyarrow. From 4 KiB on, other threads of Python run meanwhile; they must not write to a
buffer that a call uses.
"""

from ._errors import InvalidTag
from ._files import open, open_bytes, seal
from ._hash import file_digest
from ._icefish import (
    Aead,
    Cipher,
    CipherMessage,
    Hash,
    __version__,
    algorithms,
    backends,
    decrypt_script,
    digest_many,
    encrypt_script,
    new,
)
from ._reader import SealedReader
from ._writer import SealedWriter

__all__ = [
    "Aead",
    "Cipher",
    "CipherMessage",
    "Hash",
    "InvalidTag",
    "SealedReader",
    "SealedWriter",
    "__version__",
    "algorithms",
    "backends",
    "decrypt_script",
    "digest_many",
    "encrypt_script",
    "file_digest",
    "new",
    "open",
    "open_bytes",
    "seal",
]
