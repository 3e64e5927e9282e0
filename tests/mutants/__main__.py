"""`python -m tests.mutants SPEC...`: break what the specs make, and see whether it is noticed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "codegen"))

from .run import KINDS, build, judge, passes, report


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
    survivors = False
    for spec in options.specs:
        package = build(spec)
        if not passes(package):
            print(f"{spec.name}: the suite fails on the package as it is")
            return 1
        verdicts = judge(package, kinds, options.most, options.jobs)
        survivors |= not report(spec, verdicts, lambda line: print(line, flush=True))
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
