"""Render boards with pieces at rest, each under a camera, a light and on a board of its own.

    STUDIO/.venv/bin/python render.py STUDIO/rocca LESSONS FIRST COUNT

The studio is a photorealistic one (Blender, MuJoCo); what it lacks is added by `pieces.py`. Every lesson is a folder:
the stills of the sheet, two films of a few frames in which nothing moves, and where each piece truly lies.
"""

import json
import os
import sys
import time
from pathlib import Path

import cv2
import numpy as np

STUDIO, LESSONS, FIRST, COUNT = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
sys.path.insert(0, str(STUDIO))
os.chdir(STUDIO)
import physics  # noqa: E402
import pieces as ours  # noqa: E402
import post  # noqa: E402
import render as studio  # noqa: E402
import scene  # noqa: E402
import textures  # noqa: E402
from truth import footprint, quat2mat  # noqa: E402

LAYOUTS, FRAMES, SAMPLES, STILLS = 2, 10, 6, 8
HEAPED = 0.25
"""Share of boards on which some pieces lean on others."""
LIGHTS = ["window", "window_lamp", "lamp", "hard", "overcast", "glare"]
LIGHT_ODDS = [0.2, 0.2, 0.2, 0.22, 0.13, 0.05]
_wood = textures.wood


def setting(seed):
    """A camera, a light, a board and a kind of pieces."""
    rng = np.random.default_rng(seed * 7919 + 31)
    kind, board = str(rng.choice(ours.KINDS, p=ours.ODDS)), str(rng.choice(ours.BOARDS, p=ours.BOARD_ODDS))
    options = {
        "board_tex": board if board in ("maple", "walnut", "felt") else "maple",
        "light": str(rng.choice(LIGHTS, p=LIGHT_ODDS)), "shake": 0.0,
        "table": str(rng.choice(["oak", "grey", "white", "blue_cloth", "dark"])),
    }  # fmt: skip
    S = scene.make_scene(rng, kind if kind in ("seeds", "pebbles", "glass") else "seeds", options)
    S["board_tex"], S["pieces"] = board, kind
    if rng.random() < 0.35 and options["light"] != "glare":
        _second_lamp(rng, S)
    return rng, S


def _second_lamp(rng, S):
    around, height, size = (
        rng.uniform(0, 2 * np.pi),
        np.radians(rng.uniform(40, 75)),
        float(rng.uniform(0.05, 0.6)),
    )
    at = 1.3 * np.array([np.cos(height) * np.cos(around), np.cos(height) * np.sin(around), np.sin(height)])
    lamp = {
        "pos": at.tolist(),
        "size": (size, size),
        "power": float(rng.uniform(4, 18)),
        "color": (1, 0.9, 0.78),
        "key": True,
    }
    S["lights"].append(lamp)


def lying(rng, S, P):
    """Pieces at rest: most apart, some against another; None where one fell off."""
    wide = [float(np.hypot(*p["v"][:, :2].T).max()) for p in P]
    places = []
    for k in range(len(P)):
        for _ in range(300):
            if places and rng.random() < 0.3:
                other, turn = int(rng.integers(len(places))), rng.uniform(0, 2 * np.pi)
                gap = wide[k] + wide[other] + float(rng.choice([0.0002, rng.uniform(0, 0.004)]))
                q = places[other] + gap * np.array([np.cos(turn), np.sin(turn)])
            else:
                q = rng.uniform(-0.17, 0.17, 2)
            far = np.hypot(*q) if S["board_shape"] == "round" else np.abs(q).max()
            apart = all(np.hypot(*(q - o)) > wide[k] + wide[j] + 0.0001 for j, o in enumerate(places))
            if far < S["board_half"] - 0.014 and apart:
                places.append(q)
                break
        else:
            break
    if rng.random() < HEAPED:
        _heap(rng, places, wide)
    poses = []
    for q, p in zip(places, P, strict=False):
        turn = rng.uniform(0, np.pi)
        pose = np.array(
            [
                *q[:2],
                (0.016 if len(q) > 2 else 0.003) + np.ptp(p["v"][:, 2]) * 0.6,
                np.cos(turn),
                0,
                0,
                np.sin(turn),
            ]
        )
        if S["pieces"] in ("seeds", "pebbles", "beans"):
            pose[4:6] += rng.normal(0, 0.08, 2)
            pose[3:] /= np.linalg.norm(pose[3:])
        poses.append(pose)
    P = P[: len(poses)]
    rest = physics.World(S, P).settle(np.array(poses), T=1.0)
    return (P, rest) if all(physics.on_board(S, q) for q in rest) else None


def _heap(rng, places, wide):
    """Let some pieces fall onto others."""
    for k in range(1, len(places)):
        if rng.random() < 0.35:
            onto, turn = int(rng.integers(k)), rng.uniform(0, 2 * np.pi)
            if len(places[onto]) == 2:
                off = (wide[k] + wide[onto]) * rng.uniform(0.55, 0.95)
                places[k] = np.array([*(places[onto] + off * np.array([np.cos(turn), np.sin(turn)])), 1.0])


def some_laid(rng, S):
    while True:
        P = [ours.make_piece(scene, rng, S["pieces"]) for _ in range(int(rng.integers(14, 21)))]
        found = lying(rng, S, P)
        if found:
            return found


class Set(studio.Studio):
    """The studio with metal among its materials."""

    def piece_mat(self, p):
        material = super().piece_mat(p)
        if p.get("metal"):
            body = material.node_tree.nodes["Principled BSDF"]
            body.inputs["Metallic"].default_value, body.inputs["Roughness"].default_value = 0.9, 0.4
        return material


def with_board(st, S):
    """The empty set with the board drawn anew."""
    reach = S["board_half"] + 0.012
    corners = np.array([(x, y, 0.0) for x in (-reach, reach) for y in (-reach, reach)])
    canvas, around = st.empty.copy(), st.clip(st.project(corners), 8)
    st.paste(canvas, st.render(around), around)
    return canvas


def film(path, sensor, canvas, S):
    writer = post.Writer(str(path), 1280, 720, S["fps"], S["post"]["crf"])
    for k in range(FRAMES):
        writer.add(sensor.expose(canvas, k / S["fps"], same=k > 0))
    writer.close()


def truth_of(S, P, poses):
    """Where each piece lies: its footprint, its outline as the camera sees it, and how high its widest part is."""
    C = S["camera"]
    turn, t = cv2.Rodrigues(np.array(C["R"]))[0], np.array(C["t"])
    told = []
    for p, pose in zip(P, poses, strict=True):
        solid = p["v"] @ quat2mat(pose[3:]).T + pose[:3]
        px = cv2.projectPoints(solid, turn, t, np.array(C["K"]), np.array(C["dist"]))[0][:, 0]
        hull = cv2.convexHull(px.astype(np.float32))[:, 0]
        told.append(
            {
                "footprint_mm": np.round(footprint(p["v"], pose), 3).tolist(),
                "silhouette_px": np.round(hull, 3).astype(float).tolist(),
            }
        )
    return told


def lesson(seed):
    began, folder = time.time(), LESSONS / f"{seed:05d}"
    if (folder / "truth.json").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    rng, S = setting(seed)
    looks = np.random.default_rng(seed * 31 + 7)
    textures.wood = lambda s, k, n=1400, planks=5: (
        _wood(s, k, n, planks)
        if k in ("maple", "walnut", "felt", "oak", "dark")
        else ours.board_texture(_textures, looks, k, s, planks)
    )
    laid = [some_laid(rng, S) for _ in range(LAYOUTS)]
    everything = [p for P, _ in laid for p in P]
    st = Set(S, everything, spp=SAMPLES, threads=1, tag=f"o{seed}")
    sensor = post.Sensor(S, st, np.random.default_rng(seed + 17))
    for k in range(len(everything)):
        st.tuck(k)
    st.empty = st.render()
    for name, canvas, _ in st.calibration(np.random.default_rng(seed + 99), STILLS):
        sensor.small = None
        cv2.imwrite(str(folder / f"{name}.jpg"), sensor.expose(canvas, 0), [cv2.IMWRITE_JPEG_QUALITY, 95])
    first, layouts = 0, []
    for n, (P, poses) in enumerate(laid):
        for k in range(len(everything)):
            st.tuck(k)
        for o, pose in zip(st.po[first : first + len(P)], poses, strict=True):
            o.location, o.rotation_quaternion = pose[:3], studio.Quaternion(pose[3:])
        first += len(P)
        sensor.small = None
        film(folder / f"film_{n}.mp4", sensor, with_board(st, S), S)
        layouts.append(truth_of(S, P, poses))
    kept = {
        k: S[k]
        for k in ("pieces", "board_tex", "board_shape", "table", "light", "post", "camera", "board_half")
    }
    (folder / "truth.json").write_text(json.dumps({"seed": seed, **kept, "layouts": layouts}))
    print(
        f"{seed} {S['pieces']} on {S['board_tex']} by {S['light']}: {time.time() - began:.0f} s", flush=True
    )


class _textures:
    """The studio's textures, with its own woods."""

    WOODS = textures.WOODS
    felt = staticmethod(textures.felt)

    @staticmethod
    def wood(seed, kind, n=1400, planks=5):
        return _wood(seed, kind, n, planks)


for number in range(FIRST, FIRST + COUNT):
    try:
        lesson(number)
    except Exception as error:
        print(f"{number} left out: {error!r}", flush=True)
