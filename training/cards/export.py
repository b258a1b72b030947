"""Write the networks as ONNX: python export.py FINDER.pt|- INDEX.pt|- FACE.pt|- FOLDER"""

import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from face_net import FaceNet
from finder_net import Finder
from index_net import IndexNet
from onnx import TensorProto, helper, numpy_helper


def save(net, shape, path, axes):
    """Write the network with its weights in half precision: half the size, the same answers."""
    net.eval()
    torch.onnx.export(
        net,
        torch.zeros(shape),
        path,
        input_names=["x"],
        output_names=["y"],
        dynamic_axes=axes,
        opset_version=13,
        dynamo=False,
    )
    m = onnx.load(path)
    casts = []
    for t in list(m.graph.initializer):
        a = numpy_helper.to_array(t)
        if a.dtype == np.float32 and a.size > 64:
            m.graph.initializer.remove(t)
            m.graph.initializer.append(numpy_helper.from_array(a.astype(np.float16), t.name + "_h"))
            casts.append(helper.make_node("Cast", [t.name + "_h"], [t.name], to=TensorProto.FLOAT))
    for c in reversed(casts):
        m.graph.node.insert(0, c)
    onnx.save(m, path)


def weights(path, net):
    net.load_state_dict(torch.load(path))
    return net


if __name__ == "__main__":
    finder, index, face, out = sys.argv[1:5]
    Path(out).mkdir(parents=True, exist_ok=True)
    if finder != "-":
        free = {"x": {2: "h", 3: "w"}, "y": {2: "h4", 3: "w4"}}
        save(weights(finder, Finder()), (1, 3, 288, 480), f"{out}/finder.onnx", free)
    if index != "-":
        save(weights(index, IndexNet()), (1, 3, 48, 32), f"{out}/index.onnx", {"x": {0: "n"}, "y": {0: "n"}})
    if face != "-":
        save(weights(face, FaceNet()), (1, 4, 96, 64), f"{out}/face.onnx", {"x": {0: "n"}, "y": {0: "n"}})
