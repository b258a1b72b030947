"""Render lessons in a photorealistic studio: python render.py STUDIO OUT FIRST COUNT [ART]

ART is the share of made-up decks, a half for the finder's lessons, none for those of who reads standard cards. STUDIO
is the folder of a Blender studio that offers blend, cams, layout, post, textures and truth (its own Python runs this).
Decks and tables are those of the drawn lessons (lab/faces, pictures and made-up decks), none of the tests.
"""

import json
import random
import sys
from pathlib import Path

import art
import cv2
import laying
import numpy as np
import tables
from world import LAB

STUDIO, OUT = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
ART = float(sys.argv[5]) if len(sys.argv) > 5 else 0.5
sys.path.insert(0, str(STUDIO))
import bpy  # noqa: E402
from studio import blend, cams, dice, layout, post, textures, truth  # noqa: E402

TESTED = ("bellot", "letele")
"""Decks of the given stills: no lesson shows them."""
TABLES, ART_DECKS = 60, 60
SAMPLES = 3


def pictures() -> list[np.ndarray]:
    return [
        im for path in sorted((LAB / "pictures").glob("*.jpg")) if (im := cv2.imread(str(path))) is not None
    ]


class Deck:
    """Flat faces of one deck as files, the last a back."""

    def __init__(self, r: random.Random, known: list[np.ndarray]) -> None:
        decks = sorted(p for p in (LAB / "faces").iterdir() if p.name not in TESTED)
        if r.random() < ART:
            number = r.randrange(ART_DECKS)
            self.name = f"art{number}"
            self.faces = art_files(OUT / "decks" / f"deck_{self.name}", random.Random(number), known)
        else:
            source = r.choice(decks)
            self.name = source.name
            self.faces = flat_files(OUT / "decks" / f"deck_{self.name}", source)


def art_files(folder: Path, r: random.Random, known: list[np.ndarray]) -> list[Path]:
    """A made-up deck; the last file is its back."""
    names = [*(f"face{k}" for k in range(11)), "back"]
    if not folder.exists():
        folder.mkdir(parents=True)
        for name, face in zip(names, art.faces(r, known, 12)[0], strict=True):
            cv2.imwrite(
                str(folder / f"{name}.png"), cv2.resize(face, (630, 880), interpolation=cv2.INTER_CUBIC)
            )
    return [folder / f"{name}.png" for name in names]


def flat_files(folder: Path, source: Path) -> list[Path]:
    """A deck of lab/faces on white paper; the last file is its back."""
    faces = sorted(source.glob("*.png"), key=lambda path: path.stem.startswith("back"))
    if not folder.exists():
        folder.mkdir(parents=True)
        for path in faces:
            face = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
            opaque = face[..., 3:] / 255.0
            flat = face[..., :3] * opaque + 250 * (1 - opaque)
            cv2.imwrite(str(folder / path.name), cv2.resize(flat.astype(np.uint8), (630, 880)))
    return [folder / path.name for path in faces]


def table_files(number: int, known: list[np.ndarray]) -> tuple[str, str]:
    """Colours and bumps of a table, drawn once; a third are cloths and woods of the studio in other colours."""
    colours, bumps = (OUT / "tables" / f"{number}_{part}.jpg" for part in ("colour", "bump"))
    if not colours.exists():
        colours.parent.mkdir(parents=True, exist_ok=True)
        r, dice_ = random.Random(number), np.random.default_rng(number)
        dye = dice_.uniform(0.03, 0.8, 3).astype(np.float32)
        if number % 6 == 0:
            im, bump = textures.felt(dice_, dye * 0.6)
        elif number % 6 == 1:
            im, bump = textures.wood(dice_, (dye * 0.4, dye * 0.4 + dice_.uniform(0.15, 0.4)))
        else:
            drawn = tables.table(r, known, 640)[:440] / 255
            im = cv2.resize(drawn, (textures.TW * 2, textures.TH * 2), interpolation=cv2.INTER_CUBIC)
            bump = im.mean(2)
        cv2.imwrite(str(colours), (im.clip(0, 1)[..., ::-1] * 255).astype(np.uint8))
        bump = (bump - bump.min()) / (np.ptp(bump) + 1e-6)
        cv2.imwrite(str(bumps), (bump * 255).astype(np.uint8))
    return str(colours), str(bumps)


def camera(r: random.Random) -> cams.Cam:
    """A camera above a table, seldom much tilted."""
    f = r.uniform(620, 900)
    tilt = abs(r.gauss(0, 6)) if r.random() < 0.8 else r.uniform(8, 28)
    cams.CAMS["lesson"] = {
        "w": 960,
        "h": 600,
        "f": f,
        "pp": (r.uniform(-9, 9), r.uniform(-9, 9)),
        "k1": r.uniform(-0.1, 0.03),
        "k2": r.uniform(-0.01, 0.03),
        "height": f * 88 / r.uniform(70, 100) / 1000,
        "tilt": tilt,
        "az": r.uniform(0, 360),
        "roll": r.uniform(-4, 4),
        "look": (0, 0),
    }
    return cams.Cam("lesson")


def lay(r: random.Random, rng: np.random.Generator, cam: cams.Cam, deck: Deck) -> layout.Table:
    laid = layout.Table(rng, cam.view_mm(-10))
    down = r.choice([0.05, 0.15, 0.4])
    for kind, group in laying.groups(r, laid.view, r.randint(16, 34)):
        for x, y, turn in group:
            face, up = r.choice(deck.faces[:-1]), r.random() > (0.9 if kind == "pile" else down)
            laid.add(deck.name, face.stem, x, y, turn, up, back=deck.faces[-1].stem, style=kind, file=face)
    laid.stack()
    return laid


def still(seed: int, known: list[np.ndarray]) -> None:
    r, rng = random.Random(seed), np.random.default_rng(seed)
    folder, cam, deck = OUT / f"{seed:05d}", camera(r), Deck(r, known)
    blend.reset()
    blend.set_camera(cam)
    number = r.randrange(TABLES)
    textures.table = lambda _: table_files(number, known)
    name = "oak" if number % 6 == 1 or r.random() < 0.2 else "cloth"
    blend.add_table(name, r.uniform(-8, 8), (r.uniform(-60, 60), r.uniform(-60, 60)))
    kind = r.choice(["window", "lamp", "mixed", "mixed", "glare"])
    lamps = blend.add_lights(kind, rng, cam)
    laid, gloss = lay(r, rng, cam, deck), r.uniform(0.5, 0.9) if kind == "glare" else r.uniform(0.1, 0.5)
    for c in laid.cards:
        sides = [str(c["file"]), str(deck.faces[-1])]
        card = blend.make_card(c["id"], *(sides if c["face_up"] else sides[::-1]), c["bend"], round(gloss, 2))
        blend.place(card, c["x"], c["y"], c["z"], c["rot"])
    thrown = [throw(k, r, laid, cam) for k in range(r.choice([0, 0, 1, 3]))]
    bpy.context.view_layer.update()
    blend.auto_expose(r.uniform(0.3, 0.48))
    sensor = post.params(rng)
    image = post.apply(cam.warp(blend.render(SAMPLES)[0]), sensor, rng, t=r.uniform(0, 0.02))
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / "image.png"), image)
    told = {
        "type": "still",
        "image": "image.png",
        "cards": [truth.card(cam, c) for c in laid.cards],
        "dice": thrown,
    }
    told["scene"] = {"table": str(number), "light": lamps}
    (folder / "truth.json").write_text(
        json.dumps(told, default=lambda o: o.item() if hasattr(o, "item") else str(o))
    )


def throw(number: int, r: random.Random, laid: layout.Table, cam: cams.Cam) -> dict:
    """A die on the table or on a card."""
    x, y, size = r.uniform(*laid.view[:2]), r.uniform(*laid.view[2:]), r.choice([14.0, 16.0, 18.0])
    if laid.cards and r.random() < 0.7:
        card = r.choice(laid.cards)
        x, y = card["x"] + r.uniform(-25, 25), card["y"] + r.uniform(-35, 35)
    under = laid.top_at(x, y)
    base = 0.0 if under is None else under["z"] + blend.CARD_T
    die, kind = f"d{number}", r.choice(dice.KINDS)
    turned, at = dice.rot_for(r.randint(1, 6), r.uniform(0, 360)), np.array([x, y, base + size / 2])
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turned, at / 1000
    dice.make_die(die, kind, size).matrix_world = blend.Matrix(pose.tolist())
    return dice.truth(cam, die, kind, size, at, turned)


if __name__ == "__main__":
    first, count = map(int, sys.argv[3:5])
    known_pictures = pictures()
    for seed in range(first, first + count):
        if not (OUT / f"{seed:05d}" / "truth.json").exists():
            still(seed, known_pictures)
            print(seed, flush=True)
