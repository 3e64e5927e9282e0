"""Design rules: what an experienced DynamoDB engineer would say in a review of a valid spec.

Each module of this package is one rule: `CODE`, `SEVERITY`, and `check(subject)`, which yields what
it finds. Its docstring is the rule's page in `docs/rules`, the answer of `dyngen explain CODE`, and its
test: the bad spec must give the findings that its comments mark, the good one none. A new module is
found by itself; nothing has to be registered.

Codes: DG302-DG319 attributes and keys, DG320-DG324 partitions, DG325-DG339 reads, DG340-DG349
indexes, DG350-DG359 tables, DG360-DG369 names, DG370-DG379 writes, DG380 and up the spec itself.
"""
