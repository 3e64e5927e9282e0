"""`dyngen explain CODE`: what a rule means, or where a code comes from."""

from __future__ import annotations

import re

import click

from dyngen.cli.failures import Unusable
from dyngen.rules.support.pages import markdown
from dyngen.rules.support.registry import CRASHED, find_rule

_FAMILIES = {
    "DG0": "the text and the structure of a spec",
    "DG1": "names, types, keys and references",
    "DG2": "plans and writes, the template, and names in Python",
}
_ERRORS = """\
Nothing may ignore an error: what it is about would fail, or be wrong. The message itself tells the
place, the reason and the remedy."""
_CODE = re.compile(r"DG\d{3}", re.IGNORECASE)


def is_code(word: str) -> bool:
    """Whether a word is a code, not a spec."""
    return _CODE.fullmatch(word) is not None


def explain_code(word: str) -> int:
    """Print what is known of a code. Raises Unusable for one that no rule has."""
    code = word.upper()
    rule = find_rule(code)
    family = _FAMILIES.get(code[:3])
    if rule is not None:
        click.echo(markdown(rule), nl=False)
    elif code == CRASHED:
        click.echo(
            f"{code}: a design rule has failed; a fault of dyngen, please report it."
        )
    elif family is not None:
        click.echo(f"{code} is about {family}.\n{_ERRORS}")
    else:
        raise Unusable(f"there is no rule {code}")
    return 0
