-- POSTs the webhooks of a file, one after the other, over and over.
-- Argument: the file, in each line id, time, signature and body with tabs between. The requests are written beforehand.

dofile("Benchmarks/wrk/report.lua")

local requests = {}
local next = 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    local id, time, signature, body = line:match("^([^\t]+)\t([^\t]+)\t([^\t]+)\t(.+)$")
    table.insert(requests, wrk.format("POST", "/webhooks/mock", {
      ["Content-Type"] = "application/json",
      ["webhook-id"] = id,
      ["webhook-timestamp"] = time,
      ["webhook-signature"] = signature,
    }, body))
  end
end

function request()
  next = next % #requests + 1
  return requests[next]
end
