"""All stages together: what is broken is left out of the later ones, and nothing is said twice."""

from dyngen.compile import compile_spec
from dyngen.diagnostics.model import Diagnostic

SPEC = """\
dyngen: 1
service: shop
tables:
  Orders:
    partition_key: customer_id
    sort_key: order_id
entities:
  Order:
    attributes: {customer_id: string, order_id: ulid, total: {type: integer, min: 0, max: 9}}
access_patterns:
  order: {get: Order, where: {customer_id: eq, order_id: eq}}
  orders: {query: Order, where: {customer_id: eq}}
"""


def codes(text: str) -> list[str]:
    design, found = compile_spec(text, "shop.yaml")
    assert design is None
    return [d.code for d in found]


def found(text: str) -> tuple[Diagnostic, ...]:
    return compile_spec(text, "shop.yaml")[1]


def test_a_spec_without_problems() -> None:
    design, problems = compile_spec(SPEC, "shop.yaml")
    assert problems == ()
    assert design is not None
    assert [read.name for read in design.reads] == ["order", "orders"]
    assert [w.entity for w in design.writes] == ["Order"]


def test_no_yaml() -> None:
    assert len(codes("a: [1\n")) == 1


def test_a_misshapen_pattern_leaves_the_others() -> None:
    text = SPEC.replace("{get: Order,", "{got: Order,").replace(
        "customer_id: eq}}", "customer: eq}}"
    )
    assert sorted(code[:3] for code in codes(text)) == ["DG0", "DG1"]


def test_a_misshapen_entity_ends_it() -> None:
    text = SPEC.replace("attributes:", "atributes:")
    assert all(code < "DG100" for code in codes(text))


def test_a_pattern_that_cannot_be_read_is_not_planned() -> None:
    text = SPEC + "  broken: {query: Order, where: {customer_id: param}}\n"
    assert codes(text) == ["DG043"]


def test_patterns_of_a_broken_entity_wait_but_their_names_are_looked_up() -> None:
    text = SPEC.replace("order_id: ulid", "order_id: ulit") + (
        "  dear: {query: Order, where: {customer_id: eq, totl: gt}}\n"
    )
    assert codes(text) == ["DG100", "DG111"]


def test_patterns_of_other_tables_are_planned() -> None:
    text = SPEC.replace(
        "entities:", "  Others: {partition_key: idd}\nentities:"
    ).replace(
        "  Order:\n",
        "  Other: {table: Others, attributes: {id: string}}\n  Order:\n    table: Orders\n",
    )
    text += "  dear: {query: Order, where: {total: eq}}\n"
    assert [d.code for d in found(text)] == ["DG120", "DG201"]


def test_an_unknown_entity_is_reported_once() -> None:
    text = SPEC + "  others: {query: Oder, where: {customer_id: eq}}\n"
    (problem,) = found(text)
    assert problem.code == "DG110"
    assert problem.help == ("did you mean `Order`?",)


def test_warnings_leave_a_design() -> None:
    text = SPEC.replace(
        "customer_id: string", "customer_id: {type: string, max_length: 600}"
    )
    design, problems = compile_spec(text, "shop.yaml")
    assert design is not None
    assert [d.code for d in problems] == ["DG174"]


def test_the_order_is_that_of_the_file() -> None:
    text = SPEC.replace("service: shop", "service: json").replace(
        "order_id: ulid", "order_id: x"
    )
    lines = [d.primary.span.line for d in found(text)]
    assert lines == sorted(lines)
