"""Teach the net that reads upper faces from close by:

python train_close.py OUT.onnx MINUTES BEGUN.pt|- FINDER.pt|- [mined.npz] PAINTED.npz... RENDERED/

With a finder (train_upper.py) half of the faces are cut out where that sees them, and with what mine_close.py left a
share is of places where it sees some and none are.
Every picture of RENDERED whose number ends with 7 is held out; new ones are taken up while they are being made.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import close_peaks
import cv2
import numpy as np
import torch
from close_lessons import NONE, Crop, crops, relit
from close_net import SIDE_PX, CloseNet
from export import save
from lessons import Lesson, Picture
from torch import Tensor, nn
from torch.nn import functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from train_upper import Lessons, measured
from upper_net import UpperNet

BATCH, RATE, RATE_ON = 32, 2e-3, 8e-4
FROM_RENDERS = 0.75
FROM_FINDER, FROM_MINED, AT_ONCE = 0.5, 0.25, 8
"""Shares of the crops, and for how many pictures the finder is asked at once."""
UNSEEN = 20
"""Of so many mined places one is held out."""
EVERY_S = 150.0
FREE = {"picture": {0: "n"}, "answer": {0: "n"}}
Batch = tuple[Tensor, Tensor]


def stacked(some: Sequence[Crop]) -> Batch:
    pictures = np.stack([crop for crop, _ in some])
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255, torch.tensor([v for _, v in some])


class Stream:
    """Batches of crops; those of one picture are spread over several."""

    def __init__(
        self,
        lessons: Lessons,
        finder: UpperNet | None,
        mined: Sequence[Picture],
        rng: np.random.Generator,
    ) -> None:
        self.lessons, self.finder, self.rng = lessons, finder, rng
        self.held, self.mined = mined[::UNSEEN], [m for k, m in enumerate(mined) if k % UNSEEN]
        self.left: list[Crop] = []

    def batch(self) -> Batch:
        while len(self.left) < 4 * BATCH:
            some = [self._lesson() for _ in range(AT_ONCE)]
            if self.finder is not None and self.rng.random() < FROM_FINDER:
                self.left += close_peaks.crops(some, self.finder, self.rng)
            else:
                self.left += [crop for lesson in some for crop in crops(lesson, self.rng)]
            if len(self.mined) and self.rng.random() < 2 * FROM_MINED:
                taken = self.rng.integers(len(self.mined), size=BATCH)
                self.left += [(relit(self.mined[k], self.rng), NONE) for k in taken.tolist()]
        taken = self.rng.permutation(len(self.left))[:BATCH].tolist()
        out = [self.left[k] for k in taken]
        self.left = [crop for k, crop in enumerate(self.left) if k not in set(taken)]
        return stacked(out)

    def _lesson(self) -> Lesson:
        pool = self.lessons.renders if self.rng.random() < FROM_RENDERS else self.lessons.drawn
        return pool[self.rng.integers(len(pool))]


def held_crops(held: Sequence[Lesson], finder: UpperNet | None) -> list[Batch]:
    rng = np.random.default_rng(6)
    lessons = [held[k % len(held)] for k in range(240)]
    if finder is not None:
        some = close_peaks.crops(lessons, finder, rng)
    else:
        some = [crop for lesson in lessons for crop in crops(lesson, rng)]
    return [stacked(some[k : k + 64]) for k in range(0, len(some), 64)]


def scored(net: nn.Module, batches: Sequence[Batch]) -> str:
    """Values right where there is one, and how many places are judged rightly to be dice or none."""
    net.eval()
    with torch.no_grad():
        said = torch.cat([net(x) for x, _ in batches])
    value = torch.cat([v for _, v in batches])
    net.train()
    dice = value < NONE
    odds = said.softmax(1)
    read = (said[:, :NONE].argmax(1) == value)[dice].float().mean()
    plain = odds[:, :NONE].max(1).values > 0.9
    wrong = (odds.argmax(1) != value)[plain].float().mean()
    taken = (odds[:, NONE] < 0.5)[~dice].float().mean()
    lost = (odds[:, NONE] > 0.5)[dice].float().mean()
    return (
        f"read {read:.3f} plain {plain[dice].float().mean():.3f} wrong {wrong:.4f} lost {lost:.3f}"
        f" false {taken:.3f} of {int(dice.sum())}"
    )


def main() -> None:
    out, minutes, begun = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    finder = None
    if sys.argv[4] != "-":
        finder = UpperNet()
        finder.load_state_dict(torch.load(sys.argv[4]))
        finder.eval()
    files = [Path(p) for p in sys.argv[5:]]
    mined = [face for f in files if f.name.startswith("mined") for face in np.load(f)["faces"]]
    lessons = Lessons([f for f in files if not f.name.startswith("mined")])
    lessons.look()
    net = CloseNet()
    if begun != "-":
        net.load_state_dict(torch.load(begun))
    stream = Stream(lessons, finder, mined, np.random.default_rng(int(time.time())))
    mean = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.995))
    highest = RATE if begun == "-" else RATE_ON
    optimiser = torch.optim.AdamW(net.parameters(), highest, weight_decay=1e-3)
    start = told = time.time()
    step, sums = 0, 0.0
    while (done := (time.time() - start) / 60 / minutes) < 1:
        for group in optimiser.param_groups:
            group["lr"] = highest * min(1.0, (step + 1) / 150) * max(0.01, 0.5 * (1 + np.cos(np.pi * done)))
        x, value = stream.batch()
        wrong = F.cross_entropy(net(x), value, label_smoothing=0.02)
        optimiser.zero_grad()
        wrong.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        mean.update_parameters(net)
        step, sums = step + 1, sums + wrong.item()
        if time.time() - told > EVERY_S or step == 100:
            told = time.time()
            lessons.look()
            _tell(f"{step} {time.time() - start:.0f} s {sums:.1f}", mean.module, stream, out)
            sums = 0.0
    _tell(f"{step} {time.time() - start:.0f} s {sums:.1f}", mean.module, stream, out)


def _tell(so_far: str, net: nn.Module, stream: Stream, out: Path) -> None:
    measured(net, [stream.batch() for _ in range(24)])
    lessons = stream.lessons
    print(f"{so_far} from {len(lessons.renders)}+{len(lessons.drawn)}")
    if unseen := stream.held:
        print("  mined, held:", scored(net, [stacked([(face, NONE) for face in unseen])]))
    if len(lessons.held) > 3:
        print("  rendered, held:", scored(net, held_crops(lessons.held, stream.finder)), flush=True)
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    save(net, out, SIDE_PX, FREE)


if __name__ == "__main__":
    main()
