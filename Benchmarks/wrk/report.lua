-- One line that scripts/bench.sh reads: what was answered, how long it took, and everything that was not right.

local threads = {}

function setup(thread) table.insert(threads, thread) end

function done(summary)
  local seconds = summary.duration / 1e6
  for _, thread in ipairs(threads) do
    -- Set by a script that ends by count instead of time.
    local elapsed = thread:get("elapsed")
    if elapsed then seconds = elapsed end
  end
  local errors = summary.errors
  print(string.format(
    "BENCH requests=%d seconds=%.6f bytes=%d status=%d socket=%d",
    summary.requests, seconds, summary.bytes, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
