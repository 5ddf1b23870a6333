"""The check's verdicts on rendered stills, good and made worse on purpose.

python bench/check_variants.py ../shared            every still as it is
python bench/check_variants.py ../shared --variants s_still_030 s_still_072
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

import cv2

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from degraded import GOOD_FACTS, VARIANTS, Scene

from calibration.check import Level, Topic, Verdict, check
from calibration.measure import measure
from vision.grid import find_grid
from vision.still import load_still
from vision.types import NoGrid


def told(verdict: Verdict) -> str:
    """Return what is poor or bad."""
    return ", ".join(
        f"{item.topic.value} {item.level.word}{' ' + item.reason if item.reason else ''}"
        for item in verdict.items
        if item.level >= Level.POOR
    )


def judge_stills(folder: Path) -> None:
    """Print the verdict on every still on which nothing hides the board."""
    counts: Counter[str] = Counter()
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text())
        is_clear = not truth["unknown"]
        verdict = check(measure([load_still(path.with_suffix(".jpg"))]), GOOD_FACTS)
        counts[f"{'clear' if is_clear else 'covered'} {verdict.level.word}"] += 1
        if is_clear and verdict.level is not Level.GOOD:
            print(f"  {path.stem}: {told(verdict)}", flush=True)
    print("stills:", dict(sorted(counts.items())))


def judge_variants(path: Path) -> None:
    """Print the variants of a still whose verdict is not as expected."""
    frame = load_still(path)
    fit = find_grid(frame)
    if isinstance(fit, NoGrid):
        print(f"{path.stem}: no board")
        return
    as_expected = good = 0
    for variant in VARIANTS:
        verdict = check(measure(variant.make(Scene(frame.image, fit))), variant.facts)
        levels = {item.topic: item.level for item in verdict.items}
        is_lost = variant.level is Level.BAD and levels.get(Topic.BOARD) is Level.BAD
        good += verdict.level is Level.GOOD
        if is_lost or levels.get(variant.topic) is variant.level:
            as_expected += 1
        else:
            wanted = f"{variant.topic.value} {variant.level.word}"
            print(f"  {variant.name}: wanted {wanted}, got {told(verdict) or 'good'}", flush=True)
    print(
        f"{path.stem}: {as_expected} of {len(VARIANTS)} variants as expected,"
        f" {good} called good", flush=True,
    )  # fmt: skip


def main() -> None:
    """Judge and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--variants", nargs="+", metavar="NAME")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    stills = arguments.shared / "stills"
    if arguments.variants:
        for name in arguments.variants:
            judge_variants(stills / f"{name}.jpg")
    else:
        judge_stills(stills)


if __name__ == "__main__":
    main()
