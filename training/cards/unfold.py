"""Turn a shipped network back into one that can learn: python unfold.py finder|index|face NET.onnx OUT.pt

An exported network has its normalisations folded into its convolutions. They are put back with what they would see on
drawn lessons, so that the network answers as before and its weights are of the size that learning expects.
"""

import sys

import face_data
import finder_data
import index_data
import numpy as np
import onnx
import torch
import world
from corners import label
from face_net import FaceNet
from finder_net import Finder
from index_net import IndexNet
from onnx import numpy_helper
from torch import nn

LESSONS = {"finder": 48, "index": 512, "face": 512}
NETS = {"finder": Finder, "index": IndexNet, "face": FaceNet}


def stored(path: str) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Weights and biases of all convolutions and full layers in the order of the graph."""
    graph = onnx.load(path).graph
    values = {t.name.removesuffix("_h"): numpy_helper.to_array(t) for t in graph.initializer}
    of = [node.input[1:3] for node in graph.node if node.op_type in ("Conv", "Gemm")]
    return [tuple(torch.from_numpy(values[name].astype(np.float32)) for name in pair) for pair in of]


def in_order(net: nn.Module, x: torch.Tensor) -> list[tuple[nn.Module, nn.BatchNorm2d | None]]:
    """Convolutions and full layers with what normalises them, in the order in which they are asked."""
    asked: list[nn.Module] = []
    hooks = [
        part.register_forward_hook(lambda part, *_: asked.append(part))
        for part in net.modules()
        if isinstance(part, nn.Conv2d | nn.BatchNorm2d | nn.Linear)
    ]
    with torch.no_grad():
        net(x[:1])
    for hook in hooks:
        hook.remove()
    after = [*asked[1:], None]
    return [
        (part, after[k] if isinstance(after[k], nn.BatchNorm2d) else None)
        for k, part in enumerate(asked)
        if not isinstance(part, nn.BatchNorm2d)
    ]


def restore(net: nn.Module, path: str, x: torch.Tensor) -> None:
    """The stored weights, with normalisations that do nothing but add the bias."""
    for (conv, norm), (weight, bias) in zip(in_order(net.eval(), x), stored(path), strict=True):
        conv.weight.data = weight
        if norm is None:
            conv.bias.data = bias
        else:
            norm.bias.data = bias
            norm.running_var.fill_(1 - norm.eps)


def accustom(net: nn.Module, x: torch.Tensor) -> None:
    """Let every normalisation divide by what it sees and multiply it in again."""
    for conv, norm in in_order(net, x):
        if norm is not None:
            seen: list[torch.Tensor] = []
            hook = conv.register_forward_hook(lambda _part, _x, out, seen=seen: seen.append(out))
            with torch.no_grad():
                net(x)
            hook.remove()
            var, mean = torch.var_mean(seen[0], dim=(0, 2, 3))
            norm.bias.data += mean
            norm.running_mean, norm.running_var = mean, var
            norm.weight.data = torch.sqrt(var + norm.eps)


def lessons(kind: str) -> torch.Tensor:
    """A batch of drawn lessons."""
    drawn, many = world.make(99), LESSONS[kind]
    drawn.backs = [face for face in drawn.faces if face.name.startswith("back")]
    drawn.jokers = [face for face in drawn.faces if face.name.startswith("joker")]
    pool = [face for face in drawn.faces if label(face.name) < 52]
    if kind == "finder":
        pictures = [finder_data.sample(drawn)[0] for _ in range(many)]
    elif kind == "index":
        pictures = [index_data.sample(drawn, pool)[0] for _ in range(many)]
    else:
        pictures = [one[0] for _ in range(many // 2) for one in face_data.sample(drawn, pool)]
    return torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2).float() / 255


if __name__ == "__main__":
    net, batch = NETS[sys.argv[1]](), lessons(sys.argv[1])
    restore(net, sys.argv[2], batch)
    with torch.no_grad():
        before = net(batch)
    accustom(net, batch)
    with torch.no_grad():
        print("answers differ by at most", float((net(batch) - before).abs().max()))
    torch.save(net.state_dict(), sys.argv[3])
