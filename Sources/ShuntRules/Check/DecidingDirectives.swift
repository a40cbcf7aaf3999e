/// The directives that decide something, by the names they have in rule files.
package enum Keyword: String, Sendable, Hashable, CaseIterable {
    // The structure.
    case http, server, location, upstream, include
    case limitExcept = "limit_except"

    // The server.
    case listen
    case serverName = "server_name"
    case largeClientHeaderBuffers = "large_client_header_buffers"
    case maxHeaders = "max_headers"
    case keepaliveRequests = "keepalive_requests"
    case keepaliveTimeout = "keepalive_timeout"
    case sslCertificate = "ssl_certificate"
    case sslCertificateKey = "ssl_certificate_key"
    case sslPasswordFile = "ssl_password_file"
    case sslProtocols = "ssl_protocols"
    case sslRejectHandshake = "ssl_reject_handshake"
    case sslVerifyClient = "ssl_verify_client"

    // Rewriting.
    case rewrite, redirects, `return`, `if`, set, `break`

    // Variables.
    case map, geo
    case splitClients = "split_clients"
    case validReferers = "valid_referers"
    case secureLink = "secure_link"
    case secureLinkMD5 = "secure_link_md5"
    case secureLinkSecret = "secure_link_secret"

    // Access.
    case allow, deny, satisfy
    case authRequest = "auth_request"
    case authRequestSet = "auth_request_set"
    case authBasic = "auth_basic"
    case authBasicUserFile = "auth_basic_user_file"
    case limitReqZone = "limit_req_zone"
    case limitReq = "limit_req"
    case limitConnZone = "limit_conn_zone"
    case limitConn = "limit_conn"
    case setRealIPFrom = "set_real_ip_from"
    case realIPHeader = "real_ip_header"
    case realIPRecursive = "real_ip_recursive"

    // Where a request ends.
    case root, alias, index, types
    case tryFiles = "try_files"
    case errorPage = "error_page"
    case addHeader = "add_header"
    case ifModifiedSince = "if_modified_since"
    case maxRanges = "max_ranges"
    case disableSymlinks = "disable_symlinks"
    case expires, charset
    case charsetTypes = "charset_types"

    // Handlers.
    case proxyPass = "proxy_pass"
    case proxySetHeader = "proxy_set_header"
    case proxyRedirect = "proxy_redirect"
    case proxyCookieDomain = "proxy_cookie_domain"
    case proxyCookiePath = "proxy_cookie_path"
    case proxyCookieFlags = "proxy_cookie_flags"
    case logFormat = "log_format"
    case accessLog = "access_log"
    case fastcgiPass = "fastcgi_pass"
    case fastcgiSplitPathInfo = "fastcgi_split_path_info"
    case uwsgiPass = "uwsgi_pass"
    case scgiPass = "scgi_pass"
    case grpcPass = "grpc_pass"
    case memcachedPass = "memcached_pass"

    // Whole URLs.
    case block, blocklist, degrade, match, input, `else`, route, routing, expect, timezone
    case matchSpelling = "match_spelling"
    case removeArguments = "remove_args"
    case decode, encode
    case renameHost = "rename_host"
    case rewriteURL = "rewrite_url"
    case ignoreDirective = "ignore_directive"
}

extension DirectiveTable {
    /// The directives that have a part in decisions: contexts and arguments as in nginx, and our own.
    static let deciding: [DirectiveRow] = structure + rewriting + settings + handlers + urlPhase

    private static let structure: [DirectiveRow] = [
        .directive(.http, .topLevel, .none, "{ ... }", block: true, once: "http"),
        .directive(.server, .http, .none, "{ ... }", block: true),
        .directive(
            .location,
            [.server, .location],
            .between(1, 2),
            "[= | ^~ | ~ | ~*] PATTERN { ... } or location @NAME { ... }",
            block: true
        ),
        .directive(.limitExcept, .location, .atLeast(1), "METHOD... { ... }", block: true, once: "limit_except"),
        .directive(.upstream, .http, .exactly(1), "NAME { ... }", block: true),
        .directive(.listen, .server, .atLeast(1), "ADDRESS[:PORT] [OPTION...]; or listen PORT [OPTION...];"),
        .directive(.serverName, .server, .atLeast(1), "NAME...;"),
        // Includes are resolved before; one that is left has the wrong number of arguments.
        .directive(
            .include,
            [.urlPhase, .settings, .ifInServer, .ifInLocation, .limitExcept, .upstream],
            .exactly(1),
            "PATH;"
        ),
    ]

    private static let rewriting: [DirectiveRow] = [
        .directive(.rewrite, .rewriting, .between(2, 3), "REGEX REPLACEMENT [last | break | redirect | permanent];"),
        .directive(.redirects, [.urlPhase, .server], .atLeast(1), "FILE [OPTION...];"),
        .directive(.return, .rewriting, .between(1, 2), "CODE [TEXT]; or return CODE URL; or return URL;"),
        .directive(.if, [.server, .location], .atLeast(1), "(CONDITION) { ... }", block: true),
        .directive(.set, [.rewriting, .urlPhase], .exactly(2), "$NAME VALUE;"),
        .directive(.break, [.rewriting, .urlPhase], .none, ";"),
        .flag("rewrite_log", [.http, .rewriting]),
        .flag("uninitialized_variable_warn", [.http, .rewriting]),
        .directive(.map, .http, .exactly(2), "STRING $NAME { ... }", block: true),
        .directive(.geo, .http, .between(1, 2), "[$ADDRESS] $NAME { ... }", block: true),
        .directive(.splitClients, .http, .exactly(2), "STRING $NAME { ... }", block: true),
    ]

    private static let handlers: [DirectiveRow] = [
        .setting(.proxyPass, [.location, .ifInLocation, .limitExcept], .exactly(1), "URL;"),
        .setting(.fastcgiPass, [.location, .ifInLocation], .exactly(1), "ADDRESS;"),
        .setting("fastcgi_index", .settings, .exactly(1), "NAME;", .text(\.scriptIndex)),
        .setting(.fastcgiSplitPathInfo, .settings, .exactly(1), "REGEX;"),
        .setting(.uwsgiPass, [.location, .ifInLocation], .exactly(1), "ADDRESS;"),
        .setting(.scgiPass, [.location, .ifInLocation], .exactly(1), "ADDRESS;"),
        .setting(.grpcPass, [.location, .ifInLocation], .exactly(1), "ADDRESS;"),
        .setting(.memcachedPass, [.location, .ifInLocation], .exactly(1), "ADDRESS;"),
        .setting("empty_gif", .location, .none, ";", .presence(\.isAnsweredByModule)),
        .setting("stub_status", .location, .between(0, 1), ";", .presence(\.isAnsweredByModule)),
    ]

    private static let urlPhase: [DirectiveRow] = [
        .directive(.renameHost, .urlPhase, .exactly(2), "FROM TO;"),
        .directive(.rewriteURL, .urlPhase, .between(2, 3), "REGEX REPLACEMENT [FLAG];"),
        .directive(.degrade, .urlPhase, .atLeast(2), "MATCHER URL;"),
        .directive(
            .block,
            [.urlPhase, .server],
            .atLeast(1),
            "MATCHER [STATUS]; or block networks | agents | urls FILE [STATUS];"
        ),
        .directive(.blocklist, .urlPhase, .between(1, 2), "FILE [STATUS];"),
        .directive(.match, .urlPhase, .atLeast(1), "MATCHER { ... }", block: true),
        .directive(.removeArguments, [.urlPhase, .rewriting], .atLeast(1), "NAME... ~REGEX...;"),
        .directive(.decode, [.urlPhase, .rewriting], .exactly(2), "$NAME SOURCE;"),
        .directive(.encode, [.urlPhase, .rewriting], .exactly(2), "$NAME SOURCE;"),
        .setting(.matchSpelling, .urlPhase, .exactly(1), "loose | exact;"),
        .directive(.if, .urlPhase, .atLeast(1), "(CONDITION) { ... }", block: true),
        .directive(.else, .urlPhase, .atLeast(0), "{ ... } or else if (CONDITION) { ... }", block: true),
        .directive(.input, .topLevel, .between(1, 2), "$NAME [DEFAULT];"),
        .directive(.ignoreDirective, .http, .atLeast(1), "NAME...;"),
        .setting(.timezone, .topLevel, .exactly(1), "OFFSET;"),
        .setting(.routing, .topLevel, .atLeast(1), "[PRESET] [OPTION=VALUE...];"),
        .directive(.route, .topLevel, .between(2, 36), "[METHOD] PATTERN NAME [priority=N] [default=NAME:VALUE...];"),
        .directive(
            .expect,
            .topLevel,
            .between(2, 4),
            "URL DECISION [STATUS] [URL]; or expect URL route NAME; or expect URL DECISION [STATUS] [URL] { ... }",
            optionalBlock: true
        ),
    ]
}
