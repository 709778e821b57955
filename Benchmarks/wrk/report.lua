-- One line that scripts/bench.sh reads: what was answered, how long it took, and everything that was not right.
--
-- wrk counts statuses above 399 and looks at nothing else of an answer. With BENCH_EXPLAIN in the environment it looks at
-- every answer, which takes it time, and more lines say which were not 2xx, and what was in the first of them.

local threads = {}

function setup(thread) table.insert(threads, thread) end

if os.getenv("BENCH_EXPLAIN") then
  local counts = {}
  -- Read in done(), which runs elsewhere and gets at strings alone.
  faults, first = "", nil

  function response(status, _, body)
    if status >= 200 and status < 300 then return end
    local kind = status .. " " .. (body:match('"code"%s*:%s*"([%w_]+)"') or "without a code")
    counts[kind] = (counts[kind] or 0) + 1
    local lines = {}
    for name, count in pairs(counts) do table.insert(lines, string.format("  %d × %s\n", count, name)) end
    table.sort(lines)
    faults = table.concat(lines)
    first = first or (kind .. ": " .. body:sub(1, 1000))
  end
end

local function explain()
  for _, thread in ipairs(threads) do
    local faults, first = thread:get("faults"), thread:get("first")
    if first then print("FAULTS\n" .. faults .. "  the first, " .. first) end
  end
end

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
  explain()
end
