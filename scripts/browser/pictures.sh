#!/usr/bin/env bash
# Renews the pictures of docs/images that show pages: the tests' browser cases take them into a folder, and this puts them
# side by side in few colours.
#
#   VESTIBULE_SCREENSHOTS=FOLDER swift test --filter Browsers
#   scripts/browser/pictures.sh FOLDER
set -euo pipefail
shots=$(cd "${1:?name the folder of the pictures}" && pwd)
cd "$(dirname "$0")/../../docs/images"
command -v convert >/dev/null || { echo "No ImageMagick (apt-get install imagemagick)" >&2; exit 1; }

# join NAME WIDTH HEIGHT PICTURE...: a strip of that width, each picture cut at that height
join() {
  local name=$1 width=$2 height=$3
  shift 3
  local parts=()
  for picture in "$@"; do
    parts+=('(' "$shots/$picture.png" -gravity north -crop "x$height+0+0" +repage -bordercolor '#d5dae1' -border 1
      -bordercolor white -border 6x0 ')')
  done
  convert -background white "${parts[@]}" +append -strip -resize "${width}x" +dither -colors 48 \
    -define png:compression-level=9 "PNG8:$name.png"
}

for moment in 1 2 3; do
  join "one-login-$moment" 1200 844 "series-$moment-desk" "series-$moment-phone" "series-$moment-console"
done
join pages-phone 980 1800 signup-390-light passkeys-390-dark face-waiting-390-light
join pages-home 1000 900 home-1280-light
join pages-account 900 1500 account-390-light account-close-390-dark account-password-390-light
