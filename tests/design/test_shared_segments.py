"""Parent and children in one read, below a segment of the sort key that holds the parent's id."""

from __future__ import annotations

import pytest
from dyngen.compile import compile_spec

SPEC = """\
dyngen: 1
service: mail
tables: {{Mail: {{partition_key: mailbox, sort_key: sk{options}}}}}
entities:
  Thread: {{attributes: {{mailbox: string, thread: {kind}, subject: string}}, keys: {{sk: "{parent}"}}}}
  Message: {{attributes: {{mailbox: string, thread: {kind}, sent: timestamp}}, keys: {{sk: "{child}"}}}}
access_patterns:
  thread: {{query: [Thread, Message], where: {{mailbox: eq, thread: eq}}}}
"""

ESCAPED, RAW = "", ', key_encoding: raw, delimiter: "#"'


@pytest.mark.parametrize(
    ("options", "kind", "parent", "child", "between"),
    [
        (ESCAPED, "string", "T#{thread}#META", "T#{thread}#MSG#{sent}", True),
        (ESCAPED, "string", "T#{thread}", "T#{thread}#{sent}", True),
        (ESCAPED, "string", "T#{thread}#", "T#{thread}#{sent}", True),
        (ESCAPED, "ulid", "T#{thread}", "T#{thread}#{sent}", True),
        (RAW, "string", "T#{thread}#META", "T#{thread}#MSG#{sent}", True),
        (RAW, "ulid", "T#{thread}", "T#{thread}#{sent}", True),
        (RAW, "string", "T#{thread}#A", "T#{thread}#B#{sent}", True),
        # `x!A` and `x"` are threads of their own, and lie between T#x!A and T#x#B
        (RAW, "string", "T#{thread}!A", "T#{thread}#B", False),
        # the messages of all threads lie between
        (ESCAPED, "string", "A#{thread}", "B#{thread}#{sent}", False),
    ],
)
def test_all_that_lies_between_is_of_one_thread_or_it_is_refused(
    options: str, kind: str, parent: str, child: str, between: bool
) -> None:
    spec = SPEC.format(options=options, kind=kind, parent=parent, child=child)
    design, found = compile_spec(spec, "mail.yaml")
    if between:
        assert design is not None, [(d.code, d.message, d.help) for d in found]
        [plan] = design.reads
        assert plan.alternatives[0].route.range is not None
    else:
        assert design is None
        [problem] = [d for d in found if d.code == "DG201"]
        assert "do not match lie between" in problem.help[0]
