# The rows of the wallet. Sourced by scripts/bench.sh.

# The bank that the wallets' cards come from, under this id.
wallet_bank=bench
# Payments of one owner: as many as may be open at one time.
wallet_payments=50

# wallets NAME OWNERS: a bank, and a fresh daemon that knows it, with so many people who have a face; their addresses are left
# in $work/owners. Their addresses can be signed in with, but no mail can go there (an underscore in a host name).
wallets() {
  local name=$1 bank
  start bank "$bin/bank-mock" --port 0
  bank=${urls[bank]}
  # Scans sign them in, and their app sends no cookie that could prove a known device.
  local switches=(
    "${switches[@]}" --set clients.mwsim.initiators=anyone
    --set "wallet.payments.openPerAccount=$wallet_payments" --set wallet.payments.perDay=10000
    --set wallet.payments.lifetime=15m
    --set "banks.$wallet_bank.name=Bench Bank" --set "banks.$wallet_bank.clientID=vestibule"
    --set "banks.$wallet_bank.clientSecret=mock-bank-secret" --set "banks.$wallet_bank.authorizeURL=$bank/authorize"
    --set "banks.$wallet_bank.tokenURL=$bank/token" --set "banks.$wallet_bank.cardsURL=$bank/cards"
  )
  seq -f 'accept+%g@bench_people.example.com' 1 "$2" >"$work/owners"
  { echo email,name,provider && sed 's/$/,Bench Person,mock/' "$work/owners"; } >"$work/owners.csv"
  daemon "$name" "$pending"
  "$bin/vestibule" accounts import "$work/owners.csv" --config config/vestibule.yaml --data "$work/data-$name" \
    "${switches[@]}" --set "providers.mock.baseURL=${urls[mock]}" >"$work/accounts.log" 2>&1 \
    || { cat "$work/accounts.log" >&2; fail "the owners of the wallets could not be made."; }
  # The bank sends browsers back to nobody whom it does not know; the daemon calls itself by this name.
  curl -sS --fail-with-body -X PUT "$bank/_mock/redirect-uris" \
    -d "[\"http://localhost:${urls[$name]##*:}/api/enrollment/callback/$wallet_bank\"]" \
    || fail "the bank takes no redirect URI."
}

# seed_wallets NAME CUSTOMER KIND FILE ARGUMENT...: brings the cards of a customer of the bank into all wallets of the daemon,
# and writes what their apps ask.
seed_wallets() {
  local name=$1 customer=$2 kind=$3 output=$4
  shift 4
  "$bin/bench-seed" wallets --server "${urls[$name]}" --owners "$work/owners" --bank "$wallet_bank" \
    --customer "$customer" --kind "$kind" --output "$output" "$@" || fail "the wallets of $name could not be filled."
}

# A hundred wallets with twenty cards each, asked for over and over, each by a session of its own.
row_wallet_summary() {
  local size
  wallets summary 100
  seed_wallets summary many summaries "$work/summaries"
  [[ $(rows summary "SELECT COUNT(*) FROM wallet_cards WHERE removed_at IS NULL") -eq 2000 ]] \
    || fail "the wallets do not have twenty cards each."
  warm summary paths.lua "$work/summaries"
  for _ in $(runs); do
    bare summary-bare
    load summary summary "$connections" paths.lua "$work/summaries"
    size=$((bytes / requests))
    # A card is more than a hundred bytes of JSON.
    ((size > 2000)) || fail "the answers have $size bytes: too few for twenty cards."
  done
  stop summary bank
  compare "wallet summary, 20 cards : bare" summary summary-bare ""
}

# Payments that were begun and signed before, each confirmed once: the signature is checked, the payment closed, and a receipt
# signed.
row_payment_confirm() {
  local confirmed
  for _ in $(runs); do
    wallets payments "$(((completions + wallet_payments - 1) / wallet_payments))"
    seed_wallets payments alice confirmations "$work/confirmations" --count "$completions"
    bare payments-bare
    load payments payments "$connections" once.lua "$work/confirmations" "$connections"
    confirmed=$(rows payments "SELECT COUNT(*) FROM payments WHERE state = 'confirmed'")
    ((confirmed >= requests && confirmed <= requests + connections)) \
      || fail "$requests answers, but $confirmed payments are confirmed."
    ((bytes / requests > 600)) || fail "the answers have $((bytes / requests)) bytes: too few for a receipt."
    stop payments bank
  done
  compare "payment confirm (device key) : bare" payments payments-bare ""
}
