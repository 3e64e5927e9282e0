"""What dyngen generates from benchmarks/documents.yaml, in the folder that DYNGEN_BENCH_PACKAGE names.

The package is loaded once for each JSON library, as it chooses one when it is imported.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson

from benchmarks import canned
from benchmarks.peers import CANNED, LOOPBACK, Peer, Times, blocking, quiet, session

PACKAGE = "DYNGEN_BENCH_PACKAGE"
OWN, OWN_ORJSON = "dyngen, stdlib json", "dyngen, orjson"


def peers(url: str) -> list[Peer]:
    """The repository, by its own client and by others."""
    plain, fast = package("documents_json", json), package("documents_orjson", orjson)
    found = []
    for name, module in ((OWN, plain), (OWN_ORJSON, fast)):
        canned_client, served = _own_client(module), _own_client(module, url)
        canned.answer(canned_client)
        found += [
            Peer(name, CANNED, _calls(module, canned_client)),
            Peer(name, LOOPBACK, _calls(module, served)),
        ]
    injected = session().client("dynamodb", config=quiet())
    canned.answer(injected)
    unhooked = _own_client(plain)
    canned.answer(unhooked)
    return [
        *found,
        Peer(
            "dyngen, stdlib json, a client passed in", CANNED, _calls(plain, injected)
        ),
        Peer("dyngen, hook off", CANNED, _calls(plain, unhooked, fast_decoding=False)),
    ]


def package(name: str, library: Any) -> ModuleType:
    """The generated package under a name of its own, with a JSON library."""
    file = Path(os.environ[PACKAGE]) / "__init__.py"
    spec = importlib.util.spec_from_file_location(
        name, file, submodule_search_locations=[str(file.parent)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    importlib.import_module(f"{name}._runtime.fast").loads = library.loads  # type: ignore[attr-defined]
    return module


def documents(module: ModuleType) -> list[Any]:
    """The items as the package's entities."""
    return [
        module.Document(
            **{**document, "status": module.DocumentStatus(document["status"])}
        )
        for document in canned.DOCUMENTS
    ]


def _own_client(module: ModuleType, url: str | None = None) -> Any:
    return module.connect(session(), endpoint_url=url, config=quiet())


def _calls(module: ModuleType, client: Any, **options: Any) -> dict[str, Times]:
    repository = module.DocumentRepository(client, canned.TABLE, **options)
    made = documents(module)
    first = made[0]
    batch = made[: canned.BATCH]
    return blocking(
        query=lambda: repository.documents_of_owner(owner_id=canned.OWNER).all(),
        get=lambda: repository.get(
            owner_id=canned.OWNER, document_id=first.document_id
        ),
        put=lambda: repository.put(first),
        batch=lambda: repository.batch_write(put=batch),
    )
