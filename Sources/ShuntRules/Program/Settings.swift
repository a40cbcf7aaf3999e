package import ShuntCore
package import ShuntPatterns

/// What handles the requests of a location that no rule decided.
package enum ContentHandler: UInt8, Sendable {
    /// The service itself: files, or whatever embeds the engine.
    case none
    /// `proxy_pass`.
    case proxy
    /// Another `*_pass` directive, which names a server but changes no URL.
    case other
}

/// The settings in force at one level, inheritance already resolved.
///
/// Indices point into the program's tables; -1 means that nothing was set at this level or above it.
package struct Settings: Sendable {
    /// The template of `root` or `alias`.
    package var root: Int32 = -1
    /// Whether `root` holds an `alias`.
    package var isAlias = false
    /// The number of bytes of the path that an `alias` replaces; -1 in a regex location, where it replaces all.
    package var aliasLength: Int32 = 0
    package var index: Int32 = -1
    package var listsDirectories = false
    package var tryFiles: Int32 = -1
    package var errorPages: Int32 = -1
    package var headers: Int32 = -1
    package var accessRules: Int32 = -1
    package var referers: Int32 = -1
    package var types: Int32 = -1
    /// A constant; nil where `default_type` was never set.
    package var defaultType: ByteRange?
    package var secureLink: Int32 = -1
    package var secureLinkMD5: Int32 = -1
    /// The word of `secure_link_secret`.
    package var secureLinkSecret: ByteRange = .empty
    package var realIP: Int32 = -1
    package var handler = ContentHandler.none
    /// Whether the block itself names the handler; an `if` may have the location's.
    package var namesHandler = false
    /// Whether something else than files answers; setting it names such a handler.
    package var isAnsweredByModule: Bool {
        get { handler == .other }
        set {
            handler = newValue ? .other : .none
            namesHandler = newValue
            proxy = -1
        }
    }
    /// The `ProxyTarget` of `proxy_pass`.
    package var proxy: Int32 = -1
    /// The headers of `proxy_set_header`.
    package var upstreamHeaders: Int32 = -1
    /// The expression of `fastcgi_split_path_info`; -1 without one.
    package var scriptPattern: Int32 = -1
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
    package var methodLimit: Int32 = -1
    /// The most header lines a request may have.
    package var maximumHeaders: Int32 = 1000
    /// The `TLSSettings` of a server.
    package var tls: Int32 = -1
    /// The rewrite sequence of the level; -1 where there is none (`limit_except`).
    package var sequence: Int32 = -1

    package init() {}

    /// Whether a request that the rewrites let through goes on as it is, as long as there are no files to look at: nobody reads the
    /// client's address, and nothing refuses the request or serves something else.
    package var endsWithRewrites: Bool {
        realIP < 0 && methodLimit < 0 && accessRules < 0 && tryFiles < 0 && index < 0 && handler == .none
    }

    /// What a server or a location inherits: all but what handles requests there.
    package var ofBlock: Settings {
        var settings = ofInnerBlock
        settings.handler = .none
        settings.namesHandler = false
        settings.proxy = -1
        return settings
    }

    /// What an `if` or a `limit_except` inherits.
    package var ofInnerBlock: Settings {
        var settings = self
        settings.tryFiles = -1
        settings.methodLimit = -1
        settings.sequence = -1
        return settings
    }
}

/// `limit_except METHODS { … }`.
package struct MethodLimit: Sendable {
    /// The methods that keep the location's own settings.
    package var methods: [[UInt8]]
    /// The settings for all others.
    package var settings: Int32
}

/// One `error_page` for one code.
package struct ErrorPage: Sendable {
    package var code: Int32
    /// The status of `=NEW`; 0 for a bare `=`, -1 without one.
    package var overwrite: Int32
    package var target: Int32
    package var position: SourcePosition
}

/// One `add_header`.
package struct HeaderRule: Sendable {
    package var name: [UInt8]
    package var value: Int32
    package var always: Bool
    /// Whether a later one takes the place of an earlier one: nginx does so with ETag and Last-Modified.
    package var isSingle: Bool
}

/// One `allow` or `deny`.
package struct AccessRule: Sendable {
    /// What addresses it covers.
    package enum Scope: Sendable {
        case all
        case network(AddressNetwork)
        case unix
    }

    package var scope: Scope
    package var allows: Bool
    package var position: SourcePosition
}

/// `try_files`: the candidates and the last resort.
package struct TryFiles: Sendable {
    /// One candidate.
    package struct Candidate: Sendable {
        package var name: Int32
        package var isDirectory: Bool
    }

    package var candidates: [Candidate]
    /// The template of the last resort; -1 for `=CODE`.
    package var fallback: Int32
    /// The code of `=CODE`, else 0.
    package var code: Int32
    package var position: SourcePosition
}

/// `proxy_pass`, taken apart when it is loaded.
package struct ProxyTarget: Sendable {
    /// The whole URL as a template.
    package var template: Int32
    /// `http://host:port` without a URI part, for a target without variables.
    package var base: ByteRange
    /// The URI part as written; empty without one.
    package var path: ByteRange
    /// Whether the target has variables: then the URI part, if the value has one, replaces the request's whole.
    package var hasVariables: Bool
    /// The number of bytes of the path that the URI part replaces.
    package var locationLength: Int32
    package var position: SourcePosition
}

/// `valid_referers`.
package struct RefererRules: Sendable {
    package var allowsNone = false
    package var allowsBlocked = false
    /// Whether the names of the server count, which are known when the server is compiled.
    package var usesServerNames = false
    /// The names, each with the path a referer must begin with (empty: any).
    package var names: HostTable?
    package var paths: [[UInt8]] = []
    /// The names that the directive itself lists, by number.
    package var listed: [[UInt8]] = []
    /// The regular expressions on the host, which come from `server_names`.
    package var hostPatterns: [Int32] = []
    /// The regular expressions on what follows the scheme.
    package var patterns: [Int32] = []
}

/// `set_real_ip_from`, `real_ip_header` and `real_ip_recursive`.
package struct RealIPRules: Sendable {
    package var trusted: [AccessRule.Scope] = []
    /// In lower case, with the dashes as written.
    package var header: [UInt8] = Array("x-real-ip".utf8)
    /// What stands in place of a header's name where the connection begins with the address.
    static let proxyProtocol = Array("proxy_protocol".utf8)
    /// The input that has that address.
    static let proxyProtocolInput = "proxy_protocol_addr"
    package var isRecursive = false

    package init() {}
}
