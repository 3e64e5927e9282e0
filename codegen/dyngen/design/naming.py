"""Names that the spec leaves to be derived."""

from __future__ import annotations

import re

from dyngen.spec import model as spec


def pascal(name: str) -> str:
    """`room_type` and `room-type` as `RoomType`; capitals inside a word stay."""
    words = re.split(r"[^A-Za-z0-9]+", name)
    return "".join(word[:1].upper() + word[1:] for word in words)


def snake(name: str) -> str:
    """`AppInstallation` as `app_installation`: the parameter that takes such an item."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def camel(name: str) -> str:
    """`order_date` as `orderDate`; leading underscores and other characters stay."""
    lead = len(name) - len(name.lstrip("_"))
    first, *rest = name[lead:].split("_")
    return name[:lead] + first + "".join(word[:1].upper() + word[1:] for word in rest)


def stored_name(attribute: spec.Attribute, *, camel_case: bool) -> str:
    """The name under which an attribute is stored: `name:`, or what follows from its own name."""
    if attribute.stored_name is not None:
        return attribute.stored_name.text
    return camel(attribute.name.text) if camel_case else attribute.name.text


def with_article(word: str) -> str:
    """`integer` as "an integer"."""
    return f"{'an' if word[:1].lower() in 'aeio' or word == 'ulid' else 'a'} {word}"
