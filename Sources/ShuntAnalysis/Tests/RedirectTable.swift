import ShuntCore
import ShuntRules

/// Tests from a table of redirects: lines with commas (RFC 4180), whose first names the columns.
public struct RedirectTable: Sendable {
    /// The tests, in the order of the file.
    public private(set) var cases: [TestCase] = []

    private static let sources = ["from", "source", "url"]
    private static let targets = ["to", "target", "location"]
    private static let statuses = ["status", "code"]

    /// Reads a table.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - name: The name of the file, for messages.
    ///   - host: The Host of sources that are paths.
    /// - Throws: What is wrong with it.
    public init(_ bytes: [UInt8], named name: String, host: String? = nil) throws(TestFileError) {
        let file = RuleFile(name: name, bytes: bytes)
        var problems: [Diagnostic] = []
        func report(_ message: String, _ line: Int32, suggestion: String? = nil) {
            problems.append(
                file.diagnostic(
                    .error,
                    code: "invalid-test",
                    message: message,
                    line: line,
                    column: 1,
                    suggestion: suggestion
                )
            )
        }
        var rows = Self.rows(bytes)[...]
        let header = rows.popFirst()?.fields.map { $0.lowercased() } ?? []
        guard let source = header.firstIndex(where: Self.sources.contains) else {
            report("no column is called from, source or url", 1, suggestion: "name the columns: from,to,status")
            throw TestFileError(diagnostics: problems)
        }
        let target = header.firstIndex(where: Self.targets.contains)
        let status = header.firstIndex(where: Self.statuses.contains)
        if target == nil, status == nil {
            report("no column is called to, target, location, status or code", 1)
        }
        for row in rows where row.fields != [""] {
            let line = row.line
            func field(_ index: Int?) -> String {
                index.flatMap { row.fields.indices.contains($0) ? row.fields[$0] : nil } ?? ""
            }
            let url = field(source)
            guard !url.isEmpty else {
                report("the source is empty", line)
                continue
            }
            var expectation = Expectation()
            var expectedStatus: Int?
            if !field(status).isEmpty {
                expectedStatus = Int(field(status))
                if expectedStatus == nil {
                    report("a status is a number, not \(RequestFields.quoted(field(status)))", line)
                }
            }
            let to = field(target)
            if !to.isEmpty {
                var decision = ExpectedDecision(.redirect)
                // A path says nothing of the host.
                decision.hasWildcards = to.hasPrefix("/") && !to.hasPrefix("//")
                decision.url = Array((decision.hasWildcards ? "*://*" + to : to).utf8)
                decision.status = expectedStatus
                expectation.decision = decision
                expectedStatus = nil
            }
            let request = url.hasPrefix("/") ? RuleRequest(target: url, host: host) : RuleRequest(url: url)
            let location = SourceLocation(file: name, line: Int(line), column: 1)
            var test = TestCase(at: location, RequestDescription(request), expecting: expectation)
            test.status = expectedStatus
            test.fileView = .unseen
            cases.append(test)
        }
        guard problems.isEmpty else { throw TestFileError(diagnostics: problems) }
    }

    /// The rows with their lines; a field in quotes may hold commas, line ends and doubled quotes.
    private static func rows(_ bytes: [UInt8]) -> [(fields: [String], line: Int32)] {
        var rows: [(fields: [String], line: Int32)] = []
        var fields: [String] = []
        var field: [UInt8] = []
        var line: Int32 = 1
        var start: Int32 = 1
        var isQuoted = false
        var index = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
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
                isQuoted = true
            } else if byte == UInt8(ascii: ",") {
                fields.append(text())
                field = []
            } else if byte == UInt8(ascii: "\n") {
                rows.append((fields + [text()], start))
                (fields, field, start) = ([], [], line)
            } else {
                field.append(byte)
            }
        }
        if !fields.isEmpty || !field.isEmpty { rows.append((fields + [text()], start)) }
        return rows
    }
}
