"""`python -m tests.mutants SPEC...`: break what the specs make, and see whether it is noticed."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "codegen"))

from .kinds import KINDS
from .run import Fate, Verdict, build, judge, mutants, passes


def main() -> int:
    """The exit code: 0 if every mutant of every spec was killed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description=__doc__
    )
    parser.add_argument("specs", nargs="+", type=Path, metavar="SPEC")
    parser.add_argument("--most", type=int, help="mutants of each kind; all by default")
    parser.add_argument(
        "--kind", action="append", help="only this kind; may be repeated"
    )
    parser.add_argument("--jobs", type=int, default=2, help="suites run side by side")
    options = parser.parse_args()
    kinds = [kind for kind in KINDS if not options.kind or kind.name in options.kind]
    total: Counter[Fate] = Counter()
    for spec in options.specs:
        began = time.monotonic()
        package = build(spec)
        if not passes(package):
            print(f"{spec}: the suite fails on the package as it is")
            return 1
        chosen = mutants(package, kinds, options.most)
        verdicts = []
        for verdict in judge(package, chosen, options.jobs):
            verdicts.append(verdict)
            if verdict.fate is not Fate.KILLED:
                print(
                    f"{verdict.fate}: {verdict.kind}, {verdict.place} {verdict.by}",
                    flush=True,
                )
        for line in _table(verdicts, [kind.name for kind in kinds]):
            print(line)
        counts = Counter(verdict.fate for verdict in verdicts)
        total += counts
        seconds = time.monotonic() - began
        print(f"{spec.stem}: {_counted(counts)} in {seconds:.0f} s\n", flush=True)
    print(f"{len(options.specs)} specs: {_counted(total)}")
    return 0 if set(total) <= {Fate.KILLED} else 1


def _table(verdicts: list[Verdict], kinds: list[str]) -> Iterator[str]:
    """What became of the mutants, kind by kind."""
    for kind in kinds:
        mine = [each for each in verdicts if each.kind == kind]
        if mine:
            counts = Counter(verdict.fate for verdict in mine)
            yield f"  {kind:34} {_counted(counts)}"
        else:
            yield f"  {kind:34} not applicable"


def _counted(counts: Counter[Fate]) -> str:
    return (
        ", ".join(f"{counts[fate]} {fate.lower()}" for fate in Fate if counts[fate])
        or "nothing"
    )


if __name__ == "__main__":
    sys.exit(main())
