# The rows of the authorization server's tokens. Sourced by scripts/bench.sh.

# Of the laptop's config the client myvoo, which is given a page of the web to be sent its codes to: with that, a browser that is
# signed in gets them without a question. It sends a code challenge with each.
oauth_page=http://localhost:8080
oauth_redirect=https://app.example.com/done
oauth_switches=(
  --set oauth.enabled=true --set oauth.codeLifetime=10m --set "publicURL=$oauth_page"
  --set "clients.myvoo.oauth.redirectURIs=$oauth_redirect"
)

# seed_codes SERVER KIND COUNT FILE ARGUMENT...: has codes issued at the daemon, and writes the requests that they are good for.
seed_codes() {
  local server=$1 kind=$2 count=$3 output=$4
  shift 4
  "$bin/bench-seed" codes --server "${urls[$server]}" --origin "$oauth_page" --client-id myvoo \
    --redirect "$oauth_redirect" --kind "$kind" --count "$count" --output "$output" "$@" \
    || fail "the codes of $server could not be had."
}

# Each code once: it opens a session, and brings an access token, a refresh token and an id token.
row_token() {
  local counts redeemed grants
  local switches=("${switches[@]}" "${oauth_switches[@]}")
  for _ in $(runs); do
    daemon token "$pending"
    seed_codes token codes "$completions" "$work/codes"
    bare token-bare
    load token token "$connections" once.lua "$work/codes" "$connections"
    # In one read: what was on its way when the time ran out may still be written.
    counts=$(rows token "SELECT (SELECT COUNT(DISTINCT session) FROM oauth_codes WHERE redeemed_at IS NOT NULL),
      (SELECT COUNT(*) FROM oauth_grants)")
    IFS='|' read -r redeemed grants <<<"$counts"
    [[ $grants -eq $redeemed ]] || fail "$redeemed codes were redeemed, but $grants grants opened."
    ((redeemed >= requests && redeemed <= requests + connections)) || fail "$requests answers, but $redeemed redeemed."
    ((bytes / requests > 1200)) || fail "the answers have $((bytes / requests)) bytes: too few for tokens."
    stop token
  done
  compare "token (code, PKCE) : bare" token token-bare 0.14
}

# Each token once: every request rotates, and makes a row.
row_token_refresh() {
  local made
  local switches=("${switches[@]}" "${oauth_switches[@]}")
  for _ in $(runs); do
    daemon token-refresh "$pending"
    seed_codes token-refresh refreshes "$completions" "$work/refreshes"
    bare token-refresh-bare
    load token-refresh token-refresh "$connections" once.lua "$work/refreshes" "$connections"
    made=$(rows token-refresh "SELECT COUNT(DISTINCT parent) FROM refresh_tokens WHERE parent IS NOT NULL")
    ((made >= requests && made <= requests + connections)) || fail "$requests answers, but $made rotations."
    ((bytes / requests > 1200)) || fail "the answers have $((bytes / requests)) bytes: too few for tokens."
    stop token-refresh
  done
  compare "token (refresh) : bare" token-refresh token-refresh-bare 0.14
}

# A hundred access tokens, each of a session of its own that is open, asked about over and over by the client that holds them.
row_introspection() {
  local secret=Bench0Bench1Bench2Bench3Bench4Bench5 size
  local switches=("${switches[@]}" "${oauth_switches[@]}"
    --set clients.myvoo.oauth.authentication=secret --set "clients.myvoo.oauth.secret=$secret")
  daemon introspection "$pending"
  seed_codes introspection introspections 100 "$work/questions" --client-secret "$secret"
  warm introspection forms.lua "$work/questions"
  for _ in $(runs); do
    bare introspection-bare
    load introspection introspection "$connections" forms.lua "$work/questions"
    # A token that is worth nothing is 200 as well, and shorter.
    size=$(active_size introspection "$work/questions")
    ((bytes / requests > size - 20 && bytes / requests < size + 20)) \
      || fail "the answers have $((bytes / requests)) bytes, and those about a good token $size."
  done
  stop introspection
  compare "introspection (access token, secret) : bare" introspection introspection-bare ""
}

# active_size SERVER FILE: the bytes of the answer to the first question, which has to say that the token is good.
active_size() {
  local path form said
  read -r path form < <(head -n 1 "$2")
  said=$(curl -sS --fail -w '\n%{size_header} %{size_download}' "${urls[$1]}$path" -d "$form") \
    || fail "nobody answered a question about a token."
  [[ $said == *'"active":true'* && $said =~ ([0-9]+)\ ([0-9]+)$ ]] || fail "a token is not good any more: $said"
  echo $((BASH_REMATCH[1] + BASH_REMATCH[2]))
}
