"""The faults that a repository's own module can have."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dyngen.design.plans import ReadPlan

from .edits import Edit, Module, Mutant, Package, called, keyword

_FILTERS = {
    "at_least": "gte",
    "at_most": "lte",
    "above": "gt",
    "below": "lt",
    "equals": "eq",
}


@dataclass(frozen=True)
class Kind:
    """One kind of fault: what it is called, and every place where a package can have it."""

    name: str
    places: Callable[[Package], Iterator[Edit | Mutant]]

    def mutants(self, package: Package) -> Iterator[Mutant]:
        """The package's mutants of this kind."""
        for found in self.places(package):
            yield found if isinstance(found, tuple) else (found,)


def _in_repositories(
    find: Callable[[Module], Iterator[Edit | Mutant]],
) -> Callable[[Package], Iterator[Edit | Mutant]]:
    return lambda package: (
        edit for module in package.repositories() for edit in find(module)
    )


def _ranges(module: Module) -> Iterator[tuple[ast.Call, ast.Call]]:
    """Each stream with a range, and the range."""
    for stream in module.calls(".streams.Stream"):
        if len(stream.args) > 1 and isinstance(stream.args[1], ast.Call):
            yield stream, stream.args[1]


# --- bounds ---------------------------------------------------------------------------------------


def _successor_dropped(module: Module) -> Iterator[Edit | Mutant]:
    """`through` and `after` make a bound cover, or pass, all keys that continue it."""
    for name in ("through", "after"):
        for call in module.calls(f".keytext.{name}"):
            yield module.replace(call, module.text(call.args[0]))


def _exclusive_made_inclusive(module: Module) -> Iterator[Edit | Mutant]:
    for _, range_ in _ranges(module):
        for name in ("next", "previous"):
            for node in ast.walk(range_):
                if isinstance(node, ast.Call) and called(node).endswith(f".{name}"):
                    whole = module.text(node)
                    yield module.replace(node, whole.replace(f".{name}(", ".text(", 1))
        for side in ("low_exclusive", "high_exclusive"):
            found = keyword(range_, side)
            if found is not None:
                yield module.replace(found, f"{side}=False")


def _inclusive_made_exclusive(module: Module) -> Iterator[Edit | Mutant]:
    for _, range_ in _ranges(module):
        match called(range_):
            case ".streams.between":
                for side in ("low_exclusive", "high_exclusive"):
                    if keyword(range_, side) is None:
                        yield module.append(range_, f"{side}=True")
            case ".streams.at_least":
                yield module.replace(range_.func, "streams.above")
            case ".streams.at_most":
                yield module.replace(range_.func, "streams.below")


def _delimiter_dropped(module: Module) -> Iterator[Edit | Mutant]:
    """`a#1` then also begins the keys of `a#10`."""
    for call in module.calls(".streams.begins_with"):
        for node in ast.walk(call):
            match node:
                case ast.JoinedStr(
                    values=[*_, ast.FormattedValue(value=value), ast.Constant()]
                ):
                    if _may_go_on(module, value):
                        text = module.text(node)
                        yield module.replace(
                            node, text[: text.rindex("}") + 1] + text[-1]
                        )


def _may_go_on(module: Module, value: ast.expr) -> bool:
    """Whether the text of one value can begin the text of another."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
            encoder = module.constant(name)
        case _:
            return False
    match encoder:
        case ast.Call(func=ast.Attribute(attr="Choice"), args=[texts, *_]):
            found = ast.literal_eval(texts)
            return any(a != b and b.startswith(a) for a in found for b in found)
        case ast.Call(func=ast.Attribute(attr=kind)):
            return kind in ("Text", "Binary")
        case _:
            return False


# --- key conditions -------------------------------------------------------------------------------


def _condition_dropped(module: Module) -> Iterator[Edit | Mutant]:
    for stream, range_ in _ranges(module):
        yield module.drop(stream, range_)


def _filter_for_key_condition(module: Module) -> Iterator[Edit | Mutant]:
    """The same items are returned, and the whole partition is read and paid for."""
    for read in module.calls(".streams.Read"):
        if keyword(read, "filter") is None:
            for stream, range_ in _ranges(module):
                if read.lineno <= stream.lineno <= (read.end_lineno or 0):
                    yield _as_filter(module, read, stream, range_)


def _as_filter(
    module: Module, read: ast.Call, stream: ast.Call, range_: ast.Call
) -> Mutant:
    name = called(range_).rpartition(".")[2]
    arguments = ", ".join(module.text(each) for each in range_.args)
    filter_ = f"filter=conditions.{_FILTERS.get(name, name)}({arguments})"
    return (module.drop(stream, range_), module.append(read, filter_))


def _other_index(package: Package) -> Iterator[Edit | Mutant]:
    """An index with the same partition key, whose sort key means something else."""
    for module in package.repositories():
        for read in module.calls(".streams.Read"):
            index = keyword(read, "index")
            plan = _plan(package, read)
            if index is None or plan is None:
                continue
            table = package.design.schema.table(plan.table)
            for other in (None, *(each.name for each in table.indexes)):
                if repr(other) != ast.unparse(index.value):
                    yield module.replace(index, f"index={other!r}")


def _order_reversed(package: Package) -> Iterator[Edit | Mutant]:
    for module in package.repositories():
        for read in module.calls(".streams.Read"):
            plan = _plan(package, read)
            if plan is None or not plan.order_by:
                continue
            forward = keyword(read, "forward")
            if forward is None:
                yield module.append(read, "forward=False")
            else:
                yield module.replace(forward, "forward=True")


def _plan(package: Package, read: ast.Call) -> ReadPlan | None:
    """The plan that a read was generated from."""
    pattern = keyword(read, "pattern")
    if pattern is None or not isinstance(pattern.value, ast.Constant):
        return None
    name = pattern.value.value
    return next((plan for plan in package.design.reads if plan.name == name), None)


# --- pages ----------------------------------------------------------------------------------------


def _page_size_forgotten(module: Module) -> Iterator[Edit | Mutant]:
    for query in module.calls("Query"):
        for name in ("page_size", "max_page_size"):
            found = keyword(query, name)
            if found is not None:
                yield module.drop(query, found)


# --- writes ---------------------------------------------------------------------------------------


def _stale_key(module: Module) -> Iterator[Edit | Mutant]:
    """An update writes the attribute, and not the key that is computed from it."""
    for statement in module.tree.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(
            statement.value, ast.Dict
        ):
            continue
        if module.text(statement.target) != "_WRITTEN_WITH":
            continue
        for names in statement.value.values:
            if isinstance(names, ast.Tuple) and len(names.elts) > 1:
                yield module.replace(names, f"({module.text(names.elts[0])},)")


def _create_without_condition(module: Module) -> Iterator[Edit | Mutant]:
    for call in module.calls(".conditions.missing"):
        yield module.replace(call, "None")


def _update_without_condition(module: Module) -> Iterator[Edit | Mutant]:
    """Whatever is stored is overwritten, though it has changed since it was read."""
    for call in module.calls(".writing.as_read"):
        yield module.replace(call, "()")


def _key_not_written(module: Module) -> Iterator[Edit | Mutant]:
    """`_encode` forgets an index's key."""
    encode = module.function("_encode")
    for node in ast.walk(encode) if encode else ():
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if (
                    key is not None
                    and isinstance(value, ast.Call)
                    and _is_key(module, value)
                ):
                    yield module.replace(value, '{"S": "wrong"}')


def _is_key(module: Module, call: ast.Call) -> bool:
    name = called(call)
    function = module.function(name) if name.startswith("_") else None
    return function is not None and len(call.args) == 1


REPOSITORY_KINDS = (
    Kind("bound without its successor", _in_repositories(_successor_dropped)),
    Kind("exclusive bound made inclusive", _in_repositories(_exclusive_made_inclusive)),
    Kind("inclusive bound made exclusive", _in_repositories(_inclusive_made_exclusive)),
    Kind("delimiter dropped", _in_repositories(_delimiter_dropped)),
    Kind("key condition dropped", _in_repositories(_condition_dropped)),
    Kind("filter for a key condition", _in_repositories(_filter_for_key_condition)),
    Kind("other index", _other_index),
    Kind("order reversed", _order_reversed),
    Kind("page size forgotten", _in_repositories(_page_size_forgotten)),
    Kind("stale key", _in_repositories(_stale_key)),
    Kind("create without its condition", _in_repositories(_create_without_condition)),
    Kind("update without its condition", _in_repositories(_update_without_condition)),
    Kind("key not written", _in_repositories(_key_not_written)),
)
