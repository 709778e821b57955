#!/usr/bin/env bash
# The published clients against the laptop's config, in curl, as they send it: the wallet app (seed 000), the passkey page and
# its apps (003) with the cookie surface of Yapt (001), and the face login app (004). Starts the daemon and the stand-in for
# the face provider on free ports, plays the stories, and stops and removes all of it. Ends with an error at the first answer
# that is not as the clients need it.
#
#   STORY_BIN=FOLDER   binaries that are there already; nothing is built
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
pids=()
token=''
credential=''
agent=''
step=0
steps=23

work=$(mktemp -d)
stop() {
  local status=$1
  trap - EXIT INT TERM
  if [[ $status -ne 0 && $status -ne 130 ]]; then
    for log in "$work"/*.log; do [[ -s $log ]] && { echo "--- ${log##*/}" && tail -n 20 "$log"; } >&2; done
  fi
  [[ ${#pids[@]} -eq 0 ]] || kill -TERM "${pids[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$work"
  exit "$status"
}
trap 'stop $?' EXIT
trap 'echo; echo "Stopping."; stop 130' INT TERM

# Also in a subshell, whose end alone would not be this script's everywhere: the next step looks.
fail() {
  echo "published-clients: $*" >&2
  : >"$work/failed"
  exit 1
}

# now TEXT: the next step.
now() {
  [[ ! -e $work/failed ]] || exit 1
  step=$((step + 1))
  printf '[%2d/%d] %s\n' "$step" "$steps" "$1"
}

# start NAME COMMAND...: runs it in the background until it says where it listens; leaves the port in $port.
start() {
  local log=$work/$1.log name=$1
  shift
  # Before the program has it, so that the wait below finds it.
  : >"$log"
  "$@" >>"$log" 2>&1 &
  pids+=($!)
  for _ in $(seq 1 600); do
    port=$(sed -nE 's#.*listening on http://127\.0\.0\.1:([0-9]+).*#\1#p' "$log" | head -n 1)
    [[ -n $port ]] && return 0
    kill -0 "${pids[-1]}" 2>/dev/null || fail "$name did not start; the reason stands below."
    sleep 0.1
  done
  fail "$name did not start within a minute."
}

# call STATUS METHOD PATH [JSON]: a request of the app's, with its token, its credential and its cookies ($agent) if it has
# any. The answer's body is left in $reply; one with another status ends the story.
call() {
  local wanted=$1 method=$2 path=$3 status
  local options=(-sS --max-time 60 -X "$method" -o "$work/reply" -w '%{http_code}' -H 'Accept: application/json')
  [[ -n $token ]] && options+=(-H "Authorization: Bearer $token")
  [[ -n $credential ]] && options+=(-H "X-Device-Credential: $credential")
  [[ -n $agent ]] && options+=(-b "$work/$agent.cookies" -c "$work/$agent.cookies")
  [[ $# -gt 3 ]] && options+=(-H 'Content-Type: application/json' -d "$4")
  : >"$work/reply"
  status=$(curl "${options[@]}" "$site$path") || fail "$method $path was not answered."
  reply=$(<"$work/reply")
  [[ $status == "$wanted" ]] || fail "$method $path was answered with $status instead of $wanted: $reply"
}

# field FILTER: what jq finds in the last answer, which has to be there.
field() { jq -er "$1" <<<"$reply" || fail "the answer has no $1: $reply"; }

# holds FILTER: ends the story where that is not true of the last answer.
holds() { jq -e "$1" <<<"$reply" >"$work/held" || fail "the answer does not hold $1: $reply"; }

# same WHAT SHOULD IS: ends the story where they differ.
same() { [[ $2 == "$3" ]] || fail "$1 is '$3' instead of '$2'."; }

# claim TOKEN FILTER: what a JWT says.
claim() {
  jq -rR "split(\".\")[1] | gsub(\"-\"; \"+\") | gsub(\"_\"; \"/\") | @base64d | fromjson | $2" <<<"$1" \
    || fail "the token can't be read."
}

# mailed ADDRESS PATTERN: what the newest mail to the address that has it says, once it is there. Mails of one moment may
# come in any order.
mailed() {
  local file found
  for _ in $(seq 1 200); do
    while read -r file; do
      grep -aqiF "To: $1" "$work/data/outbox/$file" || continue
      found=$(grep -ahoE "$2" "$work/data/outbox/$file" | head -n 1) || true
      [[ -n $found ]] && { tr -d ' ' <<<"$found"; return 0; }
    done < <(ls -t "$work/data/outbox" 2>/dev/null | grep '\.eml$')
    sleep 0.1
  done
  fail "no mail to $1 has it."
}

# An authenticator: a passkey of P-256, kept in several places, that asks for a face.
bytes() { printf '%b' "$(sed 's/../\\x&/g' <<<"$1")"; }
hexed() { od -An -v -tx1 | tr -d ' \n'; }
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
hashed() { openssl dgst -sha256 -binary | hexed; }

# client_data TYPE: what a browser signs of the last options' challenge.
client_data() {
  printf '{"type":"webauthn.%s","challenge":"%s","origin":"%s","crossOrigin":false}' "$1" "$(field .challenge)" "$site"
}

# made NAME: a new passkey for the options in $reply: the response as a browser writes it.
made() {
  local key public data attested
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/$1.pem" 2>/dev/null
  openssl rand -hex 16 | tr -d '\n' >"$work/$1.id"
  field .user.id >"$work/$1.user"
  public=$(openssl pkey -in "$work/$1.pem" -pubout -outform DER | tail -c 64 | hexed)
  key="a5010203262001215820${public:0:64}225820${public:64}"
  data="$(printf %s localhost | hashed)5d00000000$(printf '0%.0s' {1..32})0010$(<"$work/$1.id")$key"
  attested="a363666d74646e6f6e656761747453746d74a06861757468446174615894$data"
  jq -cn --arg id "$(bytes "$(<"$work/$1.id")" | base64url)" --arg data "$(client_data create | base64url)" \
    --arg object "$(bytes "$attested" | base64url)" '{id: $id, rawId: $id, type: "public-key",
      response: {clientDataJSON: $data, attestationObject: $object, transports: ["internal", "hybrid"]},
      clientExtensionResults: {}, authenticatorAttachment: "platform"}'
}

# signed NAME: that passkey's answer to the options in $reply: four members alone, as the phones' apps send it.
signed() {
  local data=$work/client-data authenticator signature
  client_data get >"$data"
  authenticator="$(printf %s localhost | hashed)1d00000000"
  signature=$({ bytes "$authenticator"; openssl dgst -sha256 -binary "$data"; } \
    | openssl dgst -sha256 -sign "$work/$1.pem" | base64url)
  jq -cn --arg id "$(bytes "$(<"$work/$1.id")" | base64url)" --arg data "$(base64url <"$data")" \
    --arg authenticator "$(bytes "$authenticator" | base64url)" --arg signature "$signature" \
    --arg user "$(<"$work/$1.user")" '{id: $id, rawId: $id, type: "public-key", response: {clientDataJSON: $data,
      authenticatorData: $authenticator, signature: $signature, userHandle: $user}}'
}

# answered RESPONSE: with the id of the last options beside.
answered() { jq -cn --argjson response "$1" --arg id "$(field .challengeId)" '{response: $response, challengeId: $id}'; }

# opened URL: presses the page's button as the person's browser; the mock of the provider does the rest.
opened() {
  local status
  [[ $1 == "$site/go/"* ]] || fail "the page is not this server's: $1"
  status=$(curl -sS --max-time 60 -o "$work/page" -w '%{http_code}' -X POST "$1") || fail "the page was not answered."
  same "the answer of the scan's page" 303 "$status"
}

scripts/packages.sh curl jq openssl || exit 1
bin=${STORY_BIN:-}
if [[ -z $bin ]]; then
  scripts/toolchain.sh
  echo "Building (a first build takes some minutes)…"
  source scripts/build-flags.sh
  for product in vestibule authid-mock; do "$swift" build --product "$product" "${build_flags[@]}"; done
  bin=$("$swift" build --show-bin-path)
fi

echo "Starting the two programs…"
start authid-mock "$bin/authid-mock" --port 0
scans=http://127.0.0.1:$port
mkdir -m 700 "$work/data"
start vestibule "$bin/vestibule" serve --config config/vestibule.yaml --data "$work/data" \
  --set listen.port=0 --set "providers.mock.baseURL=$scans" --set faceLogin.hotCheck=200ms
site=http://localhost:$port
mobile=/api/mobile

echo "The wallet app (000)"
email=casey@example.com
device=3f0c7b52-9d1e-4a43-8f0b-7a6f0c1d2e3f
now "The phone registers itself, and an account is opened on it"
call 200 POST "$mobile/device/register" "{\"deviceId\":\"$device\",\"platform\":\"ios\",\"deviceName\":\"Casey’s phone\"}"
call 201 POST "$mobile/auth/register" "{\"email\":\"$email\",\"name\":\"Casey Example\",\"deviceId\":\"$device\"}"
token=$(field .tokens.accessToken)
same expiresIn 3600 "$(field .tokens.expiresIn)"
same "the token's deviceId" "$device" "$(claim "$token" .deviceId)"

now "The first mailed code on that phone leaves it linked"
call 200 POST "$mobile/auth/login" "{\"email\":\"$email\",\"deviceId\":\"$device\"}"
code=$(mailed "$email" '^ {4}[0-9]{6}')
call 200 POST "$mobile/auth/login/verify" "{\"email\":\"$email\",\"deviceId\":\"$device\",\"code\":\"$code\"}"
token=$(field .tokens.accessToken)
same expiresIn 3600 "$(field .tokens.expiresIn)"
same "the token's deviceId" "$device" "$(claim "$token" .deviceId)"

now "At its next start the app registers the phone again, and keeps the credential"
call 200 POST "$mobile/device/register" "{\"deviceId\":\"$device\",\"platform\":\"ios\",\"deviceName\":\"Casey’s phone\"}"
kept=$(field .deviceCredential)

now "The phone's key: what the shipped app sends is refused, a real one is set up"
call 400 POST "$mobile/auth/biometric/setup" \
  "{\"deviceId\":\"$device\",\"publicKey\":\"mwsim_${device}_1\",\"biometricType\":\"face\"}"
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/phone.pem" 2>/dev/null
public=$(openssl pkey -in "$work/phone.pem" -pubout -outform DER | openssl base64 -A)
call 200 POST "$mobile/auth/biometric/setup" \
  "{\"deviceId\":\"$device\",\"publicKey\":\"$public\",\"biometricType\":\"face\"}"
same status enabled "$(field .status)"

now "The phone signs in by its key"
call 200 POST "$mobile/auth/biometric/challenge" "{\"deviceId\":\"$device\"}"
challenge=$(field .challenge)
proof=$(printf %s "$challenge" | openssl dgst -sha256 -sign "$work/phone.pem" | openssl base64 -A)
call 200 POST "$mobile/auth/biometric/verify" \
  "{\"deviceId\":\"$device\",\"signature\":\"$proof\",\"challenge\":\"$challenge\"}"
same expiresIn 3600 "$(field .expiresIn)"
token=$(field .accessToken)
refresh=$(field .refreshToken)
same amr '["hwk","user"]' "$(claim "$token" '.amr | tojson')"

now "Its session refreshes with the token alone, and the device credential; no key is claimed then"
call 401 POST "$mobile/auth/token/refresh" "{\"refreshToken\":\"$refresh\"}"
credential=$kept call 200 POST "$mobile/auth/token/refresh" "{\"refreshToken\":\"$refresh\"}"
token=$(field .accessToken)
same expiresIn 3600 "$(field .expiresIn)"
same "whether the key is claimed" false "$(claim "$token" '(.amr // []) | contains(["hwk"])')"

now "The wallet's summary; and no unknown address is a 401, which starts a refresh"
call 200 GET "$mobile/wallet/summary"
holds '.user.id and .cards == [] and .enrolledBanks == [] and .biometricEnabled'
call 404 GET "$mobile/nothing/there"

now "Five wrong answers start a pause"
call 200 POST "$mobile/auth/biometric/challenge" "{\"deviceId\":\"$device\"}"
challenge=$(field .challenge)
wrong=$(printf %s "another text" | openssl dgst -sha256 -sign "$work/phone.pem" | openssl base64 -A)
right=$(printf %s "$challenge" | openssl dgst -sha256 -sign "$work/phone.pem" | openssl base64 -A)
answer="{\"deviceId\":\"$device\",\"challenge\":\"$challenge\",\"signature\":"
for _ in 1 2 3 4 5; do call 401 POST "$mobile/auth/biometric/verify" "$answer\"$wrong\"}"; done
call 429 POST "$mobile/auth/biometric/verify" "$answer\"$right\"}"
call 200 POST "$mobile/auth/logout"
holds .success
token=''

now "Another account: its mail and its page name the app, and the page says what the button does"
email=drew@example.com
device=4a1d8c63-ae2f-4b54-901c-8b7a1d2e3f40
call 201 POST "$mobile/auth/register" "{\"email\":\"$email\",\"name\":\"Drew Example\",\"deviceId\":\"$device\",\
\"deviceName\":\"Drew’s phone\",\"platform\":\"android\"}"
token=$(field .tokens.accessToken)
code=$(mailed "$email" '^ {4}[A-Z]{4}-[A-Z]{4}')
same "the mail's client" "Confirmyoure-mailaddressformwsim" "$(mailed "$email" '(Confirm your e-mail address for [a-zA-Z]+)')"

now "The code of the mail, typed in the app, proves the address and leaves the app signed in"
call 200 POST /api/auth/email/verify "{\"code\":\"$code\"}"
call 200 GET /api/auth/me
holds '.user.email_verified and .user.email == "drew@example.com"'
mailed "$email" '^Subject: Your e-mail address for mwsim is confirmed' >"$work/told"
token=''

echo "The passkey page and its apps (003)"
page='"attestationType":"none","userVerification":"preferred","residentKey":"preferred","authenticatorAttachment":"any",
  "timeout":"60000","supportedAlgorithmIDs":[-8,-7,-257],"preferredAuthenticatorType":"none"'
now "The page asks with all of its fields, under an address as the name, for a display name"
agent=page
call 200 POST /api/generate-registration-options \
  "{\"username\":\"ada@example.com\",$page,\"customRpName\":\"Passkeys Sample\",\"customRpID\":\"\"}"
holds '.challengeId and .timeout == 60000 and .rp.name == "Passkeys Sample" and .user.name == "ada@example.com"'
response=$(made ada)
call 200 POST /api/verify-registration "$(answered "$response")"
holds '.verified and .registrationInfo.credentialDeviceType == "multiDevice" and .registrationInfo.credentialBackedUp'
same credentialID "$(jq -r .id <<<"$response")" "$(field .registrationInfo.credentialID)"

now "The name is no e-mail address, and stands in nobody's way"
call 200 GET /api/auth/me
holds '.user.email == "" and .user.username == "ada@example.com" and .user.displayName == "user:ada@example.com"'
agent=''
call 201 POST /api/auth/register \
  '{"name":"Ada Example","email":"ada@example.com","password":"correct horse battery"}'
holds '.user.email == "ada@example.com"'

now "The apps ask for a challenge as their screen opens, and for another at the button; both are good"
call 200 POST /api/generate-authentication-options '{}'
holds '(.challenge | type) == "string" and (.rpId | type) == "string" and (.allowCredentials // []) == []'
early=$reply
call 200 POST /api/generate-authentication-options '{"username":"ada@example.com"}'
late=$reply
for reply in "$early" "$late"; do
  call 200 POST /api/verify-authentication "$(answered "$(signed ada)")"
  holds '.verified and .username == "ada@example.com"'
done

now "The web page's sign-in"
call 200 POST /api/generate-authentication-options '{"username":"ada@example.com","userVerification":"preferred","timeout":"60000"}'
holds '.timeout == 60000'
call 200 POST /api/verify-authentication "$(answered "$(signed ada | jq -c '. + {clientExtensionResults: {},
  authenticatorAttachment: "platform"}')")"

now "A name that nobody has looks like any other, and every error has a body"
call 200 POST /api/generate-authentication-options '{"username":"nobody"}'
call 400 POST /api/generate-authentication-options '{"username":"a"b"}'
holds .error
call 400 POST /api/verify-authentication '{"response":{}}'
holds .error
call 409 POST /api/generate-registration-options "{\"username\":\"Ada@Example.com\",$page}"
holds .error

echo "The same with a cookie (001)"
now "Five sign-ups of an address are there whatever was mistyped before"
agent=yapt
for name in ab ab ab 'ada@example.com' '<b>' ab; do
  status=400
  [[ $name != ada@* ]] || status=409
  call "$status" POST /api/auth/register/generate-options "{\"username\":\"$name\"}"
  holds .error
done
call 200 POST /api/auth/register/generate-options '{"username":"bob@example.com"}'
response=$(made bob)
call 200 POST /api/auth/register/verify "$response"
holds '.verified and (.user.isAdmin | type) == "boolean" and .user.username == "bob@example.com" and .user.email == ""'

now "Its session, its end, and the next sign-in"
call 200 GET /api/auth/me
call 200 POST /api/auth/logout ''
holds '.message | type == "string"'
call 401 GET /api/auth/me
call 200 POST /api/auth/login/generate-options '{"username":"bob@example.com"}'
holds 'all(.allowCredentials[]; .id and .type)'
call 200 POST /api/auth/login/verify "$(signed bob)"
holds '.verified and .user.id'
call 200 GET /api/auth/me
agent=''

echo "The face login app (004)"
# The mock of the face provider accepts every scan of such an address after a second.
email=accept+1s@example.com
now "Somebody opens an account with a password"
call 201 POST /api/auth/register "{\"name\":\"Robin Example\",\"email\":\"$email\",\"password\":\"correct horse battery\",\
\"department\":\"Research\",\"role\":\"user\",\"accessLevel\":\"basic\"}"
token=$(field .accessToken)
same expiresIn 3600 "$(field .expiresIn)"

now "The app enrols: it opens enrollmentUrl, and draws qrCode"
call 200 POST /api/biometric/enroll '{"userId":"x","userData":{"name":"x","email":"x","department":"","role":"user","accessLevel":"basic"}}'
holds '.alreadyEnrolled == false and .enrollment.enrollmentUrl == .enrollment.authIdUrl and .enrollment.qrCode == .enrollment.authIdUrl'
enrolment=$(field .enrollment.enrollmentId)
opened "$(field .enrollment.enrollmentUrl)"

now "It asks every few seconds until the face is enrolled"
for _ in $(seq 1 100); do
  call 200 GET "/api/biometric/enrollment/status?enrollmentId=$enrolment"
  holds '.enrollment | has("enrollmentId") and has("status") and has("progress") and has("completed") and has("createdAt") and has("expiresAt")'
  [[ $(field .enrollment.status) == pending ]] || break
  sleep 0.2
done
same "the enrolment" completed "$(field .enrollment.status)"

now "A page tells the app's user of what the app shows no error for"
status=$(curl -sS --max-time 60 -o "$work/page" -w '%{http_code}' "$site/go/sign-in-again")
same "the page's status" 200 "$status"
grep -q 'Sign in again' "$work/page" || fail "the page says nothing."

now "It signs out, and in again by face"
call 200 POST /api/auth/logout ''
token=''
# URLSession keeps cookies.
agent=face
call 200 POST /api/auth/biometric-login/initiate "{\"email\":\"$email\"}"
holds '.authUrl == .authIdUrl and (.operationId | type) == "string"'
operation=$(field .operationId)
opened "$(field .authUrl)"
for _ in $(seq 1 100); do
  call 200 GET "/api/auth/biometric-login/poll/$operation"
  [[ $(field .status) == pending ]] || break
  sleep 0.2
done
same "the login" completed "$(field .status)"
holds '.accessToken == .tokens.accessToken and .expiresIn == 3600 and (.user | has("createdAt") or has("joinDate") | not)'
token=$(field .accessToken)
refresh=$(field .refreshToken)

now "It asks who it is, and refreshes with the refresh token as bearer and no body"
call 200 GET /api/auth/me
same "the person" "$email" "$(field .user.email)"
token=$refresh call 200 POST /api/auth/refresh ''
holds '(.message | type) == "string" and (.accessToken | type) == "string"'
echo "The published clients' stories came to their end."
