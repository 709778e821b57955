#!/usr/bin/env bash
# `make docs`: builds the site into .build/site with Material for MkDocs, which is in .build/docs, a virtual environment
# with what docs.txt names. A link to nothing fails the build, and so does a page that requests anything from elsewhere.
#
#   scripts/docs.sh              the site
#   scripts/docs.sh --no-swift   the same in seconds, without the documentation of the Swift modules
#
# DocC comes from the toolchain. swift-docc-plugin would be a dependency of everybody who uses the package, and it runs the
# same two programs: one that reads the public symbols of a built module, and docc.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.build/docs
site=.build/site
sdk=.build/docs-swift
modules=(VestibuleClient VestibuleTokens)

if ! cmp -s scripts/docs.txt "$folder/installed.txt"; then
  rm -rf "$folder"
  mkdir -p .build
  if ! command -v python3 >/dev/null || ! python3 -m venv "$folder"; then
    echo "No Python 3 with venv (apt-get install python3-venv): the site can't be built." >&2
    exit 1
  fi
  "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r scripts/docs.txt
  cp scripts/docs.txt "$folder/installed.txt"
fi

document() {
  local swift=${SWIFT:-swift} docc build
  docc=$(dirname "$(command -v "$swift")")/docc
  [[ -x $docc ]] || docc=$(command -v docc) || {
    echo "This toolchain has no docc; scripts/docs.sh --no-swift builds the rest." >&2
    exit 1
  }
  source scripts/build-flags.sh
  build=(build "${build_flags[@]}")
  mkdir -p "$sdk"
  local module built target archives=()
  # The flags are those of `make test`, so that what it has built is not built again.
  for module in "${modules[@]}"; do "$swift" "${build[@]}" --target "$module"; done
  built=$("$swift" "${build[@]}" --show-bin-path)
  target=$("$swift" -print-target-info | "$folder/bin/python" -c 'import json, sys; print(json.load(sys.stdin)["target"]["triple"])')
  for module in "${modules[@]}"; do
    mkdir -p "$sdk/$module"
    "$swift" symbolgraph-extract -module-name "$module" -I "$built/Modules" -target "$target" \
      -minimum-access-level public -skip-synthesized-members -output-dir "$sdk/$module"
    "$docc" convert --additional-symbol-graph-dir "$sdk/$module" --warnings-as-errors --fallback-display-name "$module" \
      --fallback-bundle-identifier "vestibule.$module" --fallback-default-module-kind Library \
      --transform-for-static-hosting --output-dir "$sdk/$module.doccarchive"
    archives+=("$sdk/$module.doccarchive")
  done
  "$docc" merge --synthesized-landing-page-name Vestibule --output-path "$sdk/site" "${archives[@]}"
  printf '%s\n' "${modules[@]}" >"$sdk/modules.txt"
  # Every page of DocC's asks for it.
  echo '{}' >"$sdk/site/theme-settings.json"
  "$folder/bin/python" scripts/docs/relocate.py "$sdk/site"
}

export PYTHONDONTWRITEBYTECODE=1 NO_MKDOCS_2_WARNING=1
rm -rf "$sdk"
[[ ${1:-} == --no-swift ]] || document
"$folder/bin/mkdocs" build --strict --clean
[[ ! -d $sdk/site ]] || cp -R "$sdk/site" "$site/sdk"
# What debuggers of the theme would load.
find "$site" -name '*.map' -delete
"$folder/bin/python" scripts/docs/check.py "$site"
echo "The site: $PWD/$site (to look at it: python3 -m http.server --bind 127.0.0.1 --directory $site 8000)"
