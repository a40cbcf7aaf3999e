import ShuntTools
import Testing

@Suite("Differences as diff -u shows them")
struct UnifiedDifferenceTests {
    private func difference(_ old: String, _ new: String) -> String {
        String(decoding: UnifiedDifference.between(Array(old.utf8), Array(new.utf8), named: "a.conf"), as: UTF8.self)
    }

    private func numbered(_ range: ClosedRange<Int>) -> String { range.map { "\($0)\n" }.joined() }

    @Test("Equal texts have none")
    func equal() {
        #expect(difference("", "") == "")
        #expect(difference("a\n", "a\n") == "")
    }

    @Test("A changed line is shown with three lines around it")
    func changed() {
        let old = numbered(1...9)
        #expect(
            difference(old, old.replacing("5\n", with: "five\n"))
                == "--- a.conf\n+++ a.conf\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        )
    }

    @Test("Changes far apart have separate hunks, near ones share one")
    func hunks() {
        let old = numbered(1...30)
        let far = difference(old, old.replacing("\n5\n", with: "\nfive\n").replacing("25\n", with: ""))
        #expect(far.contains("@@ -2,7 +2,7 @@\n"))
        #expect(far.contains("@@ -22,7 +22,6 @@\n"))
        let near = difference(old, old.replacing("\n5\n", with: "\nfive\n").replacing("\n11\n", with: "\neleven\n"))
        #expect(near.contains("@@ -2,13 +2,13 @@\n"))
    }

    @Test("Lines added to nothing, taken away to nothing, and a last line without an end")
    func ends() {
        #expect(difference("", "a\nb\n") == "--- a.conf\n+++ a.conf\n@@ -0,0 +1,2 @@\n+a\n+b\n")
        #expect(difference("a\n", "") == "--- a.conf\n+++ a.conf\n@@ -1 +0,0 @@\n-a\n")
        #expect(
            difference("a", "a\n")
                == "--- a.conf\n+++ a.conf\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"
        )
    }

    @Test("Texts that are too different to be searched are shown whole")
    func large() {
        let old = (0..<3_000).map { "a\($0)\n" }.joined()
        let new = (0..<3_000).map { "b\($0)\n" }.joined()
        let text = difference(old, new)
        #expect(text.hasPrefix("--- a.conf\n+++ a.conf\n@@ -1,3000 +1,3000 @@\n-a0\n"))
        #expect(text.hasSuffix("+b2999\n"))
    }
}
