#!/bin/sh
# Programs the tests use beside Python: installed where that is allowed (root on Debian), otherwise named.
missing=""
for program in chromium mosquitto espeak-ng; do
  PATH="$PATH:/usr/sbin" command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "Installing$missing for the tests ..."
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } >/dev/null 2>&1 && exit 0
fi
echo "Not here:$missing. The tests that need them are skipped and listed at the end."
