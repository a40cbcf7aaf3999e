public import Shunt

/// Tests from a table of redirects (RFC 4180, with commas, semicolons or tabs between the fields).
public struct RedirectTable: Sendable {
    /// The tests, in the order of the file.
    public private(set) var cases: [TestCase] = []
    /// The rows that are left out, each with the reason.
    public private(set) var leftOut: [Diagnostic] = []

    /// The heads of columns that people use, in lower case and without spaces and signs.
    private static let heads: [[String]] = [
        [
            "from", "source", "sourceurl", "sourcepath", "url", "oldurl", "oldpath", "old", "redirectfrom", "fromurl",
            "frompath", "requesturl", "requestpath", "path",
        ],
        [
            "to", "target", "targeturl", "targetpath", "destination", "destinationurl", "dest", "location", "newurl",
            "newpath", "new", "redirectto", "redirecturl", "redirect", "tourl", "topath",
        ],
        ["status", "statuscode", "code", "httpstatus", "httpcode", "redirectcode", "redirecttype", "type"],
    ]

    /// Reads a table.
    ///
    /// A table without heads has the source, the target and the status in this order. Sources are encoded as a browser sends them.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - name: The name of the file, for messages.
    ///   - host: The Host of sources that are paths.
    ///   - columns: The heads or the numbers, from 1, of the columns with the source, the target and the status; empty to find
    ///     them by usual heads.
    /// - Throws: What is wrong with the table as a whole.
    public init(
        _ bytes: [UInt8],
        named name: String,
        host: String? = nil,
        columns: [String] = []
    ) throws(TestFileError) {
        let file = RuleFile(name: name, bytes: bytes)
        func refusal(_ message: String, suggestion: String) -> TestFileError {
            let problem = file.diagnostic(.error(.invalidTest), message, at: (1, 1), suggestion: suggestion)
            return TestFileError(diagnostics: [problem])
        }
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            throw refusal("the table is in UTF-16", suggestion: "save it as UTF-8")
        }
        var rows = Self.rows(bytes)[...]
        let first = rows.first?.fields ?? []
        let hasHeads = !first.contains { Self.isTarget($0) }
        if hasHeads { _ = rows.popFirst() }
        let places = Self.places(columns, in: hasHeads ? first : [], count: first.count)
        guard let source = places[0] else {
            throw refusal(
                "no column has the sources",
                suggestion: "name the columns from,to,status, or write --columns \"head or number,…\""
            )
        }
        guard places[1] != nil || places[2] != nil else {
            throw refusal(
                "no column has targets or statuses",
                suggestion: "name the columns from,to,status, or write --columns \"head or number,…\""
            )
        }
        var needsHost = false
        for row in rows where row.fields.contains(where: { !$0.isEmpty }) {
            if row.hasOpenQuote {
                let reason = "a quote is not closed"
                leftOut.append(file.diagnostic(.warning(.invalidTest), reason, at: (row.line, 1)))
                continue
            }
            func field(_ index: Int?) -> String {
                index.flatMap { row.fields.indices.contains($0) ? row.fields[$0] : nil } ?? ""
            }
            let (url, to, status) = (field(source), field(places[1]), field(places[2]))
            if let reason = Self.reason(source: url, target: to, status: status) {
                leftOut.append(file.diagnostic(.warning(.invalidTest), reason, at: (row.line, 1)))
                continue
            }
            needsHost = needsHost || url.hasPrefix("/")
            let location = SourceLocation(file: name, line: Int(row.line), column: 1)
            let written = url.utf8.flatMap { 0x21...0x7e ~= $0 ? [$0] : $0.percentEncoded }
            let request =
                url.hasPrefix("/")
                ? RuleRequest(target: written, host: host.map { Array($0.utf8) }) : RuleRequest(written: written)
            var test = TestCase(at: location, RequestDescription(request), expecting: Expectation())
            if to.isEmpty {
                test.status = Int(status)
            } else {
                var decision = ExpectedDecision(.redirect)
                // A path has no host, and a host no scheme.
                let isPath = to.hasPrefix("/") && !to.hasPrefix("//")
                decision.hasWildcards = isPath || !to.contains("://") && !to.hasPrefix("/")
                let start = isPath ? "*://*" : decision.hasWildcards ? "*://" : ""
                decision.url = Array((start + to.replacing(" ", with: "%20")).utf8)
                decision.status = Int(status)
                test.expectation?.decision = decision
                test.followsRedirects = true
            }
            test.fileView = .unseen
            cases.append(test)
        }
        guard host != nil || !needsHost else {
            throw refusal("the sources are paths, and no host is known for them", suggestion: "write --host NAME")
        }
        guard !cases.isEmpty || leftOut.isEmpty else { throw TestFileError(diagnostics: leftOut) }
    }

    /// The reason why a row cannot be a test; nil if it can.
    private static func reason(source: String, target: String, status: String) -> String? {
        if source.isEmpty { return "the source is empty" }
        if !isTarget(source) { return "the source is not a path that begins with a slash, and not a URL" }
        if source.contains("#") { return "clients do not send what follows # in the source" }
        if target.isEmpty, status.isEmpty { return "the target and the status are empty" }
        if !status.isEmpty, Int(status) == nil { return "a status is a number, not \(RequestFields.quoted(status))" }
        if !target.isEmpty, !isTarget(target) {
            return "the target is not a path that begins with a slash, and not a URL"
        }
        return nil
    }

    /// Returns true for a path and for a URL, which may have no scheme.
    private static func isTarget(_ text: String) -> Bool {
        if text.hasPrefix("/") { return true }
        if text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\/.+/) != nil { return true }
        return text.wholeMatch(of: /(localhost|[A-Za-z0-9\-]+(\.[A-Za-z0-9\-]+)+)(:[0-9]+)?(\/.*)?/) != nil
    }

    /// The numbers of the columns with the source, the target and the status.
    private static func places(_ columns: [String], in heads: [String], count: Int) -> [Int?] {
        func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
        if !columns.isEmpty {
            return (0..<3)
                .map { place in
                    guard columns.indices.contains(place) else { return nil }
                    if let found = heads.firstIndex(where: { plain($0) == plain(columns[place]) }) { return found }
                    if heads.isEmpty, place < count, Self.heads[place].contains(plain(columns[place])) { return place }
                    return Int(plain(columns[place])).flatMap { (1...max(1, count)).contains($0) ? $0 - 1 : nil }
                }
        }
        if heads.isEmpty { return (0..<3).map { $0 < count ? $0 : nil } }
        return Self.heads.map { names in
            names.lazy.compactMap { name in heads.firstIndex { plain($0) == name } }.first
        }
    }

    /// The separator that the first line has most of.
    private static func separator(_ bytes: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: "\n"), !isQuoted { break }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        return ",;\t".utf8.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? UInt8(ascii: ",")
    }

    /// A row with its line.
    private struct Row {
        var fields: [String]
        var line: Int32
        var hasOpenQuote = false
    }

    /// The rows; a field in quotes may hold separators, line ends and doubled quotes.
    ///
    /// A quote that nothing closes ends with its line, so that it takes no other rows with it.
    private static func rows(_ bytes: [UInt8]) -> [Row] {
        let separator = separator(bytes)
        var rows: [Row] = []
        var fields: [String] = []
        var field: [UInt8] = []
        var line: Int32 = 1
        var start: Int32 = 1
        var isQuoted = false
        var index = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        var hasOpenQuote = false
        /// Returns true if the next quote ends a field.
        func isClosed(from start: Int) -> Bool {
            var place = start
            while let quote = bytes[place...].firstIndex(of: UInt8(ascii: "\"")) {
                guard quote + 1 < bytes.count else { return true }
                guard bytes[quote + 1] == UInt8(ascii: "\"") else {
                    return [separator, 0x0a, 0x0d, 0x20].contains(bytes[quote + 1])
                }
                place = quote + 2
            }
            return false
        }
        func text() -> String { String(decoding: TestLine(field[...]).trimmed, as: UTF8.self) }
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            if isQuoted {
                if byte != UInt8(ascii: "\"") {
                    field.append(byte)
                } else if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
                    field.append(byte)
                    index += 1
                } else {
                    isQuoted = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isQuoted = isClosed(from: index)
                hasOpenQuote = hasOpenQuote || !isQuoted
            } else if byte == separator {
                fields.append(text())
                field = []
            } else if byte == UInt8(ascii: "\n") {
                rows.append(Row(fields: fields + [text()], line: start, hasOpenQuote: hasOpenQuote))
                (fields, field, start, hasOpenQuote) = ([], [], line, false)
            } else {
                field.append(byte)
            }
        }
        if !fields.isEmpty || !field.isEmpty {
            rows.append(Row(fields: fields + [text()], line: start, hasOpenQuote: hasOpenQuote))
        }
        return rows
    }
}
