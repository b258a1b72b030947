#!/usr/bin/env bash
# Real picamera2 without a Pi: Debian's libcamera with its virtual camera, in a chroot. About three minutes the first time.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); top=$(cd "$here/../../.." && pwd)
root=${VIRTUAL_CAMERA_ROOT:-/var/tmp/table-referee-virtual-camera}
skip() { echo "SKIPPED test-picamera: $1"; exit 0; }
[ "$(id -u)" = 0 ] || skip "it builds a chroot and needs root"
command -v debootstrap >/dev/null || skip "debootstrap is missing (apt install debootstrap)"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -f "$keyring" ] || skip "$keyring is missing (apt install debian-archive-keyring)"
if [ ! -f "$root/.system" ]; then
  echo "Building a Debian with libcamera in $root ..."
  rm -rf "$root"
  scripts=$(mktemp -d) # an older debootstrap does not know the suite's name yet
  cp -r /usr/share/debootstrap/. "$scripts"; [ -e "$scripts/scripts/forky" ] || ln -s sid "$scripts/scripts/forky"
  DEBOOTSTRAP_DIR=$scripts debootstrap --variant=minbase --keyring="$keyring" \
    --include=python3-libcamera,libcamera-ipa,libcamera-tools,python3-pip,python3-venv,python3-dev,gcc,libc6-dev,libcap-dev,ca-certificates \
    forky "$root" > "$root.log" 2>&1 || { tail -5 "$root.log"; exit 1; }
  touch "$root/.system"
fi
if [ ! -f "$root/.ready" ]; then
  mkdir -p "$root/usr/share/libcamera/pipeline/virtual" "$root/stand_in"
  cp "$here/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/"
  cp "$here/pykms.py" "$root/stand_in/"
  cp "$here/fakeheap.c" "$root/tmp/"
  chroot "$root" gcc -O2 -shared -fPIC -o /usr/local/lib/fakeheap.so /tmp/fakeheap.c -ldl
  for file in /etc/pip.conf /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt; do [ -f "$file" ] && cp "$file" "$root$file"; done
  chroot "$root" python3 -m venv --system-site-packages /venv
  env | grep -i '^pip_\|_proxy=\|^ssl_\|^requests_' > "$root/tmp/env" || true
  chroot "$root" env $(cat "$root/tmp/env") /venv/bin/pip install -q picamera2 opencv-python-headless
  touch "$root/.ready"
fi
rm -rf "$root/project"; mkdir -p "$root/project"
cp -r "$top/hardware" "$root/project/"
for fs in proc dev; do mountpoint -q "$root/$fs" || mount --bind "/$fs" "$root/$fs"; done
trap 'umount -l "$root/proc" "$root/dev" 2>/dev/null || true' EXIT
chroot "$root" env LD_PRELOAD=/usr/local/lib/fakeheap.so PYTHONPATH=/stand_in:/project \
  /venv/bin/python /project/hardware/pi/virtual_camera/drive.py
