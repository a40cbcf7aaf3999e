import Shunt
import ShuntPatterns

/// A file of Hurl (https://hurl.dev/docs/hurl-file.html), as far as it has what is requested and where the answer
/// leads.
///
/// Read are the line of the request, its headers and `[Query]`, the status and assertions about headers. Whatever else
/// is asserted is reported as not checked, by its kind.
public struct HurlFile: Sendable {
    /// The tests, in the order of the file.
    public private(set) var cases: [TestCase] = []
    private let file: RuleFile
    private let host: String
    private var problems: [Diagnostic] = []

    /// The kind of the lines of a section.
    private enum Section {
        case none, request, options, query, response, asserts
        /// A body, or a section that no one reads, up to the next request, section or answer.
        case passedOver
    }

    private var section = Section.none
    private var query: [String] = []
    /// True if the answer is the one at the end of redirects.
    private var followsRedirects = false

    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH",
    ]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - name: The name of the file, for messages.
    ///   - host: The host that `{{host}}` stands for.
    /// - Throws: What is wrong with it.
    public init(_ bytes: [UInt8], named name: String, host: String = "localhost") throws(TestFileError) {
        file = RuleFile(name: name, bytes: bytes)
        self.host = host
        var isText = false
        for (number, bytes) in file.numberedLines {
            let line = String(decoding: TestLine(bytes).trimmed, as: UTF8.self)
            // A body in three backquotes is not read.
            if line.hasPrefix("```") {
                isText = !isText || (line.utf8.count > 3 && line.hasSuffix("```"))
                if !isText || line.utf8.count == 3 { assert("a body") }
                continue
            }
            if !isText, !line.isEmpty, !line.hasPrefix("#") { read(line, number) }
        }
        endRequest()
        guard problems.isEmpty else { throw TestFileError(diagnostics: problems) }
    }

    private mutating func read(_ line: String, _ number: Int32) {
        let words = line.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
        if words.count == 2, Self.methods.contains(words[0]) {
            endRequest()
            return begin(words[0], url: words[1], number: number)
        }
        if words[0] == "HTTP" || words[0].hasPrefix("HTTP/"), section != .none {
            endRequest()
            if followsRedirects { return passOver("the answer at the end of redirects") }
            section = .response
            guard words.count > 1, words[1] != "*" else { return }
            guard let status = Int(words[1]) else { return report("a status is a number or *", number) }
            return expect(status)
        }
        if line.hasPrefix("["), line.hasSuffix("]") { return enter(line) }
        switch section {
        case .none: report("a file of Hurl begins with a request, such as GET https://example.com/", number)
        case .request:
            guard let (name, value) = Self.pair(line) else { return passOver("a body of the request") }
            guard !Self.hasVariable(name), !Self.hasVariable(value) else { return assert("a header with a variable") }
            cases[cases.count - 1].request.request.headers.append(RuleRequest.Header(name, value))
        case .query:
            guard let (name, value) = Self.pair(line) else {
                return report("a parameter is written \"name: value\"", number)
            }
            query.append(Self.encoded(name) + "=" + Self.encoded(value))
        case .options:
            let pair = Self.pair(line)
            guard let pair, pair.name.hasPrefix("location"), pair.value == "true" else { return }
            followsRedirects = true
        case .response:
            guard let (name, value) = Self.pair(line) else { return passOver("a body") }
            expect(header: name, value)
        case .asserts: readAssertion(line)
        case .passedOver: return
        }
    }

    private mutating func enter(_ line: String) {
        switch line {
        case "[Query]", "[QueryStringParams]": section = .query
        case "[Asserts]": section = followsRedirects ? .passedOver : .asserts
        case "[Options]":
            assert("the section [Options]")
            section = .options
        case "[Captures]": passOver("captures")
        default: passOver("the section \(line)")
        }
    }

    private mutating func passOver(_ kind: String) {
        assert(kind)
        section = .passedOver
    }

    // MARK: The request

    private mutating func begin(_ method: String, url: String, number: Int32) {
        section = .request
        followsRedirects = false
        query = []
        var request: RuleRequest
        var notChecked: [String] = []
        let variable = "{{host}}"
        var target = url
        if url.hasPrefix(variable) {
            target = String(url.dropFirst(variable.count))
            request = RuleRequest(target: target.isEmpty ? "/" : target, host: host)
        } else {
            request = RuleRequest(url: url)
        }
        if Self.hasVariable(target) { notChecked.append("a request with a variable") }
        request.method = method
        let location = SourceLocation(file: file.name, line: Int(number), column: 1)
        var test = TestCase(at: location, RequestDescription(request), expecting: Expectation())
        test.fileView = .unseen
        test.notChecked = notChecked
        cases.append(test)
    }

    /// Puts the parameters of a request after its URL.
    private mutating func endRequest() {
        guard !query.isEmpty, !cases.isEmpty else { return }
        let added = query.joined(separator: "&")
        query = []
        let url = cases[cases.count - 1].request.request.bytes
        let mark = url.contains(UInt8(ascii: "?")) ? "&" : "?"
        cases[cases.count - 1].request.request.bytes = url + mark.utf8 + added.utf8
    }

    // MARK: The answer

    private mutating func expect(_ status: Int) { cases[cases.count - 1].status = status }

    private mutating func expect(header name: String, _ value: String) {
        guard !Self.hasVariable(value) else { return assert("a header with a variable") }
        let header = Expectation.Header(name: Array(name.utf8), value: Array(value.utf8))
        cases[cases.count - 1].expectation?.headers.append(header)
    }

    /// Reads `header "NAME" PREDICATE "TEXT"` or `header "NAME" exists`; anything else is not checked.
    private mutating func readAssertion(_ line: String) {
        let parts = Self.tokens(line)
        guard parts.count >= 3, parts[0] == "header" else {
            return assert(parts.first.map { $0 == "body" ? "a body" : $0 } ?? "an assertion")
        }
        let name = Array(parts[1].utf8)
        switch (parts[2], parts.count) {
        case ("exists", 3): cases[cases.count - 1].expectation?.headers.append(.init(name: name, value: nil))
        case ("not", 4) where parts[3] == "exists":
            cases[cases.count - 1].expectation?.headers.append(.init(name: name, value: nil, isAbsent: true))
        case ("==", 4), ("equals", 4): expect(header: parts[1], parts[3])
        case (let predicate, 4):
            guard let comparison = TestCase.HeaderTest.Comparison(rawValue: predicate) else {
                return assert("header \(predicate)")
            }
            var pattern: RegularExpression?
            if comparison == .matches {
                pattern = try? RegularExpression(Array(parts[3].utf8), caseless: false)
                if pattern == nil { return assert("header matches") }
            }
            cases[cases.count - 1].headerTests
                .append(.init(name: name, comparison: comparison, text: Array(parts[3].utf8), pattern: pattern))
        default: assert("header \(parts[2])")
        }
    }

    private mutating func assert(_ kind: String) {
        guard !cases.isEmpty else { return }
        cases[cases.count - 1].notChecked.append(kind)
    }

    // MARK: Text

    /// `name: value`.
    private static func pair(_ line: String) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, !line.hasPrefix("{"), !line.hasPrefix("<")
        else { return nil }
        return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
    }

    /// Returns true if a text has `{{`, with which a variable begins.
    private static func hasVariable(_ text: String) -> Bool {
        var isOpen = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "{"), isOpen { return true }
            isOpen = byte == UInt8(ascii: "{")
        }
        return false
    }

    /// The words of an assertion; what is between quotes is one, without them and their escapes.
    ///
    /// A regular expression may be between slashes.
    private static func tokens(_ line: String) -> [String] {
        let backslash = UInt8(ascii: "\\")
        var result: [String] = []
        var word: [UInt8] = []
        var quote: UInt8?
        var isEscaped = false
        var isQuoted = false
        func end() {
            if !word.isEmpty || isQuoted { result.append(String(decoding: word, as: UTF8.self)) }
            (word, isQuoted) = ([], false)
        }
        for byte in line.utf8 {
            if let open = quote {
                if isEscaped {
                    if byte != open, byte != backslash || open != UInt8(ascii: "\"") { word.append(backslash) }
                    word.append(byte)
                    isEscaped = false
                } else if byte == backslash {
                    isEscaped = true
                } else if byte == open {
                    quote = nil
                } else {
                    word.append(byte)
                }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "/") && word.isEmpty {
                quote = byte
                isQuoted = true
            } else if byte == UInt8(ascii: " ") {
                end()
            } else if byte == UInt8(ascii: "#"), word.isEmpty, !isQuoted {
                break
            } else {
                word.append(byte)
            }
        }
        end()
        return result
    }

    private static func encoded(_ text: String) -> String {
        let plain = URLComponentCoding.unreservedBytes
        return String(decoding: URLComponentCoding.encode(Array(text.utf8).span, keeping: plain), as: UTF8.self)
    }

    private mutating func report(_ message: String, _ number: Int32) {
        problems.append(file.diagnostic(.error(.invalidTest), message, at: (number, 1)))
    }
}
