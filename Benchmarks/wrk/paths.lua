-- GETs the paths of a file, one after the other, over and over.
-- Argument: the file, one path a line. The requests are written beforehand, so that every row costs wrk the same.

dofile("Benchmarks/wrk/report.lua")

local requests = {}
local next = 0

function init(arguments)
  for path in io.lines(arguments[1]) do table.insert(requests, wrk.format("GET", path)) end
end

function request()
  next = next % #requests + 1
  return requests[next]
end
