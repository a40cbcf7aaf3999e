extension Decision {
    /// Returns true if nginx ends the connection after its own answer with a status.
    package static func endsConnection(after status: Int) -> Bool {
        switch status {
        case 400, 413, 414, 495...497, 500, 501: true
        default: false
        }
    }

    /// A request that continues.
    public struct Forward: Sendable, Hashable {
        /// The bytes of the whole URL, for people and for routes.
        public var urlBytes: [UInt8]
        /// The path and the arguments, byte for byte as the request line has them; see `target`.
        ///
        /// Send these: they differ from what a parser finds in the URL where a rule has made a `#`, or left out the first slash.
        public var targetBytes: [UInt8]?
        /// The bytes of the host and, if there is one, the port that the rules judged or a `proxy_pass` names.
        public var authorityBytes: [UInt8]?
        /// The bytes of the path as the rules left it (`$uri`), decoded and normalised for HTTP.
        public var pathBytes: [UInt8]?
        /// The bytes of the arguments as the rules left them (`$args`).
        public var argumentsBytes: [UInt8]?
        /// The status that replaces that of the handler after an `error_page`; nil for the handler's own.
        public var status: Int?
        /// The response headers that rules add, in order.
        public var headers: [RuleRequest.Header]
        /// The response headers that rules add when the handler answers with 200, 201, 204, 206, 301, 302, 303, 304, 307
        /// or 308.
        public var successHeaders: [RuleRequest.Header]
        /// The request headers of `proxy_set_header`, for the upstream in place of the client's; one with an empty value
        /// removes the client's.
        public var upstreamHeaders: [RuleRequest.Header]
        /// True if a `proxy_pass` chose where it goes, so that `url` is what to ask of that upstream.
        public var isUpstream: Bool

        /// Makes the action.
        public init(
            url: [UInt8],
            target: [UInt8]? = nil,
            authority: [UInt8]? = nil,
            path: [UInt8]? = nil,
            arguments: [UInt8]? = nil,
            status: Int? = nil,
            headers: [RuleRequest.Header] = [],
            successHeaders: [RuleRequest.Header] = [],
            upstreamHeaders: [RuleRequest.Header] = [],
            isUpstream: Bool = false
        ) {
            self.urlBytes = url
            self.targetBytes = target
            self.authorityBytes = authority
            self.pathBytes = path
            self.argumentsBytes = arguments
            self.status = status
            self.headers = headers
            self.successHeaders = successHeaders
            self.upstreamHeaders = upstreamHeaders
            self.isUpstream = isUpstream
        }

        /// Makes the action of a URL alone.
        public init(url: String) { self.init(url: Array(url.utf8)) }

        /// The whole URL, for people and for routes.
        public var url: String { String(decoding: urlBytes, as: UTF8.self) }

        /// The path and the arguments; nil where no rules were evaluated.
        public var target: String? { targetBytes.map { String(decoding: $0, as: UTF8.self) } }

        /// The host and, if there is one, the port; nil where no rules were evaluated.
        public var authority: String? { authorityBytes.map { String(decoding: $0, as: UTF8.self) } }

        /// The path as the rules left it (`$uri`); nil for a URL of another scheme.
        public var path: String? { pathBytes.map { String(decoding: $0, as: UTF8.self) } }

        /// The arguments as the rules left them (`$args`).
        public var arguments: String? { argumentsBytes.map { String(decoding: $0, as: UTF8.self) } }

        /// Returns true if an answer with a status gets the headers of `successHeaders`, as in nginx.
        package static func isUsual(_ status: Int) -> Bool {
            switch status {
            case 200, 201, 204, 206, 301, 302, 303, 304, 307, 308: true
            default: false
            }
        }
    }

    /// A client that is sent elsewhere.
    public struct Redirect: Sendable, Hashable {
        /// The HTTP status: 301, 302, 303, 307 or 308.
        public var status: Int
        /// The bytes of the Location.
        public var locationBytes: [UInt8]
        /// The other response headers that rules add, in order.
        public var headers: [RuleRequest.Header]

        /// Makes the action.
        public init(status: Int, location: [UInt8], headers: [RuleRequest.Header] = []) {
            self.status = status
            self.locationBytes = location
            self.headers = headers
        }

        /// Makes the action of a text.
        public init(status: Int, location: String, headers: [RuleRequest.Header] = []) {
            self.init(status: status, location: Array(location.utf8), headers: headers)
        }

        /// The Location.
        public var location: String { String(decoding: locationBytes, as: UTF8.self) }
    }

    /// A native URL that yields to a web URL.
    public struct Degrade: Sendable, Hashable {
        /// The bytes of the web URL.
        public var urlBytes: [UInt8]

        /// Makes the action.
        public init(url: [UInt8]) { self.urlBytes = url }

        /// Makes the action of a text.
        public init(url: String) { self.init(url: Array(url.utf8)) }

        /// The web URL, which is one of `http` or `https`.
        public var url: String { String(decoding: urlBytes, as: UTF8.self) }
    }

    /// A status with headers and perhaps a body, which rules answer with.
    public struct Response: Sendable, Hashable {
        /// The HTTP status; 444 means that the connection is closed without an answer.
        public var status: Int
        /// The Location of an answer that is not a redirect; nil where it has none.
        public var locationBytes: [UInt8]?
        /// The bytes of the body; nil if the rules have none.
        public var bodyBytes: [UInt8]?
        /// The headers, in order.
        public var headers: [RuleRequest.Header]

        /// Makes the action.
        public init(status: Int, location: [UInt8]? = nil, body: [UInt8]? = nil, headers: [RuleRequest.Header] = []) {
            self.status = status
            self.locationBytes = location
            self.bodyBytes = body
            self.headers = headers
        }

        /// Makes the action of a text.
        public init(status: Int, body: String, headers: [RuleRequest.Header] = []) {
            self.init(status: status, body: Array(body.utf8), headers: headers)
        }

        /// The Location of an answer that is not a redirect; nil where it has none.
        public var location: String? { locationBytes.map { String(decoding: $0, as: UTF8.self) } }

        /// The body; nil if the rules have none.
        public var body: String? { bodyBytes.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// A request that is turned away.
    public struct Block: Sendable, Hashable {
        /// The HTTP status; 403 if the rule has none.
        public var status: Int
        /// The response headers that rules add, in order.
        public var headers: [RuleRequest.Header]

        /// Makes the action.
        public init(status: Int, headers: [RuleRequest.Header] = []) {
            self.status = status
            self.headers = headers
        }
    }

    /// A request that cannot be decided.
    public struct Failure: Sendable, Hashable {
        /// The HTTP status, such as 400 for an invalid request.
        public var status: Int
        /// The problem, in a sentence.
        public var reason: String

        /// Makes the action.
        public init(status: Int, reason: String) {
            self.status = status
            self.reason = reason
        }
    }
}
