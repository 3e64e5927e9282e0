"""A template as YAML that people read and review: stable, in block style, nothing folded."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import yaml


def to_yaml(template: Mapping[str, Any], header: str) -> str:
    """The template as text, under `header`, a comment of one line; its sections stand apart."""
    sections = [_dump({name: section}) for name, section in template.items()]
    return f"{header}\n" + "\n".join(sections)


def _dump(value: Mapping[str, Any]) -> str:
    return yaml.dump(
        value,
        Dumper=_Dumper,
        sort_keys=False,
        default_flow_style=False,
        allow_unicode=True,
        width=float("inf"),
    )


class _Dumper(yaml.SafeDumper):
    """Writes no aliases, and indents the items of a list."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, indentless=False)


def _decimal(dumper: yaml.SafeDumper, value: Decimal) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:float", str(value))


_Dumper.add_representer(Decimal, _decimal)
