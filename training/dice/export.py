"""Write a net as ONNX."""

from pathlib import Path

import torch
from torch import nn


def save(net: nn.Module, out: Path, side: int, free: dict[str, dict[int, str]], layers: int = 3) -> None:
    """With some measures left free; the net goes on learning afterwards."""
    net.eval()
    example = torch.zeros(1, layers, side, side)
    torch.onnx.export(
        net,
        (example,),
        str(out),
        input_names=["picture"],
        output_names=["answer"],
        dynamic_axes=free,
        dynamo=False,
    )
    net.train()
