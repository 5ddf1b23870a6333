"""The two convolutional networks behind `find_grid`, in PyTorch."""

from __future__ import annotations

from itertools import pairwise

from torch import Tensor, nn
from torch.nn import functional


def _conv(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class _Block(nn.Module):
    """Two convolutions around which the input is carried over."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(channels, channels),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.body(x))


class HeatmapNet(nn.Module):
    """A U-Net of residual blocks: picture in, maps at a quarter of its resolution out.

    Parameters
    ----------
    widths
        Channels at strides 2, 4, 8, 16 and 32.
    outputs
        Number of maps.
    """

    def __init__(self, widths: tuple[int, int, int, int, int], outputs: int) -> None:
        super().__init__()
        stem, *levels = widths
        self.stem = _conv(3, stem, stride=2)
        before = [stem, *levels[:-1]]
        self.down = nn.ModuleList(
            nn.Sequential(_conv(a, b, stride=2), _Block(b))
            for a, b in zip(before, levels, strict=True)
        )
        self.deep = _Block(levels[-1])
        self.side = nn.ModuleList(nn.Conv2d(high, low, 1) for low, high in pairwise(levels))
        self.up = nn.ModuleList(_conv(low, low) for low in levels[:-1])
        self.head = nn.Sequential(_conv(levels[0], levels[0]), nn.Conv2d(levels[0], outputs, 1))

    def forward(self, x: Tensor) -> Tensor:
        """Map (B, 3, H, W), H and W multiples of 32, to (B, outputs, H / 4, W / 4)."""
        x = self.stem(x)
        kept = []
        for level in self.down:
            x = level(x)
            kept.append(x)
        x = self.deep(x)
        for low, side, up in reversed(list(zip(kept[:-1], self.side, self.up, strict=True))):
            x = functional.interpolate(side(x), scale_factor=2.0, mode="nearest")
            x = up(x + low)
        maps: Tensor = self.head(x)
        return maps


BOARD_MAPS = ("field", "corner")
"""Maps of the coarse network: inside the outer lines; an outer crossing."""

CROSSING_MAPS = ("crossing", "dx", "dy", "outermost", "field")
"""Maps of the fine network: crossing, its offset in map pixels, on an outer line, inside."""


def board_net() -> HeatmapNet:
    """Return the coarse network, untrained: where in the whole picture the board is."""
    return HeatmapNet((12, 20, 40, 72, 72), len(BOARD_MAPS))


def crossing_net() -> HeatmapNet:
    """Return the fine network, untrained: where the crossings are in a rectified board."""
    return HeatmapNet((12, 24, 56, 64, 72), len(CROSSING_MAPS))
