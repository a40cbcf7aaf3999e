package import ShuntRules

/// Requests as test files write them.
package enum TestNotation {
    /// The lines of a test, the last without its end: the request with the decision, if there is one, and the rest of
    /// the request.
    package static func lines(_ description: RequestDescription, _ decision: Decision?) -> String {
        let request = description.request
        var words: [String] = []
        let isUsual = request.methodBytes == RuleRequest.usualMethod
        switch request.subject {
        case .url(let url):
            if !isUsual { words.append(request.method) }
            words.append(written(url))
        case .target(let target, let host):
            words.append(request.method)
            words.append(written(target))
            words.append(host.map(written) ?? "-")
            if request.version != "1.1" { words.append("HTTP/\(request.version)") }
        }
        var lines = [words.joined(separator: " ")]
        if let decision { lines[0] += " -> \(TestRecording.outcome(of: decision))" }
        for header in request.headers {
            lines.append("    > \(WrittenBytes.encode(header.nameBytes)): \(WrittenBytes.encode(header.valueBytes))")
        }
        for (name, value) in request.inputs.bytes.sorted(by: { $0.key < $1.key }) {
            lines.append("    $\(name) = \(WrittenBytes.encode(value))")
        }
        if request.remoteAddress != RuleRequest.usualAddress { lines.append("    @remote \(request.remoteAddress)") }
        if let listen = request.listen { lines.append("    @listen \(RequestFields.text(of: listen))") }
        if let time = request.time { lines.append("    @time \(time)") }
        for path in description.files {
            lines.append("    \(path.hasSuffix("/") ? "@directory" : "@file") \(WrittenBytes.encode(Array(path.utf8)))")
        }
        return lines.joined(separator: "\n")
    }

    private static func written(_ bytes: [UInt8]) -> String {
        bytes.isEmpty ? "\"\"" : WrittenBytes.encode(bytes, escaping: " ")
    }
}
