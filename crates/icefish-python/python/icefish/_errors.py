"""The exception of a forgery."""


class InvalidTag(Exception):
    """A message that is not what was sealed: changed, cut short, or of another key, nonce or associated data."""


InvalidTag.__module__ = "icefish"
