#!/usr/bin/env bash
# The tests of the bench, the eyes, the recorder and the page on aarch64, as on a Raspberry Pi, by emulation.
# Nothing is installed on the machine itself: a Debian for arm64 is unpacked beside, and wheels for it are fetched.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); top=$(cd "$here/../.." && pwd)
root=${ARM_ROOT:-/var/tmp/table-referee-arm}; suite=trixie; version=3.13
skip() { echo "SKIPPED test-arm: $1"; exit 0; }
for tool in qemu-aarch64-static debootstrap dpkg-deb; do
  PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null || skip "$tool is missing (apt install qemu-user-static debootstrap)"
done
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -f "$keyring" ] || skip "$keyring is missing (apt install debian-archive-keyring)"
if [ ! -f "$root/.system" ]; then
  [ "$(id -u)" = 0 ] || skip "unpacking a Debian needs root"
  echo "Unpacking a Debian for arm64 in $root ..."
  rm -rf "$root"
  /usr/sbin/debootstrap --foreign --arch=arm64 --variant=minbase --include=python3 --keyring="$keyring" \
    "$suite" "$root" > "$root.log" 2>&1 || { tail -3 "$root.log"; exit 1; }
  for deb in "$root"/var/cache/apt/archives/*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar -C "$root" -x --keep-directory-symlink; done
  touch "$root/.system"
fi
if [ ! -f "$root/.wheels" ] || [ "$top/pyproject.toml" -nt "$root/.wheels" ]; then
  echo "Fetching wheels for aarch64 ..."
  "$top/.venv/bin/python" - "$top/pyproject.toml" > "$root/needs.txt" <<'PY'
import sys, tomllib
project = tomllib.load(open(sys.argv[1], "rb"))["project"]
print("\n".join(project["dependencies"] + ["pytest>=8", "hypothesis>=6.100", "httpx2", "paho-mqtt>=2.0"]))
PY
  rm -rf "$root/site"
  if command -v uv >/dev/null; then
    uv pip install --quiet --target "$root/site" --python-platform aarch64-manylinux_2_28 --python-version "$version" \
      --only-binary :all: -r "$root/needs.txt"
  else
    "$top/.venv/bin/python" -m pip install --quiet --target "$root/site" --platform manylinux_2_28_aarch64 \
      --python-version "$version" --only-binary :all: -r "$root/needs.txt"
  fi
  touch "$root/.wheels"
fi
arm() {
  qemu-aarch64-static -L "$root" -E PYTHONHOME="$root/usr" -E PYTHONPATH="$top:$root/site" -E PYTHONDONTWRITEBYTECODE=1 \
    -E LD_LIBRARY_PATH="$root/usr/lib/aarch64-linux-gnu" "$root/usr/bin/python$version" "$@"
}
cd "$top"
arm -c 'import platform, cv2, numpy, av; print("on", platform.machine(), "Python", platform.python_version(), "OpenCV", cv2.__version__)'
arm -m pytest -q -p no:cacheprovider -m "not bench and not soak" ${ARM_TESTS:-tests/games/test_vectors.py tests/test_geometry.py \
  tests/test_match.py tests/test_journal.py tests/calibration/test_profile.py tests/hardware/test_footage.py \
  tests/hardware/test_watchdog.py tests/vision/test_dice.py tests/kiosk/test_app.py}
judged=$(mktemp -d); trap 'rm -rf "$judged"' EXIT
arm -m referee judge sample_footage/rocca/pushed-not-flicked --json "$judged/arm.json"
"$top/.venv/bin/python" -m referee judge sample_footage/rocca/pushed-not-flicked --json "$judged/here.json" > /dev/null
"$top/.venv/bin/python" - "$judged" <<'PY'
import json, pathlib, sys
arm, here = (json.loads((pathlib.Path(sys.argv[1]) / f"{n}.json").read_text()) for n in ("arm", "here"))
told = [[(shot["verdict"], shot["clauses"]) for shot in judged["shots"]] for judged in (arm, here)]
assert told[0] and told[0] == told[1], f"aarch64 rules {told[0]}, this machine {told[1]}"
print("the same rulings on aarch64 as here:", *(verdict for verdict, _ in told[0]))
PY
