-- POSTs the forms of a file, one after the other, over and over.
-- Argument: the file, in each line a path and a form with a blank between. The requests are written beforehand.

dofile("Benchmarks/wrk/report.lua")

local requests = {}
local next = 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    local path, form = line:match("^(%S+) (%S+)$")
    table.insert(requests, wrk.format("POST", path, { ["Content-Type"] = "application/x-www-form-urlencoded" }, form))
  end
end

function request()
  next = next % #requests + 1
  return requests[next]
end
