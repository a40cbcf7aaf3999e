package import ShuntCore
package import ShuntPatterns

/// The handler of requests of a location that no rule decided.
package enum ContentHandler: UInt8, Sendable {
    /// The service itself: files, or whatever embeds the engine.
    case none
    /// `proxy_pass`.
    case proxy
    /// Another `*_pass` directive, which names a server but changes no URL.
    case other
}

/// `if_modified_since`.
package enum ModifiedCondition: UInt8, Sendable {
    case off
    /// The time has to be that of the file.
    case exact
    /// The time may be a later one.
    case before
}

/// The settings in force at one level, inheritance already resolved.
///
/// An index is none where nothing was set at this level or above it.
package struct Settings: Sendable {
    /// The template of `root` or `alias`.
    package var root = TemplateIndex.none
    /// True if `root` holds an `alias`.
    package var isAlias = false
    /// The number of bytes of the path that an `alias` replaces; -1 in a regex location, where it replaces all.
    package var aliasLength: Int32 = 0
    package var index = TableIndex<[TemplateIndex]>.none
    package var listsDirectories = false
    package var tryFiles = TableIndex<TryFiles>.none
    package var errorPages = TableIndex<[ErrorPage]>.none
    package var headers = TableIndex<[HeaderRule]>.none
    package var accessRules = TableIndex<[AccessRule]>.none
    /// `auth_request`, and the variables of `auth_request_set`.
    package var consent = TableIndex<ConsentRule>.none
    package var consentVariables = TableIndex<[ConsentVariable]>.none
    package var gates = TableIndex<AccessGates>.none
    package var referers = TableIndex<RefererRules>.none
    package var types = TableIndex<ByteTable>.none
    /// A constant; nil where `default_type` was never set.
    package var defaultType: ByteRange?
    /// `expires`; none where it is off.
    package var expiry = TableIndex<ExpiryRule>.none
    /// The most parts of a file that one answer has.
    package var maximumRanges = Int32.max
    package var sendsTag = true
    package var modified = ModifiedCondition.exact
    /// `disable_symlinks`, and the template of its `from=`.
    package var links = LinkPolicy.any
    package var linksStart = TemplateIndex.none
    /// `charset`, and the types of `charset_types` in lower case.
    package var charset = TemplateIndex.none
    package var charsetTypes = TableIndex<[[UInt8]]>.none
    package var secureLink = TemplateIndex.none
    package var secureLinkMD5 = TemplateIndex.none
    /// The word of `secure_link_secret`.
    package var secureLinkSecret: ByteRange = .empty
    package var realIP = TableIndex<RealIPRules>.none
    package var handler = ContentHandler.none
    /// True if the block itself names the handler; an `if` may have the location's.
    package var namesHandler = false
    /// True if something else than files answers; setting it names such a handler.
    package var isAnsweredByModule: Bool {
        get { handler == .other }
        set {
            handler = newValue ? .other : .none
            namesHandler = newValue
            proxy = .none
        }
    }
    /// The `ProxyTarget` of `proxy_pass`.
    package var proxy = TableIndex<ProxyTarget>.none
    /// The headers of `proxy_set_header`.
    package var upstreamHeaders = TableIndex<[HeaderRule]>.none
    package var upstream = TableIndex<UpstreamSettings>.none
    /// The changes of `proxy_redirect` to the Location of an upstream's answer; an empty list if it is off.
    package var redirects = TableIndex<[RedirectRule]>.none
    /// The changes to the cookies of an upstream's answer.
    package var cookies = TableIndex<CookieRules>.none
    /// The place where requests are logged; none, and an empty list, where nowhere.
    package var accessLogs = TableIndex<[AccessLogRule]>.none
    /// The expression of `fastcgi_split_path_info`; none without one.
    package var scriptPattern = ExpressionIndex.none
    /// The name of `fastcgi_index`.
    package var scriptIndex: ByteRange?
    package var isInternal = false
    package var recursiveErrorPages = false
    package var absoluteRedirect = true
    package var serverNameInRedirect = false
    package var portInRedirect = true
    package var mergesSlashes = true
    package var takesUnderscores = false
    package var ignoresInvalidHeaders = true
    /// The `MethodLimit` of `limit_except`.
    package var methodLimit = TableIndex<MethodLimit>.none
    /// The most header lines a request may have.
    package var maximumHeaders: Int32 = 1000
    /// The longest time that a client's connection may be idle after an answer, in milliseconds; -1 if it is not set.
    package var keepAlive: Int32 = -1
    /// The number of requests after which it ends.
    package var keepAliveRequests = Int32.max
    /// The `TLSSettings` of a server.
    package var tls = TableIndex<TLSSettings>.none
    /// The rewrite sequence of the level; none where there is no sequence (`limit_except`).
    package var sequence = InstructionIndex.none

    package init() {}

    /// True if a request that the rewrites let through goes on as it is, as long as there are no files to look at:
    /// no one reads the client's address, and nothing refuses the request or serves something else.
    package var endsWithRewrites: Bool {
        realIP.isNone && upstream.isNone && methodLimit.isNone && accessRules.isNone && consent.isNone && gates.isNone
            && tryFiles.isNone && index.isNone && handler == .none
    }

    /// True if nothing can refuse a request in the access phase.
    package var hasNoGates: Bool { accessRules.isNone && consent.isNone && gates.isNone }

    /// The settings that a server or a location inherits: all but the handler of requests.
    package var ofBlock: Settings {
        var settings = ofInnerBlock
        settings.handler = .none
        settings.namesHandler = false
        settings.proxy = .none
        return settings
    }

    /// The settings that an `if` or a `limit_except` inherits.
    package var ofInnerBlock: Settings {
        var settings = self
        settings.tryFiles = .none
        settings.methodLimit = .none
        settings.sequence = .none
        return settings
    }
}

/// `limit_except METHODS { … }`.
package struct MethodLimit: Sendable {
    /// The methods that keep the location's own settings.
    package var methods: [[UInt8]]
    /// The settings for all others.
    package var settings: SettingsIndex
}

/// One `error_page` for one code.
package struct ErrorPage: Sendable {
    package var code: Int32
    /// The status of `=NEW`; 0 for a bare `=`, -1 without one.
    package var overwrite: Int32
    package var target: TemplateIndex
    package var position: SourcePosition
}

/// One `add_header`.
package struct HeaderRule: Sendable {
    package var name: [UInt8]
    package var value: TemplateIndex
    package var always: Bool
    /// True if a later one takes the place of an earlier one: nginx does so with ETag and Last-Modified.
    package var isSingle: Bool
}

/// One `allow` or `deny`.
package struct AccessRule: Sendable {
    /// The addresses it covers.
    package enum Scope: Sendable {
        case all
        case network(AddressNetwork)
        case unix
    }

    package var scope: Scope
    package var allows: Bool
    package var position: SourcePosition
}

/// `auth_request`.
package struct ConsentRule: Sendable {
    /// The path that is asked; empty for `off`.
    package var target: ByteRange
    package var position: SourcePosition
}

/// One `auth_request_set`.
package struct ConsentVariable: Sendable {
    package var variable: VariableIndex
    package var value: TemplateIndex
}

/// `try_files`: the candidates and the last resort.
package struct TryFiles: Sendable {
    package struct Candidate: Sendable {
        package var name: TemplateIndex
        package var isDirectory: Bool
    }

    package var candidates: [Candidate]
    /// The template of the last resort; none for `=CODE`.
    package var fallback: TemplateIndex
    /// The code of `=CODE`, else 0.
    package var code: Int32
    package var position: SourcePosition
}

/// `proxy_pass`, taken apart when it is loaded.
package struct ProxyTarget: Sendable {
    /// The whole URL as a template.
    package var template: TemplateIndex
    /// `http://host:port` without a URI part, for a target without variables; `http://unix:PATH:` for a Unix socket.
    package var base: ByteRange
    /// The parts of it; nil for a target with variables.
    package var address: ProxyAddress?
    /// The group of servers that it names.
    package var group = TableIndex<UpstreamGroup>.none
    /// The URI part as written; empty without one.
    package var path: ByteRange
    /// True if the target has variables: then the URI part, if the value has one, replaces the request's whole.
    package var hasVariables: Bool
    /// The number of bytes of the path that the URI part replaces.
    package var locationLength: Int32
    package var position: SourcePosition
}

/// `valid_referers`.
package struct RefererRules: Sendable {
    package var allowsNone = false
    package var allowsBlocked = false
    /// True if the names of the server count, which are known when the server is compiled.
    package var usesServerNames = false
    /// The names, each with the path a referer must begin with (empty: any).
    package var names: HostTable?
    package var paths: [[UInt8]] = []
    /// The names that the directive itself lists, by number.
    package var listed: [[UInt8]] = []
    /// The regular expressions on the host, which come from `server_names`.
    package var hostPatterns: [ExpressionIndex] = []
    /// The regular expressions on what follows the scheme.
    package var patterns: [ExpressionIndex] = []
}

/// `set_real_ip_from`, `real_ip_header` and `real_ip_recursive`.
package struct RealIPRules: Sendable {
    package var trusted: [AccessRule.Scope] = []
    /// In lower case, with the dashes as written.
    package var header: [UInt8] = Array("x-real-ip".utf8)
    /// The word in place of a header's name if the connection begins with the address.
    static let proxyProtocol = Array("proxy_protocol".utf8)
    /// The input that has that address.
    static let proxyProtocolInput = "proxy_protocol_addr"
    package var isRecursive = false

    package init() {}
}
