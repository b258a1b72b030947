"""The mean of networks that began alike: python mix.py OUT.pt A.pt B.pt ... (one named twice counts twice)."""

import sys

import torch


def mean(paths):
    states = [torch.load(path) for path in paths]
    first = states[0]
    return {
        name: sum(state[name] for state in states) / len(states) if value.is_floating_point() else value
        for name, value in first.items()
    }


if __name__ == "__main__":
    torch.save(mean(sys.argv[2:]), sys.argv[1])
