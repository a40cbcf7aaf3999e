package import ShuntCore

/// The socket named by `127.0.0.1:80`, `[::1]:80`, `name:80`, `80` or `unix:/path`, read as nginx reads it.
///
/// Names are never looked up, so a name is only checked for being one.
package struct SocketName: Sendable, Hashable {
    package enum Host: Sendable, Hashable {
        /// Every IPv4 address: `*`, `0.0.0.0`, or a port alone.
        case anyV4
        /// Every IPv6 address: `[::]`.
        case anyV6
        case address(InternetAddress)
        /// A host's name in lower case.
        case name([UInt8])
        /// The path of a Unix socket.
        case path([UInt8])
    }

    /// The reason why a text names no socket.
    package enum Failure: Error {
        case noHost
        case invalidHost
        case invalidAddress
        case invalidPort
        case invalidPortRange
        case noPath
    }

    package var host: Host
    /// The port, or the first and last of several; nil where the text has none.
    package var ports: ClosedRange<Int>?

    /// Reads the address of a `listen`, which may be a port alone and may have a range of ports.
    package init(listen bytes: [UInt8]) throws(Failure) {
        if Self.looksLikePort(bytes[...]) {
            self.init(host: .anyV4, ports: try Self.ports(bytes[...], allowsRange: true))
        } else {
            self = try Self.parse(bytes, isListen: true)
        }
    }

    /// Reads the address of a server that requests are sent to: `HOST[:PORT]` or `unix:PATH`.
    package init(upstream bytes: [UInt8]) throws(Failure) { self = try Self.parse(bytes, isListen: false) }

    private init(host: Host, ports: ClosedRange<Int>? = nil) {
        self.host = host
        self.ports = ports
    }

    private static func parse(_ bytes: [UInt8], isListen: Bool) throws(Failure) -> SocketName {
        if let path = try path(bytes) { return SocketName(host: .path(path)) }
        if bytes.first == UInt8(ascii: "[") { return try parseBracketed(bytes, isListen: isListen) }
        let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
        let name = Array(bytes[..<colon])
        let ports = colon < bytes.count ? try Self.ports(bytes[(colon + 1)...], allowsRange: isListen) : nil
        guard !name.isEmpty else { throw .noHost }
        if case .v4(let number)? = InternetAddress(parsing: name.span) {
            return SocketName(host: number == 0 ? .anyV4 : .address(.v4(number)), ports: ports)
        }
        if isListen, name == [UInt8(ascii: "*")] { return SocketName(host: .anyV4, ports: ports) }
        guard isName(name) else { throw .invalidHost }
        return SocketName(host: .name(name.map { $0.asciiLowercased }), ports: ports)
    }

    private static func parseBracketed(_ bytes: [UInt8], isListen: Bool) throws(Failure) -> SocketName {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { throw .invalidHost }
        guard end > 1 else { throw .noHost }
        guard case .v6(let high, let low)? = InternetAddress(parsing: bytes.span.extracting(1..<end)) else {
            throw .invalidAddress
        }
        let host: Host = high == 0 && low == 0 ? .anyV6 : .address(.v6(high: high, low: low))
        guard end + 1 < bytes.count else { return SocketName(host: host) }
        guard bytes[end + 1] == UInt8(ascii: ":") else { throw .invalidHost }
        return SocketName(host: host, ports: try ports(bytes[(end + 2)...], allowsRange: isListen))
    }

    /// Returns true if a text could be found as a host's name: letters, digits, `-`, `_` and dots, the last label no
    /// number.
    private static func isName(_ bytes: [UInt8]) -> Bool {
        for byte in bytes {
            guard byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80 || [0x2d, 0x2e, 0x5f].contains(byte) else {
                return false
            }
        }
        guard bytes.first != UInt8(ascii: "-"), bytes.first != UInt8(ascii: "."), bytes.last != UInt8(ascii: "-") else {
            return false
        }
        let labels = bytes.split(separator: UInt8(ascii: "."))
        return labels.last.map { !$0.allSatisfy(\.isASCIIDigit) } ?? false
    }

    private static func path(_ bytes: [UInt8]) throws(Failure) -> [UInt8]? {
        guard bytes.prefix(5).map(\.asciiLowercased) == Array("unix:".utf8) else { return nil }
        guard bytes.count > 5 else { throw .noPath }
        return Array(bytes[5...])
    }

    /// Digits, with a dash and digits after them or not.
    private static func looksLikePort(_ bytes: ArraySlice<UInt8>) -> Bool {
        let bounds = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return bounds.count <= 2 && bounds.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }
    }

    private static func ports(_ bytes: ArraySlice<UInt8>, allowsRange: Bool) throws(Failure) -> ClosedRange<Int> {
        let bounds = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard bounds.count == 1 || bounds.count == 2 && allowsRange else { throw .invalidPort }
        var numbers: [Int] = []
        for bound in bounds {
            guard let number = bound.decimalNumber, (1...65_535).contains(number) else { throw .invalidPort }
            numbers.append(number)
        }
        guard let first = numbers.first, let last = numbers.last, first <= last else { throw .invalidPortRange }
        return first...last
    }
}

extension SocketName.Failure {
    /// The problem, for a message, and the suggestion.
    package var description: (problem: String, suggestion: String?) {
        switch self {
        case .noHost: ("no host", "write an address such as 127.0.0.1 before the port")
        case .invalidHost: ("invalid host", "write an address such as 127.0.0.1 or [::1], or a host's name")
        case .invalidAddress: ("invalid IPv6 address", "write an address such as [::1]")
        case .invalidPort: ("invalid port", "a port is a number from 1 to 65535")
        case .invalidPortRange: ("invalid port range", "write the lower port first")
        case .noPath: ("no path in the Unix socket", "write unix:/path")
        }
    }
}
