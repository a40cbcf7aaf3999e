import Foundation

/// A mistake in a case file, with its place.
package struct CaseError: Error, CustomStringConvertible, Equatable {
    package var file: String
    package var line: Int
    package var message: String

    package var description: String { "\(file):\(line): \(message)" }
}

/// Reads case files; the format is described in `Tests/Conformance/README.md`.
package struct CaseReader {
    private enum State {
        case outside
        case rules
        case requests
    }

    private let file: String
    private let lines: [[UInt8]]
    private var sets: [RuleSetCase] = []
    private var state = State.outside

    /// Reads one file.
    package static func read(file: String) throws -> [RuleSetCase] {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CaseError(file: file, line: 0, message: "cannot be read")
        }
        return try read([UInt8](data), file: (file as NSString).lastPathComponent)
    }

    /// Reads the text of one file; `file` is its name in messages.
    package static func read(_ text: [UInt8], file: String) throws -> [RuleSetCase] {
        var reader = CaseReader(file: file, lines: splitLines(text))
        for index in reader.lines.indices {
            try reader.take(reader.lines[index], line: index + 1)
        }
        return try reader.finish()
    }

    /// The lines of a text without their line feeds.
    package static func splitLines(_ text: [UInt8]) -> [[UInt8]] {
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private init(file: String, lines: [[UInt8]]) {
        self.file = file
        self.lines = lines
    }

    private func failure(_ line: Int, _ message: String) -> CaseError {
        CaseError(file: file, line: line, message: message)
    }

    private mutating func take(_ line: [UInt8], line number: Int) throws {
        if line.starts(with: Array("=== ".utf8)) {
            if state == .rules { throw failure(number, "the rule set before this has no --- line") }
            let name = String(decoding: line.dropFirst(4), as: UTF8.self)
            if let other = sets.first(where: { $0.name == name }) {
                throw failure(number, "a rule set named \"\(name)\" is on line \(other.line)")
            }
            sets.append(
                RuleSetCase(name: name, file: file, line: number, rules: [], separatorLine: 0, requests: [])
            )
            state = .rules
            return
        }
        switch state {
        case .outside:
            guard line.trimmed.isEmpty || line.first == UInt8(ascii: "#") else {
                throw failure(number, "expected \"=== name\"")
            }
        case .rules:
            if line == Array("---".utf8) {
                sets[sets.count - 1].separatorLine = number
                state = .requests
            } else if let supportFile = try supportFile(line, line: number) {
                sets[sets.count - 1].files.append(supportFile)
                // An empty line in its place keeps the numbers of the others.
                sets[sets.count - 1].rules.append(UInt8(ascii: "\n"))
            } else {
                sets[sets.count - 1].rules += line + [UInt8(ascii: "\n")]
            }
        case .requests: try takeRequestLine(line, line: number)
        }
    }

    /// `file PATH "content"`, `dir PATH` and `config PATH "content"` are after the rules.
    private func supportFile(_ line: [UInt8], line number: Int) throws -> SupportFile? {
        let words = RuleText(line + [UInt8(ascii: ";")]).items.first?.words ?? []
        let text = words.map { String(decoding: $0.bytes, as: UTF8.self) }
        guard let name = text.first, let kind = SupportFile.Kind(rawValue: name), line.starts(with: Array(name.utf8))
        else { return nil }
        guard text.count == (kind == .folder ? 2 : 3), !text[1].hasPrefix("/"), !text[1].contains("..") else {
            throw failure(number, "expected \"file PATH \\\"content\\\"\" or \"dir PATH\"")
        }
        return SupportFile(kind: kind, path: text[1], content: kind == .folder ? [] : ByteText.decode(words[2].bytes))
    }

    private mutating func takeRequestLine(_ line: [UInt8], line number: Int) throws {
        let last = sets.count - 1
        guard let first = line.first, first != UInt8(ascii: "#"), !line.trimmed.isEmpty else { return }
        if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            return try takeIndented(line.trimmed, line: number)
        }
        if first == UInt8(ascii: "!") {
            guard sets[last].requests.isEmpty else { throw failure(number, "a refused rule set has no requests") }
            sets[last].refusal = try refusal(line, line: number)
            sets[last].refusalLine = number
            return
        }
        if sets[last].refusal != nil { throw failure(number, "a refused rule set has no requests") }
        if line.starts(with: Array(">> ".utf8)) {
            guard let request = sets[last].requests.indices.last else {
                throw failure(number, "this expectation belongs to no request")
            }
            let text = Array(line.dropFirst(2)).trimmed
            guard let kind = RequestOutcome.Kind(caseText: text) else {
                throw failure(number, "cannot read the expectation \"\(ByteText.show(text))\"")
            }
            sets[last].requests[request].shuntExpectation = Expectation(kind: kind)
            return
        }
        if first == UInt8(ascii: ">") {
            guard let request = sets[last].requests.indices.last,
                sets[last].requests[request].expectationLines.isEmpty
            else { throw failure(number, "this expectation belongs to no request") }
            sets[last].requests[request].expectationLines = number..<number + 1
            let text = Array(line.dropFirst()).trimmed
            if text.isEmpty { return }
            guard let kind = RequestOutcome.Kind(caseText: text) else {
                throw failure(number, "cannot read the expectation \"\(ByteText.show(text))\"")
            }
            sets[last].requests[request].expectation = Expectation(kind: kind)
            return
        }
        sets[last].requests.append(try request(line, line: number))
    }

    private func refusal(_ line: [UInt8], line number: Int) throws -> Refusal {
        let text = String(decoding: Array(line.dropFirst()).trimmed, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":"), let place = Int(text[..<colon]) else {
            return Refusal(line: nil, message: text)
        }
        let message = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        return Refusal(line: place, message: message)
    }

    private func request(_ line: [UInt8], line number: Int) throws -> RequestCase {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")), space > 0, space + 1 < line.count else {
            throw failure(number, "expected \"METHOD TARGET\"")
        }
        var target = Array(line[(space + 1)...])
        var request = OracleRequest(target: [])
        request.method = ByteText.decode(line[..<space])
        let version = Array(" HTTP/".utf8)
        if target.count > version.count + 3, target[(target.count - version.count - 3)...].starts(with: version) {
            request.version = ByteText.decode(target.suffix(version.count + 2))
            target.removeLast(version.count + 3)
        }
        request.target = ByteText.decode(target)
        return RequestCase(request: request, line: number, expectation: nil, expectationLines: number..<number)
    }

    private mutating func takeIndented(_ text: [UInt8], line number: Int) throws {
        let last = sets.count - 1
        guard let index = sets[last].requests.indices.last else {
            throw failure(number, "this line belongs to no request")
        }
        if sets[last].requests[index].expectationLines.isEmpty {
            return try takeHeader(text, of: &sets[last].requests[index].request, line: number)
        }
        let begin = sets[last].requests[index].expectationLines.lowerBound
        sets[last].requests[index].expectationLines = begin..<number + 1
        if text.first == UInt8(ascii: "@") {
            guard let destination = RequestOutcome.Destination(caseText: Array(text.dropFirst())) else {
                throw failure(number, "expected \"@upstream URL\", \"@file PATH\" or \"@static CODE\"")
            }
            sets[last].requests[index].expectation?.destination = destination
            return
        }
        if text.first == UInt8(ascii: "-") {
            let name = Array(text.dropFirst())
            sets[last].requests[index].askedHeaders.append(name)
            sets[last].requests[index].expectation?.absentHeaders.append(name)
            return
        }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else {
            throw failure(number, "expected \"Name: value\" or \"-Name\"")
        }
        let name = Array(text[..<colon])
        sets[last].requests[index].askedHeaders.append(name)
        let value = ByteText.decode(Array(text[(colon + 1)...]).trimmed)
        sets[last].requests[index].expectation?.headers.append(HeaderLine(name: name, value: value))
    }

    private func takeHeader(_ text: [UInt8], of request: inout OracleRequest, line number: Int) throws {
        if text == Array("-Host".utf8) {
            request.headers.removeAll { $0 == HeaderLine("Host", "localhost") }
            return
        }
        let remote = Array("@remote ".utf8)
        if text.starts(with: remote) {
            request.remote = String(decoding: text.dropFirst(remote.count), as: UTF8.self)
            return
        }
        if text.first == UInt8(ascii: "@") {
            request.listen = String(decoding: text.dropFirst(), as: UTF8.self)
            return
        }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else {
            throw failure(number, "expected \"Name: value\", \"-Host\" or \"@address\"")
        }
        let name = ByteText.decode(text[..<colon])
        let value = ByteText.decode(Array(text[(colon + 1)...]).trimmed)
        // The first Host line replaces the default one; more of them are sent unchanged.
        if name.lowercasedASCII == Array("host".utf8), request.headers.first == HeaderLine("Host", "localhost") {
            request.headers[0] = HeaderLine(name: name, value: value)
        } else {
            request.headers.append(HeaderLine(name: name, value: value))
        }
    }

    private func finish() throws -> [RuleSetCase] {
        if state == .rules { throw failure(lines.count, "the last rule set has no --- line") }
        for set in sets where set.requests.isEmpty && set.refusal == nil {
            throw failure(set.line, "the rule set has no requests")
        }
        return sets
    }
}
