-- Begins as many backchannel requests as it is told, one after the other on each connection, and writes their ids to a file.
-- Arguments: the form without the client's credentials, the number of requests, the number of connections, the file, and the
-- credentials as ciba.lua has them, with an assertion more than requests. For one wrk thread.

dofile("Benchmarks/wrk/report.lua")
dofile("Benchmarks/wrk/assertions.lua")

local form, count, connections, output, credentials
local sent, idle = 0, 0
local checked = false

function init(arguments)
  form, count, connections = arguments[1], tonumber(arguments[2]), tonumber(arguments[3])
  output = io.open(arguments[4], "w")
  local file = arguments[5]:match("^@(.+)$")
  local lines = file and io.lines(file)
  credentials = function() return lines and asserted(lines()) or arguments[5] end
end

local function order()
  local headers = { ["Content-Type"] = "application/x-www-form-urlencoded" }
  return wrk.format("POST", "/oauth/bc-authorize", headers, form .. "&" .. credentials())
end

-- As in once.lua: an empty request keeps a connection waiting until all of them have nothing left to ask.
function request()
  if not checked then
    checked = true
    return order()
  end
  sent = sent + 1
  if sent <= count then return order() end
  idle = idle + 1
  if idle == connections then
    output:close()
    wrk.thread:stop()
  end
  return ""
end

function response(_, _, body)
  local id = body:match('"auth_req_id"%s*:%s*"([%w_-]+)"')
  if id then output:write(id, "\n") end
end
