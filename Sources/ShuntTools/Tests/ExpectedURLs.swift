import Shunt

/// Tests from lines of JSON with `url` and `expected`: the URL that rules make of it, or null for one that stays
/// unchanged.
public struct ExpectedURLs: Sendable {
    /// The tests, in the order of the file.
    public private(set) var cases: [TestCase] = []

    /// Reads the lines.
    ///
    /// A space is read as `%20`, in both URLs: no URL has one, and every client does this before it sends.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - name: The name of the file, for messages.
    /// - Throws: What is wrong with it.
    public init(_ bytes: [UInt8], named name: String) throws(TestFileError) {
        let file = RuleFile(name: name, bytes: bytes)
        var problems: [Diagnostic] = []
        for (number, bytes) in file.numberedLines {
            let line = Array(bytes)
            if TestLine(bytes).isEmpty { continue }
            do throws(RequestError) {
                let (url, expected) = try Self.read(line)
                var decision = ExpectedDecision(.forward)
                decision.url = expected
                var expectation = Expectation()
                expectation.decision = decision
                let location = SourceLocation(file: name, line: Int(number), column: 1)
                var test = TestCase(at: location, RequestDescription(RuleRequest(url: url)), expecting: expectation)
                test.fileView = .unseen
                cases.append(test)
            } catch {
                problems.append(file.diagnostic(.error(.invalidTest), error.description, at: (number, 1)))
            }
        }
        guard problems.isEmpty else { throw TestFileError(diagnostics: problems) }
    }

    private static func read(_ line: [UInt8]) throws(RequestError) -> (url: [UInt8], expected: [UInt8]) {
        let members = try RequestRecord.members(of: line)
        func text(_ name: String) throws(RequestError) -> [UInt8]? {
            switch members[name] {
            case .string(let bytes)?: return bytes.flatMap { $0 == 0x20 ? Array("%20".utf8) : [$0] }
            case .null?, nil: return nil
            case let other?: throw RequestError("\"\(name)\" needs a string, not \(other.kind)")
            }
        }
        guard let url = try text("url") else { throw RequestError("a line needs \"url\" and \"expected\"") }
        return (url, try text("expected") ?? url)
    }
}
