import ShuntCore

/// The variables that the engine computes from the request itself.
package enum BuiltinVariable: Int32, Sendable, CaseIterable {
    case arguments
    case binaryRemoteAddress
    case connection
    case connectionLimitStatus
    case connectionRequests
    case contentLength
    case contentType
    case dateGMT
    case documentRoot
    case fastcgiPathInfo
    case fastcgiScriptName
    case host
    case hostname
    case https
    case invalidReferer
    case isArguments
    case limitRate
    case milliseconds
    case nginxVersion
    case port
    case processIdentifier
    case proxyForwardedFor
    case proxyHost
    case proxyPort
    case realPathRoot
    case remoteAddress
    case remotePort
    case remoteUser
    case realIPRemoteAddress
    case realIPRemotePort
    case request
    case requestFilename
    case requestIdentifier
    case requestLimitStatus
    case requestMethod
    case requestURI
    case scheme
    case secureLink
    case secureLinkExpires
    case serverAddress
    case serverName
    case serverPort
    case serverProtocol
    case status
    case time
    case timeISO8601
    case timeLocal
    case timeOfDay
    case uri
    case url
    case weekday

    /// The names in rule files, without the dollar sign.
    package static let names: [String: BuiltinVariable] = [
        "args": .arguments, "query_string": .arguments, "binary_remote_addr": .binaryRemoteAddress,
        "connection": .connection, "connection_requests": .connectionRequests, "content_length": .contentLength,
        "content_type": .contentType, "date_gmt": .dateGMT, "document_root": .documentRoot, "document_uri": .uri,
        "fastcgi_path_info": .fastcgiPathInfo, "fastcgi_script_name": .fastcgiScriptName, "host": .host,
        "hostname": .hostname, "https": .https, "invalid_referer": .invalidReferer, "is_args": .isArguments,
        "limit_conn_status": .connectionLimitStatus, "limit_rate": .limitRate, "limit_req_status": .requestLimitStatus,
        "msec": .milliseconds, "nginx_version": .nginxVersion, "pid": .processIdentifier,
        "port": .port, "proxy_add_x_forwarded_for": .proxyForwardedFor, "proxy_host": .proxyHost,
        "proxy_port": .proxyPort, "realip_remote_addr": .realIPRemoteAddress, "realip_remote_port": .realIPRemotePort,
        "realpath_root": .realPathRoot, "remote_addr": .remoteAddress, "remote_port": .remotePort,
        "remote_user": .remoteUser,
        "request": .request, "request_filename": .requestFilename, "request_id": .requestIdentifier,
        "request_method": .requestMethod, "request_uri": .requestURI, "scheme": .scheme, "secure_link": .secureLink,
        "secure_link_expires": .secureLinkExpires, "server_addr": .serverAddress, "server_name": .serverName,
        "server_port": .serverPort, "server_protocol": .serverProtocol, "status": .status,
        "time": .time, "time_iso8601": .timeISO8601, "time_local": .timeLocal, "time_of_day": .timeOfDay,
        "weekday": .weekday, "uri": .uri, "url": .url,
    ]

    /// True if the value may change while a request is decided, so that it is computed again at each use.
    package var isVolatile: Bool {
        switch self {
        case .arguments, .isArguments, .uri, .url, .host, .port, .scheme, .requestFilename, .documentRoot,
            .realPathRoot, .requestMethod, .requestURI, .secureLinkExpires, .status, .limitRate, .serverName,
            .fastcgiPathInfo, .fastcgiScriptName, .proxyHost, .proxyPort, .requestLimitStatus, .connectionLimitStatus:
            true
        default:
            false
        }
    }
}

/// The place where a variable gets its value from.
enum VariableSource: UInt8, Sendable {
    /// Nothing but `set` and named captures; empty before.
    case assigned
    /// A `BuiltinVariable`, by its raw value.
    case builtin
    /// The request header whose name is the variable's parameter.
    case requestHeader
    /// The argument of the query whose name is the parameter.
    case argument
    /// The cookie whose name is the parameter.
    case cookie
    /// A response header, which has no value while a request is decided.
    case responseHeader
    /// A header of the answer of an upstream after which the request is decided about again; else without a value.
    case upstreamHeader
    case map
    case split
    case geo
    /// An `input`: what the caller supplies.
    case input
    /// A variable of nginx that has no value here unless the caller supplies it as an input.
    case external
}

struct Variable: Sendable {
    /// The name in lower case, without the dollar sign.
    var name: String
    var source = VariableSource.assigned
    /// The index of the map, split, geo or input, or the raw value of the builtin.
    var index: Int32 = 0
    /// The parameter of a prefix family (`http_`, `arg_`, `cookie_`), among the program's constants.
    var parameter = ByteRange.empty
    /// True if it is computed at each use.
    var isVolatile = false
    /// True if access logs alone have asked for it: no rule reads it.
    var isOnlyLogged = false
}
