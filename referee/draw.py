"""Draw what the referee saw over the picture: outlines, band, way, margin and verdict."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon
from shapely.ops import nearest_points

from calibration.profile import Profile
from hardware.cameras import open_camera
from hardware.frames import Image
from referee.errors import TableError
from referee.folder import open_folder
from referee.judge import Judgement
from referee.report import ShotReport
from referee.types import Outline, Piece

Colour = tuple[int, int, int]
WHITE: Colour = (245, 245, 245)
INK: Colour = (28, 24, 22)
GOLD: Colour = (60, 190, 255)
SKY: Colour = (255, 190, 80)
VERDICT_COLOURS: dict[str, Colour] = {
    "through": (90, 170, 60),
    "clear": (90, 170, 60),
    "foul": (60, 60, 205),
    "review": (30, 140, 230),
    "unseen": (120, 120, 120),
}
HEADLINES = {
    "through": "THROUGH",
    "clear": "CLEARED",
    "foul": "FOUL",
    "review": "LOOK AT IT YOURSELVES",
    "unseen": "NOT SEEN",
}
FINE = 4
"""Bits of sub-pixel precision in drawing."""
FONT = cv2.FONT_HERSHEY_DUPLEX
WORTH_SHOWING_MM = 30.0
"""Margins beyond this need no measuring."""
MICROSECOND = Fraction(1, 1_000_000)


@dataclass(frozen=True, slots=True)
class ShotPicture:
    """One shot with the pieces before and after it."""

    report: ShotReport
    before: tuple[Piece, ...]
    after: tuple[Piece, ...]


def draw_folder(folder: Path, done: Judgement, out: Path) -> None:
    """Draw the judged footage: a still of the last shot (.png, .jpg) or the whole of it (.mp4)."""
    pictures = [ShotPicture(r, b, a) for r, (b, a) in zip(done.shots, done.boards, strict=True)]
    if out.suffix.lower() in (".png", ".jpg"):
        _draw_still(folder, done, pictures, out)
    elif out.suffix.lower() == ".mp4":
        _draw_film(folder, done, pictures, out)
    else:
        raise TableError(f"--draw writes .png, .jpg or .mp4, not {out.suffix or out.name!r}")


def _draw_still(folder: Path, done: Judgement, pictures: list[ShotPicture], out: Path) -> None:
    last = pictures[-1] if pictures else None
    wanted = last.report.shot.frames[1] if last else None
    image: Image | None = None
    with open_camera(open_folder(folder).camera_name) as camera:
        for frame in camera.frames():
            image = frame.image
            if frame.index == wanted:
                break
    if image is None:
        raise TableError(f"{folder} has no frames to draw")
    drawn = image.copy()
    draw_pieces(drawn, last.after if last else done.pieces, done.profile)
    if last is not None:
        draw_shot(drawn, last, done.profile, last.report.shot.frames[1])
    cv2.imwrite(str(out), drawn)


def _draw_film(folder: Path, done: Judgement, pictures: list[ShotPicture], out: Path) -> None:
    with open_camera(open_folder(folder).camera_name) as camera, _film(out, camera.size) as add:
        for frame in camera.frames():
            image = frame.image.copy()
            shown = _shot_at(pictures, frame.index)
            draw_pieces(image, _pieces_at(done, pictures, frame.index), done.profile)
            if shown is not None:
                draw_shot(image, shown, done.profile, frame.index)
            add(image, frame.t_ns)


def _shot_at(pictures: list[ShotPicture], frame: int) -> ShotPicture | None:
    """The shot that is on, or the last one until the next begins."""
    begun = [p for p in pictures if p.report.shot.frames[0] - 12 <= frame]
    return begun[-1] if begun else None


def _pieces_at(done: Judgement, pictures: list[ShotPicture], frame: int) -> tuple[Piece, ...]:
    for picture in pictures:
        first, last = picture.report.shot.frames
        if frame < first:
            return picture.before
        if frame < last:
            gone = {picture.report.shot.shooter.id, *(m.id for m in picture.report.shot.moved)}
            return tuple(p for p in picture.before if p.id not in gone)
    return pictures[-1].after if pictures else done.pieces


class _film:
    """A video file that takes pictures."""

    def __init__(self, out: Path, size: tuple[int, int]) -> None:
        self._file = av.open(str(out), "w")
        stream = self._file.add_stream("libx264", rate=60)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.options = {"crf": "20", "preset": "fast"}
        self._stream = stream

    def __enter__(self) -> Callable[[Image, int], None]:
        return self._add

    def _add(self, image: Image, t_ns: int) -> None:
        frame = av.VideoFrame.from_ndarray(image, format="bgr24")
        frame.pts, frame.time_base = t_ns // 1000, MICROSECOND
        self._file.mux(self._stream.encode(frame))

    def __exit__(self, *_: object) -> None:
        self._file.mux(self._stream.encode(None))
        self._file.close()


# --- What is drawn --------------------------------------------------------------------------------------


def draw_pieces(image: Image, pieces: tuple[Piece, ...], profile: Profile) -> None:
    """Thin outlines with small ids."""
    for piece in pieces:
        _line(image, _px(piece.outline_mm, profile), WHITE, 1, closed=True)
        x, y = piece.px
        _text(image, str(piece.id), (x + 12, y - 10), 0.42, WHITE)


def draw_shot(image: Image, picture: ShotPicture, profile: Profile, frame: int) -> None:
    """Band, way so far, and from the rest on the margin and the verdict."""
    shot, gate = picture.report.shot, picture.report.gate
    if gate is not None:
        _wash(image, _px(gate.band_mm, profile), GOLD)
        for post in (p for p in picture.before if p.id in gate.ids):
            _line(image, _px(post.outline_mm, profile), GOLD, 2, closed=True)
    _draw_way(image, picture, profile, frame)
    if frame >= shot.frames[1]:
        _draw_margin(image, picture, profile)
        _draw_touches(image, picture, profile)
        _banner(image, picture.report)


def _draw_way(image: Image, picture: ShotPicture, profile: Profile, frame: int) -> None:
    shot = picture.report.shot
    start = next((p for p in picture.before if p.id == shot.shooter.id), None)
    if start is not None:
        _dashes(image, _px(start.outline_mm, profile), SKY)
    stops = [mm for mm, at in zip(shot.path_mm, shot.path_frames, strict=True) if at <= frame]
    if len(stops) > 1:
        way = _px(tuple(stops), profile)
        _line(image, way, INK, 4, closed=False)
        _line(image, way, SKY, 2, closed=False)
        for x, y in way:
            cv2.circle(image, _fine((x, y)), 3 << FINE, SKY, -1, cv2.LINE_AA, FINE)
    end = next((p for p in picture.after if p.id == shot.shooter.id), None)
    if end is not None and frame >= shot.frames[1]:
        _line(image, _px(end.outline_mm, profile), SKY, 2, closed=True)


def _draw_margin(image: Image, picture: ShotPicture, profile: Profile) -> None:
    """The sliver between shooter and band, with its length."""
    gate = picture.report.gate
    end = next((p for p in picture.after if p.id == picture.report.shot.shooter.id), None)
    if gate is None or end is None or gate.clearance_mm is None or gate.missed:
        return
    if abs(gate.clearance_mm) > WORTH_SHOWING_MM:
        return
    here, there = nearest_points(Polygon(end.outline_mm), Polygon(gate.band_mm))
    ends = _px(((here.x, here.y), (there.x, there.y)), profile)
    _line(image, ends, INK, 5, closed=False)
    _line(image, ends, WHITE, 2, closed=False)
    middle = ends.mean(axis=0)
    _text(image, f"{gate.clearance_mm:+.1f} mm", (middle[0] + 14, middle[1] + 6), 0.6, WHITE)


def _draw_touches(image: Image, picture: ShotPicture, profile: Profile) -> None:
    """Posts the shooter touched, with how far they moved."""
    gate = picture.report.gate
    for post in gate.posts if gate else ():
        if post.touched:
            outline = next(p.outline_mm for p in picture.before if p.id == post.id)
            _line(image, _px(outline, profile), VERDICT_COLOURS["foul"], 2, closed=True)
            told = f"moved {post.moved_mm:.1f} mm" if math.isfinite(post.moved_mm) else "gone"
            _text(image, told, (post.start_px[0] + 22, post.start_px[1] + 26), 0.6, WHITE)


def _banner(image: Image, report: ShotReport) -> None:
    """The verdict at the foot of the picture."""
    height, width = image.shape[:2]
    top = height - 84
    strip = image[top : height - 16, 24 : width - 24]
    strip[:] = (strip * 0.28 + np.array(INK) * 0.72).astype(np.uint8)
    colour = VERDICT_COLOURS[report.verdict]
    cv2.rectangle(image, (24, top), (34, height - 17), colour, -1)
    head = HEADLINES[report.verdict] + (f"   {', '.join(report.clauses)}" if report.clauses else "")
    _text(image, head, (52, top + 28), 0.85, WHITE)
    _text(image, _sentence(report.because), (52, top + 56), 0.55, (215, 215, 215))


def _sentence(words: str) -> str:
    """In signs the drawing font has."""
    plain = words.replace("±", "+/-").replace("–", "-")
    return plain[:1].upper() + plain[1:] + "."


# --- Lines and letters -----------------------------------------------------------------------------------


def _px(outline_mm: Outline, profile: Profile) -> NDArray[np.float64]:
    return profile.to_pixels(np.array(outline_mm))


def _fine(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0] * (1 << FINE)), round(point[1] * (1 << FINE))


def _line(image: Image, points: NDArray[np.float64], colour: Colour, width: int, *, closed: bool) -> None:
    fine = np.round(points * (1 << FINE)).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(image, [fine], closed, colour, width, cv2.LINE_AA, FINE)


def _dashes(image: Image, points: NDArray[np.float64], colour: Colour) -> None:
    for k in range(0, len(points), 4):
        _line(image, points[k : k + 3], colour, 1, closed=False)


def _wash(image: Image, points: NDArray[np.float64], colour: Colour) -> None:
    """A translucent area with a thin border."""
    low = np.maximum(np.floor(points.min(0)).astype(int) - 2, 0)
    high = np.ceil(points.max(0)).astype(int) + 3
    part = image[low[1] : high[1], low[0] : high[0]]
    tinted = part.copy()
    cv2.fillPoly(tinted, [np.round(points - low).astype(np.int32)], colour)
    part[:] = cast(Image, cv2.addWeighted(tinted, 0.22, part, 0.78, 0))
    _line(image, points, colour, 1, closed=True)


def _text(image: Image, words: str, at: tuple[float, float], size: float, colour: Colour) -> None:
    place = (round(at[0]), round(at[1]))
    # A shadow of the same weight: letters of another weight would be of another width.
    for dx, dy in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
        cv2.putText(image, words, (place[0] + dx, place[1] + dy), FONT, size, INK, 1, cv2.LINE_AA)
    cv2.putText(image, words, place, FONT, size, colour, 1, cv2.LINE_AA)
