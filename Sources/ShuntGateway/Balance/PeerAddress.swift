#if Gateway
import Shunt

/// Where a server of an upstream group is asked.
struct PeerAddress: Sendable, Hashable {
    /// How connections to it are made.
    enum Kind: Sendable, Hashable {
        /// An address that was looked up, and the name in the rules with its port, which certificates are checked for.
        case address(String, name: String)
        /// A name that is looked up for each connection.
        case name(String)
        /// The path of a Unix socket.
        case unix(String)
    }

    let kind: Kind

    /// The beginning of a URL that the HTTP client connects to.
    func base(scheme: String) -> String {
        switch kind {
        case .address(let address, let name): "\(scheme)://\(scheme == "https" ? name : address)"
        case .name(let name): "\(scheme)://\(name)"
        case .unix(let path): "\(scheme)+unix://\(Self.encoded(path))"
        }
    }

    /// The path of a socket as the host of a URL, where a slash would end it.
    private static func encoded(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            if byte.isASCIILetter || byte.isASCIIDigit {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
#endif
