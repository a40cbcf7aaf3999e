/// An immutable map from byte strings to numbers of 32 bits.
///
/// Keys lie in buckets of about three, each in one piece of memory: the number of keys, a byte of hash for each, a byte
/// of length for each, the values, the keys. A directory has the place where each bucket begins and has, in the other
/// half of the word, three bits of hash for each of its keys: nearly every key that is not there is known by that word
/// alone, and the directory of a million keys fits a processor's cache. Everything else is compared with the stored
/// key, so an answer is exact. A look-up costs one cache line for a miss and two or three for a hit, and allocates
/// nothing.
///
/// Memory: 5 bytes a key, its text, and its value, which takes the bytes that the highest one needs; none where all
/// values are the same.
struct KeyTable: ~Copyable, Sendable {
    /// For each bucket the filter in the upper half, its place in `buckets` in the lower.
    private let directory: FrozenBuffer<UInt64>
    private let buckets: FrozenBuffer<UInt8>
    private let seed: UInt64
    private let caseless: Bool
    /// The bytes of a value: 0 through 4.
    private let valueWidth: Int
    /// The value of all keys, where values have no bytes.
    private let onlyValue: UInt32
    let count: Int

    /// A length or a number of keys in one byte; this one marks that four bytes with the number follow, for a length
    /// before the key itself.
    private static let inFourBytes = 0xFF
    private static let keysPerBucket = 3
    /// A bucket with more keys than this is not an accident; then another hash seed is taken, which no one can foresee.
    private static let longestBucket = 32

    /// Sets the value `values[n]` for key `n` of the builder; without `bucketCount` the usual number of buckets is
    /// made.
    init(_ builder: consuming KeyTableBuilder, values: [UInt32], bucketCount: Int? = nil) {
        // What is not needed any more is freed before the next block is allocated: tables may be large.
        builder.forgetSlots()
        let bucketCount = bucketCount ?? max(1, values.count / Self.keysPerBucket)
        var order = BucketOrder(builder, bucketCount: bucketCount)
        if order.longest > Self.longestBucket {
            builder.changeSeed()
            order = BucketOrder(builder, bucketCount: bucketCount)
        }
        let isUniform = values.allSatisfy { $0 == values[0] }
        let width = isUniform ? 0 : (39 - (values.max() ?? 0).leadingZeroBitCount) / 8
        valueWidth = width
        onlyValue = values.first ?? 0
        seed = builder.seed
        caseless = builder.caseless
        count = values.count

        // Words are read eight bytes at a time.
        var size = 8 + values.count * (2 + width) + builder.keys.count
        for bucket in 0..<order.bucketCount { size += Self.numberSize(order.keys(of: bucket).count) }
        for index in values.indices { size += Self.numberSize(builder.key(index).count) - 1 }

        var places = [UInt32](repeating: 0, count: order.bucketCount)
        buckets = FrozenBuffer(repeating: 0, count: size) { bytes in
            var writer = BucketWriter(place: 0)
            for bucket in 0..<order.bucketCount {
                let keys = order.keys(of: bucket)
                if keys.isEmpty { continue }
                places[bucket] = UInt32(writer.place)
                writer.writeNumber(keys.count, to: &bytes)
                for key in keys { writer.write(Self.fingerprint(builder.hash(Int(key))), 1, to: &bytes) }
                for key in keys {
                    writer.write(UInt64(min(Self.inFourBytes, builder.key(Int(key)).count)), 1, to: &bytes)
                }
                for key in keys { writer.write(UInt64(values[Int(key)]), width, to: &bytes) }
                for key in keys {
                    let text = builder.key(Int(key))
                    if text.count >= Self.inFourBytes { writer.write(UInt64(text.count), 4, to: &bytes) }
                    writer.write(text, to: &bytes)
                }
            }
        }
        directory = FrozenBuffer(repeating: 0, count: order.bucketCount) { directory in
            for bucket in 0..<order.bucketCount {
                var entry = UInt64(places[bucket])
                for key in order.keys(of: bucket) { entry |= Self.filter(builder.hash(Int(key))) }
                directory[bucket] = entry
            }
        }
    }

    /// The bytes of a number that is mostly small.
    private static func numberSize(_ number: Int) -> Int { number < inFourBytes ? 1 : 5 }

    /// The bucket of a key, from the lower half of its hash.
    @inline(__always) static func bucket(_ hash: UInt64, _ bucketCount: Int) -> Int {
        Int(truncatingIfNeeded: ((hash & 0xFFFF_FFFF) &* UInt64(truncatingIfNeeded: bucketCount)) &>> 32)
    }

    /// The bits that a key sets in the upper half of its bucket's word.
    @inline(__always) private static func filter(_ hash: UInt64) -> UInt64 {
        let bits: UInt64 = 1 &<< (hash &>> 32 & 31) | 1 &<< (hash &>> 37 & 31) | 1 &<< (hash &>> 42 & 31)
        return bits &<< 32
    }

    /// The byte by which keys of a bucket are distinguished before they are compared.
    @inline(__always) private static func fingerprint(_ hash: UInt64) -> UInt64 { hash &>> 56 }

    /// The memory this takes, in bytes.
    var byteCount: Int { directory.byteCount + buckets.byteCount }

    /// The value of the key that equals `subject[start..<end]`; nil when there is none.
    @inline(__always) func value(of subject: Span<UInt8>, from start: Int, to end: Int) -> UInt32? {
        caseless
            ? value(of: subject, from: start, to: end, folding: true)
            : value(of: subject, from: start, to: end, folding: false)
    }

    /// The same for a subject without capitals, in a caseless table.
    @inline(__always) func value(ofLowercase subject: Span<UInt8>, from start: Int, to end: Int) -> UInt32? {
        value(of: subject, from: start, to: end, folding: false)
    }

    @inline(__always)
    private func value(of subject: Span<UInt8>, from start: Int, to end: Int, folding: Bool) -> UInt32? {
        let hash = ByteHash.hash(subject, from: start, to: end, folding: folding, seed: seed)
        let entry = directory[Self.bucket(hash, directory.count)]
        let filter = Self.filter(hash)
        guard entry & filter == filter else { return nil }
        let bucket = Int(truncatingIfNeeded: entry & 0xFFFF_FFFF)
        return value(of: subject, from: start, to: end, folding: folding, hash: hash, bucket: bucket)
    }

    @inline(__always) private func value(
        of subject: Span<UInt8>,
        from start: Int,
        to end: Int,
        folding: Bool,
        hash: UInt64,
        bucket: Int
    ) -> UInt32? {
        var fingerprints = bucket &+ 1
        var keyCount = Int(buckets[bucket])
        if keyCount == Self.inFourBytes {
            keyCount = number(at: fingerprints)
            fingerprints &+= 4
        }
        let lengths = fingerprints &+ keyCount
        let length = UInt8(truncatingIfNeeded: min(Self.inFourBytes, end &- start))
        let pattern = Self.fingerprint(hash) &* 0x0101_0101_0101_0101
        var first = 0
        while first < keyCount {
            let different = buckets.word(at: fingerprints &+ first) ^ pattern
            let sevenBits = (different & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F
            var equal = ~(sevenBits | different) & 0x8080_8080_8080_8080
            equal &= UInt64.lowBytes(min(8, keyCount &- first))
            while equal != 0 {
                let key = first &+ equal.trailingZeroBitCount / 8
                if buckets[lengths &+ key] == length {
                    let values = lengths &+ keyCount
                    let place = place(ofKey: key, lengths: lengths, keys: values &+ keyCount &* valueWidth)
                    if equals(place, subject, from: start, to: end, folding: folding) {
                        if valueWidth == 0 { return onlyValue }
                        let value = buckets.word(at: values &+ key &* valueWidth) & UInt64.lowBytes(valueWidth)
                        return UInt32(truncatingIfNeeded: value)
                    }
                }
                equal &= equal &- 1
            }
            first &+= 8
        }
        return nil
    }

    /// The shortest key, and of those of its length the first; nil for an empty table.
    ///
    /// Very long keys do not count.
    var shortestKey: [UInt8]? {
        var shortest: [UInt8]?
        forEachKey { text in
            let isBetter =
                shortest.map { text.count < $0.count || text.count == $0.count && text.lexicographicallyPrecedes($0) }
                ?? true
            if isBetter { shortest = text }
        }
        return shortest
    }

    /// Calls `body` with the keys, but for very long ones, in the order in which they lie.
    func forEachKey(_ body: ([UInt8]) -> Void) {
        guard count > 0 else { return }
        for bucket in 0..<directory.count where directory[bucket] >> 32 != 0 {
            var lengths = Int(truncatingIfNeeded: directory[bucket] & 0xFFFF_FFFF) + 1
            var keyCount = Int(buckets[lengths - 1])
            if keyCount == Self.inFourBytes {
                keyCount = number(at: lengths)
                lengths += 4
            }
            lengths += keyCount
            for key in 0..<keyCount {
                let length = Int(buckets[lengths + key])
                guard length != Self.inFourBytes else { continue }
                let start = place(ofKey: key, lengths: lengths, keys: lengths + keyCount * (1 + valueWidth))
                body((start..<(start + length)).map { buckets[$0] })
            }
        }
    }

    /// A number in four bytes.
    @inline(__always)
    private func number(at place: Int) -> Int { Int(truncatingIfNeeded: buckets.word(at: place) & 0xFFFF_FFFF) }

    /// The place where a key of a bucket begins, from the lengths of those before it.
    @inline(__always) private func place(ofKey key: Int, lengths: Int, keys: Int) -> Int {
        var place = keys
        for earlier in 0..<key {
            let length = Int(buckets[lengths &+ earlier])
            place &+= length == Self.inFourBytes ? 4 &+ number(at: place) : length
        }
        return place
    }

    /// Returns true if the key at `place` is `subject[start..<end]`, when the bytes of their lengths are equal.
    @inline(__always)
    private func equals(_ place: Int, _ subject: Span<UInt8>, from start: Int, to end: Int, folding: Bool) -> Bool {
        let length = end &- start
        var place = place
        if length >= Self.inFourBytes {
            guard number(at: place) == length else { return false }
            place &+= 4
        }
        var offset = 0
        while offset < length {
            let word = subject.word(at: start &+ offset, end: end)
            let different = (folding ? word.folded : word) ^ buckets.word(at: place &+ offset)
            if different & UInt64.lowBytes(min(8, length &- offset)) != 0 { return false }
            offset &+= 8
        }
        return true
    }

    /// Writes a table's bytes one after another.
    private struct BucketWriter {
        var place: Int

        mutating func write(_ number: UInt64, _ count: Int, to bytes: inout MutableSpan<UInt8>) {
            for index in 0..<count { bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) }
            place += count
        }

        mutating func writeNumber(_ number: Int, to bytes: inout MutableSpan<UInt8>) {
            if number < KeyTable.inFourBytes { return write(UInt64(number), 1, to: &bytes) }
            write(UInt64(KeyTable.inFourBytes), 1, to: &bytes)
            write(UInt64(number), 4, to: &bytes)
        }

        mutating func write(_ text: ArraySlice<UInt8>, to bytes: inout MutableSpan<UInt8>) {
            for byte in text {
                bytes[place] = byte
                place += 1
            }
        }
    }
}
