"""Faults of the writes of one item: its keys, its conditions, how it is sent."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .edits import Edit, Module, Package, called, keyword
from .kind import Kind, in_modules

# --- keys -----------------------------------------------------------------------------------------


def _stale_key(module: Module) -> Iterator[Edit]:
    """An update writes the attribute, and not a key that is computed from it."""
    for names in _written_with(module):
        for derived in names.elts[1:]:
            yield module.drop(derived)


def _written_with(module: Module) -> Iterator[ast.Tuple]:
    """For each attribute that `update` may change, what it writes."""
    for statement in module.tree.body:
        match statement:
            case ast.AnnAssign(
                target=ast.Name(id="_WRITTEN_WITH"), value=ast.Dict(values=values)
            ):
                yield from (each for each in values if isinstance(each, ast.Tuple))


def _key_not_written(module: Module) -> Iterator[Edit]:
    """`_encode` forgets an index's key."""
    encode = module.function("_encode")
    for node in ast.walk(encode) if encode else ():
        match node:
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    if key is not None and _is_key(module, value):
                        yield module.replace(value, '{"S": "wrong"}')
            case ast.If(
                test=ast.Compare(left=ast.NamedExpr(value=value)), body=[statement]
            ) if _is_key(module, value):
                yield module.replace(statement, "pass")


def _is_key(module: Module, value: ast.expr) -> bool:
    """Whether it is the call of the function that computes a key from an item."""
    if not isinstance(value, ast.Call):
        return False
    name = called(value)
    function = module.function(name) if name.startswith("_") else None
    return function is not None and len(value.args) == 1


def _when_ignored_on_create(module: Module) -> Iterator[Edit]:
    """An item enters a sparse index that it has no place in.

    Of several cases of a key the last one is left as it is: it may be all that the others leave.
    """
    for function in module.tree.body:
        match function:
            case ast.FunctionDef(name=name, returns=ast.BinOp() as returns) if (
                name.startswith("_")
                and module.text(returns) == "wire.AttributeValue | None"
            ):
                branches = [each for each in function.body if isinstance(each, ast.If)]
                for branch in branches[:-1] or branches:
                    yield module.replace(branch.test, "True")


def _when_ignored_on_update(package: Package) -> Iterator[Edit]:
    """An update sets an index's key, whether or not the item has a place there."""
    keys = {
        each.name
        for table in package.design.schema.tables
        for index in table.indexes
        for each in index.key.all
    }
    for module in package.modules:
        for call in module.calls(".writing.set_to"):
            match call.args:
                case [
                    ast.Constant(value=name),
                    ast.IfExp(body=body, orelse=ast.Constant(value=None)) as chosen,
                ] if (
                    name in keys
                ):
                    yield module.replace(chosen, module.text(body))


# --- conditions -----------------------------------------------------------------------------------


def _create_without_condition(module: Module) -> Iterator[Edit]:
    for call in module.calls(".writing.put_request"):
        if len(call.args) > 2:
            yield module.drop(call.args[2])


def _update_without_condition(module: Module) -> Iterator[Edit]:
    """Whatever is stored is overwritten, though it has changed since it was read."""
    for call in module.calls(".writing.as_read"):
        yield module.replace(call, "()")


def _item_made_by_an_update(module: Module) -> Iterator[Edit]:
    """An update that does not ask for the item makes one where there is none."""
    for call in module.calls(".writing.update_request"):
        match call.args:
            case [*_, ast.Call() as condition] if (
                called(condition) == ".conditions.exists"
            ):
                yield module.replace(condition, "None")


# --- requests -------------------------------------------------------------------------------------


def _put_instead_of_update(module: Module) -> Iterator[Edit]:
    """What the copy does not know is lost."""
    for request in module.calls(".writing.update_request"):
        method = module.around(request.lineno)
        match request.args:
            case [table, _, ast.Call() as changes, *conditions] if (
                method is not None and called(changes) == ".writing.changes_to"
            ):
                given = [table, changes.args[0], *conditions]
                arguments = ", ".join(map(module.text, given))
                for send in module.calls(".update_item"):
                    if send.lineno <= request.lineno <= (send.end_lineno or 0):
                        put = (
                            f"self._client.put_item(**writing.put_request({arguments}))"
                        )
                        item = module.text(changes.args[0])
                        yield module.replace(send, f'{{"Attributes": {item}, **{put}}}')


def _epoch_in_milliseconds(module: Module) -> Iterator[Edit]:
    """To DynamoDB a time to live in milliseconds is some 50,000 years away."""
    for call in module.calls(".stored.epoch"):
        match call.args:
            case [_, _, ast.Constant(value="seconds") as unit, *_]:
                yield module.replace(unit, '"milliseconds"')


def _marker_not_written(module: Module) -> Iterator[Edit]:
    """Nothing keeps a value unique."""
    for call in module.calls(".revising.Kind"):
        markers = keyword(call, "markers")
        if markers is not None:
            yield module.drop(markers)


# --- transactions ---------------------------------------------------------------------------------


def _member_dropped(module: Module) -> Iterator[Edit]:
    for call in module.calls(".transactions.write"):
        match call.args:
            case [ast.List(elts=members), *_]:
                yield from (module.replace(member, "[]") for member in members)


# --- the runtime ----------------------------------------------------------------------------------


def _remove_forgotten(package: Package) -> Iterator[Edit]:
    """An attribute that is taken away stays, and with it the item in a sparse index."""
    if any(map(_can_remove, package.modules)):
        yield from package.runtime("writing").rewritten(
            "return [set_to(name, item.get(name)) for name in dict.fromkeys(names)]",
            "return [set_to(n, item[n]) for n in dict.fromkeys(names) if n in item]",
        )


def _can_remove(module: Module) -> bool:
    """Whether `update` writes something that an item need not have."""
    encode = module.function("_encode")
    optional = {
        module.text(target.slice)
        for branch in ast.walk(encode or ast.Module([], []))
        if isinstance(branch, ast.If)
        for statement in branch.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Subscript)
    }
    return any(
        module.text(name) in optional
        for names in _written_with(module)
        for name in names.elts
    )


def _lost_response_taken_for_failure(module: Module) -> Iterator[Edit]:
    """The retry fails by what the first attempt has done."""
    for call in module.calls(".refusals.conditional"):
        for name in ("token", "deletes"):
            found = keyword(call, name)
            if found is not None:
                yield module.drop(found)


_UPDATE = ("update",)
_CREATE = ("create_stores", "create_returns")

WRITES = (
    Kind("stale key", in_modules(_stale_key), _UPDATE),
    Kind("key not written", in_modules(_key_not_written), _CREATE),
    Kind("`when` ignored on create", in_modules(_when_ignored_on_create), _CREATE),
    Kind("`when` ignored on update", _when_ignored_on_update),
    Kind(
        "create without its condition",
        in_modules(_create_without_condition),
        ("refuses",),
    ),
    Kind(
        "update without its condition",
        in_modules(_update_without_condition),
        ("stale", "changed"),
    ),
    Kind(
        "item made by an update", in_modules(_item_made_by_an_update), ("gone", "make")
    ),
    Kind("put instead of update", in_modules(_put_instead_of_update), ("alone",)),
    Kind("epoch in milliseconds", in_modules(_epoch_in_milliseconds), _CREATE),
    Kind(
        "unique marker not written", in_modules(_marker_not_written), ("marks", "taken")
    ),
    Kind("transaction member dropped", in_modules(_member_dropped)),
    Kind("removal forgotten by update", _remove_forgotten, _UPDATE),
    Kind(
        "lost response taken for a failure",
        in_modules(_lost_response_taken_for_failure),
        ("lost", "model_says"),
    ),
)
