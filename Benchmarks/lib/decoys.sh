# The row of decoys. Sourced by scripts/bench.sh.

# Whether the time of a start tells an account that can sign in from one that can't: the Kolmogorov–Smirnov distance of two
# thousand starts each, the four in turn over one connection, the largest of three rounds.
row_decoys() {
  local enrolled=enrolled@example.com unknown=unknown1@example.com disabled=disabled@example.com faceless=faceless@example.com
  local settings=(--config config/vestibule.yaml --data "$work/data-decoys" "${switches[@]}")
  daemon decoys "$enrolled"
  settings+=(--set "providers.mock.baseURL=${urls[mock]}")
  {
    "$bin/vestibule" accounts add --email "$disabled" --name "Bench Person" --enroll mock "${settings[@]}"
    "$bin/vestibule" accounts disable "$disabled" "${settings[@]}"
    "$bin/vestibule" accounts add --email "$faceless" --name "Bench Person" "${settings[@]}"
  } >"$work/accounts.log" 2>&1 || { cat "$work/accounts.log" >&2; fail "the accounts of decoys could not be made."; }
  "$bin/bench-seed" decoys --server "${urls[decoys]}" --emails "$enrolled,$unknown,$disabled,$faceless" \
    --count "$decoys" | tee "$work/decoys"
  [[ $(rows decoys "SELECT COUNT(*) FROM operations WHERE account IS NOT NULL") -eq $((3 * (decoys + 50))) ]] \
    || fail "not every start for $enrolled was a login, or one for another was."
  [[ $(wc -l <"$work/decoys") -eq 3 ]] || fail "three addresses were not compared."
  stop decoys
  local email distance
  while read -r email distance; do
    # In hundredths: the table has two places.
    bound "time of a start, ${email%@*} : enrolled" "$(awk -v d="$distance" 'BEGIN { print d * 100 }')" "% (D)" 6
  done < <(sed -E 's/^([^ ]+) .* largest ([0-9.]+) .*/\1 \2/' "$work/decoys")
}
