-- The action `lua.shunt`: asks a decision service about the request, without its body.
--
-- Sets the target of the request and the variables txn.shunt_host, txn.shunt_upstream, txn.shunt_rule and txn.shunt_close,
-- or answers the request. HAProxy has its client for HTTP since 2.5. It asks one instance: where that does not answer, the
-- answer is 503.

local service = "http://127.0.0.1:9000/"
local timeout = 1000

-- What belongs to the connection, or says something to the service.
local not_asked = {
    ["connection"] = true, ["content-length"] = true, ["transfer-encoding"] = true, ["expect"] = true,
    ["upgrade"] = true, ["te"] = true, ["host"] = true, ["x-forwarded-for"] = true, ["x-forwarded-proto"] = true,
    ["x-forwarded-host"] = true, ["x-forwarded-uri"] = true, ["x-forwarded-method"] = true,
}

local not_answered = { ["connection"] = true, ["content-length"] = true, ["transfer-encoding"] = true }

local function lists(headers)
    local result = {}
    for name, values in pairs(headers) do
        if not not_asked[name] then
            local list = {}
            for _, value in pairs(values) do list[#list + 1] = value end
            result[name] = list
        end
    end
    return result
end

local function first(headers, name)
    local values = headers and headers[name]
    if not values then return nil end
    for _, value in pairs(values) do return value end
end

core.register_action("shunt", { "http-req" }, function(txn)
    local asked = lists(txn.http:req_get_headers())
    asked["x-forwarded-method"] = { txn.sf:method() }
    asked["x-forwarded-uri"] = { txn.sf:pathq() }
    asked["x-forwarded-host"] = { txn.sf:req_fhdr("host") }
    asked["x-forwarded-for"] = { txn.sf:src() }
    asked["x-forwarded-proto"] = { txn.sf:ssl_fc() == "1" and "https" or "http" }

    local answer = core.httpclient():get({ url = service, headers = asked, timeout = timeout })
    local action = first(answer.headers, "x-shunt-action")

    if action == "forward" and answer.status == 200 then
        txn.http:req_set_uri(first(answer.headers, "x-shunt-target"))
        txn:set_var("txn.shunt_host", first(answer.headers, "x-shunt-host"))
        txn:set_var("txn.shunt_upstream", first(answer.headers, "x-shunt-upstream") or "")
        txn:set_var("txn.shunt_rule", first(answer.headers, "x-shunt-rule") or "")
        return
    end
    if first(answer.headers, "x-shunt-status") == "444" then
        txn:set_var("txn.shunt_close", true)
        return
    end

    -- HAProxy's client answers for a service that cannot be reached.
    local status = answer.status
    if not status or status < 200 or (not action and status >= 500) then status = 503 end
    local reply = txn:reply({ status = status, reason = answer.reason })
    if action or status < 500 then
        for name, values in pairs(answer.headers or {}) do
            if not not_answered[name] and name:sub(1, 8) ~= "x-shunt-" then
                for _, value in pairs(values) do reply:add_header(name, value) end
            end
        end
        if txn.sf:method() ~= "HEAD" then reply:set_body(answer.body or "") end
    end
    txn:done(reply)
end)
