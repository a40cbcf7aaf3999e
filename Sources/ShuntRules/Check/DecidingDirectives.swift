extension DirectiveTable {
    /// The directives that have a part in decisions: contexts and arguments as in nginx, and our own.
    static let deciding: [DirectiveSpecification] = structure + rewriting + settings + handlers + urlPhase

    private static func directive(
        _ keyword: Keyword,
        _ contexts: Contexts,
        _ arguments: ArgumentCount,
        block: Bool = false,
        once: String? = nil
    ) -> DirectiveSpecification {
        DirectiveSpecification(
            name: keyword.rawValue,
            contexts: contexts,
            arguments: arguments,
            hasBlock: block,
            onceName: once,
            role: .decides(keyword)
        )
    }

    private static func setting(
        _ keyword: Keyword,
        _ contexts: Contexts,
        _ arguments: ArgumentCount
    ) -> DirectiveSpecification {
        directive(keyword, contexts, arguments, once: keyword.rawValue)
    }

    private static let structure: [DirectiveSpecification] = [
        directive(.http, .topLevel, .none, block: true, once: "http"),
        directive(.server, .http, .none, block: true),
        directive(.location, [.server, .location], .between(1, 2), block: true),
        directive(.limitExcept, .location, .atLeast(1), block: true, once: "limit_except"),
        directive(.upstream, .http, .exactly(1), block: true),
        directive(.listen, .server, .atLeast(1)),
        directive(.serverName, .server, .atLeast(1)),
        // Includes are resolved before; one that is left has the wrong number of arguments.
        directive(
            .include,
            [.urlPhase, .settings, .ifInServer, .ifInLocation, .limitExcept, .upstream],
            .exactly(1)
        ),
    ]

    private static let rewriting: [DirectiveSpecification] = [
        directive(.rewrite, .rewriting, .between(2, 3)),
        directive(.return, .rewriting, .between(1, 2)),
        directive(.if, [.server, .location], .atLeast(1), block: true),
        directive(.set, [.rewriting, .urlPhase], .exactly(2)),
        directive(.break, [.rewriting, .urlPhase], .none),
        setting(.rewriteLog, [.http, .rewriting], .flag),
        setting(.uninitializedVariableWarn, [.http, .rewriting], .flag),
        directive(.map, .http, .exactly(2), block: true),
        directive(.geo, .http, .between(1, 2), block: true),
        directive(.splitClients, .http, .exactly(2), block: true),
    ]

    private static let settings: [DirectiveSpecification] = [
        setting(.mergeSlashes, [.http, .server], .flag),
        setting(.underscoresInHeaders, [.http, .server], .flag),
        setting(.ignoreInvalidHeaders, [.http, .server], .flag),
        setting(.largeClientHeaderBuffers, [.http, .server], .exactly(2)),
        setting(.maxHeaders, [.http, .server], .exactly(1)),
        directive(.validReferers, [.server, .location], .atLeast(1)),
        setting(.secureLink, .settings, .exactly(1)),
        setting(.secureLinkMD5, .settings, .exactly(1)),
        setting(.secureLinkSecret, .settings, .exactly(1)),
        directive(.allow, [.settings, .limitExcept], .exactly(1)),
        directive(.deny, [.settings, .limitExcept], .exactly(1)),
        setting(.satisfy, .settings, .exactly(1)),
        setting(.internal, .location, .none),
        directive(.setRealIPFrom, .settings, .exactly(1)),
        setting(.realIPHeader, .settings, .exactly(1)),
        setting(.realIPRecursive, .settings, .flag),
        directive(.root, [.settings, .ifInLocation], .exactly(1), once: "root"),
        directive(.alias, .location, .exactly(1), once: "root"),
        directive(.index, .settings, .atLeast(1)),
        setting(.autoindex, .settings, .flag),
        directive(.types, .settings, .none, block: true),
        setting(.tryFiles, [.server, .location], .atLeast(2)),
        directive(.errorPage, [.settings, .ifInLocation], .atLeast(2)),
        setting(.recursiveErrorPages, .settings, .flag),
        setting(.defaultType, .settings, .exactly(1)),
        directive(.addHeader, [.settings, .ifInLocation], .between(2, 3)),
        setting(.absoluteRedirect, .settings, .flag),
        setting(.portInRedirect, .settings, .flag),
        setting(.serverNameInRedirect, .settings, .flag),
    ]

    private static let handlers: [DirectiveSpecification] = [
        setting(.proxyPass, [.location, .ifInLocation, .limitExcept], .exactly(1)),
        setting(.fastcgiPass, [.location, .ifInLocation], .exactly(1)),
        setting(.uwsgiPass, [.location, .ifInLocation], .exactly(1)),
        setting(.scgiPass, [.location, .ifInLocation], .exactly(1)),
        setting(.grpcPass, [.location, .ifInLocation], .exactly(1)),
        setting(.memcachedPass, [.location, .ifInLocation], .exactly(1)),
    ]

    private static let urlPhase: [DirectiveSpecification] = [
        directive(.renameHost, .urlPhase, .exactly(2)),
        directive(.rewriteURL, .urlPhase, .between(2, 3)),
        directive(.degrade, .urlPhase, .atLeast(2)),
        directive(.block, .urlPhase, .atLeast(1)),
        directive(.blocklist, .urlPhase, .between(1, 2)),
        directive(.match, .urlPhase, .atLeast(1), block: true),
        directive(.if, .urlPhase, .atLeast(1), block: true),
        directive(.else, .urlPhase, .atLeast(0), block: true),
        directive(.input, .topLevel, .between(1, 2)),
        directive(.route, .topLevel, .between(2, 6)),
        directive(.expect, .topLevel, .between(2, 4)),
    ]

    /// Directives of nginx and of its usual additions that set variables or answer requests in ways that cannot be
    /// had here, so that ignoring them would change decisions.
    static let unsupported: [DirectiveSpecification] = [
        IgnoredGroup(
            .settings,
            .atLeast(1),
            "modern_browser ancient_browser modern_browser_value ancient_browser_value",
            role: .unsupported("use a map on $http_user_agent")
        ),
        IgnoredGroup(
            .http,
            .atLeast(1),
            "geoip_country geoip_org geoip_city geoip_proxy geoip_proxy_recursive",
            role: .unsupported("use geo with a list of networks, or an input that the caller supplies")
        ),
        IgnoredGroup(
            .http,
            .atLeast(1),
            "geoip2",
            hasBlock: true,
            role: .unsupported("use geo with a list of networks, or an input that the caller supplies")
        ),
        IgnoredGroup(
            [.http, .location, .limitExcept],
            .atLeast(1),
            "perl perl_set perl_modules perl_require",
            role: .unsupported("code in rule files is not run; use a map, or an input that the caller supplies")
        ),
        IgnoredGroup(
            [.settings, .ifInLocation, .limitExcept],
            .atLeast(1),
            "js_import js_path js_set js_var js_content js_access js_header_filter js_body_filter",
            role: .unsupported("code in rule files is not run; use a map, or an input that the caller supplies")
        ),
    ]
    .flatMap(\.specifications)
}
