package import Shunt

/// Requests as text for people, on one line.
package enum RequestText {
    /// The most bytes of a URL that are shown, and of everything else together.
    private static let urlBytes = 500
    private static let detailBytes = 60

    /// Returns the subject of a request: its URL, or its host and target.
    package static func subject(_ request: RuleRequest) -> [UInt8] {
        // A URL, and a target with a scheme, has its own host.
        let hasHost = request.bytes.first?.isASCIILetter == true
        return hasHost ? request.bytes : (request.host ?? []) + request.bytes
    }

    /// A line of input that stands for no request.
    package static func shown(_ line: [UInt8]) -> String { cut(line, to: urlBytes) }

    /// The URL, with the method before it, which GET need not be, and in braces after it the rest of the request.
    package static func shown(_ request: RuleRequest, showsUsualMethod: Bool = false) -> String {
        shown(RequestDescription(request), showsUsualMethod: showsUsualMethod)
    }

    /// The same of a request with files.
    package static func shown(_ description: RequestDescription, showsUsualMethod: Bool = false) -> String {
        let request = description.request
        var text = shown(subject(request))
        if showsUsualMethod || request.methodBytes != RuleRequest.usualMethod {
            text = "\(ShownBytes.text(request.methodBytes)) \(text)"
        }
        var details: [[UInt8]] = []
        for (name, value) in request.inputs.bytes.sorted(by: { $0.key < $1.key }) {
            details.append(Array("\(name)=".utf8) + value)
        }
        for header in request.headers { details.append(header.nameBytes + Array(": ".utf8) + header.valueBytes) }
        if request.remoteAddress != RuleRequest.usualAddress {
            details.append(Array("from \(request.remoteAddress)".utf8))
        }
        if let listen = request.listen { details.append(Array("at \(RequestFields.text(of: listen))".utf8)) }
        if let time = request.time { details.append(Array("\(time)".utf8)) }
        for path in description.files { details.append(Array("with \(path)".utf8)) }
        if details.isEmpty { return text }
        return "\(text) {\(cut(Array(details.joined(separator: ", ".utf8)), to: detailBytes))}"
    }

    private static func cut(_ bytes: [UInt8], to limit: Int) -> String {
        if bytes.count <= limit { return ShownBytes.text(bytes) }
        var end = limit
        // Not in the middle of a character.
        while end > limit - 3, bytes[end] & 0xc0 == 0x80 { end -= 1 }
        return ShownBytes.text(Array(bytes[..<end])) + "…"
    }
}
