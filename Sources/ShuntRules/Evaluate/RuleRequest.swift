public import ShuntCore

/// A request that a rule set decides: a URL of any scheme, or the target and Host of an HTTP request.
///
/// A value type; making one copies nothing but what it is given.
public struct RuleRequest: Sendable {
    /// The two ways a request names what it asks for.
    public enum Subject: Sendable, Hashable {
        /// A URL with its scheme, such as `kl://Pay/checkout?id=1` or `https://example.com/a`.
        case url([UInt8])
        /// The target of an HTTP request line and the value of its Host header, as bytes from the wire.
        case target([UInt8], host: [UInt8]?)
    }

    /// A name and a value, with their bytes as sent.
    public struct Header: Sendable, Hashable {
        /// The bytes of the name as sent; compared without regard to case.
        public var nameBytes: [UInt8]
        /// The bytes of the value as sent.
        public var valueBytes: [UInt8]

        /// Makes a header from bytes.
        public init(name: [UInt8], value: [UInt8]) {
            self.nameBytes = name
            self.valueBytes = value
        }

        /// Makes a header from strings.
        public init(_ name: String, _ value: String) {
            self.init(name: Array(name.utf8), value: Array(value.utf8))
        }

        /// The name as sent; compared without regard to case.
        public var name: String {
            get { String(decoding: nameBytes, as: UTF8.self) }
            set { nameBytes = Array(newValue.utf8) }
        }

        /// The value as sent.
        public var value: String {
            get { String(decoding: valueBytes, as: UTF8.self) }
            set { valueBytes = Array(newValue.utf8) }
        }
    }

    /// The address and port that a request arrived at.
    public struct Endpoint: Sendable, Hashable {
        /// The address as text, without brackets; `*` where it does not matter.
        public var address: String
        // Requests are copied: with ports of a word each, one of them would be too large for a few moves.
        private var shortPort: UInt16
        private var shortPublicPort: UInt16
        private var shortHostPort: UInt16
        private var security: UInt8

        /// The port; other numbers become the nearest of 0 to 65535.
        public var port: Int {
            get { Int(shortPort) }
            set { shortPort = UInt16(clamping: newValue) }
        }

        /// True if the client used TLS; nil for the `listen` of the rules.
        ///
        /// For servers that know better than the rules: TLS ended here without `listen … ssl`, or at a proxy in front.
        public var isSecure: Bool? {
            get { security == 0 ? nil : security == 2 }
            set { security = newValue.map { $0 ? 2 : 1 } ?? 0 }
        }

        /// The port that the client requested where a proxy in front has another one; nil where it is `port`.
        ///
        /// A `listen` with this port is chosen if there is one, and `$server_port` and every Location have it. What is
        /// not a port from 1 to 65535 counts as nil.
        public var publicPort: Int? {
            get { shortPublicPort == 0 ? nil : Int(shortPublicPort) }
            set { shortPublicPort = newValue.flatMap { UInt16(exactly: $0) } ?? 0 }
        }

        /// The port in the Host, for Locations: the client writes it, so that it chooses no `listen`; nil where `publicPort` is for them.
        package var hostPort: Int? {
            get { shortHostPort == 0 ? nil : Int(shortHostPort) }
            set { shortHostPort = newValue.flatMap { UInt16(exactly: $0) } ?? 0 }
        }

        /// Makes an endpoint.
        public init(address: String = "*", port: Int, isSecure: Bool? = nil, publicPort: Int? = nil) {
            self.address = address
            shortPort = UInt16(clamping: port)
            (security, shortPublicPort, shortHostPort) = (0, 0, 0)
            self.isSecure = isSecure
            self.publicPort = publicPort
        }
    }

    /// The URL, or the target with its Host; setting one removes the other.
    public var subject: Subject {
        get { isForURL ? .url(bytes) : .target(bytes, host: host) }
        set {
            switch newValue {
            case .url(let url): (bytes, host, isForURL) = (url, nil, true)
            case .target(let target, let name): (bytes, host, isForURL) = (target, name, false)
            }
        }
    }

    /// The method of a request for which none is given.
    package static let usualMethod = Array("GET".utf8)
    /// The client's address of a request for which none is given.
    package static let usualAddress = "127.0.0.1"

    /// The URL or the target.
    package var bytes: [UInt8]
    /// The Host that goes with a target.
    package var host: [UInt8]?
    /// True if it is for a URL.
    ///
    /// The subject is kept in parts, for they are read where they lie: taking them out of an enumeration counts references.
    package var isForURL: Bool

    /// The URL, or the target of an HTTP request line.
    public var url: String {
        get { String(decoding: bytes, as: UTF8.self) }
        set { bytes = Array(newValue.utf8) }
    }

    /// The bytes of the URL, or of the target of an HTTP request line.
    public var urlBytes: [UInt8] { bytes }

    /// The method, `GET` unless set.
    public var method: String {
        get { String(decoding: methodBytes, as: UTF8.self) }
        set { methodBytes = Array(newValue.utf8) }
    }

    /// The bytes of the method.
    public var methodBytes: [UInt8]
    /// The headers, in order.
    ///
    /// A Host header here counts when `subject` names no host.
    public var headers: [Header]
    /// Values for the `input` variables of the rule set.
    public var inputs: RequestInputs
    /// The client's address as text; `127.0.0.1` unless set.
    public var remoteAddress: String
    /// The client's port.
    public var remotePort: Int
    /// The place where the request arrived; nil chooses a `listen` of the rule set.
    public var listen: Endpoint?
    /// The version of HTTP, as the number after `HTTP/`.
    public var version: String
    /// The time of the request; nil is now.
    public var time: Timestamp?

    /// Creates a request for a URL.
    public init(url: String) { self.init(url: Array(url.utf8)) }

    /// Creates a request for a URL given as bytes.
    public init(url: [UInt8]) { self.init(bytes: url, host: nil, isForURL: true) }

    /// Creates a request from the target of an HTTP request line and its Host.
    public init(target: String, host: String?) {
        self.init(target: Array(target.utf8), host: host.map { Array($0.utf8) })
    }

    /// Creates a request from the target of an HTTP request line and its Host, as bytes.
    public init(target: [UInt8], host: [UInt8]?) { self.init(bytes: target, host: host, isForURL: false) }

    /// Creates a request with all that a server knows of it.
    ///
    /// All at once: one that is filled in step by step is copied by the compiler.
    package init(
        bytes: [UInt8],
        host: [UInt8]?,
        isForURL: Bool,
        method: [UInt8] = usualMethod,
        headers: [Header] = [],
        inputs: RequestInputs = RequestInputs(),
        remoteAddress: String = usualAddress,
        remotePort: Int = 0,
        listen: Endpoint? = nil,
        version: String = "1.1",
        time: Timestamp? = nil
    ) {
        self.bytes = bytes
        self.host = host
        self.isForURL = isForURL
        self.methodBytes = method
        self.headers = headers
        self.inputs = inputs
        self.remoteAddress = remoteAddress
        self.remotePort = remotePort
        self.listen = listen
        self.version = version
        self.time = time
    }
}
