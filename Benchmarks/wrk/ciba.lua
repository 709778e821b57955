-- Polls for the tokens of backchannel requests, one after the other, over and over.
-- Arguments: the file of their ids, one a line; the client's credentials as a form has them, or behind an @ a file with one
-- assertion a line. Of assertions each is sent once, and wrk fails when there are too few.

dofile("Benchmarks/wrk/report.lua")
dofile("Benchmarks/wrk/assertions.lua")

-- Written beforehand, so that every row costs wrk the same.
local requests = {}
local next = 0
local isOnce

function init(arguments)
  local ids = {}
  for id in io.lines(arguments[1]) do table.insert(ids, id) end
  local function add(id, credentials)
    local form = "grant_type=urn%3Aopenid%3Aparams%3Agrant-type%3Aciba&auth_req_id=" .. id .. "&" .. credentials
    local headers = { ["Content-Type"] = "application/x-www-form-urlencoded" }
    table.insert(requests, wrk.format("POST", "/oauth/token", headers, form))
  end
  local file = arguments[2]:match("^@(.+)$")
  isOnce = file ~= nil
  if file then
    for assertion in io.lines(file) do add(ids[#requests % #ids + 1], asserted(assertion)) end
  else
    for _, id in ipairs(ids) do add(id, arguments[2]) end
  end
end

function request()
  next = next + 1
  if next > #requests then
    if isOnce then error("there are too few assertions") end
    next = 1
  end
  return requests[next]
end
