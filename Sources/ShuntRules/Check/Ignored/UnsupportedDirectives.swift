extension DirectiveTable {
    /// Directives of nginx and of its usual additions that set variables or answer requests in ways that cannot be
    /// had here, so that ignoring them would change decisions.
    static let unsupported: [DirectiveGroup] = [
        DirectiveGroup(
            .settings,
            .atLeast(1),
            "modern_browser ancient_browser modern_browser_value ancient_browser_value",
            role: .unsupported("use a map on $http_user_agent")
        ),
        DirectiveGroup(
            .http,
            .atLeast(1),
            "geoip_country geoip_org geoip_city geoip_proxy geoip_proxy_recursive",
            role: .unsupported("use geo with a list of networks, or an input that the caller supplies")
        ),
        DirectiveGroup(
            .http,
            .atLeast(1),
            "geoip2",
            hasBlock: true,
            role: .unsupported("use geo with a list of networks, or an input that the caller supplies")
        ),
        DirectiveGroup(
            [.http, .location, .limitExcept],
            .atLeast(1),
            "perl perl_set perl_modules perl_require",
            role: .unsupported("code in rule files is not run; use a map, or an input that the caller supplies")
        ),
        DirectiveGroup(
            [.settings, .ifInLocation, .limitExcept],
            .atLeast(1),
            "js_import js_path js_set js_var js_content js_access js_header_filter js_body_filter",
            role: .unsupported("code in rule files is not run; use a map, or an input that the caller supplies")
        ),
    ]
}
