import ShuntCore
import Testing

/// `docs/diagnostics.md`, which has a line for each `DiagnosticCode`: its meaning, the fix, an example, and what is right instead.
@Suite struct DiagnosticsPageTests {
    /// A line of the page.
    struct Entry: Sendable, CustomTestStringConvertible {
        var code: String
        var meaning: String
        var fix: String
        /// A file, or a command, that has the problem.
        var example: DiagnosticExample?
        /// The same without the problem.
        var right: DiagnosticExample?

        var testDescription: String { code }

        /// Reads a line; nil if it has another form.
        init?(_ line: String) {
            let form =
                /\* `([^`]+)`: (.+?) Fix: (.+?\.)(?: Example: `([^`]+)`(?: with (`.+?))?)?(?: Right: `([^`]+)`)?/
            guard let match = line.wholeMatch(of: form) else { return nil }
            (code, meaning, fix) = (String(match.1), String(match.2), String(match.3))
            let files = DiagnosticExample.files(match.5 ?? "")
            example = match.4.map { DiagnosticExample(text: String($0), files: files) }
            right = match.6.map { DiagnosticExample(text: String($0), files: files) }
        }
    }

    static let entries = ((try? Document("docs/diagnostics.md").lines) ?? []).compactMap(Entry.init)

    /// The messages of the commands that have no `--format json`.
    private static let messages: [DiagnosticCode: String] = [
        .invalidTest: #"there is no decision "blocked""#, .routeGeneration: #"the parameter "id" has no value"#,
        .unreadable: "cannot be read", .deadLink: "leads nowhere",
    ]

    /// The codes without an example, by the reason.
    private static let withoutExample: [String: [DiagnosticCode]] = [
        "a limit that only large files pass": [
            .includeTooDeep, .tooManyFiles, .tooMuchText, .tooManyWords, .moreErrors, .wordTooLong, .nestingTooDeep,
            .nestingLimit, .tooManyListens, .tooManyNames, .tooManyKeys, .tooManyEntries, .tooManyExpectations,
            .slowExpectations, .tableTooComplex, .tooManyRoutes, .tooLarge,
        ],
        "the problem is in Swift code": [
            .routeWithoutHandler, .duplicateModule, .duplicateService, .duplicateAction, .missingService,
            .missingAction, .remoteBase, .remoteAction, .dependencyCycle, .unusedService, .level, .contractConflict,
            .notEncodable, .slotsTooDeep, .listInSlot, .slotInput, .openProxy, .closedSlot, .unknownContract,
            .unreachableAddress, .first,
        ],
        "only a mistake of Shunt has it": [.proof, .formatDiffers],
        "a gateway looks names up when it starts": [.unknownHost],
        "it needs two whole statements": [.componentsTwice],
        "a file of tests reports it as invalid-test": [.missingDecision],
    ]

    @Test("The page has one line for each name, in the order of the enumeration")
    func lines() {
        #expect(Self.entries.map(\.code) == DiagnosticCode.allCases.map(\.name))
        for entry in Self.entries { #expect(entry.meaning.hasSuffix("."), "\(entry.code)") }
    }

    @Test("A line has an example, unless there is a reason")
    func examples() {
        let missing = Self.entries.filter { $0.example == nil }.map(\.code)
        #expect(Set(missing) == Set(Self.withoutExample.values.joined().map(\.name)))
    }

    @Test("An example has the problem", arguments: entries.filter { $0.example != nil })
    func example(_ entry: Entry) throws {
        let example = try #require(entry.example)
        if let message = Self.messages.first(where: { $0.key.name == entry.code })?.value {
            let output = try example.output()
            #expect(output.contains(message), "\(output)")
        } else {
            let problems = try example.problems()
            #expect(problems.contains { $0.code == entry.code }, "\(problems)")
        }
    }

    @Test("The right rules have neither the problem nor an error", arguments: entries.filter { $0.right != nil })
    func right(_ entry: Entry) throws {
        let problems = try #require(entry.right).problems()
        #expect(!problems.contains { $0.code == entry.code || $0.isError }, "\(problems)")
    }

    @Test("Most examples of rules are followed by what is right")
    func corrections() {
        #expect(Self.entries.count { $0.right != nil } >= 140)
    }
}
