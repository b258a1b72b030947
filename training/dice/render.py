"""Render tables with dice, seen from anywhere, with the truth of each die: Blender's Python runs it (bpy 5.0.1).

python render.py OUT FIRST COUNT PICTURES CARDS [--shown] [--phone | --carded]

PICTURES are any, to be tables and light.

A lesson is small and crowded, with many kinds of dice; with --shown it is like a photograph, sensor and all. With
--phone dice are mostly plain and seen from aside, and what is nearer or farther than the middle may be out of focus;
with --carded they are mostly plain, lie on and among many cards, and are seen from above.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import bpy
import cv2
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray
from props import clutter, lights, strew, table
from solids import Kind, die, kind, top

Array = NDArray[np.float64]
Maker = Callable[[Path, int, list[Path], list[Path], bool, str], None]
"""Makes one picture: where, its number, pictures, cards, whether it is shown, and in which of the ways."""
LESSON_PX, SHOWN_PX = ((384, 288),), ((480, 360), (360, 480), (512, 384))
SHOWN_SAMPLES, LESSON_SAMPLES = 8, 5
PHONE_DEG, CARDED_DEG = (33.0, 66.0), (0.0, 35.0)
OUT_OF_FOCUS = 0.4
"""How often it is, with --phone."""


@dataclass(frozen=True)
class Shot:
    """A camera: where it is, what it sees."""

    size: tuple[int, int]
    focal_px: float
    turn: Array
    """World axes to the camera's: x right, y down, z forward."""
    eye: Array
    edge_px: float
    """Of a die in the middle of the picture."""

    def project(self, points: Array) -> Array:
        seen = (points - self.eye) @ self.turn.T
        out: Array = seen[:, :2] / seen[:, 2:] * self.focal_px + np.array(self.size) / 2 - 0.5
        return out

    def ground(self, px: Array, height: float) -> tuple[Array, float]:
        """The place of so much height at a pixel, and how far it is from the camera."""
        ray = np.r_[(px - np.array(self.size) / 2 + 0.5) / self.focal_px, 1.0] @ self.turn
        far = (height - self.eye[2]) / ray[2] if ray[2] < -0.05 else 1e9
        return self.eye + far * ray, far


def shot(
    rng: np.random.Generator, sizes: tuple[tuple[int, int], ...], edges: tuple[float, float], way: str
) -> Shot:
    """A camera held by hand: upright when it looks aside, turned anyhow when it looks down."""
    w, h = sizes[rng.integers(len(sizes))]
    focal = max(w, h) * rng.uniform(0.65, 1.5)
    slant = np.radians(rng.uniform(0, 66) if rng.random() < 0.85 else rng.uniform(0, 12))
    if way and rng.random() < 0.85:
        slant = np.radians(rng.uniform(*(PHONE_DEG if way == "--phone" else CARDED_DEG)))
    roll = np.radians(rng.uniform(0, 360) if slant < 0.35 else rng.normal(0, 9))
    back = np.array([0.0, -np.sin(slant), np.cos(slant)])
    right = np.array([1.0, 0, 0])
    down = np.cross(-back, right)
    turn = np.stack([right, down, -back])
    c, s = np.cos(roll), np.sin(roll)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ turn
    edge = float(2 ** rng.uniform(*np.log2(edges)))
    return Shot((w, h), focal, turn, back * focal / edge, edge)


def places(rng: np.random.Generator, at: Shot, count: int) -> list[tuple[Array, float]]:
    """Where dice of edge 1 stand and how they are turned; some touch."""
    put: list[tuple[Array, float]] = []
    heart, spread = rng.uniform(0.25, 0.75, 2), rng.choice([0.12, 0.25, 2.0])
    for _ in range(count * 25):
        yaw, beside = rng.uniform(0, 2 * np.pi), None
        if put and rng.random() < 0.2:
            beside, yaw = put[rng.integers(len(put))]
            where = beside + 1.03 * np.array([np.cos(yaw), np.sin(yaw), 0])
        else:
            px = rng.normal(heart, spread) if spread < 1 else rng.uniform(0, 1, 2)
            where, far = at.ground(px * at.size, 0.0)
            if not 0.5 < far * at.edge_px / at.focal_px < 1.8:
                continue
        where[2] = 0.0
        x, y = at.project(where[None] + [[0, 0, 0.5]])[0]
        w, h = at.size
        inside = -0.2 * at.edge_px < x < w + 0.2 * at.edge_px and -0.2 * at.edge_px < y < h + 0.2 * at.edge_px
        if inside and all(p is beside or np.hypot(*(where - p)[:2]) > 1.45 for p, _ in put):
            put.append((where, float(yaw)))
        if len(put) == count:
            break
    return put


def truth(at: Shot, value: int, where: Array, yaw: float, edge: float, name: str) -> dict[str, object]:
    c, s = np.cos(yaw), np.sin(yaw)
    square = (
        np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ np.array([[c, s], [-s, c]]) * edge / 2 + where[:2]
    )
    corners = at.project(np.r_[np.c_[square, np.full(4, edge)], np.c_[square, np.zeros(4)]])
    grid = np.array([[a, b, 1.0] for a in (-0.3, -0.1, 0.1, 0.3) for b in (-0.3, -0.1, 0.1, 0.3)])
    spots = np.c_[grid[:, :2] @ np.array([[c, s], [-s, c]]) * edge + where[:2], np.full(16, edge)]
    seen = np.mean([_sees(at, spot, name) for spot in spots])
    return {
        "value": value,
        "corners_px": np.round(corners, 2).tolist(),
        "upper_seen": float(seen),
        "inside": float(np.mean([(0 <= x < at.size[0]) and (0 <= y < at.size[1]) for x, y in corners])),
    }


def _sees(at: Shot, spot: Array, name: str) -> bool:
    """Whether the camera sees this spot of a die: nothing stands before it and it lies in the picture."""
    x, y = at.project(spot[None])[0]
    ray = spot - at.eye
    graph = bpy.context.evaluated_depsgraph_get()
    hit, _, _, _, what, _ = bpy.context.scene.ray_cast(graph, at.eye, ray / np.linalg.norm(ray))
    return bool(0 <= x < at.size[0] and 0 <= y < at.size[1] and hit and what.name == name)


def camera(at: Shot, wide: float) -> None:
    """With an aperture so many edges wide, or of none."""
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.sensor_width = "HORIZONTAL", 36.0
    data.lens, data.clip_end = 36.0 * at.focal_px / at.size[0], 1e4
    if wide:
        data.dof.use_dof, data.dof.focus_distance = True, float(np.linalg.norm(at.eye))
        data.dof.aperture_fstop = data.lens / 1000 / wide
    thing = bpy.data.objects.new("camera", data)
    bpy.context.scene.collection.objects.link(thing)
    place = np.eye(4)
    # Blender's camera looks along -z with y up.
    place[:3, :3], place[:3, 3] = at.turn.T @ np.diag([1.0, -1, -1]), at.eye
    thing.matrix_world = Matrix(place.tolist())
    bpy.context.scene.camera = thing


def begin(size: tuple[int, int], samples: int) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.image_settings.file_format = "HDR"
    cycles = scene.cycles
    cycles.samples, cycles.use_denoising, cycles.denoiser = samples, True, "OPENIMAGEDENOISE"
    cycles.denoising_quality = cycles.denoising_prefilter = "FAST"
    cycles.use_adaptive_sampling = cycles.use_light_tree = False
    cycles.max_bounces, cycles.transmission_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = (
        4,
        4,
        1,
        1,
    )
    cycles.caustics_reflective = cycles.caustics_refractive = False


def take(path: Path, rng: np.random.Generator, edge_px: float | None) -> None:
    """Render and keep the picture, seen by a sensor if it is said how large its dice are."""
    light = path.with_name("light.hdr")
    bpy.context.scene.render.filepath = str(light)
    bpy.ops.render.render(write_still=True)
    picture = developed(cv2.imread(str(light), cv2.IMREAD_UNCHANGED), rng)
    if edge_px is not None:
        picture = sensor(picture, rng, edge_px)
    cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 96])


def developed(light: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A linear picture as a camera would show it."""
    grey = light.mean(axis=2)
    bright = float(np.percentile(grey, rng.uniform(70, 97)))
    linear = light * rng.uniform(0.4, 1.0) / max(bright, 1e-4) * rng.uniform(0.88, 1.12, 3)
    if rng.random() < 0.5:
        linear = linear * (1 + linear / 4) / (1 + linear)
    return np.asarray(np.clip(linear, 0, 1) ** (1 / rng.uniform(1.9, 2.4)) * 255, np.uint8)


def sensor(picture: NDArray[np.uint8], rng: np.random.Generator, edge_px: float) -> NDArray[np.uint8]:
    """Blur of focus or hand, noise and JPEG."""
    seen = picture.astype(np.float32)
    if rng.random() < 0.6:
        seen = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.3, 0.035 * max(20.0, edge_px)))
    if rng.random() < 0.15:
        length = int(rng.uniform(2, 0.08 * max(30.0, edge_px))) + 1
        bar = np.zeros((length, length), np.float32)
        bar[length // 2] = 1 / length
        bar = cv2.warpAffine(
            bar, cv2.getRotationMatrix2D((length / 2 - 0.5,) * 2, rng.uniform(0, 180), 1), (length,) * 2
        )
        seen = cv2.filter2D(seen, -1, bar / bar.sum())
    seen += rng.normal(0, rng.uniform(0.5, 6), seen.shape)
    coded = cv2.imencode(".jpg", np.clip(seen, 0, 255).astype(np.uint8), [1, int(rng.integers(50, 95))])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def make(out: Path, number: int, pictures: list[Path], cards: list[Path], shown: bool, way: str) -> None:
    rng = np.random.default_rng([number, 77])
    at = shot(rng, SHOWN_PX if shown else LESSON_PX, (26, 150) if shown else (20, 62), way)
    begin(at.size, SHOWN_SAMPLES if shown else LESSON_SAMPLES)
    camera(at, rng.uniform(0.05, 0.4) if way == "--phone" and rng.random() < OUT_OF_FOCUS else 0.0)
    table(rng, pictures)
    lights(rng, at.eye, pictures)
    none = rng.random() < (0.12 if shown else 0.06)
    count = 0 if none else int(rng.integers(1, 9) if shown else rng.integers(10, 21))
    kinds: list[Kind] = [kind(rng, bool(way)) for _ in range(1 if shown and rng.random() < 0.6 else 5)]
    put = []
    for number_of_it, (where, yaw) in enumerate(places(rng, at, count)):
        which, value = int(rng.integers(len(kinds))), int(rng.integers(1, 7))
        edge = float(rng.uniform(0.85, 1.0)) if rng.random() < 0.2 else 1.0
        name = f"die{number_of_it}"
        place = np.eye(4)
        place[:3, :3] = edge * top(value, yaw)
        place[:3, 3] = where + np.array([0, 0, edge / 2])
        die(name, kinds[which], f"make{which}", rng).matrix_world = Matrix(place.tolist())
        put.append((value, where, yaw, edge, name))
    if way == "--carded":
        strew(rng, cards, pictures, lambda px: at.ground(px * at.size, 0.0)[0])
    elif none or rng.random() < 0.6:
        clutter(rng, cards, pictures, at.ground, at.size, [where for _, where, _, _, _ in put])
    bpy.context.view_layer.update()
    told = [truth(at, *each) for each in put]
    take(out / f"{number:05d}.jpg", rng, at.edge_px if shown else None)
    slant = float(np.degrees(np.arccos(at.eye[2] / np.linalg.norm(at.eye))))
    scene = {"size": at.size, "slant_deg": slant, "dice": told}
    (out / f"{number:05d}.json").write_text(json.dumps(scene))


def main(make: Maker, *ways: str) -> None:
    """Make each picture that is asked for and not there yet, shown or not, in one of the ways or none."""
    out, first, count, pictures, cards = sys.argv[1:6]
    Path(out).mkdir(parents=True, exist_ok=True)
    way = next((way for way in ways if way in sys.argv), "")
    grounds, faces = (sorted(Path(p).rglob("*.*g")) for p in (pictures, cards))
    for number in range(int(first), int(first) + int(count)):
        if not (Path(out) / f"{number:05d}.json").exists():
            make(Path(out), number, grounds, faces, "--shown" in sys.argv, way)


if __name__ == "__main__":
    main(make, "--phone", "--carded")
