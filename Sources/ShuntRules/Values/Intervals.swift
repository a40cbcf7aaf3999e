/// A 128-bit address that compares by its number.
struct WideAddress: Sendable, Comparable {
    var high: UInt64
    var low: UInt64

    static func < (left: WideAddress, right: WideAddress) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// The next address; nil after the last.
    var next: WideAddress? {
        if low < .max { return WideAddress(high: high, low: low + 1) }
        return high < .max ? WideAddress(high: high + 1, low: 0) : nil
    }
}

/// Numbers for every address of a family: sorted starts, each with the number that holds up to the next start.
final class Intervals<Address: Comparable & Sendable>: Sendable {
    private let starts: [Address]
    /// -1 where no range holds the addresses.
    private let values: [Int32]

    /// Builds the intervals from ranges that are nested or disjoint, inner ones coming after the outer ones that hold
    /// them when sorted by start and, for equal starts, by falling end.
    init(_ ranges: [(first: Address, last: Address, value: Int32)], next: (Address) -> Address?) {
        var (starts, values): ([Address], [Int32]) = ([], [])
        func begin(at start: Address, value: Int32) {
            if let last = starts.last, last == start {
                values[values.count - 1] = value
            } else {
                starts.append(start)
                values.append(value)
            }
        }
        var open: [(last: Address, value: Int32)] = []
        func close(before start: Address?) {
            while let top = open.last {
                if let start, top.last >= start { return }
                open.removeLast()
                guard let after = next(top.last) else { continue }
                begin(at: after, value: open.last?.value ?? -1)
            }
        }
        for range in ranges.sorted(by: { ($0.first, $1.last) < ($1.first, $0.last) }) {
            close(before: range.first)
            begin(at: range.first, value: range.value)
            open.append((range.last, range.value))
        }
        close(before: nil)
        (self.starts, self.values) = (starts, values)
    }

    /// The number at an address; nil when no range holds it.
    func value(at address: Address) -> Int32? {
        guard let first = starts.first, first <= address else { return nil }
        // A step takes no branch, which would mostly be foreseen wrongly.
        var (found, count) = (0, starts.count)
        while count > 1 {
            let half = count / 2
            found = starts[found &+ half] <= address ? found &+ half : found
            count &-= half
        }
        return values[found] < 0 ? nil : values[found]
    }
}

extension Array {
    /// The first index of a sorted array from which on a condition holds.
    package func partitioningIndex(_ holds: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
