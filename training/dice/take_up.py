"""Take up a net where it was left: python take_up.py SHIPPED.onnx BEGUN.pt PAINTED.npz... RENDERED/

What ships has its normalising layers folded into the others. They are unfolded by what they see in lessons, so that
the net answers as before and can go on learning.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import torch
from close_net import CloseNet
from onnx import numpy_helper
from torch import Tensor, nn
from train_close import Stream
from train_upper import Lessons
from upper_net import UpperNet

BATCHES = 24


def taken_up(shipped: Path) -> nn.Module:
    """The net with its layers' weights as they ship, and normalising layers that do nothing yet."""
    graph = onnx.load(str(shipped)).graph
    kept = {i.name: torch.tensor(numpy_helper.to_array(i)) for i in graph.initializer}
    net = CloseNet() if any(n.op_type == "Gemm" for n in graph.node) else UpperNet()
    state = net.state_dict()
    state.update({name: value for name, value in kept.items() if name in state})
    net.load_state_dict(state)
    folded = [n.input[1:3] for n in graph.node if n.op_type == "Conv" and n.input[1] not in state]
    pairs = [m for m in net.modules() if isinstance(m, nn.Sequential) and isinstance(m[0], nn.Conv2d)]
    with torch.no_grad():
        for (conv, norm, _), (weight, bias) in zip(pairs, folded, strict=True):
            conv.weight.copy_(kept[weight])
            norm.bias.copy_(kept[bias])
            norm.eps = 0.0
    return net.eval()


def unfold(net: nn.Module, batch: Callable[[], Tensor]) -> None:
    """Let the normalising layers expect what they see, and give back what they took."""
    norms = [m for m in net.modules() if isinstance(m, nn.BatchNorm2d)]
    seen: dict[nn.Module, list[Tensor]] = {norm: [] for norm in norms}
    hooks = [n.register_forward_pre_hook(lambda m, x: seen[m].append(_moments(x[0]))) for n in norms]
    with torch.no_grad():
        for _ in range(BATCHES):
            net(batch())
        for norm in norms:
            first, second = torch.stack(seen[norm]).mean(dim=0)
            norm.running_mean.copy_(first)
            norm.running_var.copy_((second - first**2).clamp(min=1e-6))
            norm.eps = 1e-5
            norm.weight.copy_((norm.running_var + norm.eps).sqrt())
            norm.bias.add_(first)
    for hook in hooks:
        hook.remove()


def _moments(x: Tensor) -> Tensor:
    return torch.stack([x.mean(dim=(0, 2, 3)), (x**2).mean(dim=(0, 2, 3))])


def main() -> None:
    shipped, begun, *files = (Path(p) for p in sys.argv[1:])
    lessons = Lessons(files)
    lessons.look()
    net = taken_up(shipped)
    rng = np.random.default_rng(3)
    if isinstance(net, CloseNet):
        stream = Stream(lessons, None, [], rng)
        unfold(net, lambda: stream.batch()[0])
    else:
        unfold(net, lambda: lessons.batch(rng)[0])
    torch.save(net.state_dict(), begun)


if __name__ == "__main__":
    main()
