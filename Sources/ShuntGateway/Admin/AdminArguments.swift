#if Gateway
import Shunt
import ShuntTools

/// The arguments of a query to the admin listener.
struct AdminArguments {
    private var pairs: [(name: String, value: [UInt8])] = []

    /// Takes a query apart; `+` stands for itself, as in URLs.
    init(query: String) {
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = halves.first else { continue }
            pairs.append((String(decoding: Self.decoded(name), as: UTF8.self), Self.decoded(halves.dropFirst().first)))
        }
    }

    /// The names of the arguments of `/explain`; others begin with `input.`.
    private static let explained: Set = [
        "url", "target", "host", "method", "remote", "time", "header", "held", "draft", "file", "why_not", "notations",
    ]

    /// The request that `/explain` is asked about; nil when none is described.
    ///
    /// - Throws: `RequestError` for an argument without which another request would be explained.
    func request() throws(RequestError) -> RuleRequest? {
        if let other = pairs.first(where: { !Self.explained.contains($0.name) && !$0.name.hasPrefix("input.") }) {
            throw RequestError("unknown argument \(RequestFields.quoted(other.name))")
        }
        var request: RuleRequest
        if let url = self["url"] {
            request = RuleRequest(written: url)
        } else if let target = self["target"] {
            request = RuleRequest(target: target, host: self["host"])
        } else {
            return nil
        }
        if let method = self["method"] { request.methodBytes = method }
        if let address = text("remote") {
            request.remoteAddress = try RequestFields.remoteAddress(address, of: "remote")
        }
        if let time = text("time") { request.time = try RequestFields.time(time, of: "time") }
        for (name, value) in pairs {
            if name == "header" {
                guard let colon = value.firstIndex(of: UInt8(ascii: ":")) else {
                    throw RequestError("write header=Name: value")
                }
                let rest = value[(colon + 1)...].drop { $0 == 0x20 }
                request.headers.append(RuleRequest.Header(name: Array(value[..<colon]), value: Array(rest)))
            } else if name.hasPrefix("input.") {
                request.inputs[String(name.dropFirst(6))] = value
            }
        }
        return request
    }

    /// The value of the first argument with a name.
    subscript(_ name: String) -> [UInt8]? { pairs.first { $0.name == name }?.value }

    /// The same as text.
    func text(_ name: String) -> String? { self[name].map { String(decoding: $0, as: UTF8.self) } }

    /// The value of an argument that is a number of at most nine digits; nil where there is none.
    func number(_ name: String) throws(RequestError) -> Int? {
        guard let text = text(name) else { return nil }
        guard text.utf8.count <= 9, let number = Int(text), number >= 0 else {
            throw RequestError("\(name) is a number")
        }
        return number
    }

    private static func decoded(_ bytes: Substring.UTF8View?) -> [UInt8] {
        let bytes = bytes.map { Array($0) } ?? []
        return URLComponentCoding.decode(bytes.span) ?? bytes
    }
}
#endif
