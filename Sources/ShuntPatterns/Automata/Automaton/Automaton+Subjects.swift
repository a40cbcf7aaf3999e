extension Automaton {
    /// The shortest subject that is accepted, and of those of its length the one with the nicest bytes; nil if there is none.
    ///
    /// - Complexity: in proportion to the states and letters.
    public func shortestSubject() -> [UInt8]? { subjects(atMost: 1).first }

    /// Accepted subjects, shortest first, and those of one length by their bytes: `a-z`, `0-9`, `-`, `_`, `/`, `.`, `A-Z`,
    /// then the rest.
    ///
    /// Only the first of that order is used of bytes that the automaton does not distinguish.
    ///
    /// - Parameters:
    ///   - count: how many are wanted at most.
    ///   - length: the most bytes one may have.
    /// - Returns: the first of them, fewer than `count` if there are no more.
    /// - Complexity: in proportion to the states and letters, times `count`.
    public func subjects(atMost count: Int, length: Int = 4096) -> [[UInt8]] {
        guard count > 0, !isEmpty else { return [] }
        var found: [[UInt8]] = []
        // The beginnings of accepted subjects, in the order of the subjects. Of those that end in one state, none but the
        // first `count` can be the beginning of a subject that is wanted.
        var beginnings: [(state: UInt32, origin: Int, letter: UInt8)] = [(initial, 0, 0)]
        var uses = [Int](repeating: 0, count: stateCount + 2)
        var index = 0
        var depth = 0
        var lastOfDepth = 0
        while index < beginnings.count {
            let state = beginnings[index].state
            if mayEnd(state) {
                found.append(path(index, in: beginnings))
                if found.count == count { break }
            }
            if depth < length {
                for letter in 0..<alphabet.count {
                    let next = next(state, letter)
                    guard next != Self.dead, uses[Int(next)] < count else { continue }
                    uses[Int(next)] += 1
                    beginnings.append((next, index, UInt8(letter)))
                }
            }
            if index == lastOfDepth {
                depth += 1
                lastOfDepth = beginnings.count - 1
            }
            index += 1
        }
        return found
    }

    /// The bytes that every accepted subject begins with, 32 at most; empty where there are none.
    ///
    /// - Complexity: in proportion to the bytes and letters.
    package func commonBeginning() -> [UInt8] {
        var bytes: [UInt8] = []
        var state = initial
        while bytes.count < 32, state > Self.universal, !mayEnd(state) {
            let letters = (0..<alphabet.count).filter { next(state, $0) != Self.dead }
            guard letters.count == 1, let letter = letters.first,
                alphabet.letters.count(where: { $0 == UInt8(letter) }) == 1
            else { break }
            bytes.append(alphabet.bytes[letter])
            state = next(state, letter)
        }
        return bytes
    }

    private func path(_ index: Int, in beginnings: [(state: UInt32, origin: Int, letter: UInt8)]) -> [UInt8] {
        var path: [UInt8] = []
        var current = index
        while current > 0 {
            path.append(alphabet.bytes[Int(beginnings[current].letter)])
            current = beginnings[current].origin
        }
        return path.reversed()
    }
}
