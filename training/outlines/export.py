"""Write the network that moves outlines as ONNX: python export.py NET.pt OUT.onnx"""

import sys

import torch
from net import CHANNELS, RAYS, STEPS, WRAP, Outliner

net = Outliner()
net.load_state_dict(torch.load(sys.argv[1]))
net.eval()
blank = torch.zeros(1, CHANNELS, RAYS + 2 * WRAP, STEPS)
torch.onnx.export(
    net, (blank,), sys.argv[2], input_names=["rays"], output_names=["said"],
    dynamic_axes={"rays": {0: "n"}, "said": {0: "n"}}, dynamo=False,
)  # fmt: skip
