import CAllocationCounter
import Shunt
import ShuntTools
import Testing

/// The memory that reading and fixing lists asks for in all, by which copies of a whole list for each row are seen.
@Suite("Lists: how their work grows")
struct ListGrowthTests {
    /// A name, the directive for a list with it, and the row of a number; `fix` in place of a directive is for `format --fix-list`.
    private static let forms: [(name: String, directive: String, row: @Sendable (Int) -> String)] = [
        ("chain.csv", "fix", { "/a\($0),/a\($0 + 1)\n" }), ("removed.txt", "fix", { "/a /b\($0)\n" }),
        ("quoted.csv", "fix", { "\"/a\($0)\"\"x\",\"/b\"\"\($0)\"\n" }), ("fragments.txt", "fix", { "/a\($0)#x /b\n" }),
        ("rows.txt", "redirects", { "/a\($0) /b\($0)\n" }), ("circle.txt", "redirects", { "/a\($0) /a\($0 ^ 1)\n" }),
        ("_redirects", "redirects", { $0 % 8 == 0 ? "/w\($0)/* /b/:splat\n" : "/a\($0) /a\($0 + 1)\n" }),
        ("quotes.csv", "redirects", { "\"/a\($0)\"\"x\",\"/b\($0)\"\n" }),
        ("open.csv", "redirects", { "\"/a\($0),/b\n" }),
        ("bulk.csv", "redirects", { "h\($0).test/a,https://h.test/\($0),301,true,true,true\n" }),
        ("everyone", "block networks", { _ in "0.0.0.0/0\n" }),
        ("pairs", "block networks", { _ in "10.0.0.1, 10.0.0.2\n" }),
        ("networks", "block networks", { "10.0.\($0 / 256).\($0 % 256)\n" }),
        ("denied", "allow networks", { _ in "deny 10.0.0.1;\n" }),
        ("agents", "block agents", { "agent\($0)x\n" }), ("hosts", "block urls", { "h\($0).test\n" }),
    ]

    @Test("Four times the rows ask for no more than about four times the memory", arguments: forms.map(\.name))
    func growth(name: String) throws {
        let form = try #require(Self.forms.first { $0.name == name })
        func requested(_ count: Int) -> UInt64 {
            let text = Array((0..<count).map(form.row).joined().utf8)
            let before = requested_bytes()
            if form.directive == "fix" {
                _ = RedirectListFix(FormatSource(name: name, bytes: text))
            } else {
                var files = InMemoryFileSystem(["/r/a.conf": "\(form.directive) \(name);"])
                files.set("/r/\(name)", .file(text))
                _ = try? RuleSet(path: "/r", from: files)
            }
            return requested_bytes() - before
        }
        _ = requested(10)
        let (few, many) = (requested(1_000), requested(4_000))
        #expect(many < 6 * few, "\(few) bytes, \(many) bytes")
        #if canImport(Glibc)
        #expect(few > 100_000)
        #endif
    }
}
