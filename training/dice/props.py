"""What dice lie on and among: tables, lights, and things that are no dice."""

from collections.abc import Callable, Sequence
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray
from paint import PIPS

Array = NDArray[np.float64]
Ground = Callable[[Array, float], tuple[Array, float]]
TABLE = 300.0


def material(
    name: str, colour: Sequence[float], rough: float, picture: str | None = None, metal: float = 0.0
) -> bpy.types.Material:
    out = bpy.data.materials.new(name)
    out.use_nodes = True
    surface = out.node_tree.nodes["Principled BSDF"]
    surface.inputs["Base Color"].default_value = (*colour, 1)
    surface.inputs["Roughness"].default_value = rough
    surface.inputs["Metallic"].default_value = metal
    if picture is not None:
        image = out.node_tree.nodes.new("ShaderNodeTexImage")
        image.image = bpy.data.images.load(picture, check_existing=True)
        out.node_tree.links.new(image.outputs["Color"], surface.inputs["Base Color"])
    return out


def _object(
    name: str, verts: Array, faces: Sequence[Sequence[int]], uv: Array | None = None
) -> bpy.types.Object:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(verts.tolist(), [], faces)
    if uv is not None:
        corner = np.empty(len(mesh.loops), np.int32)
        mesh.loops.foreach_get("vertex_index", corner)
        mesh.uv_layers.new(name="uv").data.foreach_set("uv", uv[corner].ravel().astype(np.float32))
    out = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(out)
    return out


def table(rng: np.random.Generator, pictures: list[Path]) -> None:
    """A plain, grained, woven, chequered or printed ground."""
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * TABLE
    c, s, wide = *(f(rng.uniform(0, 6.3)) for f in (np.cos, np.sin)), rng.uniform(9, 60)
    uv = corners[:, :2] @ np.array([[c, s], [-s, c]]) / wide + rng.uniform(0, 1, 2)
    ground = _object("table", corners, [[0, 1, 2, 3]], uv)
    colour = _ground_colour(rng)
    style = rng.choice(["plain", "wood", "cloth", "printed", "chequered"], p=[0.2, 0.25, 0.2, 0.25, 0.1])
    picture = str(pictures[rng.integers(len(pictures))]) if style == "printed" else None
    made = material("table", colour, rng.choice([0.15, 0.3, 0.6, 0.9]), picture)
    ground.data.materials.append(made)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    surface = nodes["Principled BSDF"]
    if style in ("wood", "cloth", "chequered"):
        where = nodes.new("ShaderNodeTexCoord")
        turned = nodes.new("ShaderNodeMapping")
        links.new(where.outputs["Object"], turned.inputs["Vector"])
        turned.inputs["Rotation"].default_value = (0, 0, rng.uniform(0, 6.3))
        turned.inputs["Scale"].default_value = (1, rng.uniform(8, 25), 1) if style == "wood" else (1, 1, 1)
        grain = nodes.new("ShaderNodeTexChecker" if style == "chequered" else "ShaderNodeTexNoise")
        links.new(turned.outputs["Vector"], grain.inputs["Vector"])
        fine = {"wood": rng.uniform(0.1, 0.5), "cloth": rng.uniform(5, 25), "chequered": rng.uniform(0.2, 2)}[
            style
        ]
        grain.inputs["Scale"].default_value = fine
        mix = nodes.new("ShaderNodeMix")
        mix.data_type = "RGBA"
        mix.inputs["A"].default_value = (*colour, 1)
        strong = rng.uniform(0.3, 0.9) if style != "cloth" else rng.uniform(0.6, 0.95)
        mix.inputs["B"].default_value = (*(colour * strong), 1)
        links.new(grain.outputs[0 if style != "chequered" else "Fac"], mix.inputs["Factor"])
        links.new(mix.outputs["Result"], surface.inputs["Base Color"])
        if style == "cloth":
            bump = nodes.new("ShaderNodeBump")
            bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = (
                rng.uniform(0.2, 1),
                0.03,
            )
            links.new(grain.outputs[0], bump.inputs["Height"])
            links.new(bump.outputs["Normal"], surface.inputs["Normal"])
            surface.inputs["Roughness"].default_value = 0.95


def _ground_colour(rng: np.random.Generator) -> Array:
    """Brown, of any colour, or nearly grey."""
    if rng.random() < 0.3:
        return np.array([0.45, 0.25, 0.12]) * rng.uniform(0.3, 1.6)
    if rng.random() < 0.5:
        return rng.uniform(0.02, 0.9, 3)
    return rng.uniform(0.02, 0.9) * rng.uniform(0.85, 1, 3)


def lights(rng: np.random.Generator, eye: Array, pictures: list[Path]) -> None:
    """A room for a sky, and a window, a lamp, both or a flash."""
    world = bpy.data.worlds.new("room")
    world.use_nodes = True
    bpy.context.scene.world = world
    nodes, links = world.node_tree.nodes, world.node_tree.links
    sky = nodes["Background"]
    sky.inputs["Strength"].default_value = rng.uniform(0.15, 1.2)
    if rng.random() < 0.7:
        room = nodes.new("ShaderNodeTexEnvironment")
        room.image = bpy.data.images.load(str(pictures[rng.integers(len(pictures))]), check_existing=True)
        links.new(room.outputs["Color"], sky.inputs["Color"])
    else:
        sky.inputs["Color"].default_value = (*rng.uniform(0.5, 1, 3), 1)
    for _ in range(int(rng.integers(1, 3))):
        style = rng.choice(["window", "lamp", "flash"], p=[0.45, 0.45, 0.1])
        lamp = bpy.data.lights.new(style, "AREA")
        lamp.size = {"window": rng.uniform(15, 50), "lamp": rng.uniform(1, 8), "flash": 0.5}[style]
        height = np.radians(rng.uniform(20, 90))
        round_ = rng.uniform(0, 6.3)
        far = rng.uniform(25, 60)
        at = far * np.array(
            [np.cos(height) * np.cos(round_), np.cos(height) * np.sin(round_), np.sin(height)]
        )
        if style == "flash":
            at, far = eye * 1.02, float(np.linalg.norm(eye))
        warm = rng.uniform(0, 0.5)
        lamp.color, lamp.energy = (1, 1 - 0.4 * warm, 1 - warm), far**2 * 10 * 2 ** rng.uniform(-1.5, 1)
        thing = bpy.data.objects.new(style, lamp)
        thing.matrix_world = _looking(at)
        bpy.context.scene.collection.objects.link(thing)


def _looking(at: Array) -> Matrix:
    """Placed there and looking at the middle of the table."""
    z = at / np.linalg.norm(at)
    x = np.cross([0, 1.0, 0.01], z)
    x /= np.linalg.norm(x)
    place = np.eye(4)
    place[:3, :3], place[:3, 3] = np.stack([x, np.cross(z, x), z], 1), at
    return Matrix(place.tolist())


def clutter(
    rng: np.random.Generator,
    cards: list[Path],
    pictures: list[Path],
    ground: Ground,
    size: tuple[int, int],
    dice: list[Array],
) -> None:
    """Cards, coins, pens, cups, books, dominoes and dotted paper, beside the dice; cards under them too."""
    for number in range(int(rng.integers(1, 7))):
        what = rng.choice(
            ["card", "coin", "pen", "cup", "book", "domino", "dots"],
            p=[0.3, 0.15, 0.15, 0.1, 0.1, 0.08, 0.12],
        )
        reach = {"card": 0.0, "coin": 1.6, "pen": 2.0, "cup": 4.0, "book": 6.0, "domino": 2.2, "dots": 0.0}[
            what
        ]
        where, far = ground(rng.uniform(0, 1, 2) * size, 0.0)
        where[2] = 0
        if far > 1e3 or (reach and any(np.hypot(*(where - d)[:2]) < reach for d in dice)):
            continue
        thing = _thing(str(what), number, rng, cards, pictures)
        thing.matrix_world = Matrix.Translation(where.tolist()) @ Matrix.Rotation(rng.uniform(0, 6.3), 4, "Z")


def strew(
    rng: np.random.Generator, cards: list[Path], pictures: list[Path], ground: Callable[[Array], Array]
) -> None:
    """Many cards, flat on the table and over each other, at any shares of the picture's width and height."""
    for number in range(int(rng.integers(6, 13))):
        x, y, _ = ground(rng.uniform(0, 1, 2)).tolist()
        card = _thing("card", number, rng, cards, pictures)
        card.matrix_world = Matrix.Translation([x, y, 0.0]) @ Matrix.Rotation(rng.uniform(0, 6.3), 4, "Z")


def _thing(
    what: str, number: int, rng: np.random.Generator, cards: list[Path], pictures: list[Path]
) -> bpy.types.Object:
    name, colour = f"{what}{number}", rng.uniform(0.02, 0.9, 3)
    if what in ("card", "book", "dots", "domino"):
        half = {"card": (2, 2.8), "book": (4, 5.5), "dots": (2.5, 2.5), "domino": (0.8, 1.6)}[what]
        high = {"card": 0.02, "book": rng.uniform(0.3, 1.5), "dots": 0.01, "domino": 0.5}[what]
        out = _box(name, *half, high + 0.002 * number)
        from_ = cards if what == "card" else pictures
        art = str(from_[rng.integers(len(from_))]) if what in ("card", "book") else None
        made = material(name, colour, 0.4, art)
        if art is None:
            _spotted(made, rng, what)
        out.data.materials.append(made)
        return out
    if what == "pen":
        out = _round(name, 0.25, rng.uniform(7, 10))
        mesh = out.data
        mesh.transform(Matrix.Translation((0, 0, 0.25)) @ Matrix.Rotation(np.pi / 2, 4, "X"))
    else:
        out = _round(
            name,
            *((rng.uniform(0.6, 0.9), 0.12) if what == "coin" else (rng.uniform(2, 3), rng.uniform(3, 6))),
        )
    out.data.materials.append(material(name, colour, 0.3, metal=1.0 if what == "coin" else 0.0))
    return out


def _box(name: str, half_x: float, half_y: float, high: float) -> bpy.types.Object:
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    verts = np.r_[
        np.c_[square * (half_x, half_y), np.full(4, high)], np.c_[square * (half_x, half_y), np.zeros(4)]
    ]
    sides = [[i, i + 4, (i + 1) % 4 + 4, (i + 1) % 4] for i in range(4)]
    return _object(name, verts, [[0, 1, 2, 3], *sides], np.tile((square + 1) / 2, (2, 1)))


def _round(name: str, radius: float, high: float) -> bpy.types.Object:
    a = np.linspace(0, 2 * np.pi, 33)[:-1]
    ring = np.c_[np.cos(a), np.sin(a)] * radius
    verts = np.r_[np.c_[ring, np.full(32, high)], np.c_[ring, np.zeros(32)]]
    return _object(
        name, verts, [list(range(32)), *([i, i + 32, (i + 1) % 32 + 32, (i + 1) % 32] for i in range(32))]
    )


def _spotted(made: bpy.types.Material, rng: np.random.Generator, what: str) -> None:
    """Spots that are on no die: pips of a domino, or a pattern on paper."""
    side = 128
    picture = np.ones((side, side, 4), np.float32)
    picture[..., :3], ink = rng.uniform(0.1, 1, 3), rng.uniform(0, 1, 3)
    y, x = np.mgrid[:side, :side] / side
    if what == "domino":
        halves = [PIPS[int(rng.integers(1, 7))] for _ in range(2)]
        spots = [
            (0.5 + a * 0.26, 0.25 + b * 0.13 + 0.5 * k, 0.08)
            for k, half in enumerate(halves)
            for a, b in half
        ]
    else:
        n = int(rng.integers(2, 7))
        spots = [
            ((i + 0.5) / n, (j + 0.5) / n, 0.25 / n) for i in range(n) for j in range(n) if rng.random() < 0.8
        ]
    for a, b, r in spots:
        picture[np.hypot(x - a, (y - b) * (2 if what == "domino" else 1)) < r, :3] = ink
    image = bpy.data.images.new(made.name, side, side)
    image.pixels.foreach_set(picture.ravel())
    image.pack()
    node = made.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    made.node_tree.links.new(
        node.outputs["Color"], made.node_tree.nodes["Principled BSDF"].inputs["Base Color"]
    )
