import ShuntCore

/// The letters of an automaton: classes of bytes that nothing in it distinguishes.
///
/// Letters are numbered by the byte that stands for each, the nicest first: so the first subject that a walk finds is made
/// of small letters and digits where these will do.
struct Alphabet: Sendable, Hashable {
    private(set) var letters: [UInt8]
    /// The byte that stands for each letter.
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    /// All bytes, the most readable first: `a-z 0-9 - _ / .`, capitals, then the rest.
    static let preferred: [UInt8] = {
        let first = Array("abcdefghijklmnopqrstuvwxyz0123456789-_/.ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        let taken = ByteSet(first)
        let visible = (0x21...0x7e).filter { !taken.contains($0) }
        let others = (0...0xff).filter { !taken.contains($0) && !(0x21...0x7e).contains($0) }
        return first + visible + others
    }()

    init(telling sets: [ByteSet]) {
        var labels = [UInt16](repeating: 0, count: 256)
        var labelCount: UInt16 = 1
        for set in sets {
            // The bytes of the set that had one label get a new one.
            var renamed: [(old: UInt16, new: UInt16)] = []
            set.forEachMember { byte in
                let old = labels[Int(byte)]
                if let known = renamed.first(where: { $0.old == old }) {
                    labels[Int(byte)] = known.new
                } else {
                    renamed.append((old, labelCount))
                    labels[Int(byte)] = labelCount
                    labelCount += 1
                }
            }
            // A label that no one has any more is given up, so that numbers stay below 512.
            if labelCount > 250 { labelCount = Self.renumber(&labels) }
        }
        self.init(labels: labels)
    }

    /// The letters that several automata distinguish together.
    init(joining alphabets: [Alphabet]) {
        var labels = [UInt16](repeating: 0, count: 256)
        var count = 1
        for alphabet in alphabets {
            var numbers = [Int32](repeating: -1, count: count * alphabet.count)
            var next = 0
            for byte in 0..<256 {
                let pair = Int(labels[byte]) * alphabet.count + Int(alphabet.letters[byte])
                if numbers[pair] < 0 {
                    numbers[pair] = Int32(next)
                    next += 1
                }
                labels[byte] = UInt16(numbers[pair])
            }
            count = next
        }
        self.init(labels: labels)
    }

    private init(labels: [UInt16]) {
        letters = [UInt8](repeating: 0, count: 256)
        var numbers = [Int16](repeating: -1, count: 1024)
        for byte in Self.preferred {
            let label = Int(labels[Int(byte)])
            if numbers[label] < 0 {
                numbers[label] = Int16(bytes.count)
                bytes.append(byte)
            }
            letters[Int(byte)] = UInt8(numbers[label])
        }
    }

    private static func renumber(_ labels: inout [UInt16]) -> UInt16 {
        var numbers = [Int32](repeating: -1, count: 1024)
        var next: UInt16 = 0
        for byte in 0..<256 {
            let label = Int(labels[byte])
            if numbers[label] < 0 {
                numbers[label] = Int32(next)
                next += 1
            }
            labels[byte] = UInt16(numbers[label])
        }
        return next
    }

    /// The letters of `set`, which this alphabet distinguishes from the others.
    func letters(in set: ByteSet) -> LetterSet {
        var result = LetterSet()
        for (letter, byte) in bytes.enumerated() where set.contains(byte) { result.insert(letter) }
        return result
    }
}
