"""Histories: random calls by two writers that hold stale copies, while things go wrong.

After every call, every table and index must hold just the items that a plain dictionary holds, and
the reads must answer as it does. What a call should do is said in plain Python by the test classes of
patterns (`effects`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from . import draws
from .acts import ACTS, Act, batch_act
from .batches import BatchGetProof
from .history import History
from .pattern_acts import pattern_acts, sweep_act
from .proofs import ReadProof
from .store import Kind, Store
from .transactions import ReadTransactionProof, TransactionProof
from .updates import PatternProof, SweepProof


class HistoryProof:
    """Any history of a service keeps its keys true, and loses and doubles nothing.

    Attributes:
        kinds: the entities, each the subject of histories of its own.
        proofs: the test classes of reads and patterns.
    """

    kinds: ClassVar[Sequence[Kind]]
    proofs: ClassVar[Sequence[type[Any]]]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test for each entity that is written."""
        kinds = [kind for kind in self.kinds if list(self.acts(kind))]
        metafunc.parametrize("kind", kinds, ids=lambda kind: kind.type.__name__)

    @draws.HISTORIES
    @given(data=st.data())
    def test_every_index_holds_what_the_model_says(
        self, store: Store, data: DataObject, kind: Kind
    ) -> None:
        """A few calls about items of one entity, in any order."""
        store.clear()
        history = History(store, data, kind)
        acts = [*self.acts(kind)] * draws.ROUNDS
        reads = [proof for proof in self.of(kind) if _is_read(proof)]
        for number in data.draw(st.permutations(range(len(acts)))):
            note(f"--- {acts[number].name} of {kind.type.__name__}")
            acts[number].perform(history)
            store.assert_holds(*history.model.stored.values())
            if reads:
                history.read(reads[data.draw(st.integers(0, len(reads) - 1))])
        for read in reads:
            history.read(read)

    def acts(self, kind: Kind) -> Iterator[Act]:
        """What may be done to items of an entity."""
        yield from (act for act in ACTS if act.name in kind.operations)
        for proof in self.of(kind):
            match proof:
                case SweepProof():
                    yield sweep_act(proof)
                case BatchGetProof() if "batch_write" in kind.operations:
                    yield batch_act(proof)
                case PatternProof() | TransactionProof() | ReadTransactionProof():
                    yield from pattern_acts(proof)

    def of(self, kind: Kind) -> list[Any]:
        """The tests of what concerns an entity first."""
        return [proof() for proof in self.proofs if _subject(proof) is kind]


def _is_read(proof: Any) -> bool:
    return isinstance(proof, ReadProof) and not isinstance(proof, SweepProof)


def _subject(proof: type[Any]) -> Kind:
    """The entity that a test class concerns first."""
    found: Kind = proof.kinds[0] if issubclass(proof, ReadProof) else proof.kind
    return found
