"""What the teachers of the card networks share: batches, pace, slow average of weights, made-up decks, tests."""

import numpy as np
import synth
import torch

MADE_UP, EVERY = 30, 40
"""Made-up decks that are learned from at once, and after how many steps there is another."""


def tensors(batch):
    """Pictures, kinds and suits of some lessons."""
    x = torch.from_numpy(np.stack([p for p, _, _ in batch])).permute(0, 3, 1, 2).float() / 255
    return x, torch.tensor([k for _, k, _ in batch]), torch.tensor([s for _, _, s in batch])


def pace(optimiser, highest: float, step: int, done: float, begun_by: int) -> None:
    """Faster and faster for the first steps, then slower and slower."""
    for group in optimiser.param_groups:
        group["lr"] = highest * min(1, (step + 1) / begun_by) * (1 - done) ** 0.8 + 1e-5


def blend(average: dict, net: torch.nn.Module, step: int, most: float) -> None:
    """Follow the network's weights slowly: the average answers better than any single step."""
    keep = min(most, 1 - 10 / (step + 20))
    with torch.no_grad():
        for name, value in net.state_dict().items():
            average[name] = (
                average[name].lerp_(value, 1 - keep) if value.is_floating_point() else value.clone()
            )


class MadeUp:
    """Faces of made-up decks, now and then of another one."""

    def __init__(self, world) -> None:
        self._world, self._decks = world, 10
        self.faces = [f for i in range(self._decks) for f in synth.deck(world, i)]

    def renew(self, step: int) -> None:
        if step % EVERY == 0:
            full = len(self.faces) > 52 * MADE_UP
            self.faces = self.faces[52 if full else 0 :] + synth.deck(self._world, self._decks)
            self._decks += 1


def answers(net: torch.nn.Module, state: dict, pictures: torch.Tensor) -> torch.Tensor:
    """What a network with these weights says of pictures."""
    net.load_state_dict(state)
    net.eval()
    with torch.no_grad():
        return torch.cat([net(part) for part in pictures.split(64)])


def keep(state: dict, path: str, tests: dict, scored) -> None:
    """Write weights, and tell how well they do."""
    torch.save(state, path)
    tell(state, tests, scored)


def tell(state: dict, tests: dict, scored) -> None:
    """How well weights do in each test, by name."""
    for name, test in tests.items():
        print(f"  {name}:", scored(state, test), flush=True)


def told(arguments: list[str], seed: int) -> tuple[float, str, str, float, int, str | None]:
    """MINUTES START.pt|- SAVE.pt RATE [SEED [RENDERED]], as given."""
    minutes, start, save, rate, *more = arguments
    return (
        float(minutes),
        start,
        save,
        float(rate),
        int(more[0]) if more else seed,
        more[1] if len(more) > 1 else None,
    )
