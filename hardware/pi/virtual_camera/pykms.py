"""Stand-in for kmsxx's pykms: picamera2 imports it unconditionally (DrmPreview); never used headless."""


class PixelFormat:
    def __getattr__(self, n):
        return n

    RGB888 = BGR888 = YUV420 = YVU420 = XRGB8888 = XBGR8888 = NV12 = None
