"""A PDF file from its objects: for pages that must print at their exact size."""

from collections.abc import Sequence

POINT_MM = 25.4 / 72


def pdf_file(objects: Sequence[bytes]) -> bytes:
    """The file of objects numbered from 1, the first of which is the catalogue."""
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(body))
    return body + head + table + tail
