package import Shunt

/// A request and what is decided about it, in the notations of tests.
package enum ExpectationText {
    /// An `expect` directive: what is not the URL is in its block.
    package static func directive(_ description: RequestDescription, _ decision: Decision) -> String {
        let request = description.request
        var entries: [[[UInt8]]] = []
        func entry(_ words: [UInt8]...) { entries.append(words) }
        func name(_ text: String) -> [UInt8] { Array(text.utf8) }
        if case .target(_, let host?) = request.subject { entry(name("host"), host) }
        if request.methodBytes != RuleRequest.usualMethod { entry(name("method"), request.methodBytes) }
        for header in request.headers { entry(name("header"), header.nameBytes, header.valueBytes) }
        for (input, value) in request.inputs.bytes.sorted(by: { $0.key < $1.key }) {
            entry(name("input"), name("$" + input), value)
        }
        if request.remoteAddress != RuleRequest.usualAddress { entry(name("remote"), name(request.remoteAddress)) }
        if let listen = request.listen { entry(name("listen"), name(RequestFields.text(of: listen))) }
        if let time = request.time { entry(name("time"), name("\(time)")) }
        for path in description.files { entry(name(path.hasSuffix("/") ? "directory" : "file"), name(path)) }
        let head = ([name("expect"), request.urlBytes] + ExampleText.words(of: decision)).map(quoted)
            .joined(separator: " ")
        if entries.isEmpty { return head + ";" }
        let block = entries.map { $0.map(quoted).joined(separator: " ") + ";" }.joined(separator: " ")
        return "\(head) { \(block) }"
    }

    /// A word as a rule file has it.
    private static func quoted(_ word: [UInt8]) -> String {
        let special = ByteSet(0x00...0x20).union(ByteSet(ascii: ";{}\"'\\#"))
        guard word.isEmpty || word.contains(where: special.contains) else {
            return String(decoding: word, as: UTF8.self)
        }
        return String(decoding: inQuotes(word), as: UTF8.self)
    }

    /// A word in quotes, as a rule file has it.
    static func inQuotes(_ word: [UInt8]) -> [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "\"")]
        for byte in word {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { text.append(UInt8(ascii: "\\")) }
            text.append(byte)
        }
        return text + [UInt8(ascii: "\"")]
    }

    /// The lines of a test file.
    package static func test(_ description: RequestDescription, _ decision: Decision) -> String {
        let request = description.request
        var text: String
        switch request.subject {
        case .url(let url): text = String(decoding: url, as: UTF8.self)
        case .target(let target, let host):
            text = "\(request.method) \(String(decoding: target, as: UTF8.self))"
            if let host { text += " \(String(decoding: host, as: UTF8.self))" }
        }
        let words = ExampleText.words(of: decision).map { String(decoding: $0, as: UTF8.self) }
        text += " -> \(words.joined(separator: " "))\n"
        func line(_ line: String) { text += "    \(line)\n" }
        for (name, value) in request.inputs.bytes.sorted(by: { $0.key < $1.key }) {
            line("$\(name) = \(String(decoding: value, as: UTF8.self))")
        }
        for header in request.headers { line("> \(header.name): \(header.value)") }
        if request.remoteAddress != RuleRequest.usualAddress { line("@remote \(request.remoteAddress)") }
        if let listen = request.listen { line("@listen \(RequestFields.text(of: listen))") }
        if let time = request.time { line("@time \(time)") }
        for path in description.files { line("@\(path.hasSuffix("/") ? "directory" : "file") \(path)") }
        return text
    }

    /// The line that `shunt run` reads: a URL, or a JSON object where there is more to write.
    package static func line(_ description: RequestDescription) -> String {
        let request = description.request
        if case .url(let url) = request.subject, request.methodBytes == RuleRequest.usualMethod,
            request.headers.isEmpty,
            request.inputs.isEmpty, request.remoteAddress == RuleRequest.usualAddress, request.listen == nil,
            request.time == nil, description.files.isEmpty
        {
            return String(decoding: url, as: UTF8.self)
        }
        return String(decoding: description.json, as: UTF8.self)
    }
}
