-- wrk: posts the body given as the first argument, with another id in place of [<id>] in each request.
local number = 0

function init(arguments)
  template, run = arguments[1], arguments[2]
end

function request()
  number = number + 1
  local body = template:gsub("%[<id>%]", run .. number)
  return wrk.format("POST", nil, nil, body)
end
