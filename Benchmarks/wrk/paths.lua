-- GETs the paths of a file, one after the other, over and over.
-- Argument: the file, one path a line, with a blank and a token behind it where that is its bearer. The requests are written beforehand, so that every row costs wrk the same.

dofile("Benchmarks/wrk/report.lua")

local requests = {}
local next = 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    local path, token = line:match("^(%S+) (%S+)$")
    local headers = token and { Authorization = "Bearer " .. token } or nil
    table.insert(requests, wrk.format("GET", path or line, headers))
  end
end

function request()
  next = next % #requests + 1
  return requests[next]
end
