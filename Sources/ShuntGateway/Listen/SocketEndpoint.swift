#if Gateway
/// An address and a port to listen on: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, or `8080` for every address.
public struct SocketEndpoint: Sendable, Hashable, CustomStringConvertible {
    /// A host name or an address without brackets.
    public var host: String
    /// The port; 0 lets the system choose one.
    public var port: Int

    /// Makes an endpoint.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads an endpoint; nil if the text is invalid.
    ///
    /// A port alone stands for `defaultHost`.
    public init?(_ text: String, defaultHost: String = "0.0.0.0") {
        let portText: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]"), text[text.index(after: end)...].hasPrefix(":") else { return nil }
            host = String(text[text.index(after: text.startIndex)..<end])
            portText = text[text.index(end, offsetBy: 2)...]
        } else if let colon = text.lastIndex(of: ":") {
            host = String(text[..<colon])
            portText = text[text.index(after: colon)...]
            if host == "*" || host.isEmpty { host = defaultHost }
            guard !host.contains(":") else { return nil }
        } else {
            host = defaultHost
            portText = text[...]
        }
        guard !portText.isEmpty, portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(portText),
            !host.isEmpty
        else { return nil }
        self.port = Int(port)
    }

    /// The form that `init(_:)` reads.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// True if it is for every address of the machine.
    var isForAll: Bool { host == "0.0.0.0" || host == "::" }

    /// True if only this machine can reach it.
    public var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}
#endif
