-- Signs in with a password per request, as the people of a file in turn: tries for one account that are under way at the
-- same time count as if they were wrong, and five of them lock it until one was right.
-- Argument: the file, one e-mail address a line; all have the password of the bench.

dofile("Benchmarks/wrk/report.lua")

local requests = {}
local next = 0

function init(arguments)
  for email in io.lines(arguments[1]) do
    local body = string.format('{"email":"%s","password":"correct horse battery"}', email)
    table.insert(requests, wrk.format("POST", "/auth/login", { ["Content-Type"] = "application/json" }, body))
  end
end

function request()
  next = next % #requests + 1
  return requests[next]
end
