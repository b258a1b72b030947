"""Render what a camera over a table sees of dice that lie flat or lean: Blender's Python runs it (bpy 5.0.1).

python render_table.py OUT FIRST COUNT PICTURES CARDS [--shown] [--carded]    (PICTURES: any, to be tables and light)

Each picture is a part of that of a camera 0.7 to 1.05 m above its table. Dice lean on stacks of cards, boxes, coins,
pens and other dice, or on nothing that is seen, and others lie flat beside the same things or on top of them. With
--shown the sensor is there, too; a lesson is spoilt each time anew. With --carded most dice are on printed cards.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

import bpy
import cv2
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray
from props import _box, _round, clutter, lights, material, strew, table
from render import Shot, begin, camera, main, take
from solids import Kind, die, kind, top

Array = NDArray[np.float64]
UNIT_MM = 16.0
"""Lengths are in edges of a usual die."""
PART_PX, SAMPLES = (448, 336), 8
FRAMES = ((1280, 720), (1920, 1080))
HEIGHT_MM, LENS = (700.0, 1050.0), (0.65, 0.9)
"""Of the camera above the table, and its focal length over the width of its picture."""
ASIDE_DEG = 10.0
LEANS_DEG = (8.0, 42.0)
NEARLY_DEG = 3.0
"""By so much a die leans that lies flat on something uneven."""
PROPS = ("none", "stack", "stack", "wall", "die", "die", "coin", "pen")


@dataclass(frozen=True)
class Put:
    """One die: its name, what it shows, its pose and how large it is."""

    name: str
    value: int
    turn: Array
    where: Array
    edge: float
    on: str


@dataclass
class Layout:
    """What lies on the table so far."""

    at: Shot
    corner: Array
    """Of the part of the picture that is rendered."""
    cards: list[Path]
    pictures: list[Path]
    dice: list[Put] = field(default_factory=list)
    things: list[tuple[Array, Array, float, float]] = field(default_factory=list)
    """Boxes: middle, direction, and half their lengths along it and across."""

    def free(self, where: Array, room: float) -> bool:
        """Whether a die may lie there."""
        if any(np.hypot(*(where - put.where)[:2]) < room for put in self.dice):
            return False
        return not any(_inside(box, where, 0.9) for box in self.things)


def _inside(box: tuple[Array, Array, float, float], where: Array, margin: float) -> bool:
    middle, along, half, wide = box
    away = (where - middle)[:2]
    across = np.array([-along[1], along[0]])
    return bool(abs(away @ along[:2]) < half + margin and abs(away @ across) < wide + margin)


def table_shot(rng: np.random.Generator) -> tuple[Shot, Array]:
    """A camera over a table, and the corner of the part of its picture whose middle looks at the table's."""
    w, h = FRAMES[rng.integers(2)]
    focal, high = w * rng.uniform(*LENS), rng.uniform(*HEIGHT_MM) / UNIT_MM
    corner = np.floor(rng.uniform(0, 1, 2) * (np.array([w, h]) - PART_PX))
    slant, way, roll = np.radians([rng.uniform(0, ASIDE_DEG), rng.uniform(0, 360), rng.uniform(0, 360)])
    back = np.array([np.sin(slant) * np.cos(way), np.sin(slant) * np.sin(way), np.cos(slant)])
    right = np.cross([np.cos(roll), np.sin(roll), 0.0], back)
    right /= np.linalg.norm(right)
    turn = np.stack([right, np.cross(-back, right), -back])
    middle = corner + np.array(PART_PX) / 2 - 0.5
    ray = np.r_[(middle - np.array([w, h]) / 2 + 0.5) / focal, 1.0] @ turn
    return Shot((w, h), focal, turn, -ray * high / -ray[2], focal / high), corner


def tilted(along: Array, degrees: float) -> Array:
    """The turn that leans what stands upright over into this direction."""
    axis = np.array([-along[1], along[0], 0.0]) * np.radians(degrees)
    return np.asarray(cv2.Rodrigues(axis)[0])


def put_die(
    lay: Layout,
    kinds: list[tuple[Kind, float]],
    rng: np.random.Generator,
    which: int,
    turn: Array,
    spot: Array,
    on: str,
) -> Array:
    """Set one down so that its lowest corner touches what is under it; where its surface is."""
    name, value = f"die{len(lay.dice)}", int(rng.integers(1, 7))
    make, edge = kinds[which]
    thing = die(name, make, f"make{which}", rng)
    verts = np.empty(3 * len(thing.data.vertices))
    thing.data.vertices.foreach_get("co", verts)
    pose = turn @ top(value, 0.0)
    surface = edge * verts.reshape(-1, 3) @ pose.T
    where = np.array([spot[0], spot[1], spot[2] - surface[:, 2].min()])
    place = np.eye(4)
    place[:3, :3], place[:3, 3] = edge * pose, where
    thing.matrix_world = Matrix(place.tolist())
    lay.dice.append(Put(name, value, pose, where, edge, on))
    return np.asarray(surface + where)


def put_box(
    lay: Layout, rng: np.random.Generator, edge_at: Array, along: Array, high: float, what: str
) -> Array:
    """A stack of cards, a box, a coin or a pen, beginning at a point and reaching into a direction; its middle."""
    name = f"prop{len(lay.things)}"
    half = {
        "stack": rng.choice([1.97, 2.75]),
        "wall": rng.uniform(0.4, 3),
        "coin": rng.uniform(0.55, 0.85),
        "pen": high / 2,
    }[what]
    wide = {"stack": 4.72 - half, "wall": rng.uniform(0.8, 4), "coin": half, "pen": rng.uniform(3, 4.5)}[what]
    middle = np.array([*(edge_at[:2] + along[:2] * half), 0.0])
    colour = rng.uniform(0.02, 0.9, 3)
    if what == "coin":
        thing = _round(name, half, high)
    elif what == "pen":
        thing = _round(name, half, 2 * wide)
        thing.data.transform(
            Matrix.Translation((0, 0, half))
            @ Matrix.Rotation(np.pi / 2, 4, "X")
            @ Matrix.Translation((0, 0, -wide))
        )
    else:
        thing = _box(name, half, wide, high)
    art = None
    if what == "stack" or (what == "wall" and rng.random() < 0.5):
        source = lay.cards if what == "stack" else lay.pictures
        art = str(source[rng.integers(len(source))])
    thing.data.materials.append(material(name, colour, rng.uniform(0.15, 0.8), art, float(what == "coin")))
    place = np.eye(4)
    place[:3, 0], place[:3, 1], place[:3, 3] = along, [-along[1], along[0], 0], middle
    thing.matrix_world = Matrix(place.tolist())
    lay.things.append((middle, along, half, wide))
    return middle


def group(lay: Layout, kinds: list[tuple[Kind, float]], rng: np.random.Generator) -> None:
    """One die that lies flat or leans, alone or with what it touches."""
    leans = rng.random() < 0.58
    tilt = rng.uniform(*LEANS_DEG) if leans else float(rng.random() < 0.25) * rng.uniform(0.5, NEARLY_DEG)
    on = str(rng.choice(PROPS)) if leans else str(rng.choice(["none", "none", "none", "top", *PROPS[1:]]))
    which = int(rng.integers(len(kinds)))
    edge = kinds[which][1]
    px = lay.corner + rng.uniform(0.04, 0.96, 2) * PART_PX
    spot, _ = lay.at.ground(px, 0.5)
    spot[2] = 0.0
    round_ = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(round_), np.sin(round_), 0.0])
    yaw = round_ + (0.0 if rng.random() < 0.4 else rng.uniform(0, 2 * np.pi))
    c, s = np.cos(yaw), np.sin(yaw)
    turn = tilted(along, tilt) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ _any_quarter(rng)
    if not lay.free(spot, 2.9 if on == "die" else 1.7):
        return
    if on == "top":
        high = rng.uniform(0.02, 1.2)
        if any(np.hypot(*(spot - put.where)[:2]) < 4.5 for put in lay.dice):
            return
        put_box(lay, rng, spot - along * rng.uniform(0.3, 1.5), along, high, rng.choice(["stack", "wall"]))
        put_die(lay, kinds, rng, which, turn, spot + np.array([0, 0, high]), on)
        return
    surface = put_die(lay, kinds, rng, which, turn, spot, on)
    if on == "none":
        return
    # Below the lifted side, or beside the one it leans over.
    under = leans and rng.random() < 0.6 and on not in ("wall", "die")
    way = -along if under else along
    lifted = edge * np.sin(np.radians(max(tilt, 6.0)))
    high = {
        "stack": lifted * rng.uniform(0.4, 0.95) if under else rng.uniform(0.05, 1.0),
        "wall": rng.uniform(0.6, 3.0),
        "die": edge,
        "coin": min(0.16, 0.9 * lifted),
        "pen": min(0.55, 0.9 * lifted) if under else rng.uniform(0.3, 0.6),
    }[on]
    reach = (surface[surface[:, 2] < high + 1e-4] @ way).max()
    touch = spot + way * (reach - spot @ way + 0.01)
    if on == "die":
        face = np.array([[way[0], -way[1], 0], [way[1], way[0], 0], [0, 0, 1]])
        put_die(lay, kinds, rng, which, face @ _any_quarter(rng), touch + way * edge / 2, "die")
    elif not any(_inside((touch + way * 2, way, 2.2, 4.0), put.where, 0.8) for put in lay.dice[:-1]):
        put_box(lay, rng, touch, way, high, on)


def _any_quarter(rng: np.random.Generator) -> Array:
    """Turned by any number of quarters, seen from above."""
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[rng.integers(4)]
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def truth(lay: Layout, put: Put, rng: np.random.Generator) -> dict[str, object]:
    """Where it is, how it leans and how much of it is seen."""
    cube = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) / 2 * put.edge
    corners = lay.at.project(cube @ put.turn.T + put.where) - lay.corner
    thing = bpy.data.objects[put.name]
    graph = bpy.context.evaluated_depsgraph_get()
    seen = []
    for k in rng.integers(len(thing.data.polygons), size=90):
        spot = np.array(thing.matrix_world @ thing.data.polygons[k].center)
        out = np.array(thing.matrix_world.to_3x3() @ thing.data.polygons[k].normal)
        if out @ (lay.at.eye - spot) > 0.1 * np.linalg.norm(out) * np.linalg.norm(lay.at.eye - spot):
            ray = (spot - lay.at.eye) / np.linalg.norm(spot - lay.at.eye)
            _, _, _, _, what, _ = bpy.context.scene.ray_cast(graph, lay.at.eye, ray)
            seen.append(what is not None and what.name == put.name)
    up = np.abs(put.turn[2]).max()
    face = int(np.abs(put.turn[2]).argmax())
    value = (1, 2, 3)[face] if put.turn[2, face] > 0 else (6, 5, 4)[face]
    return {
        "value": value,
        "tilt_deg": float(np.degrees(np.arccos(min(1.0, up)))),
        "centre_px": np.round(corners.mean(axis=0), 2).tolist(),
        "corners_px": np.round(corners, 2).tolist(),
        "turn": np.round(put.turn, 6).tolist(),
        "edge_mm": put.edge * UNIT_MM,
        "high_mm": float(put.where[2] * UNIT_MM),
        "on": put.on,
        "seen": float(np.mean(seen)) if seen else 0.0,
        "inside": float(np.mean([(0 <= x < PART_PX[0]) and (0 <= y < PART_PX[1]) for x, y in corners])),
    }


def part_only(at: Shot, corner: Array) -> None:
    """Render no more than that part of the picture."""
    render = bpy.context.scene.render
    render.use_border = render.use_crop_to_border = True
    (x0, y0), (x1, y1) = corner / at.size, (corner + PART_PX) / at.size
    render.border_min_x, render.border_max_x = x0, x1
    render.border_min_y, render.border_max_y = 1 - y1, 1 - y0


def make(out: Path, number: int, pictures: list[Path], cards: list[Path], shown: bool, way: str) -> None:
    rng = np.random.default_rng([number, 78])
    at, corner = table_shot(rng)
    begin(at.size, SAMPLES)
    part_only(at, corner)
    camera(at, 0.0)
    table(rng, pictures)
    lights(rng, at.eye, pictures)
    for thing in bpy.context.scene.objects:
        if thing.type == "LIGHT":
            thing.visible_camera = False
    lay = Layout(at, corner, cards, pictures)
    kinds = [(kind(rng, bool(rng.random() < 0.5)), float(rng.uniform(0.75, 1.25))) for _ in range(6)]
    if way == "--carded":
        strew(rng, cards, pictures, lambda px: at.ground(corner + px * PART_PX, 0.0)[0])
    elif rng.random() < 0.6:
        ground = lambda px, high: at.ground(px + corner, high)  # noqa: E731
        clutter(rng, cards, pictures, ground, PART_PX, [])
        for thing in bpy.context.scene.objects:
            if thing.name.startswith(("coin", "cup", "book", "domino", "pen")):
                bpy.data.objects.remove(thing)
    wanted = int(rng.integers(11, 19))
    for _ in range(wanted * 8):
        if len(lay.dice) < wanted:
            group(lay, kinds, rng)
    bpy.context.view_layer.update()
    told = [truth(lay, put, rng) for put in lay.dice]
    take(out / f"{number:05d}.jpg", rng, at.edge_px if shown else None)
    x, y = np.array(at.size) / 2 - 0.5 - corner
    scene = {
        "size": PART_PX,
        "K": [[at.focal_px, 0, float(x)], [0, at.focal_px, float(y)], [0, 0, 1]],
        "R": at.turn.tolist(),
        "t_mm": (-at.turn @ at.eye * UNIT_MM).tolist(),
        "dice": told,
    }
    (out / f"{number:05d}.json").write_text(json.dumps(scene))


if __name__ == "__main__":
    main(make, "--carded")
