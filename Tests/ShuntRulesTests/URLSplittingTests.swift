import Foundation
import Testing

/// URLs are taken apart in one place: a program that finds the host itself may find another one than the rules have
/// judged.
@Suite struct URLSplittingTests {
    /// The files that look for `://`, each with the reason why it finds no host of a request by it.
    private static let allowed: [String: String] = [
        "ShuntTools/Import/Apache/ApacheStart.swift": "reads the text of a rule",
        "ShuntTools/Explain/SourceSearch.swift": "puts a pattern together",
        "ShuntTools/Lint/Order/ImpossibleExpressions.swift": "reads an expression",
        "ShuntTools/Lint/Order/ImpossibleText.swift": "reads the text of a rule",
        "ShuntTools/Lint/Security/FileChecks.swift": "looks for passwords in any text",
        "ShuntTools/Lint/Security/OpenRedirects.swift": "reads the text of a rule",
        "ShuntTools/Lint/Security/Spellings.swift": "puts a URL together",
        "ShuntTools/Lint/Security/UnescapedValues.swift": "reads the text of a rule",
        "ShuntTools/Lint/Traps/TargetMistakes.swift": "reads the text of a rule",
        "ShuntTools/Lint/Traps/DoubledSlash.swift": "reads the text of a rule",
        "ShuntTools/Tests/RedirectTable.swift": "reads a cell of a table, and compares it with an outcome",
        "ShuntTools/Solve/Reach/RuleEffects.swift": "reads an expression",
        "ShuntLinks/Bridge/BridgeOrigin.swift": "reads the Origin of a page, which has no path",
        "ShuntServices/Client/HTTPExchange.swift": "reads a URL that rules made, for a client's own requests",
        "ShuntServices/Client/RemoteActions.swift": "reads the URL of a server that a program names",
        "ShuntGateway/Decide/DecisionQuestion.swift":
            "reads a target before the rules do, and HostAndPort checks its host",
        "ShuntGateway/Page/RouteTree.swift": "reads the pattern of a route",
        "ShuntGateway/Request/IncomingRequest.swift":
            "reads a target before the rules do, and HostAndPort checks its host",
        "ShuntLinks/Open/Links+Unknown.swift": "reads the pattern of a route",
        "ShuntRouting/Build/RouteTableBuilder.swift": "reads the pattern of a route",
        "ShuntRouting/Pattern/RoutePattern.swift": "reads the pattern of a route",
        "ShuntRules/Check/Mistakes/MistakeCheck+Hosts.swift": "reads the text of a rule",
        "ShuntRules/Compile/URLPhase/MatcherCompiler.swift": "reads the text of a rule",
        "ShuntRules/Compile/URLPhase/SpellingCompiler.swift": "reads an expression",
        "ShuntRules/Lists/RedirectKey.swift": "reads a row of a list",
        "ShuntRules/Lists/RedirectReader.swift": "reads a row of a list, and RedirectKey checks what becomes of it",
        "ShuntRules/Lists/RedirectTarget.swift": "reads a row of a list, and URLParser checks what becomes of it",
        "ShuntTools/Solve/ListRequests.swift": "puts a URL together",
        "ShuntRules/Expect/URLWildcards.swift": "reads a pattern of URLs",
        "ShuntRules/Show/DecisionText.swift": "compares two texts",
    ]

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources").path

    @Test("No code outside of the URL parsers looks for the end of a scheme to find a host")
    func lookForSchemes() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.root)
        var found: Set<String> = []
        for name in names where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: Self.root + "/" + name, encoding: .utf8)
            let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            if code.contains(where: { $0.contains("\"://\"") }) { found.insert(name) }
        }
        #expect(found.subtracting(Self.allowed.keys).sorted() == [], "use URLParser, RouteSubject or ProxyAddress")
        #expect(Set(Self.allowed.keys).subtracting(found).sorted() == [], "these need no exception any more")
    }
}
