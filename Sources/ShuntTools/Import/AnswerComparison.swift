package import Shunt
import ShuntCore

/// An answer of a server, as far as rules decide it.
package struct WireAnswer: Sendable, Hashable {
    /// The status; nil where the connection was closed without one.
    package var status: Int?
    /// The Location, byte for byte.
    package var location: [UInt8]?
    /// The path and the arguments after all rewriting, where the server shows them.
    package var path: [UInt8]?
    package var arguments: [UInt8]?
    /// The upstream that gets the request, where the server shows it: empty for a file, `several` for one of them.
    package var upstream: [UInt8]?
    /// The file that the server would send, where it shows it.
    package var file: [UInt8]?
    /// True if the server may answer 404 to this request where nothing decides it.
    package var isOtherwiseMissing = false

    package init(status: Int?, location: [UInt8]? = nil, path: [UInt8]? = nil, arguments: [UInt8]? = nil) {
        self.status = status
        self.location = location
        self.path = path
        self.arguments = arguments
    }

    /// The answer in a few words.
    package var shown: String {
        guard let status else { return "no answer" }
        if let location { return "\(status) \(ShownBytes.text(location))" }
        guard let path else { return "\(status)" }
        let query = arguments.map { $0.isEmpty ? "" : "?\(ShownBytes.text($0))" } ?? ""
        return "\(status) \(ShownBytes.text(path))\(query)"
    }
}

/// Compares what rules decide with what a server answered.
///
/// Escapes of bytes that are the same with and without are decoded, as servers escape different ones.
package enum AnswerComparison {
    package enum Result: Sendable, Hashable {
        case same
        /// Nothing of the decision can be seen.
        case unseen
        case different
    }

    /// Compares a decision with an answer, whose relative Location starts from `url`.
    ///
    /// With `escapesTwice` the server may escape an escaped query of a Location once more, as Apache does.
    package static func compare(
        _ decision: Decision,
        _ answer: WireAnswer,
        url: [UInt8],
        escapesTwice: Bool = false
    ) -> Result {
        switch decision.action {
        case .redirect(let redirect):
            let isSame =
                answer.status == redirect.status
                && answer.location.map {
                    let (here, there) = (Location(redirect.locationBytes, from: url), Location($0, from: url))
                    return here.isSame(as: there) || escapesTwice && here.isSame(as: there.withQueryDecoded)
                } == true
            return isSame ? .same : .different
        case .respond(let response):
            if [444, 408, 499].contains(response.status) { return answer.status == nil ? .same : .different }
            return answer.status == response.status ? .same : .different
        case .block(let block): return answer.status == block.status ? .same : .different
        case .fail(let failure): return answer.status == failure.status ? .same : .different
        case .forward(let forward):
            guard let path = answer.path else { return .unseen }
            if let upstream = answer.upstream {
                guard isSame(forward, upstream) else { return .different }
            } else if forward.isUpstream {
                return .unseen
            }
            let isMissing = answer.isOtherwiseMissing && answer.status == 404
            guard isMissing || answer.status == forward.status ?? 200 else { return .different }
            let isSame =
                forward.pathBytes.map(merged) == merged(path)
                && decoded(forward.argumentsBytes ?? []) == decoded(answer.arguments ?? [])
            return isSame ? .same : .different
        default: return .unseen
        }
    }

    /// Returns true if a request goes to an upstream, whose port may be the usual one.
    private static func isSame(_ forward: Decision.Forward, _ upstream: [UInt8]) -> Bool {
        guard forward.isUpstream, !upstream.isEmpty else { return forward.isUpstream != upstream.isEmpty }
        let authority = forward.authority ?? ""
        let name = String(decoding: upstream, as: UTF8.self)
        return name == "several" || [authority, authority + ":80", authority + ":443"].contains(name)
    }

    /// A path with one slash in the place of several, as Apache has it after a rewrite, and without the blanks at its
    /// end, which the header that shows it does not keep.
    private static func merged(_ path: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for byte in path where byte != UInt8(ascii: "/") || result.last != byte { result.append(byte) }
        while result.last == UInt8(ascii: " ") { result.removeLast() }
        return result
    }

    /// Bytes with each escape decoded; those with a broken one stay unchanged.
    package static func decoded(_ bytes: [UInt8]) -> [UInt8] { URLComponentCoding.decode(bytes.span) ?? bytes }

    /// A Location in the form in which those of two servers are compared.
    struct Location {
        private var scheme: String
        private var host: String
        private var port: String
        /// The path, the query and the fragment.
        private var rest: [UInt8]
        private var isRelative = false

        /// Reads a Location; a relative one starts from the URL of the request.
        init(_ location: [UInt8], from url: [UInt8]) {
            var whole = location
            if location.first == UInt8(ascii: "/"), location.dropFirst().first != UInt8(ascii: "/") {
                isRelative = true
                whole = url
            }
            guard let parsed = try? URLText(whole), let named = parsed.host else {
                (scheme, host, port, rest) = ("", "", "", Self.normal(location))
                return
            }
            scheme = parsed.scheme.lowercased()
            host = named.lowercased()
            port = parsed.port.map(String.init) ?? ""
            if port == (scheme == "https" ? "443" : "80") { port = "" }
            let path = isRelative ? location[...] : whole.dropFirst(Int(parsed.parts.path.start))
            rest = Self.normal(path.isEmpty ? [UInt8(ascii: "/")] : Array(path))
        }

        /// Returns true if both lead to the same; the port of the request stays where one is relative.
        func isSame(as other: Self) -> Bool {
            scheme == other.scheme && host == other.host && rest == other.rest
                && (port == other.port || isRelative != other.isRelative)
        }

        /// The Location with the escapes of its query that were escaped once more.
        var withQueryDecoded: Self {
            var copy = self
            let path = rest.prefix { $0 != UInt8(ascii: "?") }
            copy.rest = Self.normal(path + AnswerComparison.decodedPercents(rest.dropFirst(path.count)))
            return copy
        }

        /// Bytes in one form: escapes of what means the same without one are decoded, others are in upper case.
        private static func normal(_ bytes: [UInt8]) -> [UInt8] {
            var result: [UInt8] = []
            var index = 0
            while index < bytes.count {
                let escape = bytes[index...].prefix(3)
                index += 1
                guard escape.first == UInt8(ascii: "%"), escape.count == 3,
                    let byte = UInt8(String(decoding: escape.dropFirst(), as: UTF8.self), radix: 16)
                else {
                    result.append(bytes[index - 1])
                    continue
                }
                index += 2
                if "%:/?#[]@!$&'()*+,;=".utf8.contains(byte) {
                    result += String(decoding: escape, as: UTF8.self).uppercased().utf8
                } else {
                    result.append(byte)
                }
            }
            return result
        }
    }

    /// Bytes with a percent sign in the place of each escaped one.
    static func decodedPercents(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(String(decoding: bytes, as: UTF8.self).replacing("%25", with: "%").utf8)
    }
}
