-- GETs each path of a file exactly once, then stops; a path with a token behind it is a POST with that as bearer, one with
-- JSON or a form behind it a POST of that, one with a token and JSON a POST of the JSON with the token as bearer.
-- Arguments: the file, one path a line, and the number of connections. For one wrk thread.

dofile("Benchmarks/wrk/report.lua")

local ffi = require("ffi")
ffi.cdef [[
  struct bench_time { long seconds; long nanoseconds; };
  int clock_gettime(int clock, struct bench_time *time);
]]

local CLOCK_MONOTONIC = 1
local time = ffi.new("struct bench_time")
local function now()
  ffi.C.clock_gettime(CLOCK_MONOTONIC, time)
  return tonumber(time.seconds) + tonumber(time.nanoseconds) / 1e9
end

local requests = {}
local checked = false
local position = 0
local start
local idle = 0
local connections = 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    local path, token = line:match("^(%S+) (%S+)$")
    local signed, bearer, json = line:match("^(%S+) (%S+) ({%S+)$")
    if json then
      local headers = { Authorization = "Bearer " .. bearer, ["Content-Type"] = "application/json" }
      table.insert(requests, wrk.format("POST", signed, headers, json))
    elseif token and token:sub(1, 1) == "{" then
      table.insert(requests, wrk.format("POST", path, { ["Content-Type"] = "application/json" }, token))
    elseif token and token:find("=", 1, true) then
      -- No bearer has that character.
      table.insert(requests, wrk.format("POST", path, { ["Content-Type"] = "application/x-www-form-urlencoded" }, token))
    elseif token then
      table.insert(requests, wrk.format("POST", path, { Authorization = "Bearer " .. token }))
    else
      table.insert(requests, wrk.format("GET", line))
    end
  end
  connections = tonumber(arguments[2])
end

-- A connection asks for its next request when its last answer is complete: once all of them have found the list empty,
-- every answer is in. An empty request keeps a connection waiting.
function request()
  -- wrk asks once before it connects, to see what it will send, and doesn't send that.
  if not checked then
    checked = true
    return requests[1]
  end
  if not start then start = now() end
  position = position + 1
  if position <= #requests then return requests[position] end
  idle = idle + 1
  if idle == connections then
    elapsed = now() - start
    wrk.thread:stop()
  end
  return ""
end
