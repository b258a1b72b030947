"""Run our Pi camera driver on real picamera2 over libcamera's virtual camera; exits 0 when it keeps its promises."""

from itertools import pairwise
from typing import Any

import libcamera
from picamera2 import Picamera2
from picamera2.allocators import DmaAllocator

from hardware.cameras.picamera import PiCamera

FRAMES = 30


class TwoPlanes(DmaAllocator):
    """Describes NV12 buffers as two planes, which the virtual pipeline insists on."""

    def allocate(self, libcamera_config: Any, use_case: Any) -> None:
        super().allocate(libcamera_config, use_case)
        for config in libcamera_config:
            self.frame_buffers[config.stream] = [
                self._split(b, config) for b in self.frame_buffers[config.stream]
            ]

    def _split(self, buffer: Any, config: Any) -> Any:
        luma = config.stride * config.size.height
        planes = [libcamera.FrameBuffer.Plane() for _ in range(2)]
        for plane, (offset, length) in zip(
            planes, ((0, luma), (luma, config.frame_size - luma)), strict=True
        ):
            plane.fd, plane.offset, plane.length = buffer.planes[0].fd, offset, length
        split = libcamera.FrameBuffer(planes)
        self.mapped_buffers[split] = self.mapped_buffers.pop(buffer)
        self.libcamera_fds.append(split.planes[0].fd)
        self.mapped_buffers_used[split.planes[0].fd] = False
        return split


class VirtualPicamera2(Picamera2):
    """The virtual pipeline has no raw role, so its modes come from the viewfinder's."""

    def _get_raw_modes(self) -> list[dict[str, Any]]:
        formats = self.camera.generate_configuration([libcamera.StreamRole.Viewfinder]).at(0).formats
        return [
            {"format": str(f), "size": (s.width, s.height)}
            for f in formats.pixel_formats
            for s in formats.sizes(f)
        ]


def open_virtual(number: str) -> Picamera2:
    ids = [camera["Id"] for camera in Picamera2.global_camera_info()]
    return VirtualPicamera2(ids.index(f"Virtual{number}"), allocator=TwoPlanes())


def main() -> None:
    with PiCamera("0?size=1280x720&fps=30", open_virtual) as camera:
        frames = [frame for _, frame in zip(range(FRAMES), camera.frames(), strict=False)]
        granted, preview = camera.format, camera.preview
    assert len(frames) == FRAMES, f"{len(frames)} frames"
    assert all(a.t_ns < b.t_ns for a, b in pairwise(frames)), "times do not rise"
    assert frames[0].image.shape == (720, 1280, 3), frames[0].image.shape
    assert preview is not None
    assert preview.shape == (360, 640, 3)
    colours = {tuple(int(v) // 64 for v in frames[5].image[100, x]) for x in range(40, 1280, 80)}
    assert len(colours) >= 6, f"the colour bars were not seen: {colours}"
    print(f"real picamera2: {FRAMES} frames, granted {granted}, {len(colours)} colour bars seen")


main()
