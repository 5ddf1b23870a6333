"""Train the networks behind `find_grid`: python -m vision.training.heatmap_train --help."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.crop import shrunk
from vision.grid import find_grid
from vision.training.heatmap_data import (
    CANVASES,
    Prepared,
    Sample,
    board_sample,
    crossing_sample,
    prepared,
)
from vision.training.heatmap_net import board_net, crossing_net
from vision.training.photos import BoardPicture, load_folder, source_of
from vision.training.scenes import draw_scene
from vision.types import Frame, GridFit


@dataclass
class Pool:
    """Everything that is sampled from, in kinds that are drawn with fixed shares."""

    photos: list[Prepared] = field(default_factory=list)
    stills: list[Prepared] = field(default_factory=list)
    scenes: list[Prepared] = field(default_factory=list)
    empty: list[Prepared] = field(default_factory=list)

    def draw(self, rng: np.random.Generator) -> Prepared:
        """Return one picture: photographs most often, whatever their number."""
        kinds = [k for k in (self.photos, self.stills, self.scenes, self.empty) if k]
        shares = np.array([{0: 0.35, 1: 0.25, 2: 0.32, 3: 0.08}[i] for i in self._present()])
        kind = kinds[int(rng.choice(len(kinds), p=shares / shares.sum()))]
        return kind[int(rng.integers(0, len(kind)))]

    def _present(self) -> list[int]:
        kinds = (self.photos, self.stills, self.scenes, self.empty)
        return [i for i, kind in enumerate(kinds) if kind]

    def refresh(self, rng: np.random.Generator) -> None:
        """Draw one of the generated scenes anew."""
        self.scenes[int(rng.integers(0, len(self.scenes)))] = _scene(rng, has_board=True)
        if rng.random() < 0.25:
            self.empty[int(rng.integers(0, len(self.empty)))] = _scene(rng, has_board=False)


def _scene(rng: np.random.Generator, *, has_board: bool) -> Prepared:
    return prepared(draw_scene(rng, 800, 600, has_board=has_board))


def self_labelled(folders: list[Path], *, least: float = 0.9) -> Iterator[BoardPicture]:
    """Yield pictures without corners in which the shipped networks are sure of a grid."""
    for path in sorted(path for folder in folders for path in folder.glob("*.jpg")):
        loaded = cv2.imread(str(path))
        if loaded is None:
            continue
        image, _ = shrunk(np.asarray(loaded, np.uint8))
        found = find_grid(Frame(image, 0.0))
        if isinstance(found, GridFit) and found.confidence >= least:
            yield BoardPicture(path.stem, path.parent.name, image, found)


def load_pool(shared: Path, split: str, rng: np.random.Generator, *, scenes: int = 160) -> Pool:
    """Load what the split may see.

    Parameters
    ----------
    split
        "all"; "generated": no photographs; "without:A,B" holds out the photographs of these
        repositories and every fourth still; "only:A,B" the photographs of the others.
    """
    pool = Pool()
    kind, _, names = split.partition(":")
    listed = set(names.split(",")) if names else set()

    def is_trained(path: Path) -> bool:
        if kind == "all":
            return True
        return kind != "generated" and (source_of(path) in listed) == (kind == "only")

    def is_trained_still(path: Path) -> bool:
        return kind == "all" or int(path.stem.split("_")[-1]) % 4 != 0

    pool.photos = [prepared(p) for p in load_folder(shared / "photos" / "labelled", is_trained)]
    if kind == "all":
        folders = [shared / "photos" / name for name in ("unlabelled", "rows_only")]
        pool.photos += [prepared(p) for p in self_labelled(folders)]
    pool.stills = [prepared(p) for p in load_folder(shared / "stills", is_trained_still)]
    pool.scenes = [_scene(rng, has_board=True) for _ in range(scenes)]
    pool.empty = [_scene(rng, has_board=False) for _ in range(scenes // 4)]
    return pool


def _heat_loss(logits: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Focal cross entropy with soft targets, so that the few bright pixels count."""
    cross = functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
    miss = (torch.sigmoid(logits) - target).abs()
    return (weight * miss.pow(1.5) * cross * (1 + 8 * target)).sum() / target.sum().clamp(min=20.0)


def board_loss(maps: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Loss of the coarse network: the field by cross entropy and overlap, corners by heat."""
    field_map = torch.sigmoid(maps[:, 0])
    both = (field_map * target[:, 0]).sum((1, 2))
    total = (field_map + target[:, 0]).sum((1, 2))
    overlap = 1 - ((2 * both + 10) / (total + 10)).mean()
    cross = functional.binary_cross_entropy_with_logits(maps[:, 0], target[:, 0])
    return 2 * cross + 2 * overlap + 0.2 * _heat_loss(maps[:, 1], target[:, 1], weight[:, 1])


def crossing_loss(maps: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Loss of the fine network."""
    offset = (maps[:, 1:3] - target[:, 1:3]).abs() * weight[:, 1:3]
    offset_loss = offset.sum() / weight[:, 1:3].sum().clamp(min=1.0)
    cross = functional.binary_cross_entropy_with_logits(maps[:, 4], target[:, 4])
    heat = _heat_loss(maps[:, 0], target[:, 0], weight[:, 0])
    outermost = _heat_loss(maps[:, 3], target[:, 3], weight[:, 3])
    return heat + outermost + 2.0 * offset_loss + cross


@dataclass
class Trainee:
    """One network with its optimizer and its source of samples."""

    name: str
    net: nn.Module
    loss: Callable[[Tensor, Tensor, Tensor], Tensor]
    sample: Callable[[np.random.Generator, Pool, int], Sample]
    batch: int
    optimizer: torch.optim.Optimizer
    recent: list[float] = field(default_factory=list)
    average: dict[str, Tensor] = field(default_factory=dict)
    """Moving average of the weights, which is what is shipped."""

    def step(self, rng: np.random.Generator, pool: Pool, number: int) -> None:
        """Learn from one batch."""
        samples = [self.sample(rng, pool, number) for _ in range(self.batch)]
        blob = torch.from_numpy(np.stack([s.blob for s in samples]))
        target = torch.from_numpy(np.stack([s.target for s in samples]))
        weight = torch.from_numpy(np.stack([s.weight for s in samples]))
        maps = self.net(blob.to(memory_format=torch.channels_last))
        loss = self.loss(maps, target, weight)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimizer.step()
        self.recent.append(float(loss.detach()))
        keep = min(0.995, (1 + number) / (10 + number))
        for key, value in self.net.state_dict().items():
            if key in self.average and value.is_floating_point():
                self.average[key].mul_(keep).add_(value, alpha=1 - keep)
            else:
                self.average[key] = value.clone()


def _crossing(rng: np.random.Generator, pool: Pool, number: int) -> Sample:
    source = pool.draw(rng)
    grid = source.picture.grid
    while source.picture.is_coarse and grid is not None and grid.size == 19:
        # There are enough photographs of this size whose corners are known exactly.
        source = pool.draw(rng)
        grid = source.picture.grid
    return crossing_sample(rng, source)


def _board(rng: np.random.Generator, pool: Pool, number: int) -> Sample:
    others = pool.photos or pool.stills
    return board_sample(rng, pool.draw(rng), others, CANVASES[number % len(CANVASES)])


def trainees(rate: float) -> list[Trainee]:
    """Return the two networks, ready to learn."""

    def optimizer(net: nn.Module) -> torch.optim.Optimizer:
        return torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)

    coarse = board_net().to(memory_format=torch.channels_last)
    fine = crossing_net().to(memory_format=torch.channels_last)
    return [
        Trainee("board", coarse, board_loss, _board, 8, optimizer(coarse)),
        Trainee("grid", fine, crossing_loss, _crossing, 6, optimizer(fine)),
    ]


def _rates(minutes: float, peak: float, start_s: float) -> Iterator[float]:
    """Yield the learning rate by the CPU time used: warm up, then a half cosine down."""
    while True:
        share = min(1.0, (time.process_time() - start_s) / (60 * minutes))
        yield peak * min(1.0, share / 0.03 + 0.1) * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6
        if share >= 1.0:
            return


def save(learners: list[Trainee], path: Path) -> None:
    """Write a checkpoint."""
    torch.save({t.name: {"net": t.net.state_dict(), "average": t.average} for t in learners}, path)


def main() -> None:
    """Train both networks in turn within a budget of CPU minutes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, required=True, help="folder with photos and stills")
    parser.add_argument("--out", type=Path, required=True, help="checkpoint to write")
    parser.add_argument("--start", type=Path, help="checkpoint to start from")
    parser.add_argument("--split", default="all")
    parser.add_argument("--minutes", type=float, default=60.0, help="CPU minutes")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["board", "grid"], help="train one of the two")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    learners = trainees(arguments.rate)
    if arguments.start:
        stored = torch.load(arguments.start, weights_only=True)
        for learner in learners:
            learner.net.load_state_dict(stored[learner.name]["average"])
            learner.average = {k: v.clone() for k, v in stored[learner.name]["average"].items()}
    active = [t for t in learners if arguments.only in (None, t.name)]
    pool = load_pool(arguments.shared, arguments.split, rng)
    print(f"{len(pool.photos)} photographs, {len(pool.stills)} stills", flush=True)
    for number, rate in enumerate(_rates(arguments.minutes, arguments.rate, time.process_time())):
        # The coarse network has the harder task: it learns twice as often.
        for learner in active[:1] if number % 2 else active:
            for group in learner.optimizer.param_groups:
                group["lr"] = rate
            learner.net.train()
            learner.step(rng, pool, number)
        if number % 3 == 0:
            pool.refresh(rng)
        if number % 50 == 49:
            losses = ", ".join(f"{t.name} {np.mean(t.recent[-50:]):.3f}" for t in active)
            print(f"{number + 1} {time.process_time():.0f} s: {losses}", flush=True)
            save(learners, arguments.out)
    save(learners, arguments.out)


if __name__ == "__main__":
    main()
