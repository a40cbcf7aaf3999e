import Foundation
import Testing

/// A name of a type means one thing in the whole house, and needs no glossary.
@Suite struct TypeNameTests {
    @Test("No two targets have a type of one name")
    func homonyms() throws {
        var targets: [String: Set<String>] = [:]
        for (file, name) in try Self.types() {
            targets[name, default: []].insert(String(file.prefix { $0 != "/" }))
        }
        #expect(targets.count > 500)
        #expect(targets.filter { $0.value.count > 1 }.isEmpty)
    }

    @Test("Types are named with the field's words")
    func words() throws {
        let words = #/^(.*[a-z])?(Course|Told|Asked|Hole)([A-Z].*)?$/#
        #expect(try Self.types().filter { $0.name.wholeMatch(of: words) != nil }.isEmpty)
    }

    @Test("Short names are left to programs")
    func shortNames() throws {
        let short = [
            "Action", "Event", "Feed", "Member", "Members", "Module", "Next", "Nothing", "Request", "Response",
        ]
        #expect(Set(try Self.types().map(\.name)).isDisjoint(with: short))
    }

    @Test("Public errors are named as errors, but for answers of proofs")
    func errors() throws {
        let errors = #/(?m)^\s*(?:@\w+ )*public (?:struct|enum|final class) (\w+): (?:\w+, )*(?:Status)?Error\b/#
        let names = try Self.texts().flatMap { $0.text.matches(of: errors).map { String($0.output.1) } }
        #expect(names.count > 20)
        #expect(names.filter { !$0.hasSuffix("Error") }.sorted() == ["AutomatonRefusal", "UnprovedReason"])
    }

    @Test(
        "Types that other files see are found",
        arguments: [
            ("package final class A: B {", ["A"]), ("@frozen public enum C<D> {", ["C"]), ("    struct E {", []),
            ("private struct F {", []), ("struct G: ~Copyable {}\ntypealias H = Int", ["G", "H"]),
        ]
    )
    func finding(text: String, names: [String]) {
        #expect(Self.types(in: text) == names)
    }

    /// The types at the top level of all files, without private ones.
    private static func types() throws -> [(file: String, name: String)] {
        try texts().flatMap { file, text in types(in: text).map { (file, $0) } }
    }

    private static func texts() throws -> [(file: String, text: String)] {
        try FileManager.default.subpathsOfDirectory(atPath: Document.root + "/Sources")
            .filter { $0.hasSuffix(".swift") }
            .map { ($0, try String(contentsOfFile: Document.root + "/Sources/" + $0, encoding: .utf8)) }
    }

    private static func types(in text: String) -> [String] {
        let declaration =
            #/(?m)^(?:@\w+(?:\([^)\n]*\))? )*(?:(?:public|package|final|indirect) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/#
        return text.matches(of: declaration).map { String($0.output.1) }
    }
}
