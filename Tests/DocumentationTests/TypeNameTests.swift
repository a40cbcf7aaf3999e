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
        try FileManager.default.subpathsOfDirectory(atPath: Document.root + "/Sources")
            .filter { $0.hasSuffix(".swift") }
            .flatMap { file in
                let text = try String(contentsOfFile: Document.root + "/Sources/" + file, encoding: .utf8)
                return types(in: text).map { (file, $0) }
            }
    }

    private static func types(in text: String) -> [String] {
        let declaration =
            #/(?m)^(?:@\w+(?:\([^)\n]*\))? )*(?:(?:public|package|final|indirect) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/#
        return text.matches(of: declaration).map { String($0.output.1) }
    }
}
