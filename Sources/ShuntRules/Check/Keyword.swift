/// The directives that decide something, by the names they have in rule files.
package enum Keyword: String, Sendable, Hashable, CaseIterable {
    // The structure.
    case http, server, location, upstream, include
    case limitExcept = "limit_except"

    // The server.
    case listen
    case serverName = "server_name"
    case mergeSlashes = "merge_slashes"
    case underscoresInHeaders = "underscores_in_headers"
    case ignoreInvalidHeaders = "ignore_invalid_headers"
    case largeClientHeaderBuffers = "large_client_header_buffers"
    case maxHeaders = "max_headers"

    // Rewriting.
    case rewrite, `return`, `if`, set, `break`
    case rewriteLog = "rewrite_log"
    case uninitializedVariableWarn = "uninitialized_variable_warn"

    // Variables.
    case map, geo
    case splitClients = "split_clients"
    case validReferers = "valid_referers"
    case secureLink = "secure_link"
    case secureLinkMD5 = "secure_link_md5"
    case secureLinkSecret = "secure_link_secret"

    // Access.
    case allow, deny, satisfy, `internal`
    case setRealIPFrom = "set_real_ip_from"
    case realIPHeader = "real_ip_header"
    case realIPRecursive = "real_ip_recursive"

    // Where a request ends.
    case root, alias, index, types
    case autoindex
    case tryFiles = "try_files"
    case errorPage = "error_page"
    case recursiveErrorPages = "recursive_error_pages"
    case defaultType = "default_type"
    case addHeader = "add_header"
    case absoluteRedirect = "absolute_redirect"
    case portInRedirect = "port_in_redirect"
    case serverNameInRedirect = "server_name_in_redirect"

    // Handlers.
    case proxyPass = "proxy_pass"
    case fastcgiPass = "fastcgi_pass"
    case uwsgiPass = "uwsgi_pass"
    case scgiPass = "scgi_pass"
    case grpcPass = "grpc_pass"
    case memcachedPass = "memcached_pass"

    // Whole URLs.
    case block, blocklist, degrade, match, input, `else`, route, expect
    case renameHost = "rename_host"
    case rewriteURL = "rewrite_url"
}
