#!/usr/bin/env bash
# The wallet from an empty phone to a payment, in curl: starts the daemon, the stand-in for the face provider and the one
# for a bank on free ports, plays the story against them, and stops and removes all of it. Ends with an error at the first
# answer that is not as it should be. docs/guide/devices-and-wallet.md shows its main lines.
#
#   STORY_BIN=FOLDER   binaries that are there already; nothing is built
set -euo pipefail
cd "$(dirname "$0")/.."
# The mock of the face provider accepts every scan of such an address after a second.
email=accept+1s@example.com
device=3f0c7b52-9d1e-4a43-8f0b-7a6f0c1d2e3f
bank=example
swift=${SWIFT:-swift}
pids=()
token=''
step=0
steps=14

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
  echo "wallet-story: $*" >&2
  : >"$work/failed"
  exit 1
}

# now TEXT: the next step.
now() {
  step=$((step + 1))
  printf '[%2d/%d] %s\n' "$step" "$steps" "$1"
}

# note TEXT: what came of it.
note() {
  [[ ! -e $work/failed ]] || exit 1
  printf '        %s\n' "$1"
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

# call STATUS METHOD PATH [JSON]: a request of the app's, with its token if it has one. The answer's body is left in $reply;
# one with another status ends the story.
call() {
  local wanted=$1 method=$2 path=$3 status
  local options=(-sS --max-time 60 -X "$method" -o "$work/reply" -w '%{http_code}')
  [[ -n $token ]] && options+=(-H "Authorization: Bearer $token")
  [[ $# -gt 3 ]] && options+=(-H 'Content-Type: application/json' -d "$4")
  status=$(curl "${options[@]}" "$site$path") || fail "$method $path was not answered."
  reply=$(<"$work/reply")
  [[ $status == "$wanted" ]] || fail "$method $path was answered with $status instead of $wanted: $reply"
}

# field FILTER: what jq finds in the last answer, which has to be there.
field() { jq -er "$1" <<<"$reply" || fail "the answer has no $1: $reply"; }

# same WHAT SHOULD IS: ends the story where they differ.
same() { [[ $2 == "$3" ]] || fail "$1 is '$3' instead of '$2'."; }

# sent_on URL [CURL OPTION...]: where a browser is sent from there.
sent_on() {
  local url=$1 target
  shift
  target=$(curl -sS --max-time 60 -o "$work/page" -D - "$@" "$url" | tr -d '\r' | sed -n 's/^[Ll]ocation: //p')
  [[ -n $target ]] || fail "${url%%\?*} sends the browser nowhere: $(<"$work/page")"
  printf '%s' "$target"
}

# signature TEXT: the phone's, over exactly these bytes.
signature() { printf '%s' "$1" | openssl dgst -sha256 -sign "$work/phone.pem" | openssl base64 -A; }

# scanned: opens the page of the last answer as the person's browser, with the number on it if there is one; the mock does
# the rest.
scanned() {
  local page number status
  page=$(field .authIdUrl)
  number=$(jq -r '.number // empty' <<<"$reply")
  status=$(curl -sS --max-time 60 -o "$work/page" -w '%{http_code}' "$site/go/${page##*/go/}" -d "number=$number")
  same "the answer of the scan's page" 303 "$status"
}

# ended PATH: polls until it is no longer pending.
ended() {
  local status=pending
  for _ in $(seq 1 10); do
    call 200 GET "$1?wait=20"
    status=$(field .status)
    [[ $status == pending ]] || break
  done
  same "the end of the scan" completed "$status"
}

scripts/packages.sh curl jq openssl || exit 1
bin=${STORY_BIN:-}
if [[ -z $bin ]]; then
  scripts/toolchain.sh
  echo "Building (a first build takes some minutes)…"
  source scripts/build-flags.sh
  for product in vestibule authid-mock bank-mock; do "$swift" build --product "$product" "${build_flags[@]}"; done
  bin=$("$swift" build --show-bin-path)
fi

echo "Starting the three programs…"
start authid-mock "$bin/authid-mock" --port 0
scans=http://127.0.0.1:$port
start bank-mock "$bin/bank-mock" --port 0 --client-id vestibule --client-secret mock-bank-secret
bank_site=http://127.0.0.1:$port
mkdir -m 700 "$work/data"
start vestibule "$bin/vestibule" serve --config config/vestibule.yaml --data "$work/data" \
  --set listen.port=0 --set "providers.mock.baseURL=$scans" --set faceLogin.hotCheck=200ms \
  --set "banks.$bank.name=Example Bank" --set "banks.$bank.clientID=vestibule" \
  --set "banks.$bank.clientSecret=mock-bank-secret" --set "banks.$bank.scopes=cards" \
  --set "banks.$bank.authorizeURL=$bank_site/authorize" --set "banks.$bank.tokenURL=$bank_site/token" \
  --set "banks.$bank.cardsURL=$bank_site/cards"
site=http://localhost:$port
mobile=/api/mobile
# The bank sends browsers back to nobody whom it does not know.
curl -sS --fail -X PUT "$bank_site/_mock/redirect-uris" -d "[\"$site/api/enrollment/callback/$bank\"]" \
  || fail "the bank takes no redirect URI."

now "The phone registers itself"
call 200 POST "$mobile/device/register" "{\"deviceId\":\"$device\",\"platform\":\"ios\",\"deviceName\":\"My phone\"}"
note "its credential is good until $(field .expiresAt)"

now "Somebody opens an account on it"
call 201 POST "$mobile/auth/register" \
  "{\"email\":\"$email\",\"name\":\"Ada Example\",\"deviceId\":\"$device\",\"deviceName\":\"My phone\",\"platform\":\"ios\"}"
token=$(field .tokens.accessToken)
note "$(field .user.email) is signed in"

now "The phone makes a key that asks for a face or a finger (P-256)"
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/phone.pem" 2>/dev/null
public=$(openssl pkey -in "$work/phone.pem" -pubout -outform DER | openssl base64 -A)
call 200 POST "$mobile/auth/biometric/setup" \
  "{\"deviceId\":\"$device\",\"publicKey\":\"$public\",\"biometricType\":\"face\"}"
same "the key's status" enabled "$(field .status)"

now "It signs in by the key"
call 200 POST "$mobile/auth/biometric/challenge" "{\"deviceId\":\"$device\"}"
challenge=$(field .challenge)
proof=$(signature "$challenge")
call 200 POST "$mobile/auth/biometric/verify" \
  "{\"deviceId\":\"$device\",\"challenge\":\"$challenge\",\"signature\":\"$proof\"}"
token=$(field .accessToken)
note "$(field .user.name)"

now "Which banks are there?"
call 200 GET "$mobile/enrollment/banks"
note "$(field ".banks[] | select(.bsimId == \"$bank\") | .name")"

now "The person signs in at the bank, and lets the wallet have the cards"
call 200 POST "$mobile/enrollment/start/$bank" '{}'
page=$(field .authUrl)
same "the code challenge" S256 "$(sed -nE 's/.*[?&]code_challenge_method=([^&]*).*/\1/p' <<<"$page")"
curl -sS --fail --max-time 60 -o "$work/page" "$page" || fail "the bank shows no page."
back=$(sent_on "$page" -d customer=alice)
link=$(sent_on "$back")
[[ $link == "mwsim://enrollment/callback?"*success=true* ]] || fail "the app is told: $link"
note "$link"

now "The cards"
call 200 GET "$mobile/wallet/cards"
card=$(field '.cards[] | select(.isDefault) | .id')
note "$(field '.cards | map(.cardType + " …" + .lastFour) | join(", ")')"

now "The wallet as a whole"
call 200 GET "$mobile/wallet/summary"
same "the count of the cards" "$(field '.cards | length')" "$(field '.enrolledBanks[0].cardCount')"
note "$(field '.enrolledBanks[0] | "\(.cardCount) cards of \(.name)"'), a key of the phone: $(field .biometricEnabled)"

now "A payment begins"
call 201 POST /api/merchant/payment/initiate \
  "{\"cardId\":\"$card\",\"amount\":\"12.50\",\"currency\":\"EUR\",\"merchant\":{\"name\":\"Example Books\"}}"
payment=$(field .paymentId)
challenge=$(field .challenge)
text=$(field .textToSign)
note "$(field '"\(.amount) \(.currency) to \(.merchant.name)"'), $(field .expiresIn) s to confirm it"

now "The phone signs amount and payee, and that confirms it; once"
proof=$(signature "$text")
confirmation="{\"paymentId\":\"$payment\",\"challenge\":\"$challenge\",\"signature\":\"$proof\"}"
call 200 POST /api/merchant/payment/confirm "$confirmation"
same "the payment's status" confirmed "$(field .status)"
card_token=$(field .cardToken)
note "a card token for $(field .cardTokenExpiresIn) s, and a receipt"
call 409 POST /api/merchant/payment/confirm "$confirmation"
same "the code" payment_over "$(field .code)"

now "The merchant redeems the card token; once"
token='' call 200 POST /api/merchant/payment/redeem "{\"cardToken\":\"$card_token\"}"
note "$(field '"\(.amount) \(.currency) of \(.cardType) …\(.lastFour)"')"
token='' call 404 POST /api/merchant/payment/redeem "{\"cardToken\":\"$card_token\"}"

now "A face is enrolled"
call 200 POST /api/auth/biometric-enrollment/initiate
scanned
ended "/api/auth/biometric-enrollment/poll/$(field .operationId)"

now "A second payment is confirmed by it"
call 201 POST /api/merchant/payment/initiate \
  '{"amount":"99.00","currency":"EUR","merchant":{"name":"Example Travel"},"idempotencyKey":"second"}'
payment=$(field .paymentId)
call 200 POST "$mobile/payment/$payment/approve" '{"method":"face"}'
scanned
ended "/api/auth/approvals/poll/$(field .operationId)"
approval=$(field .approval.token)
call 200 POST /api/merchant/payment/confirm "{\"paymentId\":\"$payment\",\"approvalToken\":\"$approval\"}"
claims='.receipt | split(".")[1] | gsub("-"; "+") | gsub("_"; "/") | @base64d | fromjson'
note "its receipt: $(field "$claims"' | "\(.amount.value) \(.amount.currency) to \(.payee), by \(.method)"')"

now "All payments"
call 200 GET "$mobile/payments"
same "what they are" "confirmed confirmed" "$(field '[.payments[].status] | join(" ")')"
note "$(field '.payments | map("\(.amount) \(.currency)") | join(", ")')"
echo "The wallet's story came to its end."
