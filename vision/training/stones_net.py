"""The network that reads a whole rectified board, and its way to ONNX."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import torch
from torch import nn

CLASSES = 4
"""Empty, black, white, covered."""

CHANNELS = 11
"""Of the answer, a cell each: 4 classes of the point; where the crossing really is (col, row);
no, a black or a white stone whose center lies in this cell; where that center is (col, row)."""


def _block(width: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(width, width, 3, padding=1, bias=False),
        nn.BatchNorm2d(width),
        nn.ReLU(inplace=True),
        nn.Conv2d(width, width, 3, padding=1, bias=False),
        nn.BatchNorm2d(width),
    )


def _down(narrow: int, wide: int) -> nn.Sequential:
    # 2x2 without overlap keeps the answer's cells centered on the crossings.
    return nn.Sequential(
        nn.Conv2d(narrow, wide, 2, stride=2, bias=False),
        nn.BatchNorm2d(wide),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two convolutions and a shortcut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = _block(width)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the same shape."""
        return cast(torch.Tensor, self.relu(x + self.body(x)))


class StoneNet(nn.Module):
    """(B, 3, 16 R, 16 C) normalized pixels to (B, 11, R, C): one answer a cell."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 16, 4, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(16),
            nn.ReLU(inplace=True),
            _down(16, 32),
            Residual(32),
            _down(32, 64),
            Residual(64),
            Residual(64),
            _down(64, 80),
            Residual(80),
            Residual(80),
            nn.Conv2d(80, CHANNELS, 1),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return scores and offsets in cells, in the order of CHANNELS."""
        return cast(torch.Tensor, self.body(x))


def save_onnx(net: StoneNet, path: Path) -> None:
    """Write the network for `cv2.dnn` and onnxruntime, with free height and width."""
    net.eval()
    example = torch.zeros(1, 3, 368, 368)
    axes = {0: "batch", 2: "height", 3: "width"}
    torch.onnx.export(
        net,
        (example,),
        str(path),
        input_names=["board"],
        output_names=["cells"],
        dynamic_axes={"board": axes, "cells": axes},
        opset_version=13,
        dynamo=False,
    )
