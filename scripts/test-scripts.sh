#!/usr/bin/env bash
# Attacks the scripts: a tree with a breach must fail the architecture check, and every script must take the Swift that
# it is told to take.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
failed() {
  echo "test-scripts: $*" >&2
  failures=$((failures + 1))
}

# A tree with one module, which keeps every rule.
plant() {
  rm -rf "$work/tree"
  mkdir -p "$work/tree/scripts" "$work/tree/Sources/Hall" "$work/tree/Mocks" "$work/tree/Benchmarks" "$work/tree/Tests/HallTests"
  {
    echo "Hall: Foundation Crypto"
    grep -E '^!' scripts/architecture-allow.txt
  } >"$work/tree/scripts/architecture-allow.txt"
  cat >"$work/tree/Package.swift" <<'PACKAGE'
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let package = Package(targets: [module("Hall", [crypto]), tests("HallTests", ["Hall"])])
PACKAGE
  echo 'import Crypto' >"$work/tree/Sources/Hall/Hall.swift"
  echo 'import Hall' >"$work/tree/Tests/HallTests/HallTests.swift"
}

check() { scripts/check-architecture.sh "$work/tree" >"$work/said" 2>&1; }

passes() { # what
  check || failed "$1 was refused: $(cat "$work/said")"
}

refused() { # what, and what has to be said
  if check; then failed "$1 was not noticed"; fi
  grep -qF -- "$2" "$work/said" || failed "$1: “$2” was not said, but: $(cat "$work/said")"
}

plant
passes "a tree without a breach"

# The calls that nobody but the files on the list may make.
while IFS= read -r call; do
  plant
  printf 'import Crypto\n\nlet it = %s\n' "$call" >"$work/tree/Sources/Hall/Hall.swift"
  refused "$call" "Sources/Hall/Hall.swift:3: banned"
done <<'CALLS'
Date()
Foundation.Date()
Date.now
Date(timeIntervalSinceNow: 3)
then.timeIntervalSinceNow
clock_gettime(CLOCK_REALTIME, &time)
gettimeofday(&time, nil)
time(nil)
ProcessInfo.processInfo.systemUptime
DispatchTime.now()
DispatchWallTime.now()
NIODeadline.now()
ContinuousClock.now
ContinuousClock().now
SuspendingClock.now
Task.sleep(until: .now, clock: .continuous)
UUID()
UInt8.random(in: 0...9)
[1, 2].randomElement()
[1, 2].shuffled()
SystemRandomNumberGenerator()
arc4random()
arc4random_uniform(6)
getrandom(&bytes, 16, 0)
getentropy(&bytes, 16)
drand48()
random()
MustacheTemplate(string: markup)
COSEKey(stored: bytes)
try! open()
it as! Int
fatalError("no")
Task { await run() }
Task.detached(priority: .low) { await run() }
7 // TODO: eight
CALLS

plant
printf 'import Crypto\n\nlet now: Date = .now\n' >"$work/tree/Sources/Hall/Hall.swift"
refused "an implied Date.now" "Sources/Hall/Hall.swift:3: banned"

plant
mkdir "$work/tree/Mocks/Sub"
echo 'let it = Date.now' >"$work/tree/Mocks/Sub/Sub.swift"
refused "a banned call of a mock" "Mocks/Sub/Sub.swift:1: banned"

plant
printf 'import Crypto\n// Date() is banned, and may be named.\nlet date = Date(timeIntervalSince1970: 0)\n' \
  >"$work/tree/Sources/Hall/Hall.swift"
passes "a comment that names a banned call"

plant
echo 'private import struct GRDB.Row' >>"$work/tree/Sources/Hall/Hall.swift"
refused "an import that is not allowed" "Sources/Hall/Hall.swift:2: Hall must not import GRDB"

plant
sed -i 's/^Hall:.*/Hall: Foundation Crypto GRDB/' "$work/tree/scripts/architecture-allow.txt"
refused "an allowed import that is not declared" "Hall may import GRDB, on which Package.swift does not let it depend"

plant
sed -i 's/\[crypto\]/[crypto, "Kernel"]/' "$work/tree/Package.swift"
refused "a declared dependency that is not allowed" "Package.swift: Hall depends on Kernel"

plant
mkdir "$work/tree/Sources/Cellar"
echo 'let it = 1' >"$work/tree/Sources/Cellar/Cellar.swift"
refused "a module that is on no list" "Sources/Cellar/: the module is not in"

plant
for _ in $(seq 1 401); do echo 'let it = 1'; done >"$work/tree/Sources/Hall/Hall.swift"
refused "a file that is too long" "Sources/Hall/Hall.swift: 401 lines"

# Types with nine stored properties, and with eight beside all that is not one.
nine='  let a, b, c: Int
  package private(set) var d: [String: (Int, Int)] = [:]
  @Option(name: .customLong("e"), help: Help("{", valueName: "f")) var e: Int?
  lazy var f: Int = { 1 }()
  weak var g: Hall?
  var h = 1 { didSet { print(h) } }
  nonisolated(unsafe) var i: (Int) -> Void = { let it = $0 }'
typed() { # kind, body
  plant
  printf 'import Crypto\n\nextension Hall {\n  package %s Vault:\n    Sendable\n  {\n%s\n  }\n}\n' "$1" "$2" \
    >"$work/tree/Sources/Hall/Hall.swift"
}
for kind in struct "final class" actor; do
  typed "$kind" "$nine"
  refused "a type of nine stored properties" "Sources/Hall/Hall.swift:4: Hall.Vault has 9 stored properties; the limit is 8"
done
echo '=a page model :: Hall.Vault' >>"$work/tree/scripts/architecture-allow.txt"
passes "an excepted type of nine stored properties"
typed struct "${nine#*c: Int}"
echo '=a page model :: Hall.Vault' >>"$work/tree/scripts/architecture-allow.txt"
refused "an exception for a small type" "Hall.Vault is excepted, and has at most 8 stored properties"
typed struct "${nine/b, /}"'
  static let j = 1
  // let k = 1
  var l: Int { 1 }
  var m: String {
    let n = """
      var o = 1 }
      """
    return n
  }
  func p() { let q = 1 }
  struct R { let s: Int }
  enum T { case u }'
passes "a type of eight stored properties"
typed protocol "$nine"
passes "a protocol of nine properties"

plant
mkdir "$work/tree/Tests/CellarTests" && touch "$work/tree/Tests/CellarTests/CellarTests.swift"
refused "tests that are never built" "Tests/CellarTests/: Package.swift does not name it"

plant
mkdir "$work/tree/Sources/Hall/scripts"
echo 'const now = Date.now();' >"$work/tree/Sources/Hall/scripts/hall.js"
refused "a banned call of a script" "Sources/Hall/scripts/hall.js:1: banned"

# Scripts of pages: modern ones pass, and each fault is named.
script() { # text
  mkdir -p "$work/web"
  printf '%s\n' "$1" >"$work/web/a.js"
  echo 'export const b = () => {};' >"$work/web/b.js"
  scripts/web-scripts.sh "$work/web" >"$work/said" 2>&1
}
script 'import { b as c } from "./b.js";
class A { #p = 60_000; static s = 1; m() { return this.#p ?? this?.q; } }
export const f = async ({ x = 1, ...rest }) => { for await (const y of c(x, rest)) try { y.m(new A()); } catch { f(`${y}`); } };
await f({});' || failed "a modern script was refused: $(cat "$work/said")"
while IFS='|' read -r text said; do
  if script "$text"; then failed "the script “$text” was not noticed"; fi
  grep -qF -- "a.js:1: $said" "$work/said" || failed "the script “$text”: “$said” was not said, but: $(cat "$work/said")"
done <<'SCRIPTS'
const a = ;|Line 1: Unexpected token ;
f( }|Line 1: Unexpected token }
return 1;|Line 1: Illegal return statement
let a; let a;|a is declared twice
frobnicate();|nothing declares frobnicate
import { x } from "./b.js"; x();|x is not exported by ./b.js
import { b } from "./c.js"; b();|b is not exported by ./c.js
import { b } from "./b.js";|b is imported and not used
SCRIPTS

# Threats with a test or a reason, and one of each breach.
threats() { # rows of the threat model, the tag above a test, and what stands below the rule's tag if it is no test
  mkdir -p "$work/threats/docs" "$work/threats/Tests"
  {
    printf 'Next free number: T-004.\nWithdrawn: T-003.\n\n| asset | worth |\n|---|---|\n| keys | all |\n\n'
    printf '|No.|Threat|Defence|Source|\n|---|---|---|---|\n%b\n' "$1"
  } >"$work/threats/docs/threat-model.md"
  {
    printf 'Next free number: O-002.\n\n'
    printf '| No. | Rule | What is done | Source |\n|---|---|---|---|\n| O-001 | a | b | c |\n'
  } >"$work/threats/docs/oauth-security.md"
  printf '    // %s\n    /// Why.\n    @Test\n    func `x`() {\n' "$2" >"$work/threats/Tests/A.swift"
  local below='@Test func `y`() {'
  printf '    // O-001\n    %s\n' "${3:-$below}" >"$work/threats/Tests/B.swift"
  scripts/check-threats.sh "$work/threats" >"$work/said" 2>&1
}
accepted='|T-002|b|Accepted, because it is so.|c|'
threats "$accepted\n|T-001|a|b|c|" 'T-001' || failed "threats with their tests were refused: $(cat "$work/said")"
while IFS='~' read -r rows tag said below; do
  if threats "$rows" "$tag" "$below"; then failed "the threats “$rows” with the test of “$tag” were not noticed"; fi
  grep -qF -- "$said" "$work/said" || failed "the threats “$rows”: “$said” was not said, but: $(cat "$work/said")"
done <<THREATS
|T-001|a|b|c|\n|T-002|a|b|c|~T-001~no test names T-002
|T-001|a|b|c|~T-001, T-009~no page has T-009
|T-001|a|b|c|\n|T-001|a|b|c|~T-001~T-001 stands twice
|T-001|a|b|c|\n|T-003|a|b|c|~T-001, T-003~T-003 is withdrawn, and has a row
|T-001|a|b|c|\n|T-004|a|b|c|~T-001, T-004~T-004 is not below the next free number
|T-001|a|b|c|\n|T-02|a|b|c|~T-001~T-02 is no number like T-042
|T-001|a|b|c|~T-001~T-002 has no row and is not withdrawn
|T-001|a|b|~T-001~T-001 has 3 cells
|T-001|a||c|~T-001~T-001 has an empty cell
|T-001|$(printf 'w %.0s' {1..26})|b|c|~T-001~T-001 has a cell of 26 words
|T-001|a|b|c|~T-001~no test stands below these numbers~let a = 1
THREATS

# A site of two pages, and pages that load from elsewhere or lead to nothing.
built() { # text of the first page's body, and the policy
  rm -rf "$work/site"
  mkdir -p "$work/site/b"
  local policy="<meta http-equiv=\"Content-Security-Policy\" content=\"${2-default-src 'self' 'unsafe-inline' data: blob:}\">"
  printf '<html><head>%s<link rel="stylesheet" href="a.css"></head><body>%s</body></html>\n' "$policy" "$1" >"$work/site/index.html"
  printf '<html><head>%s</head><body id="there"></body></html>\n' "$policy" >"$work/site/b/index.html"
  echo 'a { background: url(data:image/png;base64,) }' >"$work/site/a.css"
}
site() { python3 scripts/docs/check.py "$work/site" >"$work/said" 2>&1; }
built '<a href="b/#there">b</a> <a href="https://example.com/">elsewhere, when somebody follows it</a>'
site || failed "a site without a breach was refused: $(cat "$work/said")"
while IFS='|' read -r body said; do
  built "$body"
  if site; then failed "the site with “$body” was not noticed"; fi
  grep -qF -- "index.html $said" "$work/said" || failed "the site with “$body”: “$said” was not said, but: $(cat "$work/said")"
done <<'SITES'
<a href="c/">c</a>|links to c/, which is not there
<a href="b/#nowhere">b</a>|links to b/#nowhere, which has no such anchor
<img src="none.png">|loads none.png, which is not there
<img src="https://example.com/a.png">|loads https://example.com/a.png
<script src="//example.com/a.js"></script>|loads //example.com/a.js
<link rel="preconnect" href="https://example.com">|loads https://example.com
<style>@import "https://example.com/a.css";</style>|loads https://example.com/a.css
<p style="background: url(https://example.com/a.png)">|loads https://example.com/a.png
SITES
built '' "default-src *"
! site || failed "a site whose pages may load from anywhere was not noticed"
built ''
echo '@font-face { src: url("https://example.com/a.woff2") }' >"$work/site/a.css"
! site || failed "a style that loads from elsewhere was not noticed"

# A build has its version and its commit in the source, which afterwards is as before: also when the build fails.
release=$work/release
stamp=$release/Sources/Assembly/BuildStamp.swift
mkdir -p "$release/scripts" "$release/docs" "${stamp%/*}"
cp scripts/stamp-build.sh scripts/release.sh "$release/scripts/"
cp Sources/Assembly/BuildStamp.swift "$stamp"
base=$(sed -nE 's/.*let version = "([^"]*)-dev".*/\1/p' "$stamp")
[[ -n $base ]] && grep -qF 'commit = "unknown"' "$stamp" || failed "BuildStamp.swift is committed with a build's version or commit"
printf 'info:\n  version: %s\npaths:\n' "$base" >"$release/docs/openapi.yaml"
printf '# Changelog\n\n## [%s] - 2026-01-01\n\n- All of it.\n\n## [0.0.1] - 2025-01-01\n' "$base" >"$release/CHANGELOG.md"
repository() { git -C "$release" -c user.name=Tester -c user.email=tester@example.com "$@"; }
repository init -q -b main
repository add -A
repository commit -q -m "Begin"
commit=$(repository rev-parse HEAD)
stamped() { # version, commit
  "$release/scripts/stamp-build.sh" cat "$stamp" >"$work/said" 2>&1 || failed "the stamp was not written: $(cat "$work/said")"
  grep -qF "version = \"$1\"" "$work/said" || failed "the stamp has another version than $1: $(cat "$work/said")"
  grep -qF "commit = \"$2\"" "$work/said" || failed "the stamp has another commit than $2: $(cat "$work/said")"
  grep -qE 'date = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z"' "$work/said" || failed "the stamp has no date"
}
stamped "$base-dev+${commit:0:12}" "$commit"
if "$release/scripts/stamp-build.sh" false 2>/dev/null; then failed "a build that fails under the stamp passes"; fi
cmp -s "$stamp" Sources/Assembly/BuildStamp.swift || failed "the stamp stays in the source"
STAMP_VERSION=9.9.9 stamped 9.9.9 "$commit"
repository tag "v$base"
stamped "$base" "$commit"
echo >>"$release/CHANGELOG.md"
stamped "$base-dev+${commit:0:12}.modified" "$commit-modified"
repository checkout -q -- .
repository tag -d "v$base" >/dev/null

# A version that can't be released: each reason is said, and nothing long runs.
releases() { VERSION=$1 RELEASE_CHECK_ONLY=1 "$release/scripts/release.sh" >"$work/said" 2>&1; }
releases "$base" || failed "a tree that can be released was refused: $(cat "$work/said")"
while IFS='|' read -r version change said; do
  (cd "$release" && eval "$change")
  if releases "$version"; then failed "the release of “$version” after “$change” was not refused"; fi
  grep -qF -- "$said" "$work/said" || failed "the release of “$version” after “$change”: “$said” was not said, but: $(cat "$work/said")"
  repository tag -d "v$base" >/dev/null 2>&1 || true
  repository checkout -q -f main
  repository clean -qfd
done <<RELEASES
||make release VERSION=0.1.0
0.1||is no version
01.1.0||is no version
$base-||is no version
9.0.0||BuildStamp.swift says $base-dev: write 9.0.0-dev there
9.0.0||docs/openapi.yaml says $base: write 9.0.0 there
9.0.0||CHANGELOG.md has no section 9.0.0
0.0.1||CHANGELOG.md has 0.0.1 below “[$base] - 2026-01-01”
$base|sed -i s/2026-01-01/Unreleased/ CHANGELOG.md|CHANGELOG.md has no day for $base
$base|sed -i s/2026-01-01/2026-13-01/ CHANGELOG.md|CHANGELOG.md has no day for $base
$base|sed -i s/2026-01-01/9999-01-01/ CHANGELOG.md|which is not yet
$base|echo 1 >new.swift|The tree has changes or files that git does not know
$base|git checkout -q -b other|This is other: releases are made of main
$base|git checkout -q --detach|This is no branch
$base|git tag v$base|The tag v$base is there already
RELEASES
if (cd "$release" && git remote add origin "$work/nowhere"); releases "$base"; then failed "a release whose origin does not answer was not refused"; fi

# A Swift that writes down the words that it was called with, beside a `swift` on the PATH that nothing may call.
cat >"$work/other-swift" <<'SWIFT'
#!/usr/bin/env bash
printf '%s\n' "$*" >>"${0%/*}/called"
if [[ $* == --version ]]; then echo "Swift version 6.3"; exit 0; fi
exit 3
SWIFT
chmod +x "$work/other-swift"
takes_swift() { # words that it has to be called with, then the command
  local words=$1
  shift
  rm -f "$work/called"
  mkdir -p "$work/path"
  printf '#!/bin/sh\necho "the wrong swift" >&2\nexit 4\n' >"$work/path/swift"
  chmod +x "$work/path/swift"
  if PATH="$work/path:$PATH" SWIFT="$work/other-swift" "$@" >"$work/said" 2>&1; then
    failed "$* went on after its Swift had failed"
  fi
  grep -q -- "^$words" "$work/called" 2>/dev/null || failed "$* did not run SWIFT $words: $(cat "$work/said")"
  ! grep -q "the wrong swift" "$work/said" || failed "$* runs the swift of the PATH as well"
}
for verb in build format; do takes_swift "$verb" make "$verb"; done
takes_swift "format lint" make lint
takes_swift "format lint" make lint SWIFT="$work/other-swift"
# What comes before the first build is slow or changes the machine: what they call is read.
for script in test references demo demo-cluster wallet-story published-clients doc-tests bench package release toolchain lint docs; do
  ! grep -nE '(^|[;&|(] *|do |then )swift ' "scripts/$script.sh" || failed "scripts/$script.sh runs the swift of the PATH"
done

# Each row of the bench is named in its head, and each that it measures by default exists.
named=$(sed -n '/BENCH_ROWS=/,/BENCH_COMPLETIONS=/p' scripts/bench.sh | grep '^#')
for row in $(sed -nE 's/^row_([a-z_]+)\(\).*/\1/p' Benchmarks/lib/*.sh); do
  grep -qw "$row" <<<"$named" || failed "scripts/bench.sh does not name the row $row"
done
for row in $(sed -n '/^all_rows=(/,/^)/p' scripts/bench.sh | grep -v '[()]'); do
  grep -q "^row_$row()" Benchmarks/lib/*.sh || failed "scripts/bench.sh measures $row, which is no row"
done

# The examples of load balancers, by the programs that read them, where those are installed.
PATH=$PATH:/usr/sbin
if command -v nginx >/dev/null || command -v haproxy >/dev/null; then
  openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=login.example.com -keyout "$work/key.pem" -out "$work/certificate.pem" 2>/dev/null
  cat "$work/certificate.pem" "$work/key.pem" >"$work/login.pem"
fi
if command -v nginx >/dev/null; then
  {
    # Everywhere where anybody may write: the test opens files and the port.
    echo "pid $work/nginx.pid; error_log stderr; events {} http { access_log off;"
    for kind in client_body proxy fastcgi uwsgi scgi; do echo "${kind}_temp_path $work/$kind;"; done
    sed "s#/etc/nginx/tls#$work#; s#listen 443#listen 127.0.0.1:48443#" packaging/cluster/nginx.conf
    echo "}"
  } >"$work/nginx.conf"
  nginx -t -q -e stderr -c "$work/nginx.conf" 2>"$work/said" || failed "packaging/cluster/nginx.conf: $(cat "$work/said")"
fi
if command -v haproxy >/dev/null; then
  sed "s#/etc/haproxy/login.pem#$work/login.pem#" packaging/cluster/haproxy.cfg >"$work/haproxy.cfg"
  haproxy -c -q -f "$work/haproxy.cfg" >"$work/said" 2>&1 || failed "packaging/cluster/haproxy.cfg: $(cat "$work/said")"
fi

if [[ $failures -gt 0 ]]; then
  echo "test-scripts: $failures failure(s)" >&2
  exit 1
fi
echo "scripts: they notice what they are for"
