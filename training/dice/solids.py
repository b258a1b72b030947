"""Dice as Blender meshes: rounded cubes with drilled or painted pips, of every material that people own."""

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray
from paint import PIPS, colours
from patterns import PATTERNS

Array = NDArray[np.float64]
NORMALS = {1: (1, 0, 0), 2: (0, 1, 0), 3: (0, 0, 1), 4: (0, 0, -1), 5: (0, -1, 0), 6: (-1, 0, 0)}
TILE_PX, GRID = 112, 26
USUAL = (
    ((245, 243, 238), (15, 15, 15)),
    ((250, 250, 250), (10, 10, 10)),
    ((240, 234, 215), (25, 22, 22)),
    ((22, 22, 24), (245, 245, 245)),
    ((185, 18, 24), (250, 250, 250)),
    ((24, 60, 165), (250, 250, 250)),
    ((18, 115, 55), (250, 250, 250)),
    ((235, 190, 30), (15, 15, 15)),
    ((95, 35, 130), (245, 240, 250)),
    ((235, 110, 25), (250, 250, 250)),
)
METALS = ((212, 175, 80), (200, 200, 205))
"""Gold and silver, as pips are inked."""
LIGHTNESS = np.array([0.114, 0.587, 0.299])


@dataclass(frozen=True)
class Kind:
    """One make of dice."""

    body: Array
    ink: Array
    """BGR, 0 to 1."""
    clear: float
    """How far one sees through it."""
    rough: float
    round: float
    """Radius of its edges."""
    pip: float
    pitch: float
    deep: float
    one: float
    """How much larger the pip of the one is."""
    red_one: bool
    mirrored: bool
    pattern: str
    """What runs through the body, one of PATTERNS,"""
    second: Array
    """and in which colour besides."""
    metal: float


def kind(rng: np.random.Generator, plain: bool = False) -> Kind:
    """Any make of dice, or rather a plain one: half of those are white or ivory."""
    plain = plain and rng.random() < 0.8
    if plain or rng.random() < 0.7:
        usual = USUAL[:3] if plain and rng.random() < 0.5 else USUAL
        body, ink = (np.array(c[::-1]) / 255 for c in usual[rng.integers(len(usual))])
        body = np.clip(body + rng.normal(0, 0.03, 3), 0, 1)
    else:
        body, ink = (np.asarray(c, float) for c in colours(rng))
    white = body.min() > 0.8
    pattern = "plain" if plain else str(rng.choice(list(PATTERNS), p=[0.55, 0.15, 0.15, 0.1, 0.05]))
    if pattern != "plain" and rng.random() < 0.3:
        ink = np.array(METALS[rng.integers(len(METALS))][::-1]) / 255
    metal = float(pattern == "plain" and rng.random() < 0.06)
    return Kind(
        body,
        ink,
        0.0 if white or metal or rng.random() < 0.65 else rng.uniform(0.5, 1.0),
        rng.choice([0.08, 0.2, 0.4, 0.7]),
        rng.choice([0.03, 0.08, 0.12, 0.16, 0.2, 0.25]) * rng.uniform(0.8, 1.2),
        rng.uniform(0.065, 0.115),
        rng.uniform(0.21, 0.285),
        rng.choice([0.0, 0.02, 0.05]),
        rng.choice([1.0, 1.0, 1.3, 1.9]),
        bool(white and rng.random() < 0.3),
        bool(rng.random() < 0.5),
        pattern,
        _beside(body, ink, rng),
        metal,
    )


def _beside(body: Array, ink: Array, rng: np.random.Generator) -> Array:
    """A colour for the pattern that leaves the pips to be read."""
    for _ in range(30):
        second = rng.uniform(0, 1, 3)
        if abs(float((second - ink) @ LIGHTNESS)) > 0.3:
            return second
    return body


def top(value: int, yaw: float) -> Array:
    """The turn that puts a value on top."""
    n, z = np.array(NORMALS[value], float), np.array([0, 0, 1.0])
    axis = np.cross(n, z)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turn = np.diag([1.0, -1, -1]) if n[2] < -0.5 else np.eye(3) + cross + cross @ cross
    c, s = np.cos(yaw), np.sin(yaw)
    out: Array = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ turn
    return out


def die(name: str, make: Kind, make_name: str, rng: np.random.Generator) -> bpy.types.Object:
    """One die; plain ones of the same make share their material."""
    verts, faces, uv = _mesh(make)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(verts.tolist(), [], faces.tolist())
    layer = mesh.uv_layers.new(name="uv")
    corner = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", corner)
    layer.data.foreach_set("uv", uv[corner].ravel().astype(np.float32))
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    its = make_name if make.pattern == "plain" else name
    mesh.materials.append(bpy.data.materials.get(its) or _material(its, make, rng))
    out = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(out)
    return out


def _axes(value: int) -> tuple[Array, Array, Array]:
    n = np.array(NORMALS[value], float)
    u = np.cross([0, 0, 1.0] if abs(n[2]) < 0.5 else [1.0, 0, 0], n)
    return u, np.cross(n, u), n


def _pips(make: Kind, value: int) -> list[tuple[float, float]]:
    flip = -1 if make.mirrored else 1
    return [(a * flip * make.pitch, b * make.pitch) for a, b in PIPS[value]]


def _radius(make: Kind, value: int) -> float:
    return make.pip * (make.one if value == 1 else 1.0)


def _mesh(make: Kind) -> tuple[Array, NDArray[np.int64], Array]:
    """Vertices, quads and texture places; the face of each value has a tile of the texture."""
    side = np.linspace(-0.5, 0.5, GRID + 1)
    a, b = np.meshgrid(side, side, indexing="ij")
    index = np.arange((GRID + 1) ** 2).reshape(GRID + 1, GRID + 1)
    quads = np.stack([index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]], -1).reshape(-1, 4)
    verts, faces, uvs = [], [], []
    for tile, value in enumerate(range(1, 7)):
        u, w, n = _axes(value)
        flat = a[..., None] * u + b[..., None] * w + 0.5 * n
        core = np.clip(flat, make.round - 0.5, 0.5 - make.round)
        off = flat - core
        at = core + off / np.maximum(np.linalg.norm(off, axis=-1, keepdims=True), 1e-9) * make.round
        x, y = at @ u, at @ w
        dent = np.zeros_like(x)
        for px, py in _pips(make, value):
            away = np.hypot(x - px, y - py) / _radius(make, value)
            dent = np.maximum(dent, np.sqrt(np.maximum(0, 1 - away**2)))
        verts.append((at - n * (dent * make.deep)[..., None]).reshape(-1, 3))
        faces.append(quads + tile * index.size)
        uvs.append(np.stack([(x + 0.5 + tile % 3) / 3, (y + 0.5 + tile // 3) / 2], -1).reshape(-1, 2))
    return np.concatenate(verts), np.concatenate(faces), np.concatenate(uvs)


def _texture(make: Kind, rng: np.random.Generator) -> NDArray[np.float32]:
    """RGBA from the bottom row upwards: A is where the body is, not a pip."""
    g = (np.arange(TILE_PX) + 0.5) / TILE_PX - 0.5
    x, y = np.meshgrid(g, g)
    out = np.empty((2 * TILE_PX, 3 * TILE_PX, 4), np.float32)
    out[..., :3] = PATTERNS[make.pattern](make.body, make.second, out.shape[:2], rng)[..., ::-1]
    out[..., 3] = 1
    for tile, value in enumerate(range(1, 7)):
        part = out[tile // 3 * TILE_PX :, tile % 3 * TILE_PX :][:TILE_PX, :TILE_PX]
        red = make.red_one and value in (1, 4)
        ink = np.array([0.75, 0.05, 0.06]) if red else make.ink[::-1]
        for px, py in _pips(make, value):
            away = (np.hypot(x - px, y - py) - _radius(make, value)) * TILE_PX
            inked = np.clip(0.5 - away, 0, 1)[..., None]
            part[..., :3] = part[..., :3] * (1 - inked) + ink * inked
            part[..., 3] = np.minimum(part[..., 3], 1 - inked[..., 0])
    return out


def _material(name: str, make: Kind, rng: np.random.Generator) -> bpy.types.Material:
    picture = bpy.data.images.new(name, 3 * TILE_PX, 2 * TILE_PX, alpha=True)
    picture.alpha_mode = "CHANNEL_PACKED"
    picture.pixels.foreach_set(_texture(make, rng).ravel())
    picture.pack()
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    surface = nodes["Principled BSDF"]
    image = nodes.new("ShaderNodeTexImage")
    image.image = picture
    links.new(image.outputs["Color"], surface.inputs["Base Color"])
    surface.inputs["Roughness"].default_value = make.rough
    surface.inputs["Metallic"].default_value = make.metal
    surface.inputs["Coat Weight"].default_value = 0.3
    if make.clear:
        times = nodes.new("ShaderNodeMath")
        times.operation = "MULTIPLY"
        times.inputs[1].default_value = make.clear
        links.new(image.outputs["Alpha"], times.inputs[0])
        links.new(times.outputs[0], surface.inputs["Transmission Weight"])
        surface.inputs["IOR"].default_value = 1.3
    return material
