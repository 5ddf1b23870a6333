"""Train the stone reader, and write it for the program to use.

python -m vision.training.stones_data SHARED BOARDS
python -m vision.training.stones_scenes BOARDS
python -m vision.training.stones_train BOARDS OUT --minutes 60 --onnx vision/models/stones.onnx
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional

from vision.training.stones_augment import MARGIN, Sample, make_sample
from vision.training.stones_data import Board, load_boards
from vision.training.stones_net import StoneNet, save_onnx
from vision.training.stones_truth import COVERED, UNKNOWN

SHARES = {"photos": 0.38, "stills": 0.22, "videos": 0.25, "scenes": 0.15}
"""How often a batch comes from each kind: videos show few rooms, stills many."""


def kind_of(board: Board) -> str:
    """Return the key of SHARES that a board belongs to."""
    if board.source in SHARES:
        return board.source
    return "photos" if "/" in board.source else "videos"


@dataclass
class Supply:
    """Draws training samples."""

    boards: list[Board]
    rng: np.random.Generator

    def __post_init__(self) -> None:
        groups: dict[tuple[str, int], list[Board]] = defaultdict(list)
        for board in self.boards:
            groups[kind_of(board), len(board.labels)].append(board)
        self._groups = dict(groups)
        self._hands = [board for board in self.boards if board.hand_png is not None]

    def batch(self, count: int) -> list[Sample]:
        """Return samples of one board size."""
        sizes, weights = np.array([19, 13, 9]), np.array([0.84, 0.1, 0.06])
        size = int(self.rng.choice(sizes, p=weights))
        # Smaller boards are cheaper: as many cells a batch.
        return [self._sample(size) for _ in range(count if size == 19 else 2 * count)]

    def _sample(self, size: int) -> Sample:
        kinds = [kind for kind in SHARES if (kind, size) in self._groups]
        shares = np.array([SHARES[kind] for kind in kinds])
        kind = str(self.rng.choice(kinds, p=shares / shares.sum()))
        group = self._groups[kind, size]
        return make_sample(group[int(self.rng.integers(len(group)))], self._hands, self.rng)


def losses(answer: torch.Tensor, samples: list[Sample]) -> torch.Tensor:
    """Return the loss of a batch of answers (B, 11, R, R)."""
    inner = answer[:, :, MARGIN:-MARGIN, MARGIN:-MARGIN]
    labels = torch.from_numpy(np.stack([s.labels for s in samples]).astype(np.int64))
    point = functional.cross_entropy(inner[:, :4], labels, ignore_index=UNKNOWN, reduction="none")
    known = (labels != UNKNOWN).float()
    # A mistake in a thousand is a spoiled board: look harder at the points that are wrong.
    hard = 1 + 3 * (1 - torch.exp(-point.detach()))
    classes = (point * hard).sum() / known.sum().clamp(min=1)
    offsets = torch.from_numpy(np.stack([s.offsets for s in samples])).permute(0, 3, 1, 2)
    weight = torch.tensor([s.corner_weight for s in samples])[:, None, None]
    weight = weight * (known * (labels != COVERED).float())
    shift = functional.smooth_l1_loss(inner[:, 4:6], offsets, beta=0.05, reduction="none").sum(1)
    crossings = (shift * weight).sum() / weight.sum().clamp(min=1)
    return classes + crossings + stone_losses(answer, samples)


def stone_losses(answer: torch.Tensor, samples: list[Sample]) -> torch.Tensor:
    """Return the loss of what is said about stones off the points and outside the lines."""
    stones = torch.from_numpy(np.stack([s.stones for s in samples]).astype(np.int64))
    found = functional.cross_entropy(answer[:, 6:9], stones, ignore_index=UNKNOWN, reduction="none")
    centers = torch.from_numpy(np.stack([s.centers for s in samples])).permute(0, 3, 1, 2)
    weight = centers[:, 2]
    # Crooked stones are few among hundreds of cells.
    seen = (stones != UNKNOWN).float() * (1 + 14 * (weight == 1))
    error = functional.smooth_l1_loss(answer[:, 9:11], centers[:, :2], beta=0.1, reduction="none")
    shift = (error.sum(1) * weight).sum() / weight.sum().clamp(min=1)
    return 0.5 * (found * seen).sum() / seen.sum() + shift


def schedule(share: float) -> float:
    """Return the factor of the learning rate when `share` of the time is used."""
    warm = min(1.0, share / 0.03)
    return float(warm * 0.5 * (1 + np.cos(np.pi * min(1.0, share))) + 0.002)


class Budget:
    """Processor time to train for, and a limit to the time by the clock on a busy machine."""

    def __init__(self, minutes: float, clock_minutes: float) -> None:
        self._seconds, self._clock_seconds = 60 * minutes, 60 * clock_minutes
        self._started, self._clock_started = time.process_time(), time.monotonic()

    def spent(self) -> float:
        """Return the share that is used, from 0 to 1."""
        processor = (time.process_time() - self._started) / self._seconds
        return max(processor, (time.monotonic() - self._clock_started) / self._clock_seconds)


def train(
    net: StoneNet, supply: Supply, *, budget: Budget, rate: float, each: Callable[[int], None]
) -> None:
    """Train until the budget is spent, calling `each` after every step."""
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    step, running = 0, 0.0
    while (share := budget.spent()) < 1:
        for group in optimizer.param_groups:
            group["lr"] = rate * schedule(share)
        net.train()
        samples = supply.batch(4)
        pixels = torch.from_numpy(np.stack([s.pixels for s in samples]))
        loss = losses(net(pixels.contiguous(memory_format=torch.channels_last)), samples)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        step += 1
        running += float(loss.detach())
        if step % 50 == 0:
            print(f"{step} {share:.3f} loss {running / 50:.4f}", flush=True)
            running = 0.0
        each(step)


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("boards", type=Path, help="folder that stones_data wrote")
    parser.add_argument("out", type=Path, help="checkpoint to write")
    parser.add_argument("--start", type=Path, help="checkpoint to start from")
    parser.add_argument("--without", default="", help="sources to leave out, comma separated")
    parser.add_argument("--every-fourth-still", action="store_true", help="leave these out too")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument(
        "--clock-minutes", type=float, default=600, help="end by then at the latest"
    )
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--onnx", type=Path)
    parser.add_argument("--seed", type=int, default=4)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(arguments.seed)
    boards = load_boards(arguments.boards)
    left_out = {source for source in arguments.without.split(",") if source}
    boards = [board for board in boards if board.source not in left_out]
    if arguments.every_fourth_still:
        boards = [b for b in boards if b.source != "stills" or int(b.name.split("_")[-1]) % 4]
    net = StoneNet().to(memory_format=torch.channels_last)
    if arguments.start:
        net.load_state_dict(torch.load(arguments.start))

    def save(step: int) -> None:
        if step % 250 == 0:
            torch.save(net.state_dict(), arguments.out)

    supply = Supply(boards, np.random.default_rng(arguments.seed))
    budget = Budget(arguments.minutes, arguments.clock_minutes)
    train(net, supply, budget=budget, rate=arguments.rate, each=save)
    torch.save(net.state_dict(), arguments.out)
    if arguments.onnx:
        save_onnx(net, arguments.onnx)


if __name__ == "__main__":
    main()
