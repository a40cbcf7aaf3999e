import SeededRandom

/// Repeatable randomness (SplitMix64): the same seed has the same rules and requests everywhere.
package struct RandomSource: Sendable {
    private var generator: SeededGenerator

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    package mutating func next() -> UInt64 { generator.next() }

    /// A number below `bound`, which is at least 1.
    package mutating func below(_ bound: Int) -> Int {
        Int(next() >> 1) % max(1, bound)
    }

    package mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    /// True in `percent` of a hundred cases.
    package mutating func chance(_ percent: Int) -> Bool {
        below(100) < percent
    }

    /// One of the elements, or the fallback when there are none.
    package mutating func pick<Element>(_ elements: [Element], else fallback: Element) -> Element {
        elements.isEmpty ? fallback : elements[below(elements.count)]
    }

    package mutating func pick(_ elements: [String]) -> String {
        pick(elements, else: "")
    }
}
