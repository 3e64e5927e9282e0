"""A moto client, once for all tests of this folder."""

from moto_client import _credentials, client

__all__ = ["_credentials", "client"]
