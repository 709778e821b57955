-- Polls for the tokens of backchannel requests, one after the other, over and over.
-- Arguments: the file of their ids, one a line; the client's credentials as a form has them, or a file with one assertion a
-- line, each good once, behind an @.

dofile("Benchmarks/wrk/report.lua")

local ids, assertions = {}, nil
local credentials
local next, used = 0, 0
local headers = { ["Content-Type"] = "application/x-www-form-urlencoded" }
local grant = "grant_type=urn%3Aopenid%3Aparams%3Agrant-type%3Aciba&auth_req_id="
local requests = {}

local kind = "&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer&client_assertion="

function init(arguments)
  for id in io.lines(arguments[1]) do table.insert(ids, id) end
  credentials = arguments[2]
  if credentials:sub(1, 1) == "@" then
    assertions = {}
    for text in io.lines(credentials:sub(2)) do table.insert(assertions, text) end
    return
  end
  -- Written beforehand, so that every row costs wrk the same.
  for _, id in ipairs(ids) do
    table.insert(requests, wrk.format("POST", "/oauth/token", headers, grant .. id .. "&" .. credentials))
  end
end

function request()
  next = next % #ids + 1
  if not assertions then return requests[next] end
  used = used + 1
  -- One that was used is refused, which the bench counts: there have to be enough.
  return wrk.format("POST", "/oauth/token", headers, grant .. ids[next] .. kind .. (assertions[used] or "none"))
end
