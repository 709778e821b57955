#!/usr/bin/env bash
# `make package`: release binaries with the Swift runtime inside, and what is installed of them, in dist/.
#
# Makes vestibule_VERSION_ARCH.deb, vestibule-VERSION-linux-ARCH.tar.gz (any Linux with glibc of Debian 12 or later), an SBOM
# (CycloneDX 1.5), the container recipe beside the .deb that it installs, and SHA256SUMS. The archives are the same, byte for
# byte, for the same binaries: times are the commit's. The binaries are not: the compiler writes the build folder's path into
# them.
#
#   PACKAGE_BIN=FOLDER   binaries that are there already; nothing is built
#   PACKAGE_DIST=FOLDER  where the results go (dist)
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
dist=${PACKAGE_DIST:-dist}

fail() { echo "package: $*" >&2; exit 1; }

scripts/toolchain.sh
scripts/packages.sh binutils dpkg-dev gzip jq python3 libcurl4-openssl-dev libpq-dev libsqlite3-dev libxml2-dev zlib1g-dev libjemalloc-dev

commit=$(git rev-parse --short=12 HEAD 2>/dev/null) || fail "this is no git clone: the commit goes into the binary."
[[ -z $(git status --porcelain --untracked-files=no) ]] || commit+=-modified
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
version=$(scripts/stamp-build.sh --version)
# Debian sorts 0.1.0~dev before 0.1.0, and a day's builds by their time and not by their commits' names.
debian_version=${version//-/\~}
debian_version=${debian_version/+/+$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S).}
architecture=$(dpkg --print-architecture)

. packaging/lib/build.sh
bin=${PACKAGE_BIN:-}
if [[ -z $bin ]]; then
  echo "Building for release (a first build takes some minutes)…"
  build_binaries
fi
for product in vestibule authid-mock; do
  # Its name, no more, because an archive has its folders too: a path of the runtime's libraries says that it is not inside.
  ! readelf -d "$bin/$product" | grep -q 'NEEDED.*libswift' || fail "$product needs Swift's libraries: build it with --static-swift-stdlib."
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
. packaging/lib/stage.sh
. packaging/lib/sbom.sh
. packaging/lib/archives.sh

rm -rf "$dist"
mkdir -p "$dist"
echo "Staging…"
stage_binaries
stage_papers
stage_manuals
stage_completions
write_sbom >"$dist/vestibule-$version.cdx.json"
echo "Packing…"
make_tarball
make_deb
cp packaging/container/Containerfile "$dist/Containerfile"
(cd "$dist" && sha256sum -- * >SHA256SUMS)
printf '\nMade of commit %s:\n' "$commit"
(cd "$dist" && ls -l | awk 'NR > 1 { printf "  %-48s %7.1f MB\n", $NF, $5 / 1048576 }')
