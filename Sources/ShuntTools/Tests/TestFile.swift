import Shunt

/// A file of tests in the notation of the rule language's documents, whose name ends in `.requests`.
///
/// ```text
/// name: item pages
/// GET /item/0042 www.example.com -> forward http://www.example.com/item/42 (route web.item, id=42)
///     by rules/50-web.conf
/// ```
public struct TestFile: Sendable {
    /// The tests, in the order of the file.
    public private(set) var cases: [TestCase] = []
    private let file: RuleFile
    /// The Host of targets that name none.
    private let host: [UInt8]?
    private var problems: [Diagnostic] = []
    private var name: String?

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - name: The name of the file, for messages.
    ///   - host: The Host of targets that name none; nil for none.
    /// - Throws: Everything that is wrong with it.
    public init(_ bytes: [UInt8], named name: String, host: String? = nil) throws(TestFileError) {
        file = RuleFile(name: name, bytes: bytes)
        self.host = host.map { Array($0.utf8) }
        read()
        guard problems.isEmpty else { throw TestFileError(diagnostics: problems) }
    }

    /// Returns true if a line begins a test.
    static func isRequest(_ line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first else { return false }
        return first != 0x20 && first != 0x09 && first != UInt8(ascii: "#") && !line.starts(with: "name:".utf8)
    }

    private mutating func read() {
        var isOpen = false
        for (number, bytes) in file.numberedLines {
            var line = bytes
            if number == 1, line.starts(with: [0xef, 0xbb, 0xbf]) { line = line.dropFirst(3) }
            let text = TestLine(line)
            if text.isEmpty {
                name = nil
            } else if line.starts(with: "name:".utf8) {
                name = String(decoding: TestLine(line.dropFirst(5)).trimmed, as: UTF8.self)
            } else if line.first == UInt8(ascii: "#") {
                continue
            } else if Self.isRequest(line) {
                isOpen = begin(text, number)
            } else if text.trimmed.first == UInt8(ascii: "#") {
                continue
            } else if cases.isEmpty {
                report("there is no request above this line", word: text.words.first, number: number)
            } else if isOpen {
                add(text, number)
            }
        }
    }

    // MARK: The line of a request

    /// Reads a line with a request; false if it is not a request.
    private mutating func begin(_ line: TestLine, _ number: Int32) -> Bool {
        var line = line
        line.dropRemark()
        let (subject, outcome) = line.splitAtArrow()
        var words = subject.words
        var method = RuleRequest.usualMethod
        if words.count > 1, words[0].bytes.allSatisfy(\.isASCIIUppercase) { method = words.removeFirst().bytes }
        var version: String?
        if words.count > 2, words[2].bytes.starts(with: "HTTP/".utf8) {
            version = String(decoding: words.removeLast().bytes.dropFirst(5), as: UTF8.self)
        }
        let decoded = words.map { $0.bytes.elementsEqual("\"\"".utf8) ? [] : WrittenBytes.decode($0.bytes) }
        var request: RuleRequest
        switch decoded.count {
        case 1 where decoded[0].first == UInt8(ascii: "/"): request = RuleRequest(target: decoded[0], host: host)
        case 1: request = RuleRequest(written: decoded[0])
        case 2:
            let isNone = words[1].bytes.elementsEqual("-".utf8)
            request = RuleRequest(target: decoded[0], host: isNone ? nil : decoded[1])
        default:
            let message = "a request is a URL, or a target and a host"
            let advice = "write the decision after \" -> \""
            report(message, word: words.count > 2 ? words[2] : words.first, number: number, suggestion: advice)
            return false
        }
        request.methodBytes = method
        if let version { request.version = version }
        let location = SourceLocation(file: file.name, line: Int(number), column: 1)
        var test = TestCase(at: location, RequestDescription(request), expecting: nil, name: name)
        if let outcome { test.expectation = expectation(outcome, number) }
        cases.append(test)
        return true
    }

    /// Reads what is after an arrow: `[not] DECISION [STATUS] [URL] ["BODY"] [(route NAME, KEY=VALUE)]`.
    private mutating func expectation(_ text: TestLine, _ number: Int32) -> Expectation? {
        var line = text
        var result = Expectation()
        let route = line.takeRoute()
        if let body = line.takeQuoted() { result.body = WrittenBytes.decode(body) }
        var words = line.words
        let isNegated = words.first?.bytes.elementsEqual("not".utf8) ?? false
        if isNegated { words.removeFirst() }
        do throws(ExpectedDecision.Problem) {
            var decision = try ExpectedDecision(words: words.map { WrittenBytes.decode($0.bytes) })
            decision.isNegated = isNegated
            decision.hasWildcards = decision.url?.contains(UInt8(ascii: "*")) ?? false
            if let route {
                decision.route = route.name
                result.parameters = route.parameters
            }
            result.decision = decision
            return result
        } catch {
            let word = words.indices.contains(error.word) ? words[error.word] : text.words.last
            report(error.message, word: word, number: number, suggestion: error.suggestion)
            return nil
        }
    }

    // MARK: The lines below it

    /// Reads a line with more about the last request, or about its decision.
    private mutating func add(_ line: TestLine, _ number: Int32) {
        guard let word = line.words.first else { return }
        let index = cases.count - 1
        let rest = line.after(word)
        let value = WrittenBytes.decode(rest.trimmed)
        let text = String(decoding: value, as: UTF8.self)
        let name = String(decoding: word.bytes, as: UTF8.self)
        if value.isEmpty { return report("\"\(name)\" is followed by something", word: word, number: number) }
        do throws(RequestError) {
            switch name {
            case ">":
                let (name, value) = try Self.header(rest)
                cases[index].request.request.headers.append(RuleRequest.Header(name: name, value: value ?? []))
                try RequestFields.checkHost(of: cases[index].request.request)
            case "<", "!<":
                let (header, value) = try Self.header(rest, mayBeAlone: true)
                expect(number, word: word) {
                    $0.headers.append(.init(name: header, value: value, isAbsent: name == "!<"))
                }
            case "@remote":
                let address = try RequestFields.remoteAddress(text, of: "\"@remote\"")
                cases[index].request.request.remoteAddress = address
            case "@listen": cases[index].request.request.listen = try RequestFields.endpoint(text)
            case "@time": cases[index].request.request.time = try RequestFields.time(text, of: "\"@time\"")
            case "@file": cases[index].request.files.append(text)
            case "@directory": cases[index].request.files.append(text.hasSuffix("/") ? text : text + "/")
            case "by": expect(number, word: word) { $0.rule = ExpectedRule(text) }
            case "body": expect(number, word: word) { $0.body = value }
            case "parameter":
                let words = rest.words
                // The rest of a path may be empty, and so may its parameter.
                guard let name = words.first else { throw RequestError("a parameter has a name and a value") }
                let parameter = Decision.Parameter(
                    name: String(decoding: name.bytes, as: UTF8.self),
                    value: String(decoding: WrittenBytes.decode(rest.after(name).trimmed), as: UTF8.self)
                )
                expect(number, word: word) { $0.parameters.append(parameter) }
            case "then":
                let (_, outcome) = line.splitAtArrow()
                guard let outcome else { throw RequestError("\"then\" is followed by \"-> DECISION\"") }
                guard let decision = expectation(outcome, number)?.decision else { return }
                let count = cases[index].expectation?.following.count ?? 0
                guard count < Expectation.mostFollowing else {
                    throw RequestError("at most \(Expectation.mostFollowing) decisions are followed")
                }
                expect(number, word: word) { $0.following.append(decision) }
            case let name where name.hasPrefix("$") && name.utf8.count > 1:
                guard rest.words.first?.bytes.elementsEqual("=".utf8) ?? false, let equals = rest.words.first else {
                    throw RequestError("an input is written $NAME = VALUE")
                }
                let value = WrittenBytes.decode(rest.after(equals).trimmed)
                cases[index].request.request.inputs[String(name.dropFirst()).lowercased()] = value
            default:
                let known = ["@remote", "@listen", "@time", "@file", "@directory", "by", "body", "parameter", "then"]
                let meant = Suggestion.meant(by: name, among: known)
                let message = "a test has no line \(RequestFields.quoted(name))"
                let advice = meant ?? "there are > < !< $NAME \(known.joined(separator: " "))"
                report(message, word: word, number: number, suggestion: advice)
            }
        } catch {
            report(error.description, word: word, number: number)
        }
    }

    private mutating func expect(_ number: Int32, word: TestLine.Word, _ change: (inout Expectation) -> Void) {
        guard var expectation = cases[cases.count - 1].expectation else {
            if !problems.contains(where: { $0.location.line == cases[cases.count - 1].location.line }) {
                report("a request that is not recorded yet expects nothing", word: word, number: number)
            }
            return
        }
        change(&expectation)
        cases[cases.count - 1].expectation = expectation
    }

    /// `Name: value`, or a name alone.
    private static func header(
        _ line: TestLine,
        mayBeAlone: Bool = false
    ) throws(RequestError) -> (name: [UInt8], value: [UInt8]?) {
        let bytes = line.trimmed
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
            guard mayBeAlone else { throw RequestError("a header is written \"Name: value\"") }
            return (WrittenBytes.decode(bytes), nil)
        }
        guard colon > bytes.startIndex else { throw RequestError("a header has no name") }
        let value = TestLine(bytes[(colon + 1)...]).trimmed
        return (WrittenBytes.decode(bytes[..<colon]), WrittenBytes.decode(value))
    }

    private mutating func report(_ message: String, word: TestLine.Word?, number: Int32, suggestion: String? = nil) {
        let place = (number, Int32(truncatingIfNeeded: (word?.offset ?? 0) + 1))
        let length = word?.bytes.count ?? 1
        problems.append(
            file.diagnostic(.error(.invalidTest), message, at: place, length: length, suggestion: suggestion)
        )
    }
}
