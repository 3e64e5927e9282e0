"""Faults of what a read asks for, and in which order it answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .edits import Edit, Module, Mutant, Package, called, keyword
from .kind import Kind, in_modules
from .reads import reads

_FILTERS = {
    "at_least": "gte",
    "at_most": "lte",
    "above": "gt",
    "below": "lt",
    "equals": "eq",
}
_SIEVED = '''

class Sieved(Stream):
    """A stream that reads its whole partition."""

    def render(self, placeholders: Placeholders) -> str:
        return Stream(self.equal).render(placeholders)
'''
_SIEVE = (
    'self.buffer.extend(response.get("Items", ()))',
    'self.buffer.extend(i for i in response.get("Items", ()) if not self.stream.side(i))',
)


# --- key conditions -------------------------------------------------------------------------------


def _condition_dropped(package: Package) -> Iterator[Edit | Mutant]:
    """The range, or of a key with several sort attributes the last one that is fixed."""
    for read in reads(package):
        for _, range_ in read.ranges:
            if read.narrows:
                yield read.module.drop(range_)
        for stream in read.streams:
            match stream.args:
                case [ast.Dict(keys=keys) as equal] if (
                    read.sorts and len(keys) > read.partition_size
                ):
                    yield read.module.drop_entry(equal)


def _filter_for_key_condition(package: Package) -> Iterator[Mutant]:
    """The same items are returned, and the whole partition is read and paid for."""
    for read in reads(package):
        if keyword(read.call, "filter") is None:
            for _, range_ in read.ranges:
                yield _as_filter(read.module, read.call, range_)


def _as_filter(module: Module, read: ast.Call, range_: ast.Call) -> Mutant:
    name = called(range_).rpartition(".")[2]
    arguments = ", ".join(module.text(each) for each in range_.args)
    filter_ = f"filter=conditions.{_FILTERS.get(name, name)}({arguments})"
    return (module.drop(range_), module.append(read, filter_))


def _dropped_on_the_client(package: Package) -> Iterator[Mutant]:
    """The whole partition is read, and what does not match is left out afterwards."""
    streams, merging = package.runtime("streams"), package.runtime("merging")
    for read in reads(package):
        for stream, _ in read.ranges:
            if read.narrows:
                yield (
                    read.module.replace(stream.func, "streams.Sieved"),
                    streams.extend(_SIEVED),
                    *merging.rewritten(*_SIEVE),
                )


def _other_index(package: Package) -> Iterator[Edit]:
    """The next index of the table, or the table itself."""
    for read in reads(package):
        index = keyword(read.call, "index")
        if index is not None:
            table = package.design.schema.table(read.plan.table)
            names = [None, *(each.name for each in table.indexes)]
            other = names[(names.index(read.index) + 1) % len(names)]
            if other != read.index:
                yield read.module.replace(index, f"index={other!r}")


def _other_argument(package: Package) -> Iterator[Edit]:
    """The tenant, or whatever the partition is chosen by, is taken from another argument."""
    for module in package.modules:
        for partition in _partitions(module):
            method = module.around(partition.lineno)
            texts = _text_arguments(method)
            for node in ast.walk(partition):
                if isinstance(node, ast.Name) and node.id in texts:
                    others = [name for name in texts if name != node.id]
                    yield from (module.replace(node, name) for name in others[:1])


def _partitions(module: Module) -> Iterator[ast.expr]:
    """The expressions of partition keys: of streams, and the first argument of `_key`."""
    for stream in module.calls(".streams.Stream"):
        match stream.args:
            case [ast.Dict(values=[first, *_]), *_]:
                yield first
    for call in module.calls("_key"):
        if called(call) == "_key" and call.args:
            yield call.args[0]


def _text_arguments(method: ast.FunctionDef | None) -> list[str]:
    if method is None or method.name.startswith("_"):
        return []
    return [
        each.arg
        for each in method.args.kwonlyargs
        if isinstance(each.annotation, ast.Name) and each.annotation.id == "str"
    ]


# --- order ----------------------------------------------------------------------------------------


def _order_reversed(package: Package) -> Iterator[Edit]:
    for read in reads(package):
        if read.plan.order_by:
            forward = keyword(read.call, "forward")
            if forward is None:
                yield read.module.append(read.call, "forward=False")
            else:
                yield read.module.replace(forward, "forward=True")


def _merge_unordered(package: Package) -> Iterator[Edit]:
    """The streams come one after another, though an order was asked for."""
    for read in reads(package):
        merge_by = keyword(read.call, "merge_by")
        if merge_by is not None and read.plan.order_by:
            yield read.module.drop(merge_by)


def _hydrate_order_lost(package: Package) -> Iterator[Edit]:
    """Items come in another order than the index entries that lead to them."""
    if any(read.plan.hydrate and read.plan.order_by for read in reads(package)):
        yield from package.runtime("reading").rewritten(
            "for key in identities if", "for key in reversed(identities) if"
        )


# --- what is read -----------------------------------------------------------------------------------


def _stream_skipped(package: Package) -> Iterator[Edit]:
    """The first shard, or the first of several values."""
    for read in reads(package):
        for node in ast.walk(read.call):
            if isinstance(node, ast.comprehension):
                values = read.module.text(node.iter)
                yield read.module.replace(node.iter, f"tuple({values})[1:]")


def _filter_dropped(package: Package) -> Iterator[Edit]:
    """Items that have expired are returned, or that a declared filter leaves out."""
    for read in reads(package):
        filter_ = keyword(read.call, "filter")
        if filter_ is not None:
            yield read.module.drop(filter_)


def _expired_returned(module: Module) -> Iterator[Edit]:
    """A get returns the item whatever its time to live says."""
    for node in ast.walk(module.tree):
        match node:
            case ast.Return(
                value=ast.IfExp(
                    test=ast.Compare(comparators=[ast.Name(id="now")]),
                    body=ast.Constant(value=None),
                    orelse=ast.Name(id=item),
                )
            ):
                yield module.replace(node, f"return {item}")


def _consistency_lost(module: Module) -> Iterator[Edit]:
    for name in (".writing.get_request", ".streams.Read", ".batches.batch_get"):
        for call in module.calls(name):
            found = keyword(call, "consistent")
            if found is not None:
                yield module.drop(found)


QUERIES = (
    Kind("key condition dropped", _condition_dropped),
    Kind("filter for a key condition", _filter_for_key_condition),
    Kind("items dropped on the client", _dropped_on_the_client),
    Kind("other index", _other_index),
    Kind("partition of another argument", _other_argument),
    Kind("order reversed", _order_reversed),
    Kind("merge unordered", _merge_unordered),
    Kind("hydration out of order", _hydrate_order_lost, ("order", "exactly")),
    Kind("stream skipped", _stream_skipped),
    Kind("filter dropped", _filter_dropped),
    Kind("expired item returned", in_modules(_expired_returned)),
    Kind("consistency lost", in_modules(_consistency_lost)),
)
