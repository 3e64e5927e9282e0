"""A measure or a state is all that tells two items apart.

## What it checks

The sort key of a table (or its partition key, where it has no sort key) is made of decimals, floats, or
numbers called score, count, rank and the like, or an enum called state or status, and the entity does not
declare its `id`.

## Why it matters

Two things with the same measure have the same key. A `put` of the second replaces the first without an
error (AWS: API_PutItem), and a `create` is refused: in a leaderboard, one of two players with 1,000 points is
lost.

## A bad spec

```yaml
dyngen: 1
service: leaderboard
tables:
  Leaderboard: {partition_key: game_id, sort_key: score}
entities:
  Score:
    attributes: {game_id: uuid, score: integer, player_id: uuid}     # DG311
access_patterns:
  best_scores: {query: Score, where: {game_id: eq}, order_by: score desc, page_size: 10}
```

## A good spec

```yaml
dyngen: 1
service: leaderboard
tables:
  Leaderboard:
    partition_key: game_id
    sort_key: player_id
    indexes:
      ByScore: {partition_key: game_id, sort_key: score}
entities:
  Score:
    attributes: {game_id: uuid, player_id: uuid, score: integer}
access_patterns:
  best_scores: {query: Score, where: {game_id: eq}, order_by: score desc, page_size: 10}
```

## When to ignore it

The number is an identifier after all; better, say so: `id: [game_id, score]`.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.diagnostics.model import Label, Severity
from dyngen.rules.support.keys import identifying
from dyngen.rules.support.subject import Finding, Subject
from dyngen.rules.support.words import is_measure, is_state

CODE = "DG311"
SEVERITY = Severity.WARNING


def check(subject: Subject) -> Iterator[Finding]:
    """Table keys whose last word is a measure."""
    for entity, attributes in identifying(subject):
        if attributes and all(is_measure(a) or is_state(a) for a in attributes):
            first = attributes[0]
            yield Finding(
                subject.entity(entity.name),
                f"two items of `{entity.name}` with the same `{first.name}` have one key",
                first.span,
                f"a {'state' if is_state(first) else 'measure'}, not an identifier",
                secondary=(Label(subject.table(entity.table).span, "is keyed by it"),),
                help=(
                    "the second would overwrite the first: put an identifier into the key, and "
                    f"order by `{first.name}` through an index",
                    f"if there can be only one, say so: `id: [..., {first.name}]`",
                ),
            )
