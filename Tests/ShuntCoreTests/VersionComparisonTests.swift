import ShuntCore
import Testing

@Suite("Comparing versions")
struct VersionComparisonTests {
    private func compare(_ left: String, _ right: String) -> Ordering? {
        let leftBytes = Array(left.utf8)
        let rightBytes = Array(right.utf8)
        return VersionComparison.compare(leftBytes.span, rightBytes.span)
    }

    @Test(
        "Less",
        arguments: [
            ("3.9", "3.10"), ("3", "3.1"), ("3.1.9", "3.2"), ("0", "1"), ("9", "10"),
            ("2.99999999999999999998", "2.99999999999999999999"),
            ("99999999999999999999", "100000000000000000000"), ("3.2.0-beta", "3.2.0"), ("3.2-beta", "3.2.0"),
            ("3.1", "3.2.0-beta"),
            ("1.0.0-alpha", "1.0.0-alpha.1"), ("1.0.0-alpha.1", "1.0.0-alpha.beta"), ("1.0.0-alpha.beta", "1.0.0-beta"),
            ("1.0.0-beta", "1.0.0-beta.2"), ("1.0.0-beta.2", "1.0.0-beta.11"), ("1.0.0-beta.11", "1.0.0-rc.1"),
            ("1.0.0-rc.1", "1.0.0"),
            ("1-1", "1-a"), ("1-9", "1-10"), ("1-A", "1-a"), ("1-a", "1-ab"), ("1-a-1", "1-a-2"), ("v1.2", "1.3"),
            ("007", "8"),
            ("1.0-0", "1"), ("1.9", "1.10"), ("2026-09-30", "2026-11-11"),
        ]
    )
    func less(left: String, right: String) {
        #expect(compare(left, right) == .less)
        #expect(compare(right, left) == .greater)
    }

    @Test(
        "Equal",
        arguments: [
            ("3.2", "3.2.0"), ("3", "3.0.0.0"), ("3.02", "3.2"), ("v3.2", "3.2"), ("V1", "v1"), ("1+a", "1+b"),
            ("1+a", "1"),
            ("1-a+x", "1-a"), ("0", "00.0"), ("1-01", "1-1"), ("1.0-x", "1-x"),
        ]
    )
    func equal(left: String, right: String) {
        #expect(compare(left, right) == .equal)
        #expect(compare(right, left) == .equal)
    }

    @Test(
        "Not a version",
        arguments: [
            "", "v", ".", "1.", ".1", "1..2", "a", "1a", "1.a", "-1", "1-", "1-a.", "1-.a", "1-a..b", "1+", "1+a.",
            "1_2", " 1", "1 ", "1.2b",
            "vv1", "1-a_b", "1+a+b", "１", "1e3", "1,5", "+1",
        ]
    )
    func notVersions(text: String) {
        #expect(compare(text, "1") == nil)
        #expect(compare("1", text) == nil)
        let bytes = Array(text.utf8)
        #expect(VersionComparison.isVersion(bytes.span) == false)
    }

    @Test("The order is total: comparing is antisymmetric and transitive")
    func totalOrder() {
        let versions = [
            "0", "0.1", "1-0", "1-0.a", "1-a", "1-a.0", "1-a.0.1", "1-a.b", "1", "1.0", "1.0.1-x", "1.0.1", "1.2",
            "1.10", "2",
        ]
        for (leftIndex, left) in versions.enumerated() {
            for (rightIndex, right) in versions.enumerated() {
                let expected: Ordering = leftIndex < rightIndex ? .less : leftIndex > rightIndex ? .greater : .equal
                let isOnePair = left == "1" && right == "1.0" || left == "1.0" && right == "1"
                #expect(compare(left, right) == (isOnePair ? .equal : expected), "\(left) and \(right)")
            }
        }
    }

    @Test("Short versions compare as all versions do, and other texts are not short versions")
    func shortVersions() {
        let texts = [
            "0", "1", "v1", "V1.0", "1.0.0.0", "1.0.1", "1.9", "1.10", "3.2.0", "3.10.0", "65535",
            "65535.65535.65535.65535",
            "0.0.0.1", "00001.2", "65536", "1.2.3.4.5", "1.0-a", "1+b", "", "v", "1.", ".1", "1..2", "1a", "-1",
            "1.2.70000",
        ]
        var shorts = 0
        for left in texts {
            for right in texts {
                guard let first = ShortVersion(Array(left.utf8).span), let second = ShortVersion(Array(right.utf8).span)
                else { continue }
                shorts += 1
                let order: Ordering = first < second ? .less : second < first ? .greater : .equal
                #expect(compare(left, right) == order, "\(left) and \(right)")
            }
        }
        #expect(shorts == 14 * 14)
    }
}
