#!/usr/bin/env bash
# Puts Table Referee on a Raspberry Pi (Raspberry Pi OS, Bookworm or newer): ./install.sh [USER]
# Run it again to update. It changes: /opt/table-referee, one service, one autostart entry, /etc/default/table-referee.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); project=$(cd "$here/../.." && pwd)
user=${1:-${SUDO_USER:-$USER}}
[ "$(id -u)" = 0 ] || exec sudo bash "$0" "$user"
id "$user" >/dev/null 2>&1 || { echo "there is no user called $user"; exit 2; }
echo "Installing for user $user ..."
apt-get update -qq
# The font shows Japanese; it is the smallest that does (12 MB).
apt-get install -y -qq python3-venv python3-picamera2 python3-lgpio chromium espeak-ng fonts-ipafont-gothic
# --system-site-packages: picamera2 and lgpio come from apt, matched to the Pi's libcamera and kernel.
python3 -m venv --system-site-packages /opt/table-referee
/opt/table-referee/bin/pip install --quiet --upgrade "$project[panel]" gpiozero
usermod -aG video,gpio,spi "$user" 2>/dev/null || true
sed "s/%i/$user/" "$here/table-referee.service" > /etc/systemd/system/table-referee.service
[ -f /etc/default/table-referee ] || echo 'REFEREE_OPTIONS="--voice master"' > /etc/default/table-referee
install -D -o "$user" -m 644 "$here/table-referee-kiosk.desktop" "$(getent passwd "$user" | cut -d: -f6)/.config/autostart/table-referee-kiosk.desktop"
systemctl daemon-reload
systemctl enable --now table-referee.service
echo "Done. The page is at http://$(hostname).local:8642/ ; 'referee doctor --camera picamera:0' checks the camera."
