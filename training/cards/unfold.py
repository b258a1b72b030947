"""Turn the shipped finder back into one that can learn: python unfold.py FINDER.onnx OUT.pt

An exported network has its normalisations folded into its convolutions. They are put back with what they would see on
drawn lessons, so that the network answers as before and its weights are of the size that learning expects.
"""

import sys

import finder_data
import numpy as np
import onnx
import torch
import world
from finder_net import Finder
from onnx import numpy_helper
from torch import nn

LESSONS = 48


def stored(path: str) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Weights and biases of all convolutions in the order of the graph."""
    graph = onnx.load(path).graph
    values = {t.name.removesuffix("_h"): numpy_helper.to_array(t) for t in graph.initializer}
    of = [node.input[1:3] for node in graph.node if node.op_type == "Conv"]
    return [tuple(torch.from_numpy(values[name].astype(np.float32)) for name in pair) for pair in of]


def in_order(net: Finder) -> list[tuple[nn.Conv2d, nn.BatchNorm2d | None]]:
    """Convolutions with what normalises them, in the order in which they are asked."""
    asked: list[nn.Module] = []
    hooks = [
        part.register_forward_hook(lambda part, *_: asked.append(part))
        for part in net.modules()
        if isinstance(part, nn.Conv2d | nn.BatchNorm2d)
    ]
    with torch.no_grad():
        net(torch.zeros(1, 3, 64, 64))
    for hook in hooks:
        hook.remove()
    after = [*asked[1:], None]
    return [
        (part, after[k] if isinstance(after[k], nn.BatchNorm2d) else None)
        for k, part in enumerate(asked)
        if isinstance(part, nn.Conv2d)
    ]


def restore(net: Finder, path: str) -> None:
    """The stored weights, with normalisations that do nothing but add the bias."""
    for (conv, norm), (weight, bias) in zip(in_order(net.eval()), stored(path), strict=True):
        conv.weight.data = weight
        if norm is None:
            conv.bias.data = bias
        else:
            norm.bias.data = bias
            norm.running_var.fill_(1 - norm.eps)


def accustom(net: Finder, x: torch.Tensor) -> None:
    """Let every normalisation divide by what it sees and multiply it in again."""
    for conv, norm in in_order(net):
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


if __name__ == "__main__":
    finder, drawn = Finder(), world.make(99)
    restore(finder, sys.argv[1])
    lessons = np.stack([finder_data.sample(drawn)[0] for _ in range(LESSONS)])
    batch = torch.from_numpy(lessons).permute(0, 3, 1, 2).float() / 255
    with torch.no_grad():
        before = finder(batch)
    accustom(finder, batch)
    with torch.no_grad():
        print("answers differ by at most", float((finder(batch) - before).abs().max()))
    torch.save(finder.state_dict(), sys.argv[2])
