-- Begins as many backchannel requests as it is told, one after the other on each connection, and writes their ids to a file.
-- Arguments: the form, the number of requests, the number of connections, the file. For one wrk thread.

dofile("Benchmarks/wrk/report.lua")

local form, count, connections, output
local sent, idle = 0, 0
local checked = false

function init(arguments)
  count, connections = tonumber(arguments[2]), tonumber(arguments[3])
  output = io.open(arguments[4], "w")
  form = wrk.format("POST", "/oauth/bc-authorize", {
    ["Content-Type"] = "application/x-www-form-urlencoded",
  }, arguments[1])
end

-- As in once.lua: an empty request keeps a connection waiting until all of them have nothing left to ask.
function request()
  if not checked then
    checked = true
    return form
  end
  sent = sent + 1
  if sent <= count then return form end
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
