/// An immutable map from host names, exact and with wildcards, to numbers: `server_name`, `map hostnames`, `block host`,
/// `rename_host`, blocklists of a million hosts.
///
/// A name may have several values. `value(of:)` answers as nginx selects: the exact name, else the longest leading
/// wildcard (`*.a.b`, `.a.b`), else the longest trailing one (`a.*`). `firstValue(of:from:)` answers as ordered rules
/// need it: the lowest value of all names that stand for the host.
///
/// Hosts are looked up unchanged: the caller has lower-cased them and removed the port and a final dot. Thread safe;
/// a look-up allocates nothing and costs one probe for each label of the host at most.
package final class HostTable: Sendable {
    /// Exact names and the literal part of leading wildcards: for each a value and its kinds, or where its values are
    /// listed.
    private let names: KeyTable
    /// The literal part of trailing wildcards.
    private let heads: KeyTable
    /// The values of keys that have several.
    private let nameLists: FrozenBuffer<UInt32>
    private let headLists: FrozenBuffer<UInt32>
    /// Bit `n` is set when a leading wildcard has `n` labels in its literal part (bit 63: 63 or more).
    private let leadingLabelCounts: UInt64
    /// Bit `n` is set when the literal part of a trailing wildcard has `n` bytes (bit 63: 63 or more).
    private let headLengths: UInt64

    /// Takes the keys out of `builder`, so that what is not needed any more is freed on the way: lists may be long.
    init(_ builder: inout HostTableBuilder) {
        leadingLabelCounts = builder.leadingLabelCounts
        headLengths = builder.headLengths
        let packedNames = builder.names.pack()
        names = KeyTable(builder.names.takeKeys(), values: packedNames.entries)
        nameLists = FrozenBuffer(packedNames.lists)
        let packedHeads = builder.heads.pack()
        heads = KeyTable(builder.heads.takeKeys(), values: packedHeads.entries)
        headLists = FrozenBuffer(packedHeads.lists)
    }

    /// The bit of `headLengths` for a length.
    @inline(__always)
    static func lengthBit(_ length: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: min(63, length)) }

    /// The entry of a trailing wildcard with these first bytes of a host.
    @inline(__always) private func head(_ host: Span<UInt8>, to end: Int) -> UInt32? {
        headLengths & Self.lengthBit(end) == 0 ? nil : heads.value(of: host, from: 0, to: end)
    }

    /// Set in an entry for the place of a list of values.
    static let listFlag: UInt32 = 1 << 31

    package var count: Int { names.count + heads.count }

    /// The memory this takes, in bytes.
    package var byteCount: Int { names.byteCount + heads.byteCount + nameLists.byteCount + headLists.byteCount }

    /// The shortest host that one of the names stands for, as far as it is found at once; nil for an empty table.
    package var someHost: [UInt8]? {
        if let name = names.shortestKey { return contains(name.span) ? name : Array("a.".utf8) + name }
        return heads.shortestKey.map { $0 + Array(".a".utf8) }
    }

    /// Calls `body` with each name that is not a trailing wildcard: its literal part, and whether it stands for itself
    /// and for what is below.
    package func forEachName(_ body: (_ literal: [UInt8], _ isExact: Bool, _ isWildcard: Bool) -> Void) {
        names.forEachKey { literal in
            guard let entry = names.value(of: literal.span, from: 0, to: literal.count) else { return }
            let isWildcard = firstName(entry, .leading, from: 0) != nil
            body(literal, firstName(entry, .exact, from: 0) != nil, isWildcard)
        }
    }

    /// Returns true if a wildcard of a shorter name stands for a host and for all below it.
    package func hasWildcard(above host: [UInt8]) -> Bool {
        guard leadingLabelCounts != 0 else { return false }
        return host.indices.contains { dot in
            host[dot] == UInt8(ascii: ".")
                && names.value(of: host.span, from: dot + 1, to: host.count)
                    .map { firstName($0, .leading, from: 0) != nil } == true
        }
    }

    /// Returns true if the names stand for a host, if that is asked, and for all below it, if that is.
    package func covers(_ host: [UInt8], itself: Bool, below: Bool) -> Bool {
        if hasWildcard(above: host) { return true }
        guard let entry = names.value(of: host.span, from: 0, to: host.count) else { return false }
        return (!itself || firstName(entry, .exact, from: 0) != nil)
            && (!below || firstName(entry, .leading, from: 0) != nil)
    }

    /// The value that nginx's precedence selects for `host`; the lowest where the winning name has several.
    package func value(of host: Span<UInt8>) -> Int32? {
        if let exact = names.value(of: host, from: 0, to: host.count), let value = firstName(exact, .exact, from: 0) {
            return value
        }
        var found: Int32?
        if leadingLabelCounts != 0 {
            var dots = DotsFromRight(end: host.count)
            while let dot = dots.next(in: host) {
                guard leadingLabelCounts & dots.labelBit != 0 else { continue }
                if let entry = names.value(of: host, from: dot &+ 1, to: host.count),
                    let value = firstName(entry, .leading, from: 0)
                {
                    found = value
                }
            }
        }
        if found != nil || headLengths == 0 { return found }
        var dots = DotsFromRight(end: host.count)
        while let dot = dots.next(in: host) {
            if let entry = head(host, to: dot) { return firstHead(entry, from: 0) }
        }
        return nil
    }

    /// Returns true if a name stands for `host`.
    ///
    /// Short names are looked up first: of a list, most hosts that are found are below one of them.
    package func contains(_ host: Span<UInt8>) -> Bool {
        if leadingLabelCounts != 0 {
            var dots = DotsFromRight(end: host.count)
            while let dot = dots.next(in: host) {
                if leadingLabelCounts & dots.labelBit != 0,
                    let entry = names.value(ofLowercase: host, from: dot &+ 1, to: host.count),
                    firstName(entry, .leading, from: 0) != nil
                {
                    return true
                }
            }
        }
        if let exact = names.value(ofLowercase: host, from: 0, to: host.count), firstName(exact, .exact, from: 0) != nil
        {
            return true
        }
        guard headLengths != 0 else { return false }
        var dots = DotsFromRight(end: host.count)
        while let dot = dots.next(in: host) {
            if head(host, to: dot) != nil { return true }
        }
        return false
    }

    /// The lowest value that is at least `start` among all names that stand for `host`.
    package func firstValue(of host: Span<UInt8>, from start: Int32) -> Int32? {
        var lowest = Int32.max
        if let exact = names.value(ofLowercase: host, from: 0, to: host.count),
            let value = firstName(exact, .exact, from: start)
        {
            lowest = value
        }
        let hasHeads = headLengths != 0
        if leadingLabelCounts != 0 || hasHeads {
            var dots = DotsFromRight(end: host.count)
            while let dot = dots.next(in: host) {
                if leadingLabelCounts & dots.labelBit != 0 {
                    if let entry = names.value(ofLowercase: host, from: dot &+ 1, to: host.count),
                        let value = firstName(entry, .leading, from: start)
                    {
                        lowest = min(lowest, value)
                    }
                }
                if hasHeads {
                    if let entry = head(host, to: dot),
                        let value = firstHead(entry, from: start)
                    {
                        lowest = min(lowest, value)
                    }
                }
            }
        }
        return lowest == Int32.max ? nil : lowest
    }

    @inline(__always) private func firstName(_ entry: UInt32, _ kind: HostKeys.Kind, from start: Int32) -> Int32? {
        entry & Self.listFlag == 0
            ? Self.single(entry, kind, from: start)
            : Self.listed(nameLists, list: Int(entry & ~Self.listFlag), kind: kind, from: start)
    }

    @inline(__always) private func firstHead(_ entry: UInt32, from start: Int32) -> Int32? {
        entry & Self.listFlag == 0
            ? Self.single(entry, .exact, from: start)
            : Self.listed(headLists, list: Int(entry & ~Self.listFlag), kind: .exact, from: start)
    }

    /// The value of an entry, if it is at least `start` and of this kind.
    @inline(__always) private static func single(_ entry: UInt32, _ kind: HostKeys.Kind, from start: Int32) -> Int32? {
        let value = Int32(truncatingIfNeeded: entry >> 2)
        return entry & kind.rawValue != 0 && value >= start ? value : nil
    }

    /// The lowest value of a list that is at least `start` and of this kind.
    private static func listed(
        _ lists: borrowing FrozenBuffer<UInt32>,
        list: Int,
        kind: HostKeys.Kind,
        from start: Int32
    ) -> Int32? {
        let exactCount = Int(lists[list])
        var low = list + 2 + (kind == .exact ? 0 : exactCount)
        let end = kind == .exact ? low + exactCount : low + Int(lists[list + 1])
        var high = end
        let wanted = UInt32(max(0, start))
        while low < high {
            let middle = (low + high) / 2
            if lists[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < end ? Int32(truncatingIfNeeded: lists[low]) : nil
    }
}
