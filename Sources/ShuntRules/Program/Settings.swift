package import ShuntCore
import ShuntPatterns

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
/// An index is unset where nothing was set at this level or above it.
struct Settings: Sendable {
    /// The template of `root` or `alias`.
    var root = TemplateIndex.none
    /// True if `root` holds an `alias`.
    var isAlias = false
    /// The number of bytes of the path that an `alias` replaces; -1 in a regex location, where it replaces all.
    var aliasLength: Int32 = 0
    var index = TableIndex<[TemplateIndex]>.none
    var listsDirectories = false
    var tryFiles = TableIndex<TryFiles>.none
    var errorPages = TableIndex<[ErrorPage]>.none
    var headers = TableIndex<[HeaderRule]>.none
    var accessRules = TableIndex<[AccessRule]>.none
    /// `auth_request`, and the variables of `auth_request_set`.
    var consent = TableIndex<ConsentRule>.none
    var consentVariables = TableIndex<[ConsentVariable]>.none
    var gates = TableIndex<AccessGates>.none
    var referers = TableIndex<RefererRules>.none
    var types = TableIndex<ByteTable>.none
    /// A constant; nil where `default_type` was never set.
    var defaultType: ByteRange?
    /// `expires`; none where it is off.
    var expiry = TableIndex<ExpiryRule>.none
    /// The most parts of a file that one answer has.
    var maximumRanges = Int32.max
    var sendsTag = true
    /// False if an answer without a length ends with the connection.
    var sendsChunks = true
    var modified = ModifiedCondition.exact
    /// `disable_symlinks`, and the template of its `from=`.
    var links = LinkPolicy.any
    var linksStart = TemplateIndex.none
    /// `charset`, and the types of `charset_types` in lower case.
    var charset = TemplateIndex.none
    var charsetTypes = TableIndex<[[UInt8]]>.none
    var secureLink = TemplateIndex.none
    var secureLinkMD5 = TemplateIndex.none
    /// The word of `secure_link_secret`.
    var secureLinkSecret: ByteRange = .empty
    var realIP = TableIndex<RealIPRules>.none
    var handler = ContentHandler.none
    /// True if the block itself names the handler; an `if` may have the location's.
    var namesHandler = false
    /// True if something else than files answers; setting it names such a handler.
    var isAnsweredByModule: Bool {
        get { handler == .other }
        set {
            handler = newValue ? .other : .none
            namesHandler = newValue
            proxy = .none
        }
    }
    var proxy = TableIndex<ProxyTarget>.none
    /// The headers of `proxy_set_header`.
    var upstreamHeaders = TableIndex<[HeaderRule]>.none
    var upstream = TableIndex<UpstreamSettings>.none
    /// The changes of `proxy_redirect` to the Location of an upstream's answer; an empty list if it is off.
    var redirects = TableIndex<[RedirectRule]>.none
    /// The changes to the cookies of an upstream's answer.
    var cookies = TableIndex<CookieRules>.none
    /// The place where requests are logged; none, and an empty list, where nowhere.
    var accessLogs = TableIndex<[AccessLogRule]>.none
    /// The expression of `fastcgi_split_path_info`; none without one.
    var scriptPattern = ExpressionIndex.none
    /// The name of `fastcgi_index`.
    var scriptIndex: ByteRange?
    var isInternal = false
    var recursiveErrorPages = false
    var absoluteRedirect = true
    var serverNameInRedirect = false
    var portInRedirect = true
    var mergesSlashes = true
    var takesUnderscores = false
    var ignoresInvalidHeaders = true
    var methodLimit = TableIndex<MethodLimit>.none
    /// The most header lines a request may have.
    var maximumHeaders: Int32 = 1000
    /// The longest time that a client's connection may be idle after an answer, in milliseconds; -1 if it is not set.
    var keepAlive: Int32 = -1
    /// The number of requests after which it ends.
    var keepAliveRequests = Int32.max
    var tls = TableIndex<TLSSettings>.none
    /// The rewrite sequence of the level; none where there is no sequence (`limit_except`).
    var sequence = InstructionIndex.none

    init() {}

    /// True if a request that the rewrites let through continues unchanged, as long as there are no files to read:
    /// no one reads the client's address, and nothing refuses the request or serves something else.
    var endsWithRewrites: Bool {
        realIP.isNone && upstream.isNone && methodLimit.isNone && accessRules.isNone && consent.isNone && gates.isNone
            && tryFiles.isNone && index.isNone && handler == .none
    }

    /// True if nothing can refuse a request in the access phase.
    var hasNoGates: Bool { accessRules.isNone && consent.isNone && gates.isNone }

    /// The settings that a server or a location inherits: all but the handler of requests.
    var ofBlock: Settings {
        var settings = ofInnerBlock
        settings.handler = .none
        settings.namesHandler = false
        settings.proxy = .none
        return settings
    }

    /// The settings that an `if` or a `limit_except` inherits.
    var ofInnerBlock: Settings {
        var settings = self
        settings.tryFiles = .none
        settings.methodLimit = .none
        settings.sequence = .none
        return settings
    }
}

/// `limit_except METHODS { … }`.
struct MethodLimit: Sendable {
    /// The methods that keep the location's own settings.
    var methods: [[UInt8]]
    var settings: SettingsIndex
}

/// One `error_page` for one code.
struct ErrorPage: Sendable {
    var code: Int32
    /// The status of `=NEW`; 0 for a bare `=`, -1 without one.
    var overwrite: Int32
    var target: TemplateIndex
    var position: SourcePosition
}

/// One `add_header`.
struct HeaderRule: Sendable {
    var name: [UInt8]
    var value: TemplateIndex
    var always: Bool
    /// True if a later one takes the place of an earlier one: nginx does so with ETag and Last-Modified.
    var isSingle: Bool
}

/// One `allow` or `deny`.
package struct AccessRule: Sendable {
    /// The addresses it covers.
    package enum Scope: Sendable {
        case all
        case network(AddressNetwork)
        case unix

        /// True if it covers IPv4 addresses.
        var isForV4: Bool {
            switch self {
            case .all: true
            case .network(let network): network.base.bitCount == 32
            case .unix: false
            }
        }

        /// Returns true if it covers an IPv4-mapped address as the IPv6 address that it is.
        func hasMapped(_ address: InternetAddress?) -> Bool {
            guard case .network(let network) = self, let address else { return false }
            return network.containsMapped(address)
        }
    }

    package var scope: Scope
    package var allows: Bool
    package var position: SourcePosition
}

/// `auth_request`.
struct ConsentRule: Sendable {
    /// The path that is asked; empty for `off`.
    var target: ByteRange
    var position: SourcePosition
}

/// One `auth_request_set`.
struct ConsentVariable: Sendable {
    var variable: VariableIndex
    var value: TemplateIndex
}

/// `try_files`: the candidates and the last resort.
struct TryFiles: Sendable {
    struct Candidate: Sendable {
        var name: TemplateIndex
        var isDirectory: Bool
    }

    var candidates: [Candidate]
    /// The template of the last resort; none for `=CODE`.
    var fallback: TemplateIndex
    /// The code of `=CODE`, else 0.
    var code: Int32
    var position: SourcePosition
}

/// `proxy_pass`, taken apart when it is loaded.
struct ProxyTarget: Sendable {
    /// The whole URL as a template.
    var template: TemplateIndex
    /// `http://host:port` without a URI part, for a target without variables; `http://unix:PATH:` for a Unix socket.
    var base: ByteRange
    /// The parts of it; nil for a target with variables.
    var address: ProxyAddress?
    /// The group of servers that it names.
    var group = TableIndex<UpstreamGroup>.none
    /// The URI part as written; empty without one.
    var path: ByteRange
    /// True if the target has variables: then the URI part, if the value has one, replaces the request's whole.
    var hasVariables: Bool
    /// The number of bytes of the path that the URI part replaces.
    var locationLength: Int32
    var position: SourcePosition
}

/// `valid_referers`.
struct RefererRules: Sendable {
    var allowsNone = false
    var allowsBlocked = false
    /// True if the names of the server count, which are known when the server is compiled.
    var usesServerNames = false
    /// The names, each with the path a referer must begin with (empty: any).
    var names: HostTable?
    var paths: [[UInt8]] = []
    /// The names that the directive itself lists, by number.
    var listed: [[UInt8]] = []
    /// The regular expressions on the host, which come from `server_names`.
    var hostPatterns: [ExpressionIndex] = []
    /// The regular expressions on what follows the scheme.
    var patterns: [ExpressionIndex] = []
}

/// `set_real_ip_from`, `real_ip_header` and `real_ip_recursive`.
struct RealIPRules: Sendable {
    var trusted: [AccessRule.Scope] = []
    /// In lower case, with the dashes as written.
    var header: [UInt8] = Array("x-real-ip".utf8)
    /// The word in place of a header's name if the connection begins with the address.
    static let proxyProtocol = Array("proxy_protocol".utf8)
    /// The input that has that address.
    static let proxyProtocolInput = "proxy_protocol_addr"
    var isRecursive = false

    init() {}
}
