"""Write the trained networks as ONNX and check them: python -m vision.training.heatmap_export."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
import torch

from vision.net import MODELS, load_model
from vision.training.heatmap_net import HeatmapNet, board_net, crossing_net

LARGEST_BYTES = 2 * 1024 * 1024


def export(net: HeatmapNet, path: Path) -> None:
    """Write a network whose picture may have any size that is a multiple of 32."""
    net.eval()
    example = torch.zeros(1, 3, 192, 320)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net,
            (example,),
            str(path),
            input_names=["picture"],
            output_names=["maps"],
            opset_version=17,
            dynamo=False,
            dynamic_axes={"picture": {2: "h", 3: "w"}, "maps": {2: "h4", 3: "w4"}},
        )
    if path.stat().st_size > LARGEST_BYTES:
        raise ValueError(f"{path} must be at most {LARGEST_BYTES} bytes, got {path.stat().st_size}")


def largest_difference(net: HeatmapNet, path: Path, backend: str) -> float:
    """Return the largest absolute difference between PyTorch and the exported network."""
    rng = np.random.default_rng(0)
    run = load_model(path, backend=backend)
    worst = 0.0
    for shape in ((1, 3, 192, 320), (1, 3, 352, 352)):
        blob = rng.standard_normal(shape).astype(np.float32)
        with torch.no_grad():
            expected = net(torch.from_numpy(blob)).numpy()
        worst = max(worst, float(np.abs(run(blob) - expected).max()))
    return worst


def main() -> None:
    """Export both networks of a checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--out", type=Path, default=MODELS)
    arguments = parser.parse_args()
    stored = torch.load(arguments.checkpoint, weights_only=True)
    for name, net in (("board", board_net()), ("grid", crossing_net())):
        net.load_state_dict(stored[name]["average"])
        path = arguments.out / f"{name}.onnx"
        export(net, path)
        for backend in ("opencv", "onnxruntime"):
            worst = largest_difference(net, path, backend)
            print(f"{path.name}: {backend} differs from PyTorch by at most {worst:.2e}")
            if worst > 1e-3:
                raise ValueError(f"{path} must agree to 1e-3, got {worst:.2e} with {backend}")


if __name__ == "__main__":
    main()
