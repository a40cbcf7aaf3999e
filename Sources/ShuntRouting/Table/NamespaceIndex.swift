import ShuntCore

/// A set of routes for one scheme and host.
struct NamespaceRecord: BitwiseCopyable, Sendable {
    var root: UInt32 = 0
    /// True if more general namespaces are searched when nothing in this one matches.
    var fallsBack = true
    /// True if the host begins with `*`, which takes one or more labels.
    var isOpen = false
    /// The records of the labels before the exact rest of the host.
    var labelBase: UInt32 = 0
    var labelCount: UInt16 = 0
    /// The number of labels of the exact rest of the host.
    var suffixLabels: UInt16 = 0
    /// The port in digits, among the bytes of the index.
    var portOffset: UInt32 = 0
    var portLength: UInt16 = 0
}

/// Namespaces by scheme and by host or the end of a host: one probe for each, whatever their number.
struct NamespaceIndex: ~Copyable, Sendable {
    /// Namespaces that have the same scheme and the same exact host or rest of a host.
    struct Bucket: BitwiseCopyable, Sendable {
        var hash: UInt64 = 0
        var schemeOffset: UInt32 = 0
        var schemeLength: UInt32 = 0
        var hostOffset: UInt32 = 0
        var hostLength: UInt32 = 0
        var first: UInt32 = 0
        var count: UInt32 = 0
    }

    private let buckets: FrozenArray<Bucket>
    private let mask: Int
    private let bytes: FrozenArray<UInt8>
    let records: FrozenArray<NamespaceRecord>
    let labels: FrozenArray<AlternativeRecord>
    /// The namespace of the routes for every scheme and host; -1 when there are none.
    let global: Int32
    /// The first state of that namespace, or 0.
    let globalRoot: UInt32
    /// True if there is any other.
    let hasOthers: Bool
    /// The lengths of the exact hosts and of the exact ends of hosts, each modulo 64 as a bit: most hosts are of no such
    /// length, and are not looked up.
    private let exactLengths: UInt64
    private let endLengths: UInt64
    /// True if there are namespaces of a host for every scheme.
    private let hasHostsAlone: Bool
    /// True if there are namespaces of a scheme, and of a scheme for every host.
    private let hasSchemes: Bool
    private let hasSchemesAlone: Bool

    /// Makes the index; each entry has the scheme (nil for any), the host (nil for any), and the record, whose labels
    /// and port are given by `labels` and the host.
    ///
    /// Entries for one bucket must follow each other, the more specific first.
    init(_ entries: [(scheme: String?, host: HostPattern?, record: NamespaceRecord)], labels: [[AlternativeRecord]]) {
        var bytes: [UInt8] = []
        var records: [NamespaceRecord] = []
        var labelRecords: [AlternativeRecord] = []
        var buckets: [Bucket] = []
        var global: Int32 = -1
        var last: (scheme: [UInt8], host: [UInt8])?
        var (exactLengths, endLengths): (UInt64, UInt64) = (0, 0)
        var (hasHostsAlone, hasSchemes, hasSchemesAlone) = (false, false, false)
        for (index, entry) in entries.enumerated() {
            var record = entry.record
            record.labelBase = UInt32(labelRecords.count)
            record.labelCount = UInt16(labels[index].count)
            labelRecords += labels[index]
            let port = entry.host?.port ?? []
            record.portOffset = UInt32(bytes.count)
            record.portLength = UInt16(min(port.count, Int(UInt16.max)))
            bytes += port
            record.suffixLabels = UInt16(min((entry.host?.suffix ?? []).count { $0 == UInt8(ascii: ".") }, 255))
            if case .open? = entry.host?.head.first { record.isOpen = true }
            records.append(record)
            guard entry.scheme != nil || entry.host != nil else {
                global = Int32(index)
                continue
            }
            let scheme = Array((entry.scheme ?? "").utf8)
            let host = Self.key(of: entry.host)
            let key = (scheme, host)
            if let previous = last, previous == key {
                buckets[buckets.count - 1].count += 1
                continue
            }
            last = key
            buckets.append(
                Bucket(
                    hash: Self.hash(scheme: scheme, host: host),
                    schemeOffset: UInt32(bytes.count),
                    schemeLength: UInt32(scheme.count),
                    hostOffset: UInt32(bytes.count + scheme.count),
                    hostLength: UInt32(host.count),
                    first: UInt32(index),
                    count: 1
                )
            )
            bytes += scheme + host
            if scheme.isEmpty { hasHostsAlone = true } else { hasSchemes = true }
            if host.isEmpty { hasSchemesAlone = true }
            let bit: UInt64 = host.isEmpty ? 0 : 1 &<< UInt64(truncatingIfNeeded: host.count - 1)
            if host.first == UInt8(ascii: "=") { exactLengths |= bit } else { endLengths |= bit }
        }
        var size = 2
        while size < buckets.count * 2 { size *= 2 }
        var table = [Bucket](repeating: Bucket(), count: size)
        for bucket in buckets {
            var slot = Int(truncatingIfNeeded: bucket.hash &>> 20) & (size - 1)
            while table[slot].count > 0 { slot = (slot + 1) & (size - 1) }
            table[slot] = bucket
        }
        self.buckets = FrozenArray(table)
        self.mask = size - 1
        self.bytes = FrozenArray(bytes)
        self.records = FrozenArray(records)
        self.labels = FrozenArray(labelRecords)
        self.global = global
        self.globalRoot = global >= 0 ? records[Int(global)].root : 0
        self.exactLengths = exactLengths
        self.endLengths = endLengths
        self.hasHostsAlone = hasHostsAlone
        self.hasSchemes = hasSchemes
        self.hasSchemesAlone = hasSchemesAlone
        self.hasOthers = records.count > (global >= 0 ? 1 : 0)
    }

    /// Returns the key of a host: `=` and an exact name, `~` and the end of a name, or nothing for every host.
    static func key(of host: HostPattern?) -> [UInt8] {
        guard let host else { return [] }
        return [host.head.isEmpty ? UInt8(ascii: "=") : UInt8(ascii: "~")] + host.suffix
    }

    /// The hash of what a scheme and a host are looked up by.
    private static func hash(scheme: [UInt8], host: [UInt8]) -> UInt64 {
        let name = host.dropFirst().reduce(0) { $0 &* factor &+ UInt64($1) }
        return combine(scheme.reduce(0) { PathBytes.mix($0, UInt64($1)) }, name ^ UInt64(host.first ?? 0))
    }

    /// The factor between the weight of a byte of a host and that of the next one.
    private static var factor: UInt64 { 0x9E37_79B9_7F4A_7C15 }
    /// The number by which the product with `factor` is 1.
    private static var inverseFactor: UInt64 { 0xF1DE_83E1_9937_733D }

    /// Returns true if a set of lengths, each modulo 64, may contain `length`.
    private static func contains(_ lengths: UInt64, _ length: Int) -> Bool {
        lengths &>> UInt64(truncatingIfNeeded: length) & 1 != 0
    }

    private static func combine(_ scheme: UInt64, _ host: UInt64) -> UInt64 { PathBytes.mix(scheme &* 31, host) }

    /// Puts the namespaces that apply into the scratch, the most specific first.
    @inline(__always) func collect(
        _ subject: RouteSubject,
        usesHost: Bool,
        url: PathBytes,
        automaton: RouteAutomaton,
        scratch: RouteScratch
    ) {
        scratch.namespaceCount = 0
        scratch.hasMoreNamespaces = false
        if hasOthers { collectOthers(subject, usesHost: usesHost, url: url, automaton: automaton, scratch: scratch) }
        add(global, scratch)
    }

    private func collectOthers(
        _ subject: RouteSubject,
        usesHost: Bool,
        url: PathBytes,
        automaton: RouteAutomaton,
        scratch: RouteScratch
    ) {
        let scheme = hasSchemes ? subject.scheme ?? .empty : .empty
        var schemeHash: UInt64 = 0
        for index in scheme.indices { schemeHash = PathBytes.mix(schemeHash, UInt64(url[index].asciiLowercased)) }
        if usesHost, let host = subject.host, !host.isEmpty {
            let search = HostSearch(
                schemeHash: schemeHash,
                scheme: scheme,
                host: host,
                port: subject.port,
                url: url,
                automaton: automaton,
                scratch: scratch
            )
            addHosts(search)
        }
        if hasSchemesAlone, !scheme.isEmpty,
            let bucket = find(schemeHash, scheme: scheme, name: nil, nameHash: 0, url: url)
        {
            for index in 0..<bucket.count { add(Int32(bucket.first + index), scratch) }
        }
    }

    /// Adds the namespaces of the host, then those of the ends of its name, the longest first.
    ///
    /// One pass hashes the whole name. The hash of each end is that of the longer one less the byte before it.
    private func addHosts(_ search: HostSearch) {
        let end = Int(search.host.end)
        var start = Int(search.host.start)
        let isKnownLength = Self.contains(exactLengths, end - start)
        guard isKnownLength || endLengths != 0 else { return }
        var hash: UInt64 = 0
        for index in start..<end { hash = hash &* Self.factor &+ UInt64(search.url[index].asciiLowercased) }
        if isKnownLength { addAll(UInt8(ascii: "="), name: search.host, hash: hash, search: search) }
        guard endLengths != 0 else { return }
        var weight: UInt64 = 1
        for _ in start..<end { weight = weight &* Self.factor }
        while start < end {
            let byte = search.url[start]
            if byte == UInt8(ascii: "."), start > Int(search.host.start), Self.contains(endLengths, end - start) {
                addAll(UInt8(ascii: "~"), name: ByteRange(start, end), hash: hash, search: search)
            }
            weight = weight &* Self.inverseFactor
            hash = hash &- UInt64(byte.asciiLowercased) &* weight
            start += 1
        }
        if Self.contains(endLengths, 0) {
            addAll(UInt8(ascii: "~"), name: ByteRange(end, end), hash: hash, search: search)
        }
    }

    /// The namespaces of the scheme, then of every scheme, for one host or end of a host.
    private func addAll(_ mark: UInt8, name: ByteRange, hash: UInt64, search: HostSearch) {
        let nameHash = hash ^ UInt64(mark)
        if !search.scheme.isEmpty,
            let bucket = find(
                search.schemeHash,
                scheme: search.scheme,
                name: (mark, name),
                nameHash: nameHash,
                url: search.url
            )
        {
            addFitting(bucket, search)
        }
        if hasHostsAlone, let bucket = find(0, scheme: .empty, name: (mark, name), nameHash: nameHash, url: search.url)
        {
            addFitting(bucket, search)
        }
    }

    /// Adds the namespaces of a bucket whose port and labels fit.
    private func addFitting(_ bucket: Bucket, _ search: HostSearch) {
        for index in bucket.first..<(bucket.first &+ bucket.count)
        where portFits(index, port: search.port, url: search.url) {
            let namespace = Int32(truncatingIfNeeded: index)
            if bindHost(
                namespace,
                host: search.host,
                url: search.url,
                automaton: search.automaton,
                scratch: search.scratch
            ) >= 0 {
                add(namespace, search.scratch)
            }
        }
    }

    private func add(_ namespace: Int32, _ scratch: RouteScratch) {
        guard namespace >= 0 else { return }
        if !scratch.add(namespace) { scratch.hasMoreNamespaces = true }
    }

    private func portFits(_ namespace: UInt32, port: ByteRange?, url: PathBytes) -> Bool {
        let record = records[namespace]
        guard record.portLength > 0 else { return true }
        guard let port, port.count == Int(record.portLength) else { return false }
        for offset in 0..<port.count where url[Int(port.start) + offset] != bytes[Int(record.portOffset) + offset] {
            return false
        }
        return true
    }

    private func find(
        _ schemeHash: UInt64,
        scheme: ByteRange,
        name: (mark: UInt8, range: ByteRange)?,
        nameHash: UInt64,
        url: PathBytes
    ) -> Bucket? {
        let hash = Self.combine(schemeHash, nameHash)
        var slot = Int(truncatingIfNeeded: hash &>> 20) & mask
        while true {
            let bucket = buckets[slot]
            if bucket.count == 0 { return nil }
            if bucket.hash == hash, equals(bucket.schemeOffset, length: bucket.schemeLength, range: scheme, url: url) {
                if let name {
                    if bucket.hostLength > 0, bytes[bucket.hostOffset] == name.mark,
                        equals(bucket.hostOffset + 1, length: bucket.hostLength - 1, range: name.range, url: url)
                    {
                        return bucket
                    }
                } else if bucket.hostLength == 0 {
                    return bucket
                }
            }
            slot = (slot + 1) & mask
        }
    }

    private func equals(_ offset: UInt32, length: UInt32, range: ByteRange, url: PathBytes) -> Bool {
        guard range.count == Int(length) else { return false }
        for index in 0..<Int(length)
        where url[Int(range.start) + index].asciiLowercased != bytes[Int(offset) + index] { return false }
        return true
    }
}
