#if Gateway
/// The values of a trusted proxy about the request of its client.
///
/// Of a list the last entry counts, which the proxy itself has written.
struct ForwardedHeaders: Equatable {
    var isSecure: Bool?
    var host: String?
    var port: Int?

    init() {}

    /// Reads the headers that are believed.
    ///
    /// - Throws: What is wrong with one: the request is not known then.
    init(_ headers: HeaderFields, believing names: Set<TrustedProxies.Header>) throws(IncomingRequest.Refusal) {
        if names.contains(.forwarded) {
            for (name, value) in try ForwardedList.lastElement(of: headers.values("forwarded")) {
                switch name {
                case "proto": isSecure = try Self.isSecure(value)
                case "host": host = value
                default: break
                }
            }
        }
        if names.contains(.proto), let value = Self.last(headers.values("x-forwarded-proto")) {
            isSecure = try Self.isSecure(value)
        }
        if names.contains(.host), let value = Self.last(headers.values("x-forwarded-host")) { host = value }
        if names.contains(.port), let value = Self.last(headers.values("x-forwarded-port")) {
            guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(value), number > 0 else {
                throw IncomingRequest.Refusal("the X-Forwarded-Port of the proxy is not a port")
            }
            port = Int(number)
        }
    }

    private static func isSecure(_ scheme: String) throws(IncomingRequest.Refusal) -> Bool {
        switch scheme.lowercased() {
        case "https", "wss": return true
        case "http", "ws": return false
        default: throw IncomingRequest.Refusal("the proxy names a scheme that is neither http nor https")
        }
    }

    /// The last entry of a list over all header lines, without the blanks around it.
    static func last(_ values: [String]) -> String? {
        guard let entry = values.last?.split(separator: ",", omittingEmptySubsequences: false).last else { return nil }
        return String(decoding: entry.trimmingBlanks(), as: UTF8.self)
    }
}

extension StringProtocol {
    /// The bytes without the blanks around them.
    func trimmingBlanks() -> [UInt8] {
        var bytes = Array(utf8)[...]
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return Array(bytes.drop { $0 == 0x20 || $0 == 0x09 })
    }
}
#endif
